// SPDX-License-Identifier: BSD-3-Clause

package queue

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// stored is a queue with three tasks of which a worker has done one and two are leased, after its server has ended: the directory, and the file of its leases.
func stored(t *testing.T) (dir, file string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "queue")
	s, q := serve(t, dir)
	for _, key := range []string{"a", "b", "c"} {
		if err := q.Add(t.Context(), &Ticket{Key: key, Tool: "tool", Task: []byte(key)}); err != nil {
			t.Fatal(err)
		}
	}
	source, err := q.Source(t.Context(), "tool")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		l, err := source.Take(5 * time.Second)
		if err != nil || l == nil {
			t.Fatal(l, err)
		}
		if i == 0 {
			if err := l.Done(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.End()
	files, err := filepath.Glob(filepath.Join(dir, "jetstream", "*", "streams", tasks, "obs", "*", "o.dat"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	return dir, files[0]
}

// serve starts a server over a directory and admits workers.
func serve(t *testing.T, dir string) (*Server, *Queue) {
	t.Helper()
	s, err := Serve(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	q, err := Create(ctx, conn, Usual)
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Admit(ctx, "tool", time.Minute); err != nil {
		t.Fatal(err)
	}
	return s, q
}

func TestForget_LeavesWhatTheServerWrites(t *testing.T) {
	dir, file := stored(t)
	if removed, err := forget(dir); removed != nil || err != nil {
		text, _ := os.ReadFile(file)
		t.Errorf("forget removed %q (%v) with the leases % d", removed, err, text)
	}
}

// A server starts and gives tasks although one bit of its leases is another one: first the number of leases is 3,592,456,716, of which
// the server would die.
func TestServe_StartsWithDamagedLeases(t *testing.T) {
	dir, file := stored(t)
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	texts := [][]byte{{22, 2, 24, 24, 26, 154, 2, 140, 174, 201, 176, 13, 1, 1, 2, 2, 2, 2, 0}}
	for range 20 {
		text := append([]byte(nil), written...)
		text[rand.IntN(len(text))] ^= 1 << rand.IntN(8)
		texts = append(texts, text)
	}
	for _, text := range texts {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		s, _ := serve(t, dir)
		s.End()
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
	}
}

// No file of leases that is believed says that there are more of them than it has bytes, however it is damaged.
func TestConsistent_BelievesNoNumberBeyondTheFile(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	believed := 0
	for range 200_000 {
		text := []byte{22, 2, 24, 24, 26, 26, 2, 140, 174, 201, 176, 13, 1, 1, 2, 2, 2, 2, 1, 1, 3}
		for range 1 + r.IntN(3) {
			text[r.IntN(len(text))] ^= 1 << r.IntN(8)
		}
		text = text[:len(text)-r.IntN(3)]
		if !consistent(text) {
			continue
		}
		believed++
		n := &numbers{rest: text[2:]}
		for range 4 {
			n.next()
		}
		if count := n.next(); count > uint64(len(text)) {
			t.Fatalf("% d is believed, with %d leases", text, count)
		}
	}
	if believed == 0 {
		t.Error("nothing is believed")
	}
}
