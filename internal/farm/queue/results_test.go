// SPDX-License-Identifier: BSD-3-Clause

package queue

import (
	"bytes"
	"crypto/rand"
	"testing"

	"pangolin/internal/cache"
	"pangolin/internal/farm"
)

// The largest result that a worker may store can be read, although an answer in JSON has a third more.
func TestResult_GivesTheLargest(t *testing.T) {
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
	text := make([]byte, farm.Largest)
	if _, err := rand.Read(text); err != nil { // nothing can be said shorter
		t.Fatal(err)
	}
	if stored, err := q.Store(t.Context(), &Facts{Key: "k"}, &cache.Entry{Text: text, Same: []byte("same")}); err != nil || stored != Created {
		t.Fatalf("%v %v", stored, err)
	}
	sealed, _, err := q.Result(t.Context(), "k")
	if err != nil {
		t.Fatal(err)
	}
	e, err := cache.Unseal("k", sealed)
	if err != nil || !bytes.Equal(e.Text, text) {
		t.Errorf("another text of %d bytes: %v", len(e.Text), err)
	}
}
