// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"testing"

	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/subject"
	"pangolin/internal/vm/state"
)

// TestReaders_AreCounted looks at a lock that two threads hold for reading.
func TestReaders_AreCounted(t *testing.T) {
	model, err := newModel(load(t, "testdata/subjects/right", "Tree"), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	assumed := interleave.NewAssumptions(model.img, 0)
	assumed.Frozen = model.img.OnlyOwned()
	assumed.Begin()
	w, err := newSearch(model, nil, assumed, limits{}).newWalker(2)
	if err != nil {
		t.Fatal(err)
	}
	var ch explore.Choices
	for i := range 2 {
		for c := range model.calls {
			if op := &model.subject.Operations[model.calls[c].step.Op]; op.Name == "Contains" {
				w.m.Call(i, op.Func, subject.ArgumentWords(nil, w.m.Root(0), model.calls[c].step.Args))
				w.m.Settle(i, &ch)
				w.m.Step(i, &ch)
			}
		}
	}
	for i := range 2 {
		held := w.m.Thread[i].Held
		if len(held) != 1 || held[0]&state.ReadHold == 0 {
			t.Fatalf("thread %d holds %x", i, held)
		}
		if n := readers(w.m, held[0]&^state.ReadHold); n != 2 {
			t.Errorf("%d readers, want 2", n)
		}
	}
}

// TestExcludes is a table of what two threads cannot hold at a time.
func TestExcludes(t *testing.T) {
	const lock, other, read = 5 << 32, 6 << 32, state.ReadHold
	for _, c := range []struct {
		name string
		a, b []hold
		want bool
	}{
		{"nothing", nil, []hold{{lock, 0}}, false},
		{"two locks", []hold{{lock, 0}}, []hold{{other, 0}}, false},
		{"one lock", []hold{{lock, 0}}, []hold{{other, 0}, {lock, 0}}, true},
		{"reader and writer", []hold{{lock | read, 1}}, []hold{{lock, 0}}, true},
		{"writer and reader", []hold{{lock, 0}}, []hold{{lock | read, 1}}, true},
		{"two readers of two", []hold{{lock | read, 1}}, []hold{{lock | read, 1}}, false},
		{"two readers of one", []hold{{lock | read, 0}}, []hold{{lock | read, 0}}, true},
		{"one reads twice, of two", []hold{{lock | read, 1}}, []hold{{lock | read, 0}, {lock | read, 0}}, true},
		{"one reads twice, of three", []hold{{lock | read, 2}}, []hold{{lock | read, 1}, {lock | read, 1}}, false},
	} {
		if got := excludes(c.a, c.b); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got := relocated([]hold{{lock, 0}, {other, 0}}, nil, 6); len(got) != 1 || got[0].lock != lock {
		t.Errorf("of a lock in a cell of its own a thread keeps %v", got)
	}
}
