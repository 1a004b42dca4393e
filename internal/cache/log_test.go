// SPDX-License-Identifier: BSD-3-Clause

package cache_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pangolin/internal/cache"
)

// The log has every line that was appended, whole, but for the last one of a process that was killed.

// next gives the lines that have come.
func next(t *testing.T, l *cache.Log) (lines []string, again bool) {
	t.Helper()
	raw, again, err := l.Next()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range raw {
		lines = append(lines, string(r))
	}
	return lines, again
}

func appended(t *testing.T, d *cache.Dir, lines ...string) {
	t.Helper()
	var raw [][]byte
	for _, l := range lines {
		raw = append(raw, []byte(l))
	}
	if err := d.Append(raw...); err != nil {
		t.Fatal(err)
	}
}

func TestLog_GivesLinesAsTheyCome(t *testing.T) {
	d := open(t)
	l := d.Log()
	for _, want := range [][]string{nil, {"a"}, {"b", "c"}, nil, {"d"}} {
		appended(t, d, want...)
		if got, again := next(t, l); again || !slices.Equal(got, want) {
			t.Errorf("%q, %v; want %q", got, again, want)
		}
	}
	if err := d.Clean(); err != nil {
		t.Fatal(err)
	}
	if got, again := next(t, l); !again || len(got) > 0 {
		t.Errorf("behind Clean: %q, %v", got, again)
	}
	appended(t, d, "e")
	if got, _ := next(t, l); !slices.Equal(got, []string{"e"}) {
		t.Errorf("behind Clean and another line: %q", got)
	}
}

// What a killed process has left of a line costs no other line.
func TestLog_LosesNothingButATornLine(t *testing.T) {
	d := open(t)
	whole := "a line that is torn somewhere"
	for cut := range len(whole) + 2 {
		if err := d.Clean(); err != nil {
			t.Fatal(err)
		}
		appended(t, d, "before")
		f, err := os.OpenFile(filepath.Join(d.Path(), "log"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(("\n" + whole)[:cut]); err != nil {
			t.Fatal(err)
		}
		f.Close()
		l := d.Log()
		first, _ := next(t, l)
		if !slices.Equal(first, []string{"before"}) {
			t.Errorf("cut at %d: at first %q", cut, first)
		}
		appended(t, d, "behind")
		if then, _ := next(t, l); len(then) == 0 || then[len(then)-1] != "behind" || len(then) > 2 {
			t.Errorf("cut at %d: then %q", cut, then)
		}
	}
}

// A large file is renamed, a reader sees the lines of both, and the oldest files go.
func TestLog_IsBoundedInSize(t *testing.T) {
	d := open(t)
	l := d.Log()
	line := bytes.Repeat([]byte("x"), 1<<20)
	total := 0
	for i := range 100 {
		if err := d.Append(fmt.Appendf(nil, "%d %s", i, line)); err != nil {
			t.Fatal(err)
		}
		got, again := next(t, l)
		if total += len(got); again {
			total = len(got)
		}
		if len(got) == 0 || !strings.HasPrefix(got[len(got)-1], fmt.Sprint(i)) {
			t.Fatalf("line %d does not come last of %d", i, len(got))
		}
	}
	files, err := filepath.Glob(filepath.Join(d.Path(), "log*"))
	if err != nil || len(files) > 4 || total < 48 || total > 66 {
		t.Errorf("%d files, %d lines, %v", len(files), total, err)
	}
}

// Many processes append, and are killed all the time: the lines that come are whole ones, those of each process in order without a gap,
// but that a reader may find a torn line at the end of what a process has written.
func TestLog_SurvivesKilledProcesses(t *testing.T) {
	if dir := os.Getenv("CACHE_TEST_LOGS"); dir != "" {
		chatter(dir)
	}
	kills := 40
	if testing.Short() {
		kills = 6
	}
	d := open(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range kills / 2 {
				cmd := exec.Command(os.Args[0], "-test.run", "^TestLog_SurvivesKilledProcesses$")
				cmd.Env = append(os.Environ(), "CACHE_TEST_LOGS="+d.Path())
				if err := cmd.Start(); err != nil {
					t.Error(err)
					return
				}
				time.Sleep(time.Duration(10+rand.IntN(40)) * time.Millisecond)
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	l, last, count, torn := d.Log(), map[int]int{}, 0, 0
	for ended := false; ; {
		lines, again := next(t, l)
		if again {
			t.Error("nobody has removed or renamed the log, and the reader begins again")
		}
		for _, line := range lines {
			var pid, n, length int
			if _, err := fmt.Sscanf(line, "<%d %d %d", &pid, &n, &length); err != nil || !strings.HasSuffix(line, ">") || len(line) != length {
				torn++
				continue
			}
			if count++; n != last[pid]+1 {
				t.Fatalf("process %d: line %d behind line %d", pid, n, last[pid])
			}
			last[pid] = n
		}
		if ended {
			break
		}
		select {
		case <-done:
			ended = true
		case <-time.After(time.Millisecond):
		}
	}
	if count == 0 || torn > 2*kills {
		t.Errorf("%d lines, %d torn, by %d processes", count, torn, 2*kills)
	}
	t.Logf("%d processes killed, %d lines, %d torn", 2*kills, count, torn)
}

// chatter appends lines until it is killed, or has written as many as do not fill a file.
func chatter(dir string) {
	d, err := cache.Open(dir)
	if err != nil {
		panic(err)
	}
	for n := 1; n <= 100; n++ {
		head := fmt.Sprintf("<%d %d ", os.Getpid(), n)
		fill := strings.Repeat("x", rand.IntN(500))
		length := len(head) + 5 + len(fill) + 1
		if err := d.Append(fmt.Appendf(nil, "%s%4d %s>", head, length, fill)); err != nil {
			panic(err)
		}
	}
	select {}
}

func TestSign_IsThereWhileAProcessWritesIt(t *testing.T) {
	d := open(t)
	seen := func() []string {
		list, err := d.Running()
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, text := range list {
			texts = append(texts, string(text))
		}
		return texts
	}
	s := d.Sign()
	for _, text := range []string{"one", "two"} {
		if err := s.Show([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := seen(); !slices.Equal(got, []string{text}) {
			t.Errorf("%q is running; want %q", got, text)
		}
	}
	files, err := filepath.Glob(filepath.Join(d.Path(), "running", "*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	before := time.Now().Add(-2 * cache.Silent)
	if err := os.Chtimes(files[0], before, before); err != nil {
		t.Fatal(err)
	}
	if got := seen(); len(got) > 0 {
		t.Errorf("%q has not written for a while and is running", got)
	}
	if err := s.Show([]byte("three")); err != nil {
		t.Fatal(err)
	}
	if err := s.Gone(); err != nil || len(seen()) > 0 {
		t.Errorf("gone, and there: %q, %v", seen(), err)
	}
}

func TestNote_IsReplaced(t *testing.T) {
	d := open(t)
	if got := d.Note(key("a")); got != "" {
		t.Errorf("an empty directory has the note %q", got)
	}
	for _, text := range []string{"one", "two"} {
		if err := d.SetNote(key("a"), text); err != nil || d.Note(key("a")) != text {
			t.Errorf("%q, %v; want %q", d.Note(key("a")), err, text)
		}
	}
	if s, err := d.Check(); err != nil || s.Results != 0 || len(s.Damaged) > 0 {
		t.Errorf("a note counts as a result: %+v, %v", s, err)
	}
	if err := d.Clean(); err != nil || d.Note(key("a")) != "" {
		t.Errorf("a note stays behind Clean: %v", err)
	}
}
