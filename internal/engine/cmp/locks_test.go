// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
)

// TestReaders_AreNotCounted looks at a lock that two threads hold for reading.
func TestReaders_AreNotCounted(t *testing.T) {
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
		if n := readers(w.m, held[0]&^state.ReadHold); n != 0 || w.m.CountsReaders() {
			t.Errorf("the lock's words tell of %d readers", n)
		}
	}
	for c := range model.calls {
		if op := &model.subject.Operations[model.calls[c].step.Op]; op.Name == "Add" {
			third := w.m.Threads()
			w.m.Spawn()
			w.m.Call(third, op.Func, subject.ArgumentWords(nil, w.m.Root(0), model.calls[c].step.Args))
			w.m.Settle(third, &ch)
			if w.m.Enabled(third) {
				t.Error("a writer comes in beside readers")
			}
			break
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

// TestReaders_AreLikeCountedOnes makes random executions on a machine that counts the readers of locks, and lets writers announce themselves,
// and each step of them, but for the announcements, on one that does neither.
func TestReaders_AreLikeCountedOnes(t *testing.T) {
	for _, typ := range []string{"Words", "Looked", "Linked", "Shards", "Tree"} {
		t.Run(typ, func(t *testing.T) {
			model, err := newModel(load(t, "testdata/subjects/right", typ), 2, 2)
			if err != nil {
				t.Fatal(err)
			}
			opt := vm.Options{NoSymmetry: true, NoFusing: true, OneOfMany: true, Chronicle: true}
			counts := model.img.NewMachine(opt)
			opt.Frozen = model.img.OnlyOwned()
			both := []*vm.Machine{counts, model.img.NewMachine(opt)}
			if !both[0].CountsReaders() || both[1].CountsReaders() {
				t.Fatal("not one of the two machines counts")
			}
			for _, m := range both {
				m.Spawn()
				if err := construct(m, model.subject); err != nil {
					t.Fatal(err)
				}
				m.Load(slices.Clone(m.Save(nil)))
				m.Spawn()
				m.Spawn()
			}
			random := rand.New(rand.NewPCG(1, 2))
			reads, announcements := 0, 0
			for range 3000 {
				i := random.IntN(3)
				if counts.Idle(i) {
					c := model.calls[random.IntN(len(model.calls))].step
					for _, m := range both {
						m.Call(i, model.subject.Operations[c.Op].Func, subject.ArgumentWords(nil, m.Root(0), c.Args))
						m.Settle(i, dice{random})
					}
					continue
				}
				if !counts.Enabled(i) {
					continue
				}
				counts.Step(i, dice{random})
				if counts.Thread[i].Phase == state.PhaseAnnounced {
					announcements++
					continue
				}
				if !both[1].Enabled(i) {
					t.Fatalf("thread %d cannot go on at %s without counting", i, both[1].At(i))
				}
				both[1].Step(i, dice{random})
				if a, b := both[0], both[1]; a.Idle(i) != b.Idle(i) || a.At(i) != b.At(i) || a.Idle(i) && !slices.Equal(a.Results(i), b.Results(i)) || !slices.Equal(a.Thread[i].Held, b.Thread[i].Held) {
					t.Fatalf("thread %d is at %s, and without counting at %s", i, a.At(i), b.At(i))
				}
				if slices.ContainsFunc(counts.Thread[i].Held, func(p uint64) bool { return p&state.ReadHold != 0 }) {
					reads++
				}
			}
			if reads == 0 || announcements == 0 {
				t.Errorf("%d steps of readers, %d announcements of writers", reads, announcements)
			}
		})
	}
}
