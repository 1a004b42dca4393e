// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/certificate/sections"
	"pangolin/internal/engine"
	"pangolin/internal/ir"
)

// program is what is analysed: functions that drive the operations.
type program struct {
	prog     *ir.Program
	ops      []string // their names
	fns      []*ir.Func
	make     *ir.Func   // makes a collection
	values   []*ir.Func // functions of which the program makes values
	classes  classes
	closures closures
	ofType   map[string][]class // by the canonical type of a word, the classes that it may be of
	around
	unbuffered []sections.Unbuffered
}

// table is what is known of calls of functions.
type table struct {
	p           *program
	invocations []*invocation
	byKey       map[string]*invocation
	queue       []*reached
	lock        path // the first one that is locked
	lockHint    hint
	fixed       []class // classes of which it is relied on that no call writes them
	written     []class
	unfixed     []class // classes that calls write, found before
	atomic      []class // classes that calls access by atomic instructions alone, found before
	loosely     []class // those of them that calls write without having the lock for writing, found before
	moments     bool    // some call accesses a word of an atomic class
	effects     map[effect]bool
	states      int
	variables
	loose     bool   // something own is published in another phase than writing
	channels  bool   // calls use a channel that others have
	atChannel bool   // and may wait there
	within    string // a method of a sync.Map or an atomic.Value that is called, and may wait within; "": none
}

// variables are what the collection has to do with the memory of package variables.
type variables struct {
	mixed     bool              // such memory may be in the collection, or leads to what the constructor has made
	deep      bool              // it is formatted without the lock
	given     map[*ir.Func]bool // methods that store such memory, of which their arguments may be part, in the collection
	registers map[string]bool   // where the constructor gives what it makes to package variables, or to what they lead to
}

// mostInvocations bounds the ways in which functions are called, and mostRounds how often the search begins again.
const (
	mostInvocations = 20_000
	mostRounds      = 50
)

// search fills the table, with fewer and fewer classes taken for fixed, and more and more for atomic ones.
func search(done context.Context, p *program, most int) (t *table, err error) {
	root, err := p.root(done, most)
	if err != nil {
		return nil, err
	}
	var unfixed, atomic, loosely []class
	for range mostRounds {
		t = &table{p: p, byKey: map[string]*invocation{}, unfixed: unfixed, atomic: atomic, loosely: loosely, effects: map[effect]bool{}}
		var found *moment
		if err := t.fill(done, root, most); errors.As(err, &found) {
			if atomic = found.class.addTo(atomic); found.loosely {
				loosely = found.class.addTo(loosely)
			}
			continue
		} else if err != nil {
			return nil, err
		}
		n := len(unfixed)
		for _, w := range t.written {
			if slices.ContainsFunc(t.fixed, w.conflicts) {
				unfixed = append(unfixed, w)
			}
		}
		if len(unfixed) == n {
			return t, t.concludes()
		}
	}
	return nil, &engine.Alarm{Outside: true, Text: "too many words are fixed or written"}
}

// fill executes every block in every state in which it is reached.
func (t *table) fill(done context.Context, root value, most int) error {
	for i, f := range t.p.fns {
		given := make([]value, f.ParamWords())
		given[0] = root
		c := t.invocation(&target{f, given}, before, 0)
		if c.id != i {
			return &engine.Alarm{Outside: true, Text: "two operations have one function"}
		}
	}
	t.invocation(&target{t.p.make, make([]value, t.p.make.ParamWords())}, making, 0)
	return t.execute(done, most)
}

// root is the collection, as operations are given it. If it is no struct and no array, and the constructor always makes a variable of its type, it leads to such a variable.
func (p *program) root(done context.Context, most int) (value, error) {
	v := value{may: shared, at: path{is: true}}
	h := elemOf(p.make.Results[0].Elem)
	if h.sort == unknown {
		return v, nil
	}
	t := &table{p: p, byKey: map[string]*invocation{}, effects: map[effect]bool{}}
	c := t.invocation(&target{p.make, make([]value, p.make.ParamWords())}, making, 0)
	if err := t.execute(done, most); err != nil {
		return v, err
	}
	if !slices.ContainsFunc(c.ends, func(e end) bool { return e.results[0] != value{} && e.results[0].hint != h }) {
		v.hint = h
	}
	return v, nil
}

// execute executes blocks as long as something is new. The error is an *engine.Alarm where a rule is broken.
func (t *table) execute(done context.Context, most int) (err error) {
	defer func() {
		switch a := recover().(type) {
		case nil:
		case *engine.Alarm:
			err = a
		case *moment:
			err = a
		default:
			panic(a)
		}
	}()
	for n := 0; len(t.queue) > 0; n++ {
		if n%64 == 0 && done.Err() != nil {
			return done.Err()
		}
		if t.states > most || len(t.invocations) > mostInvocations {
			return &engine.ViewsError{Views: most}
		}
		last := t.queue[len(t.queue)-1]
		t.queue = t.queue[:len(t.queue)-1]
		last.queued = false
		r := &run{p: t.p, t: t, in: last.in, by: last, pc: last.pc}
		r.goOn(last.known.clone())
	}
	return nil
}

// invocation finds or makes the invocation of a call.
func (t *table) invocation(to *target, ph phase, holds origins) *invocation {
	var b strings.Builder
	fmt.Fprint(&b, to.fn.ID, " ", ph, " ", holds)
	for _, v := range to.given {
		b.WriteString(";" + v.String())
	}
	key := b.String()
	c := t.byKey[key]
	if c == nil {
		c = &invocation{id: len(t.invocations), fn: to.fn, given: to.given, phase: ph, holds: holds, byKey: map[string]*reached{}}
		t.byKey[key] = c
		t.invocations = append(t.invocations, c)
		regs := make([]value, to.fn.NumRegs)
		for i, v := range to.given {
			if isReference(to.fn.Kinds[i]) {
				regs[i] = v
			}
		}
		t.reach(c, 0, &state{phase: ph, holds: holds, regs: regs})
	}
	return c
}

// enter is the invocation of a call of a function with code, which is executed again when it returns in another way.
func (t *table) enter(r *run, s *state, to *target) *invocation {
	n := len(t.invocations)
	c := t.invocation(to, s.phase, s.holds)
	if c.id == n {
		c.from, c.pc = r.in, r.pc
	}
	if !slices.Contains(c.callers, r.by) {
		c.callers = append(c.callers, r.by)
	}
	if !slices.Contains(r.in.calls, c) {
		r.in.calls = append(r.in.calls, c)
	}
	if r.in.exposed || r.pending(s) {
		t.expose(c)
	}
	return c
}

// expose notes that panics of a call, and of those within it, are recovered by who calls it.
func (t *table) expose(c *invocation) {
	if c.exposed || c.phase == making {
		return
	}
	c.exposed = true
	for _, at := range c.states {
		t.enqueue(at)
	}
	for _, to := range c.calls {
		t.expose(to)
	}
}

// reach notes a state at the beginning of a block.
func (t *table) reach(c *invocation, pc int, s *state) {
	key := fmt.Sprint(pc, " ", s.key())
	at := c.byKey[key]
	if at == nil {
		at = &reached{in: c, pc: pc, known: s}
		c.byKey[key] = at
		c.states = append(c.states, at)
		t.states++
		t.enqueue(at)
	} else if at.known.join(s) {
		t.enqueue(at)
	}
}

func (t *table) enqueue(at *reached) {
	if !at.queued {
		at.queued = true
		t.queue = append(t.queue, at)
	}
}

// reach notes that the thread goes on at another block.
func (r *run) reach(s *state, pc int) { r.t.reach(r.in, pc, s) }

// returned notes how a function may return.
func (t *table) returned(c *invocation, e end) {
	if !c.ended(e) {
		return
	}
	for _, at := range c.callers {
		t.enqueue(at)
	}
}

// recovering notes where the thread goes on if the instruction panics, and a deferred function recovers.
func (r *run) recovering(s *state) {
	if !r.pending(s) {
		return
	}
	r.in.recovers = true
	for _, publish := range []bool{false, true} {
		at := *r
		s := s.clone()
		if publish {
			if !s.phase.writes() {
				break // nothing is published then, see concludes
			}
			s.publish(r.p.closures)
		}
		s.holds = foreign | shared // a call that panics may have stored anything in own memory
		at.unwind(s, at.recovered)
	}
}

// pending reports whether a deferred call may recover from a panic.
func (r *run) pending(s *state) bool {
	return slices.ContainsFunc(s.deferred, func(d deferred) bool { return r.recovers(s, &d) })
}

// recovered goes on where a function does that has recovered.
func (r *run) recovered(s *state) {
	if r.in.fn.Recover < 0 {
		r.t.returned(r.in, end{phase: s.phase, holds: s.holds, published: s.published, results: make([]value, r.in.fn.ResultWords())})
		return
	}
	r.reach(s, r.in.fn.Recover)
}

// unwind executes the deferred calls of a function, the last one first, and then what is behind them.
func (r *run) unwind(s *state, then func(*state)) {
	if len(s.deferred) == 0 {
		then(s)
		return
	}
	last := s.deferred[len(s.deferred)-1]
	s.deferred = s.deferred[:len(s.deferred)-1]
	r.invoke(s, last.call, last.words, func(s *state, _ []value) {
		at := *r
		at.unwind(s, then)
	})
}

// recovers reports whether a deferred call may recover from a panic.
func (r *run) recovers(s *state, d *deferred) bool {
	for _, to := range r.targets(d.call, d.words) {
		if recovers(r.p.prog, to.fn, 0) {
			return true
		}
	}
	return false
}

func recovers(p *ir.Program, f *ir.Func, deep int) bool {
	for i := range f.Code {
		switch in := &f.Code[i]; in.Op {
		case ir.OpRecover:
			return true
		case ir.OpCall, ir.OpDefer: // a deferred recover() may stand in a function of its own
			if c := p.Calls[in.X]; (f.Wrapper || in.Op == ir.OpDefer) && (c.Kind != ir.CallStatic || deep > mostDeep || recovers(p, c.Func, deep+1)) {
				return true
			}
		}
	}
	return false
}

// concludes looks at what is known only when the table is complete: how operations end, and what recovers.
func (t *table) concludes() error {
	for i, op := range t.p.ops {
		for _, e := range t.invocations[i].ends {
			if e.phase != before && e.phase != after {
				return &engine.Alarm{Text: fmt.Sprintf("%s may return with the lock", op)}
			}
		}
	}
	for _, e := range t.invocations[len(t.p.ops)].ends {
		t.mixed = t.mixed || e.holds&foreign != 0
		if e.results[0].may&^own != 0 {
			return &engine.Alarm{Outside: true, Text: "the constructor returns what a package variable may lead to"}
		}
	}
	if t.deep && t.mixed && len(t.written) > 0 {
		return &engine.Alarm{Outside: true, Text: "what package variables lead to is formatted without the lock, and the collection may have it, too"}
	}
	for _, c := range t.invocations {
		if c.phase == making {
			continue
		}
		if c.recovers && t.loose {
			return &engine.Alarm{Outside: true, Text: "a panic is recovered, and memory is given to the harness"}
		}
		if c.recovers && c.locksWithin(map[*invocation]bool{}) {
			return &engine.Alarm{Outside: true, Text: "a panic is recovered around a critical section", At: t.p.prog.Position(c.fn.Declared)}
		}
	}
	return nil
}

// locksWithin reports whether a call, or one within it, takes or gives back the lock.
func (c *invocation) locksWithin(seen map[*invocation]bool) bool {
	if seen[c] {
		return false
	}
	seen[c] = true
	return c.locks || slices.ContainsFunc(c.calls, func(to *invocation) bool { return to.locksWithin(seen) })
}
