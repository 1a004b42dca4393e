// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
	"pangolin/oracle"
)

// Walks compare a table with real executions: random executions of two to four threads on the machine, with the
// oracle in step. Behind each step, the view of each thread has to be in the table. A walk shares with the search the
// machine, the points and the canonical form of states, and neither effects nor their merging with views.

// walker is a walk in progress.
type walker struct {
	s       *search
	m       *vm.Machine
	chooser vm.Chooser
	content oracle.StateID // what the collection holds, by the oracle
	ghosts  []ghost        // by thread
	// noting is called before each step, with the acting thread alone in the search's machine. The function that it
	// gives is called if the step does something that others see. nil: no notes are taken.
	noting func(site string) (note func())
}

// walk makes a number of walks of at most so many steps each. The error names what a real execution does that the
// table does not hold.
func (s *search) walk(ctx context.Context, walks, steps int) error {
	random := rand.New(rand.NewPCG(1, 1))
	for i := range walks {
		if err := ctx.Err(); err != nil {
			return err
		}
		threads := 2
		if i >= walks/2 {
			threads += random.IntN(3)
		}
		w, err := s.newWalker(threads)
		if err != nil {
			return err
		}
		w.chooser = dice{random}
		for range steps {
			if on, err := w.move(random.IntN(threads), random.IntN(len(s.model.calls))); err != nil {
				return err
			} else if !on {
				break
			}
		}
	}
	return nil
}

// newWalker makes a collection and so many idle threads.
func (s *search) newWalker(threads int) (*walker, error) {
	w := &walker{s: s, m: newMachine(s.model, s.assumed, vm.Hash{}), content: s.model.initial, ghosts: make([]ghost, threads)}
	w.m.Spawn()
	if err := construct(w.m, s.model.subject); err != nil {
		return nil, err
	}
	w.m.Load(slices.Clone(w.m.Save(nil))) // from here on the collection is shared
	for range threads - 1 {
		w.m.Spawn()
	}
	return w, nil
}

// dice decide at random what Go leaves open.
type dice struct{ *rand.Rand }

func (d dice) Choose(n int) int { return d.IntN(n) }

// move lets thread i make a step, or make call c if it is idle. It is false if the content leaves the bound by that.
func (w *walker) move(i, c int) (bool, error) {
	model := w.s.model
	switch {
	case !w.m.Idle(i):
		if !w.m.Enabled(i) {
			return true, nil
		}
		if err := w.advance(i); err != nil {
			return false, err
		}
	case w.taken(model.role(c)):
		return true, nil
	default:
		w.ghosts[i] = newGhost(c, model.justified(w.content, c))
		step := model.calls[c].step
		w.m.Call(i, model.subject.Operations[step.Op].Func, subject.ArgumentWords(nil, w.m.Root(0), step.Args))
		w.m.Settle(i, w.chooser)
	}
	if w.m.Misnumbered {
		return false, misused(w.m, w.m.At(i))
	}
	switch {
	case w.s.assumed.Tell(w.m):
		return false, withdrawn{}
	case !model.within(w.content):
		return false, nil
	}
	for k := range w.ghosts {
		w.ghosts[k] = model.sees(w.ghosts[k], w.content)
	}
	if w.m.Idle(i) {
		call := &model.calls[w.ghosts[i].call()]
		r := model.auto.ResultID(resultOf(w.m, i, &model.subject.Operations[call.step.Op]))
		if !model.allows(w.ghosts[i], r) {
			return false, fmt.Errorf("a real execution has %s return %v", call.text, model.auto.Result(r))
		}
		w.ghosts[i] = 0
	}
	return true, w.look()
}

// taken says that the one thread that may make calls of a role (see model.role) is making one.
func (w *walker) taken(role int) bool {
	return role > 0 && slices.ContainsFunc(w.ghosts, func(g ghost) bool { return g.busy() && w.s.model.role(g.call()) == role })
}

// advance lets thread i make a step, and changes the content if the step is one of the points.
func (w *walker) advance(i int) error {
	site, woken := siteOf(w.m, i), waits(w.m, i)
	before := w.known()
	note := w.stand(i, site)
	w.m.Step(i, w.chooser)
	kind, any := w.changed(before)
	if _, done := w.ghosts[i].result(); !done && any && w.s.points.at(site, kind, w.s.operation(w.ghosts[i]), woken) != "" {
		if e, some := w.s.model.changes(w.content, w.ghosts[i].call()); some {
			w.ghosts[i], w.content = w.ghosts[i].effected(e.Result), e.Next
		}
	}
	if !any || !w.s.model.within(w.content) {
		return nil
	}
	note()
	return w.ownWalked(i, before)
}

// known copies the words of the objects that several threads may know, by number.
func (w *walker) known() map[int][]uint64 {
	out := map[int][]uint64{}
	for id := 1; id < len(w.m.Objs); id++ {
		if o := &w.m.Objs[id]; o.Flags&(state.IsKnown|state.IsShared) != 0 || id <= w.s.base {
			out[id] = append(slices.Clone(w.m.Mem[o.At:o.At+o.Words()]), uint64(o.Count), uint64(o.Aux))
		}
	}
	return out
}

// changed says which fields a step has changed (see change.kind), and whether it has changed any, of objects that
// several threads may know. before are their words before the step.
func (w *walker) changed(before map[int][]uint64) (kind string, any bool) {
	now := w.known()
	var fields []string
	for id, words := range before {
		switch {
		case slices.Equal(words, now[id]):
			continue
		case id <= w.s.base:
			fields = append(fields, "package variables")
		default:
			fields = append(fields, fieldsOf(w.m, id, words[:len(words)-2])...)
		}
		any = true
	}
	return kindOf(fields), any
}

// look is an error if two threads race now, or if the view of a thread is not in the table.
func (w *walker) look() error {
	if r, wrong := w.m.Race(); wrong && !w.s.limits.noRaces {
		return fmt.Errorf("in a real execution threads race at %s and at %s", w.m.At(r.Threads[0]), w.m.At(r.Threads[1]))
	}
	for i, g := range w.ghosts {
		w.m.SetTag(i, uint64(g))
	}
	all := slices.Clone(w.m.Save(nil))
	for i := range w.ghosts {
		m := w.s.m
		m.Load(all)
		m.Thread[0], m.Thread[i] = m.Thread[i], m.Thread[0]
		m.RetireThreads(1)
		if err := w.s.has(w.content); err != nil {
			return err
		}
	}
	return nil
}

// has is an error if the machine's state, with a content, is no view of the table.
func (s *search) has(content oracle.StateID) error {
	s.check = true
	defer func() { s.check = false }()
	return s.add(content, -1, 0)
}
