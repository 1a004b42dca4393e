// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"pangolin/internal/engine"
	"pangolin/internal/engine/cmp/lemma"
	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
	"pangolin/verdict"
)

// Checks: what holds of a thread that stands in front of a statement, whatever others do meanwhile. A test evaluates
// a check a moment after the thread has come there. So the fact has to hold in every view whose thread has come to
// the statement and is not yet behind its first access; it may read at most one word that others write; and reading
// must be no data race.

// place is a line of a function.
type place struct {
	fn   *ir.Func
	line int32
}

// standing gathers the facts that hold at places.
type standing struct {
	s     *search
	first map[*ir.Func]map[int32]int // the first instruction of each line
	// the facts that held so far, with what they read; nil: no state was looked at
	facts map[place]map[string][]lemma.Access
	bad   map[place]bool // lines that a step may leave before their first access
}

// checksOf finds the checks for all lines of a proof. Code that is executed under a lock is passed over in one step
// by some reductions, and then less is known of its lines; so the proof is made without these reductions, if it can
// be.
func checksOf(ctx context.Context, j *engine.Job, found *search, items int) ([]verdict.Check, error) {
	single := *j
	single.Reduce &^= vm.GuardedAccesses
	if s, err := Prove(ctx, &single, items, found.limits); err == nil {
		found = s
	}
	w := &standing{s: found, first: map[*ir.Func]map[int32]int{}, facts: map[place]map[string][]lemma.Access{}, bad: map[place]bool{}}
	for v := range found.t.views {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w.view(int32(v))
	}
	return w.checks(), nil
}

// view takes note of view v: of what holds where its thread stands, and at the lines that its step passes.
func (w *standing) view(v int32) {
	m := w.s.m
	w.s.load(v)
	if m.Idle(0) {
		for i := range w.s.model.calls {
			w.follow(func() {
				w.s.load(v)
				step := w.s.model.calls[i].step
				m.Call(0, w.s.model.subject.Operations[step.Op].Func, subject.ArgumentWords(nil, m.Root(0), step.Args))
			}, func() { m.Settle(0, nil) })
		}
		return
	}
	for k := range m.Thread[0].Frames {
		if p, ok := w.placeOf(k); ok {
			w.note(p, k, v)
			w.s.load(v)
		}
	}
	if m.Enabled(0) {
		w.follow(func() { w.s.load(v) }, func() { m.Step(0, nil) })
	}
}

// placeOf is where call k in progress stands; ok if that is in the user's code.
func (w *standing) placeOf(k int) (place, bool) {
	f := &w.s.m.Thread[0].Frames[k]
	fn := f.Code.Func
	if fn.Library() || fn.Harness || fn.Wrapper || int(f.PC) >= len(fn.Pos) {
		return place{}, false
	}
	return place{fn, fn.Pos[f.PC].Line}, true
}

// passed is a line that a step has come to the beginning of, in the call with index depth.
type passed struct {
	place
	depth int
}

// follow makes a step one instruction at a time. Where a line begins that it does not stop in, nothing is known of
// what others do until then.
func (w *standing) follow(load, step func()) {
	m := w.s.m
	var by []passed
	for range w.s.instructions(load, step) {
		if m.Idle(0) {
			break
		}
		k := len(m.Thread[0].Frames) - 1
		if p, ok := w.placeOf(k); ok && w.begins(p.fn)[p.line] == int(m.Thread[0].Frames[k].PC) {
			by = append(by, passed{p, k})
			w.note(p, k, -1)
		}
		if m.RunExactly(0, 1, nil) == 0 {
			break
		}
	}
	for _, b := range by {
		if m.Idle(0) || b.depth >= len(m.Thread[0].Frames) {
			w.bad[b.place] = true
		} else if p, ok := w.placeOf(b.depth); !ok || p != b.place {
			w.bad[b.place] = true
		}
	}
}

// begins gives the first instruction of each line of a function.
func (w *standing) begins(fn *ir.Func) map[int32]int {
	if w.first[fn] == nil {
		w.first[fn] = map[int32]int{}
		for pc, pos := range fn.Pos {
			if _, known := w.first[fn][pos.Line]; !known {
				w.first[fn][pos.Line] = pc
			}
		}
	}
	return w.first[fn]
}

// note drops the facts about place p that do not hold of call k in progress in the state that is loaded. If v is not
// -1 the state is view v, and facts go whose reading would be a data race there.
func (w *standing) note(p place, k int, v int32) {
	checks := w.s.model.facts.Checks(w.s.m, k)
	known := w.facts[p]
	if known == nil {
		known = checks
		w.facts[p] = known
	}
	var lost []string
	for f := range known {
		if reads, holds := checks[f]; !holds || !w.stable(reads) {
			lost = append(lost, f)
		} else {
			known[f] = reads
		}
	}
	for _, f := range lost {
		delete(known, f)
	}
	if v < 0 {
		return
	}
	races := map[uint64]bool{}
	for _, f := range slices.Sorted(maps.Keys(known)) {
		for _, r := range known[f] {
			if _, known := races[r.P]; !r.Atomic && !known {
				races[r.P] = w.races(v, r.P)
			}
			if races[r.P] {
				delete(known, f)
			}
		}
	}
}

// stable says that at most one of the words may be written while others see it.
func (w *standing) stable(reads []lemma.Access) bool {
	m := w.s.m
	var written []uint64
	for _, r := range reads {
		o := &m.Objs[state.ObjectID(r.P)]
		if r.Atomic && !m.FrozenRead(o, state.Offset(r.P), 1) && !slices.Contains(written, r.P) {
			written = append(written, r.P)
		}
	}
	return len(written) <= 1
}

// races says that the thread of view v would race with another thread if it read the word at p now.
func (w *standing) races(v int32, p uint64) bool {
	s := w.s
	s.load(v)
	if !s.mayBeKnown(p) {
		return false
	}
	c := s.t.common[s.t.views[v].common]
	for _, q := range c.accesses {
		if s.race(v, vm.Access{P: p, Words: 1}, q.view, q.access) != nil {
			return true
		}
	}
	return false
}

// checks lists the facts that are left, by file and line.
func (w *standing) checks() []verdict.Check {
	prog := w.s.model.subject.Prog
	var out []verdict.Check
	for p, facts := range w.facts {
		x := verdict.Check{File: prog.Files[p.fn.Pos[w.begins(p.fn)[p.line]].File], Line: int(p.line), Facts: distinct(facts)}
		if !w.bad[p] && len(x.Facts) > 0 {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, func(a, b verdict.Check) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
	return out
}

// distinct lists facts in order. It leaves out "x != nil" if another fact follows a pointer x, "x != y" if one of the
// two is less, and what a test cannot evaluate.
func distinct(facts map[string][]lemma.Access) []string {
	var out []string
	list := slices.Sorted(maps.Keys(facts))
	for _, f := range list {
		if x, some := strings.CutSuffix(f, " != nil"); some && slices.ContainsFunc(list, func(g string) bool { return strings.Contains(" "+strings.Trim(g, "!"), " "+x+".") }) {
			continue
		}
		x, y, unequal := strings.Cut(f, " != ")
		_, less := facts[x+" < "+y]
		_, more := facts[y+" < "+x]
		if strings.HasPrefix(f, "reachable(") || strings.HasPrefix(f, "private(") || unequal && (less || more) {
			continue
		}
		out = append(out, f)
	}
	return out
}
