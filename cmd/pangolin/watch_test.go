// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pangolin/internal/test/level"
)

// shared is an output that is read while it is written.
type shared struct {
	mu sync.Mutex
	bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Buffer.Write(p)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Buffer.String()
}

// What is saved is verified again, with what imports it, and nothing else, until an interrupt.
func TestWatch_VerifiesWhatWasSaved(t *testing.T) {
	if level.Short() {
		t.Skip("takes seconds")
	}
	box := "package box\n\nimport (\n\t\"example/counter\"\n\t\"sync\"\n)\n\ntype Box struct {\n\tmu sync.Mutex\n\tc counter.Counter\n}\n\n" +
		"func (b *Box) Inc() { b.mu.Lock(); defer b.mu.Unlock(); b.c.Inc() }\n\nfunc (b *Box) Get() int64 { b.mu.Lock(); defer b.mu.Unlock(); return b.c.Get() }\n"
	dir := writeFiles(t, map[string]string{"go.mod": "module example\n\ngo 1.24\n", "counter/counter.go": losing, "box/box.go": box,
		"flag/flag.go": "package flag\n\nimport \"sync/atomic\"\n\ntype Flag struct{ on atomic.Bool }\n\nfunc (f *Flag) Set() { f.on.Store(true) }\n\nfunc (f *Flag) IsSet() bool { return f.on.Load() }\n"})
	t.Chdir(dir)
	ctx, interrupt := context.WithCancel(t.Context())
	var out, said shared
	ended := make(chan int)
	go func() {
		ended <- execute(ctx, []string{"verify", "-q", "-watch", "-no-cache", "-out", "", "./counter", "./box", "./flag"}, &console{in: strings.NewReader(""), out: &out, err: &said})
	}()
	rounds := func(n int) {
		t.Helper()
		for end := time.Now().Add(time.Minute); strings.Count(said.String(), "watching 3 directories") < n; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("round %d does not end\n%s\n%s", n, out.String(), said.String())
			}
		}
	}
	counts := func(of string) int { return strings.Count(out.String(), of+" ") }
	rounds(1)
	if counts("counter.Counter") == 0 || counts("box.Box") == 0 || counts("flag.Flag") == 0 || !strings.Contains(out.String(), "VIOLATED") {
		t.Fatal(out.String())
	}
	out.mu.Lock()
	out.Reset()
	out.mu.Unlock()
	mended := strings.Replace(losing, "old := c.n.Load()\n\tc.n.Store(old + 1)", "c.n.Add(1)", 1)
	if err := os.WriteFile(filepath.Join("counter", "counter.go"), []byte(mended), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("counter", "notes.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	rounds(2)
	if counts("counter.Counter") == 0 || counts("box.Box") == 0 || counts("flag.Flag") != 0 || strings.Contains(out.String(), "VIOLATED") {
		t.Error(out.String())
	}
	if !strings.Contains(said.String(), "changed: example/box example/counter\n") {
		t.Error(said.String())
	}
	interrupt()
	if code := <-ended; code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// The distance counts inserted, removed, replaced and exchanged letters, in either direction.
func TestDistance_CountsEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"verify", "verfiy", 1}, {"thread", "threads", 1}, {"kitten", "sitting", 3}, {"ab", "ba", 1}, {"ca", "abc", 3}} {
		if got := distance(c.a, c.b); got != c.want || distance(c.b, c.a) != c.want {
			t.Errorf("%s to %s: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
