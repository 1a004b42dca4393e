// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"bytes"
	"maps"
	"testing"

	"pangolin/internal/saved"
	"pangolin/internal/store"
)

// What few searches find out is carried as well: that races may hide, how deep calls were followed, which operations wait.
func TestAttempt_IsReadAsItWasWritten(t *testing.T) {
	made := func() *attempt {
		return &attempt{tried: map[string]int{}, settled: store.New(store.Config{}), seen: newSeen(2)}
	}
	a, b := made(), made()
	a.telling.Store(true)
	a.tried["p.F"], a.tried["p.G"], a.inside = 3, 70, 1e-9
	a.settled.Add([]uint64{1, 2, 3})
	a.seen.waits[1] = true
	var text bytes.Buffer
	c := saved.To(&text)
	if a.pass(c); c.End() != nil {
		t.Fatal(c.Err())
	}
	c = saved.From(&text, int64(text.Len()))
	if b.pass(c); c.End() != nil {
		t.Fatal(c.Err())
	}
	if !b.telling.Load() || !maps.Equal(a.tried, b.tried) || b.inside != a.inside || !b.seen.waits[1] || b.seen.waits[0] {
		t.Errorf("telling %t, tried %v, inside %v, waits %v", b.telling.Load(), b.tried, b.inside, b.seen.waits)
	}
	if _, isNew := b.settled.Add([]uint64{1, 2, 3}); isNew {
		t.Error("a state that was settled is not")
	}
}
