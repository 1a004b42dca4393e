// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/explore"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// execution collects every way in which one call can end while no other operation is in progress.
type execution struct {
	returned []returned
	waits    string     // the place where it waits or loops for ever; "" if it never does
	waiting  [][]uint64 // saved states of the machine in which it waits or loops for ever
	crash    string     // the message with which the program ends; "" if it never does
}

// returned is one way in which a call returns.
type returned struct {
	state    string // saved state of the machine
	words    []uint64
	panicked string
	result   history.Tuple
}

// calling saves the state in which thread 0 of a machine is about to execute a call.
func calling(m *vm.Machine, f *ir.Func, args []uint64) []uint64 {
	m.Call(0, f, args)
	return m.Save(nil)
}

// alone executes in every possible way the call that thread 0 is about to make in each of these states. If other goroutines run beside
// it, their interleavings are explored, from all such states in one search, because most of what follows is the same.
func (o *self) alone(from ...[]uint64) (*execution, error) {
	e := &execution{}
	m := o.machine()
	defer o.release(m)
	var beside [][]uint64
	for _, start := range from {
		alone := e.single(m, start)
		if o.tell(m); !alone {
			beside = append(beside, start)
		}
	}
	if len(beside) > 0 {
		all, err := o.interleaved(beside)
		if err != nil {
			return nil, err
		}
		e.join(all)
	}
	return e, nil
}

// single executes a call beside which no goroutine runs. It returns false if one does, or if the call loops.
func (e *execution) single(m *vm.Machine, from []uint64) bool {
	one := &execution{}
	for ch := (&explore.Choices{}); ; {
		m.Load(from)
		before := m.Created()
		m.RunAlone(0, ch)
		if m.Threads() > 1 || m.Created() > before || m.Fault() != nil || spins(m) {
			return false
		}
		one.note(m)
		if !ch.Next() {
			e.join(one)
			return true
		}
	}
}

// spins reports whether thread 0 was stopped though it could go on.
func spins(m *vm.Machine) bool { return m.Ended().Kind == vm.Running && !m.Idle(0) && m.Enabled(0) }

// nobodyMoves reports whether no thread of the machine can go on.
func nobodyMoves(m *vm.Machine) bool {
	for i := range m.Threads() {
		if m.Enabled(i) {
			return false
		}
	}
	return true
}

// join adds the ways to end that were found from another state.
func (e *execution) join(other *execution) {
	e.returned = append(e.returned, other.returned...)
	e.waits, e.waiting = cmp.Or(e.waits, other.waits), append(e.waiting, other.waiting...)
	e.crash = cmp.Or(e.crash, other.crash)
}

// note adds the way in which thread 0 has just ended: returned, crashed or waiting.
func (e *execution) note(m *vm.Machine) {
	switch {
	case m.Ended().Kind != vm.Running:
		e.crash = m.Text(m.Ended().Text)
	case !m.Idle(0):
		e.waitsIn(m)
	default:
		r := returned{words: slices.Clone(m.Results(0)), panicked: m.Panicked(0)}
		if m.Roots() == 0 && r.panicked == "" { // it was the constructor
			m.SetRoots(r.words[0])
		}
		m.SetNumber(0, 0) // the caller's number is not part of the state after the call
		r.state = string(save(m))
		e.returned = append(e.returned, r)
	}
}

// waitsIn adds a state in which thread 0 waits for ever.
func (e *execution) waitsIn(m *vm.Machine) {
	e.waits, e.waiting = m.At(0), append(e.waiting, m.Save(nil))
}

// ErrUndecided is wrapped by the error of an oracle that has reached a limit: the result is then neither right nor wrong.
var ErrUndecided = errors.New("undecided")

// Inexecutable is the error of the oracle self if it cannot execute an operation: something is not supported, or the goroutines beside it have
// too many states.
type Inexecutable struct {
	Operation string
	Err       error
}

func (e *Inexecutable) Error() string { return e.Err.Error() }

func (e *Inexecutable) Unwrap() error { return e.Err }

// Needing returns the operation in whose call a fault has occurred; "" if no operation's function is the first in its path.
func (s *Subject) Needing(f *vm.Fault) string {
	if f == nil || len(f.Path) == 0 {
		return ""
	}
	first, _, _ := strings.Cut(f.Path[len(f.Path)-1], " (")
	for i := range s.Operations {
		if op := &s.Operations[i]; op.Func != nil && op.Func.Short == first {
			return op.Name
		}
	}
	return ""
}

// Within sets the context in which the oracle self executes operations from now on, and limits the states that it explores for one call
// in proportion to the search's limit on states (0: no limit). It does nothing for other oracles.
func Within(ctx context.Context, spec oracle.Spec, states uint64) {
	if o, ok := spec.(*self); ok {
		o.mu.Lock()
		o.ctx, o.failed, o.helped, o.beside, o.vain = ctx, nil, mostHelped, mostBeside, 0
		if states > 0 {
			o.helped, o.beside = min(states, mostHelped), min(states*perState, mostBeside)
		}
		o.mu.Unlock()
	}
}

// Meter lets a meter count the work of the oracle self's machines from the next call of Settled on; nil: nobody counts it. It does nothing
// for other oracles.
func Meter(spec oracle.Spec, m *vm.Meter) {
	if o, ok := spec.(*self); ok {
		o.mu.Lock()
		o.meter, o.idle = m, nil
		o.mu.Unlock()
	}
}

// ForgetAddresses resets what CountsAddresses reports.
func ForgetAddresses(spec oracle.Spec) {
	if o, ok := spec.(*self); ok {
		o.known.counts.Store(false)
	}
}

// CountsAddresses reports whether an answer of the oracle self may depend on the order in which addresses were asked for.
func CountsAddresses(spec oracle.Spec) bool {
	o, ok := spec.(*self)
	return ok && o.known.counts.Load()
}

// Asking begins a question. What the oracle self could not settle for earlier questions does not count for this one, and the answers that rest on it
// are forgotten. The function that is returned ends the question: what was not settled for it then counts for the one as part of which it was asked.
func Asking(spec oracle.Spec) (end func()) {
	o, ok := spec.(*self)
	if !ok {
		return func() {}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	earlier := o.unsettled
	o.unsettled = map[int]bool{}
	clear(o.blocks)
	clear(o.hoped)
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		maps.Copy(o.unsettled, earlier)
	}
}

// NotSettled is the end of what Unsettled says.
const NotSettled = "return where it waits alone (oracle self)"

// Unsettled names the operations that, in the question that is being asked, wait alone and of which the oracle self could not find out, within its limit on states, whether
// calls of other threads would let them return. Their waiting was then allowed, so its answers verify nothing. "" if there are none.
func Unsettled(spec oracle.Spec) string {
	o, ok := spec.(*self)
	if !ok {
		return ""
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	var names []string
	for i := range o.subject.Operations {
		if o.unsettled[i] {
			names = append(names, o.subject.Operations[i].Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("%d states did not tell whether other calls could let %s %s", o.helped, strings.Join(names, ", "), NotSettled)
}

// Failure returns the error of the oracle self that MayBlock could not return. After it the oracle's answers mean nothing.
func Failure(spec oracle.Spec) error {
	o, ok := spec.(*self)
	if !ok {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.failed
}

func (o *self) within() context.Context {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ctx == nil {
		return context.Background()
	}
	return o.ctx
}

// Limits on the states of an operation together with the goroutines beside it: mostBeside for each state in which it may begin,
// mostTogether for all of them.
const (
	mostBeside   = 1 << 18
	mostTogether = 1 << 20
	perState     = 8 // if the search is limited: states for one call per state of the search
)

// interleaved explores the interleavings of other goroutines with the call that thread 0 is about to make in one of these states, until
// it returns.
func (o *self) interleaved(from [][]uint64) (*execution, error) {
	sys := &besides{self: o, ends: map[string]bool{}, from: from}
	var fault error
	ctx := o.within()
	most := min(o.mostBeside()*uint64(len(from)), mostTogether)
	res := explore.Run(ctx, sys, explore.Options{
		From: []uint64{isChoice}, MaxStates: most, Cycles: true,
		Visit: func(cur explore.Cursor, _ explore.Trail, _ int) explore.Action {
			c := cur.(*beside)
			if c.choice {
				return explore.Continue
			}
			if f := c.m.Fault(); f != nil || o.broken.Load() {
				fault = f
				return explore.Stop
			}
			if !c.ended && len(c.Moves(nil)) == 0 {
				sys.result.waitsIn(c.m)
			}
			return explore.Continue
		},
		OnComponent: func(d *explore.Component) explore.Action {
			if d.Bottom {
				c := sys.NewCursor().(*beside)
				c.Load(d.Root)
				sys.result.waitsIn(c.m)
			}
			return explore.Continue
		},
	})
	switch err := o.withdrawn(); {
	case err != nil:
		return nil, err
	case fault != nil:
		return nil, &Inexecutable{Err: fmt.Errorf("%w: the oracle %q cannot execute an operation: %w", ErrUndecided, "self", fault)}
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%w: the time was up while the oracle %q executed an operation", ErrUndecided, "self")
	case !res.Complete:
		return nil, &Inexecutable{Err: fmt.Errorf("%w: the oracle %q cannot execute an operation, which has more than %d states with the goroutines beside it", ErrUndecided, "self", most)}
	}
	return &sys.result, nil
}

// besides is the transition system of an operation and the goroutines beside it, and of helper threads that may call any
// operation.
type besides struct {
	self   *self
	from   [][]uint64 // saved states of the machine; the first step chooses one
	result execution
	ends   map[string]bool // states in result.returned together with the results, to leave out equal ones
	helps  []client.Step   // calls that a helper may make
	calls  int             // number of calls that all helpers together may make, or anyNumber

	heldBack atomic.Bool // a helper began no call because of mostBegun
}

// beside is a cursor of besides. A saved state is the number of calls that helpers may still make, followed by the machine's state; or
// a single word, see isEnded.
type beside struct {
	sys    *besides
	m      *vm.Machine
	calls  int
	choice bool // the first state is still to be chosen
	ended  bool // thread 0 has returned or the program has ended, which end has recorded
}

// The saved states that are a single word.
const (
	isEnded = iota
	isFault
	isChoice
)

func (s *besides) NewCursor() explore.Cursor { return &beside{sys: s, m: s.self.newMachine()} }

// Initial is not used: searches begin in a state that is given.
func (c *beside) Initial(*explore.Choices) { panic("subject: no initial state") }

func (c *beside) Load(state []uint64) {
	c.choice = len(state) == 1 && state[0] == isChoice
	if c.ended = len(state) == 1 && !c.choice; len(state) > 1 {
		c.calls = int(state[0])
		c.m.Load(state[1:])
	}
}

// tagHelper is the tag of the helper threads.
const tagHelper = 1

func (c *beside) Moves(dst []explore.Move) []explore.Move {
	if c.choice {
		return append(dst, 0)
	}
	if c.ended || c.m.Fault() != nil || c.m.Ended().Kind != vm.Running {
		return dst
	}
	helper := false
	for i := range c.m.Threads() {
		switch {
		case !c.m.Idle(i):
			if c.m.Enabled(i) {
				dst = append(dst, explore.MoveOf(i))
			}
		case c.m.Tag(i) == tagHelper && c.calls > 0 && !helper:
			helper = true // one is like the other
			if c.calls == anyNumber && c.m.Threads() >= mostBegun {
				c.sys.heldBack.Store(true)
				continue
			}
			for k := range c.sys.helps {
				dst = append(dst, explore.MoveWith(i, k+1))
			}
		}
	}
	return dst
}

func (c *beside) Step(mv explore.Move, ch *explore.Choices) {
	if c.choice {
		c.choice, c.calls = false, c.sys.calls
		c.m.Load(c.sys.from[ch.Choose(len(c.sys.from))])
		return
	}
	i := mv.Agent()
	if k := mv.More(); k > 0 {
		if c.calls != anyNumber {
			c.calls--
		}
		s := c.sys.helps[k-1]
		op := &c.sys.self.subject.Operations[s.Op]
		c.m.Call(i, op.Func, op.Words(nil, c.m.Root(0), s.Args))
		c.m.Settle(i, ch)
	} else {
		c.m.Step(i, ch)
	}
	c.sys.self.tell(c.m)
	c.ended = c.m.Fault() == nil && (c.m.Ended().Kind != vm.Running || c.m.Idle(0))
	if c.ended {
		c.sys.end(c.m)
	}
}

// end records how thread 0 has returned or the program has ended.
func (s *besides) end(m *vm.Machine) {
	var e execution
	e.note(m)
	if e.crash != "" {
		s.result.crash = e.crash
	}
	for _, r := range e.returned {
		if key := r.state + fmt.Sprint(r.words, r.panicked); !s.ends[key] {
			s.ends[key] = true
			s.result.returned = append(s.result.returned, r)
		}
	}
}

func (c *beside) Save(dst []uint64) []uint64 {
	switch {
	case c.choice:
		return append(dst, isChoice)
	case c.m.Fault() != nil:
		return append(dst, isFault)
	case c.ended:
		return append(dst, isEnded)
	}
	return c.m.Save(append(dst, uint64(c.calls)))
}

// mostBeside is the limit on the states of one call with the goroutines beside it, from one state.
func (o *self) mostBeside() uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.beside
}
