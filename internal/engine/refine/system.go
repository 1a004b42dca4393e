// SPDX-License-Identifier: BSD-3-Clause

package refine

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/engine"
	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/play"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
)

// This file presents a collection under its client to the search. An idle thread may make any call that the client permits: an invocation,
// followed by local instructions. A busy thread takes a step of the machine; when its operation has returned, its response is a move of its
// own. Nothing is fused with invocations and responses, because they are visible.

// body is the way in which operations are executed.
type body int

const (
	stepwise body = iota // step by step
	atomic               // from beginning to end in one step
)

// system is a collection under its client as a transition system with labels.
type system struct {
	subject *subject.Subject
	img     *vm.Image
	body    body
	client  Client
	assumed *interleave.Assumptions
	steps   []client.Step // all possible calls
	may     [][][]int     // indices into steps by thread and number of its call; the last list applies to all further calls
	pre     [][]client.Step
	results *results
	alone   []alone     // by operation, if operations are single steps
	store   *play.Store // of the states of the present search as parts; nil: they are not taken apart
}

// alone records whether an operation that was executed in one step ended, or could not, in some state.
type alone struct{ ended, blocked bool }

// results numbers the results of operations.
type results struct {
	mu   sync.Mutex
	list []history.Tuple
	of   map[history.Tuple]int
}

func (r *results) number(t history.Tuple) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, ok := r.of[t]
	if !ok {
		n = len(r.list)
		r.of[t] = n
		r.list = append(r.list, t)
	}
	return n
}

func newSystem(s *subject.Subject, c Client, b body) (*system, error) {
	img, err := s.Image()
	if err != nil {
		return nil, err
	}
	space, err := c.space(s)
	if err != nil {
		return nil, err
	}
	sys := &system{subject: s, img: img, body: b, client: c, results: &results{of: map[history.Tuple]int{}},
		alone: make([]alone, len(s.Operations))}
	set := c.Reduce
	if b == atomic { // no access ends a step anyway
		set &^= vm.FrozenReads | vm.GuardedAccesses
	}
	sys.assumed = interleave.NewAssumptions(img, set)
	for p := c.Pre.From; p <= c.Pre.To; p++ {
		sys.pre = slices.AppendSeq(sys.pre, space.PreAddItems(p))
	}
	at := map[client.Step]int{}
	for t := range c.Threads {
		var may [][]int
		for _, list := range c.calls(space, t) {
			var numbers []int
			for _, step := range list {
				n, ok := at[step]
				if !ok {
					n = len(sys.steps)
					at[step] = n
					sys.steps = append(sys.steps, step)
				}
				numbers = append(numbers, n)
			}
			may = append(may, numbers)
		}
		sys.may = append(sys.may, may)
	}
	return sys, nil
}

// options returns the options of the machines with the remaining assumptions.
func (s *system) options() vm.Options {
	opt := interleave.Operations(engine.HashModel(s.client.Hash))
	opt.NoSymmetry, opt.NoFusing = true, s.client.Reduce&vm.Fusing == 0
	opt.Frozen, opt.Guards = s.assumed.Frozen, s.assumed.Guards
	return opt
}

func (s *system) NewCursor() explore.Cursor {
	c := &cursor{calling: calling{sys: s, threads: make([]thread, s.client.Threads)}}
	c.place = play.NewPlace(s.img, &play.Options{Machine: s.options(), Clients: s.client.Threads, Operations: s.subject.Operations,
		Words: c.arguments, View: func(int) uint64 { return 0 }, Store: s.store, Untagged: true})
	c.m = c.place.Stand()
	return c
}

// remember prepares to take the states of a search apart, if that is asked for and possible. Threads are not sorted here, and items and
// keys not renamed.
func (s *system) remember(lim Limits) {
	s.store = nil
	if s.client.Reduce&vm.RememberedSteps != 0 && s.body != atomic && s.client.Threads >= 2 && !s.img.UsesThreadIDs() {
		s.store = play.NewStore(s.img, lim.Bytes)
	}
}

// cursor is in one state.
type cursor struct {
	calling
	setUp
	place   play.Place
	m       *vm.Machine // the place's machine, which need not be in the cursor's state
	turn    play.Turn   // the last one
	failed  string      // why the collection cannot be constructed; ""
	blocked bool        // an operation that must be one step cannot end
	crashed bool
	words   []uint64
	// from is the state that was loaded and move the move from it, for tests that repeat a step.
	from []uint64
	move explore.Move
}

// label is the visible part of a step: 2 bits for the kind, 8 for the thread, 16 for the number of the call, and above them that of the
// result.
type label uint64

const (
	internal label = iota
	invocation
	response
	crash
)

// kinds is the mask of the kind of a label.
const kinds label = 3

// nobody is the thread in a label if a goroutine that is no client crashes.
const nobody = 0xff

func labelOf(kind label, thread int, t thread) label {
	return kind | label(thread)<<2 | label(t.step)<<10 | label(t.value)<<26
}

// name writes a label: call(1, Push(0)), return(1, Push, true).
func (s *system) name(l label) string {
	kind, i, step, value := l&kinds, int(l>>2&0xff)+1, s.steps[l>>10&0xffff], int(l>>26)
	op := &s.subject.Operations[step.Op]
	switch {
	case kind == invocation:
		return fmt.Sprintf("call(%d, %s)", i, op.Client.Call(step.Args))
	case kind == crash && i > nobody:
		return "crash"
	case kind == crash:
		return fmt.Sprintf("crash(%d, %s)", i, op.Name)
	}
	result := op.Client.Notation.Results(s.results.list[value])
	if result = strings.TrimSpace(result); result == "" {
		return fmt.Sprintf("return(%d, %s)", i, op.Name)
	}
	return fmt.Sprintf("return(%d, %s, %s)", i, op.Name, result)
}

// Initial begins construction, and ends it if no other goroutine is started; then the threads are idle.
func (c *cursor) Initial(ch *explore.Choices) {
	c.place.Reset()
	c.clear()
	clear(c.threads)
	for range c.threads {
		c.m.Spawn()
	}
	c.begin(ch.Choose(len(c.sys.pre)))
	c.makeAlone(ch)
}

func (c *cursor) clear() { c.label, c.failed, c.blocked, c.crashed = internal, "", false, false }

// Moves appends the moves: calls of idle threads, a response, a step of a busy thread or of a goroutine that an operation has started.
func (c *cursor) Moves(dst []explore.Move) []explore.Move {
	if c.over() {
		return dst
	}
	for i := range c.place.Threads() {
		switch {
		case i < len(c.threads) && !c.makes() && c.threads[i].phase != busy:
			dst = c.moves(dst, i)
		case c.place.Enabled(i):
			dst = append(dst, explore.MoveOf(i))
		}
	}
	return dst
}

func (c *cursor) over() bool {
	return c.failed != "" || c.blocked || c.crashed || c.useless() || c.place.Ended()
}

// useless reports whether the machine has a fault, or an assumption is wrong.
func (c *cursor) useless() bool { return c.m.Fault() != nil || c.m.Breached() >= 0 }

// Step executes a move.
func (c *cursor) Step(mv explore.Move, ch *explore.Choices) {
	c.clear()
	c.move = mv
	i := mv.Agent()
	switch {
	case c.makes():
		c.m.Step(i, ch)
		c.proceed(ch)
	case c.see(mv) && c.threads[i].phase != busy:
		c.place.Rest()
	default:
		c.turn = play.Turn{Thread: i, Fresh: -1}
		if c.label != internal {
			k := c.threads[i].step
			c.turn.Begins, c.turn.Call, c.turn.Number = true, c.sys.steps[k], uint32(k)+1
		} else {
			c.turn.Alone = i < len(c.threads) && c.sys.body == atomic
		}
		c.hear(c.place.Take(&c.turn, ch))
	}
	if c.place.Ended() {
		c.crash(i)
	}
}

// hear records the operations that have returned: that of the thread that has moved, or of one that waited for it.
func (c *cursor) hear(e *play.Events) {
	for k := range e.Returned {
		r := &e.Returned[k]
		result := history.PanicTuple()
		if op := &c.sys.subject.Operations[r.Operation]; r.Panic == "" {
			result = op.Unnamed(op.Tuple(r.Words))
		}
		t := &c.threads[r.Thread]
		t.phase, t.value = returned, c.sys.results.number(result)
		c.place.SetTag(r.Thread, 0)
	}
	if c.turn.Alone {
		t := &c.threads[c.turn.Thread]
		c.blocked = t.phase == busy && c.m.Fault() == nil && !c.place.Ended()
		a := &c.sys.alone[c.sys.steps[t.step].Op]
		a.ended, a.blocked = a.ended || !c.blocked, a.blocked || c.blocked
	}
}

// crash records that the program has ended, which is visible.
func (c *cursor) crash(i int) {
	switch {
	case c.failed != "":
		return
	case i < len(c.threads) && !c.makes():
		c.label = labelOf(crash, i, thread{step: c.threads[i].step})
	default:
		c.label = labelOf(crash, nobody, thread{})
	}
	c.crashed = true
}

// arguments returns the argument words of a call.
func (c *cursor) arguments(s *client.Step) []uint64 {
	c.words = c.sys.subject.Operations[s.Op].Words(c.words[:0], c.place.Root(), s.Args)
	return c.words
}

// Machine returns the machine, brought into the cursor's state. From then on the machine executes every step.
func (c *cursor) Machine() *vm.Machine { return c.place.Follow() }

// Save appends the state: a word for each thread, then the machine's words. States that end a search are one word.
func (c *cursor) Save(dst []uint64) []uint64 {
	switch {
	case c.useless() || c.failed != "":
		return append(dst, wordFailed)
	case c.blocked:
		return append(dst, wordBlocked)
	case c.crashed:
		return append(dst, wordCrashed)
	case c.makes():
		c.place.Sort(true)
		return c.place.Append(append(dst, wordMaking|uint64(c.variant)<<16|uint64(c.made)))
	}
	at := len(dst)
	c.place.Sort(false)
	dst = c.place.Append(c.save(dst))
	if doubt != nil {
		doubt(c, dst[at:])
	}
	return dst
}

// doubt, if not nil, is called with every saved state by tests.
var doubt func(c *cursor, saved []uint64)

// First words of saved states: those from which nothing follows, and those of construction.
const (
	wordFailed  = ^uint64(0)
	wordBlocked = ^uint64(1)
	wordCrashed = ^uint64(2)
	wordMaking  = uint64(1) << 63
)

// Load makes a saved state current.
func (c *cursor) Load(state []uint64) {
	c.clear()
	c.setUp = setUp{}
	switch first := state[0]; {
	case first == wordBlocked:
		c.blocked = true
	case first == wordCrashed:
		c.crashed = true
	case first&wordMaking != 0:
		c.setUp = setUp{making: true, variant: int(first >> 16 & 0xffffff), made: int(first & 0xffff)}
		clear(c.threads)
		c.place.Load(state[1:])
	default:
		c.place.Load(c.load(state))
		for i, t := range c.threads {
			if t.phase == busy {
				c.place.SetTag(i, play.BusyWith(c.sys.steps[t.step].Op))
			}
		}
	}
	if doubt != nil {
		c.from = append(c.from[:0], state...)
	}
}

var _ interleave.Cursor = (*cursor)(nil)
