// SPDX-License-Identifier: BSD-3-Clause

package queue

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"pangolin/internal/cache"
)

// A server begins with the directory of an older one, whose stream of tasks had another form: results are kept, tasks may be forgotten. Tasks that have a result are.
func TestCreate_TakesOverAnOlderDirectory(t *testing.T) {
	s, err := Serve(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.End()
	conn, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	q, err := Create(t.Context(), conn, Usual)
	if err != nil {
		t.Fatal(err)
	}
	old := q.waiting
	old.PersistMode = jetstream.DefaultPersistMode
	if err := q.js.DeleteStream(t.Context(), tasks); err != nil {
		t.Fatal(err)
	}
	if _, err := q.js.CreateStream(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	ticket := &Ticket{Key: "k", Tool: "t"}
	for round := range 2 { // the second time nothing has changed
		if q, err = Create(t.Context(), conn, Usual); err != nil {
			t.Fatal(err)
		}
		stream, err := q.js.Stream(t.Context(), tasks)
		if err != nil {
			t.Fatal(err)
		}
		if mode := stream.CachedInfo().Config.PersistMode; mode != jetstream.AsyncPersistMode {
			t.Errorf("round %d: the stream has the old form %v", round, mode)
		}
		if err := q.Admit(t.Context(), "t", time.Minute); err != nil {
			t.Fatal(err)
		}
		if err := q.Add(t.Context(), ticket); err != nil {
			t.Fatal(err)
		}
		if there, err := q.Waits(t.Context(), ticket); err != nil || !there {
			t.Errorf("round %d: a task does not wait: %v", round, err)
		}
	}
	other := &Ticket{Key: "other", Tool: "t"}
	if err := q.Add(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	if _, err := q.Store(t.Context(), &Facts{Key: "k"}, &cache.Entry{Text: []byte("text"), Same: []byte("text")}); err != nil {
		t.Fatal(err)
	}
	if err := q.Tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, one := range []*Ticket{ticket, other} {
		if there, err := q.Waits(t.Context(), one); err != nil || there != (one == other) {
			t.Errorf("%s waits: %t, %v", one.Key, there, err)
		}
	}
}
