// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"pangolin/internal/certificate/pairs"
	"pangolin/internal/interleave"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
)

// Words that belong to a thread. A lock may be made of a word: whoever changes it from 0 to 1 has the lock until it changes it back. So may a
// state of a cell: who has made it "being written" is the only one to write, and to end that. That a word with such a value belongs to
// the thread that has written the value is tried where there is no proof without it. It is a ghost: the thread has the word in its list of
// locks (state.WordHold), so that two threads that have one word exclude each other (locks.go).
//
// It is right as long as nobody else changes such a value. Whoever does withdraws that values of this sort belong to anybody, and the search
// begins again.

// owned are the values of words that belong to the thread that has written them, by compare-and-swap or the like or by any other change.
type owned map[pairs.Owned]bool

// words are the words that belong to threads in a search.
type words struct {
	of    owned // values of words that belong to who has written them; nil: none do
	wrote owned // values that steps have written which read a word and changed it, in one
}

// reowned says that a thread has changed a value that did not belong to it.
type reowned struct{ pairs.Owned }

func (*reowned) Error() string {
	return "a word that seemed to belong to one thread is changed by another one"
}

// swaps says that thread 0 is about to read a word and change it, in one.
func (s *search) swaps() bool {
	if s.m.Idle(0) {
		return false
	}
	switch s.m.Thread[0].Instr().Op {
	case ir.OpAtomicSwap, ir.OpAtomicCAS, ir.OpAtomicAdd, ir.OpAtomicAnd, ir.OpAtomicOr:
		return true
	}
	return false
}

// own keeps account of the words that belong to thread 0, behind its step. swaps says that the step read a word and changed it, in one; values
// that such steps write are candidates for owned.
func (s *search) own(swaps bool) error {
	for i := range s.pre.cells {
		c, id := &s.pre.cells[i], s.base+1+i
		if seen := i < s.pre.count || c.Known(); !seen || s.m.Is(id, c) {
			continue
		}
		if swaps {
			s.note(id, c.Words)
		}
		if err := s.words.of.rewritten(s.m, 0, id, c.Words); err != nil {
			return err
		}
	}
	return nil
}

// note makes candidates of the values that words of an object have now, and did not have before.
func (s *search) note(id int, before []uint64) {
	each(s.m, id, before, func(_ uint64, _, now pairs.Owned) {
		if !state.IsNumber(now.Value) { // ownHold says whose those are
			s.words.wrote[now] = true
		}
	})
}

// each calls tell for each word of an object that has changed and holds no reference, with its address and what it held before and holds now.
// Words that are not there any more are left out, and so are those of maps.
func each(m *vm.Machine, id int, before []uint64, tell func(at uint64, before, now pairs.Owned)) {
	if moves(m, id) {
		return
	}
	o := &m.Objs[id]
	t := o.Info.Type
	words := m.Words(state.Pointer(id, 0), o.Words())
	for k, old := range before {
		if k >= len(words) || words[k] == old || !m.HoldsNoReference(id, k) {
			continue
		}
		tell(state.Pointer(id, k), pairs.Owned{Type: t.ID, Word: k % t.Size, Value: old}, pairs.Owned{Type: t.ID, Word: k % t.Size, Value: words[k]})
	}
}

// moves says that an object is a map. Its entries move when others are made or deleted, and when a state is saved, so that words of it cannot be
// followed: they belong to nobody.
func moves(m *vm.Machine, id int) bool { return m.Objs[id].Info.Unordered != nil }

// rewritten keeps account of the words of an object that thread i has just changed.
func (o owned) rewritten(m *vm.Machine, i, id int, before []uint64) (err error) {
	if len(o) == 0 {
		return nil
	}
	if n := m.Objs[id].Words(); n < len(before) && !moves(m, id) {
		return outside("an object becomes shorter that has words which belong to threads")
	}
	t := m.Thread[i]
	each(m, id, before, func(at uint64, before, now pairs.Owned) {
		if o[before] {
			k := slices.Index(t.Held, at|state.WordHold)
			if k < 0 {
				err = &reowned{before}
				return
			}
			t.Held = slices.Delete(t.Held, k, k+1)
		}
		if o[now] {
			t.Held = append(t.Held, at|state.WordHold)
		}
	})
	return err
}

// mostReowned is how many times a proof with words that belong to threads is begun.
const mostReowned = 24

// ownership is what a search with words that belong to threads is made with.
type ownership struct {
	model   *model
	assumed *interleave.Assumptions
	limits  limits
	choices []points
}

// owning tries to prove what there is no proof of without words that belong to threads. found are values that threads have written; there are
// more of them the farther a search comes. It gives a closed table, at which no gate has looked; nil if there is no proof with them either.
func (a *ownership) owning(ctx context.Context, found owned) (*search, error) {
	others := owned{} // values that belong to nobody
	for range mostReowned {
		again, values := false, maps.Clone(found)
		maps.DeleteFunc(values, func(v pairs.Owned, _ bool) bool { return others[v] })
		if len(values) == 0 {
			return nil, nil
		}
		for _, p := range a.choices {
			s := newSearch(a.model, p, a.assumed, a.limits)
			s.words.of = values
			err := s.run(ctx)
			if err == nil {
				if err = s.vacuous(); err == nil {
					return s, nil
				}
			}
			if errors.As(err, &withdrawn{}) || ctx.Err() != nil {
				return nil, err
			}
			if bad := new(reowned); errors.As(err, &bad) {
				others[bad.Owned], again = true, true
			}
			for v := range s.words.wrote {
				again = again || !found[v]
				found[v] = true
			}
			if again {
				break
			}
		}
		if !again {
			return nil, nil
		}
	}
	return nil, nil
}

// list gives the values in order, for certificates.
func (o owned) list() []pairs.Owned {
	return slices.SortedFunc(maps.Keys(o), pairs.Owned.Compare)
}

// ownWalked keeps account of the words that belong to thread i of a walk, behind its step. before are the words of all objects that several
// threads may know, as walker.known gives them.
func (w *walker) ownWalked(i int, before map[int][]uint64) error {
	for _, id := range slices.Sorted(maps.Keys(before)) {
		if id <= w.s.base {
			continue
		}
		if err := w.s.words.of.rewritten(w.m, i, id, before[id][:len(before[id])-2]); err != nil {
			return fmt.Errorf("in a real execution %w", err)
		}
	}
	return nil
}
