package refine

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/internal/vm/parts"
)

// This file shows a collection under its client to the search. An idle thread may make any call that
// the client has left: an invocation, with what is local behind it. A busy thread takes a step of the
// machine; when its operation has returned the thread stands before its response, which is a move of its
// own. Nothing is fused with invocations and responses, for they are what can be seen.

// body says how an operation is executed.
type body int

const (
	stepwise body = iota // as the code does
	atomic               // from beginning to end in one step
)

// system is a collection under its client as a transition system with labels.
type system struct {
	subject *subject.Subject
	img     *vm.Image
	body    body
	client  Client
	assumed *interleave.Assumptions
	steps   []client.Step // all that some thread may call
	may     [][][]int     // by thread and number of its call, the last list for all further ones: indices into steps
	pre     [][]client.Step
	results *results
	alone   []alone      // by operation, if bodies are single steps
	parts   *parts.Store // of the states of the present search; nil: they are not taken apart
	memory  int64        // bytes that a cursor may remember of their steps
}

// alone says what became of an operation wherever it was to be executed in one step.
type alone struct{ ended, blocked bool }

// results numbers what operations return.
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
	if b == atomic { // no access is a scheduling point anyway
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

// options are those of the machines, with what is still assumed.
func (s *system) options() vm.Options {
	opt := interleave.Operations(s.client.Hash)
	opt.NoSymmetry, opt.NoFusing = true, s.client.Reduce&vm.Fusing == 0
	opt.Frozen, opt.Guards = s.assumed.Frozen, s.assumed.Guards
	return opt
}

func (s *system) NewCursor() explore.Cursor {
	m := s.img.NewMachine(s.options())
	return &cursor{calling: calling{sys: s, threads: make([]thread, s.client.Threads)}, m: m, mem: newMemory(s, m)}
}

// cursor stands in one state.
type cursor struct {
	calling
	setUp
	m       *vm.Machine
	mem     *memory // nil: nothing is remembered
	failed  string  // the collection cannot be made
	blocked bool    // an operation that has to be one step cannot end
	crashed bool
	words   []uint64
}

// label is what can be seen of a step: nothing, or an invocation, a response or a crash, with the
// thread in the next 8 bits and the number of the call, of call and result, or nothing behind.
type label uint64

const (
	internal label = iota
	invocation
	response
	crash
)

// kinds masks the kind of a label.
const kinds label = 3

// nobody is the thread of a crash that is no client's.
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

// Initial begins to make a new collection; if nothing goes on beside that, it is made then, and the
// threads are idle.
func (c *cursor) Initial(ch *explore.Choices) {
	c.fromMachine()
	c.m.Reset()
	c.clear()
	clear(c.threads)
	for range c.threads {
		c.m.Spawn()
	}
	c.begin(ch.Choose(len(c.sys.pre)))
	c.makeAlone(ch)
}

func (c *cursor) clear() { c.label, c.failed, c.blocked, c.crashed = internal, "", false, false }

// Moves appends the moves: the calls of idle threads, a response, or a step of a busy thread or of
// one that an operation has started.
func (c *cursor) Moves(dst []explore.Move) []explore.Move {
	if c.over() {
		return dst
	}
	for i := range c.threadsNow() {
		switch {
		case i < len(c.threads) && !c.makes() && c.threads[i].phase != busy:
			dst = c.moves(dst, i)
		case c.enabled(i):
			dst = append(dst, explore.Move(i))
		}
	}
	return dst
}

func (c *cursor) over() bool {
	return c.failed != "" || c.blocked || c.crashed || !c.away() && (c.useless() || c.m.Ended().Kind != vm.Running)
}

// useless says that the machine could not go on, or that an assumption is wrong.
func (c *cursor) useless() bool { return !c.away() && (c.m.Fault() != nil || c.m.Breached() >= 0) }

// Step executes a move.
func (c *cursor) Step(mv explore.Move, ch *explore.Choices) {
	c.clear()
	if c.mem != nil {
		c.mem.move = mv
	}
	i := mv.Agent()
	switch {
	case c.makes():
		c.m.Step(i, ch)
		c.proceed(ch)
	case c.see(mv) && c.threads[i].phase != busy:
		c.rests()
	case c.label != internal:
		if k := c.threads[i].step; !c.recalls(i, k+1) {
			c.call(i, c.sys.steps[k])
			c.m.Settle(i, ch)
			c.arrive(i)
		}
	case i < len(c.threads) && c.sys.body == atomic:
		c.runBody(i, ch)
	case !c.recalls(i, 0):
		c.m.Step(i, ch)
		if i < len(c.threads) {
			c.arrive(i)
		}
	}
	if !c.away() {
		c.crash(i)
	}
}

// runBody executes an operation from beginning to end, if that can be done now.
func (c *cursor) runBody(i int, ch *explore.Choices) {
	c.m.RunAlone(i, ch)
	c.arrive(i)
	c.blocked = c.threads[i].phase == busy && c.m.Fault() == nil && c.m.Ended().Kind == vm.Running
	a := &c.sys.alone[c.sys.steps[c.threads[i].step].Op]
	a.ended, a.blocked = a.ended || !c.blocked, a.blocked || c.blocked
}

// crash notes that the program has ended, which everybody can see.
func (c *cursor) crash(i int) {
	switch e := c.m.Ended(); {
	case e.Kind == vm.Running || c.failed != "":
		return
	case i < len(c.threads) && !c.makes():
		c.label = labelOf(crash, i, thread{step: c.threads[i].step})
	default:
		c.label = labelOf(crash, nobody, thread{})
	}
	c.crashed = true
}

func (c *cursor) call(i int, s client.Step) {
	c.words = c.sys.subject.Operations[s.Op].Words(c.words[:0], c.m.Root(0), s.Args)
	c.m.Call(i, c.sys.subject.Operations[s.Op].Func, c.words)
}

// arrive notes that an operation has returned.
func (c *cursor) arrive(i int) {
	t := &c.threads[i]
	if t.phase != busy || c.m.Fault() != nil || c.m.Ended().Kind != vm.Running || !c.m.Idle(i) {
		return
	}
	result := history.PanicTuple()
	if c.m.Panicked(i) == "" {
		op := &c.sys.subject.Operations[c.sys.steps[t.step].Op]
		result = op.Unnamed(op.Tuple(c.m.Results(i)))
	}
	if c.mem != nil {
		c.mem.Returns(i)
	}
	c.returns(i, result)
}

// returns notes what an operation has returned.
func (c *cursor) returns(i int, result history.Tuple) {
	c.threads[i].phase, c.threads[i].value = returned, c.sys.results.number(result)
}

// Save appends the state: a word for each thread, then the machine's. States that end a search or
// are of no use have one word.
func (c *cursor) Save(dst []uint64) []uint64 {
	switch {
	case c.useless() || c.failed != "":
		return append(dst, wordFailed)
	case c.blocked:
		return append(dst, wordBlocked)
	case c.crashed:
		return append(dst, wordCrashed)
	case c.makes():
		return c.m.Save(append(dst, wordMaking|uint64(c.variant)<<16|uint64(c.made)))
	}
	if c.mem != nil {
		if saved, ok := c.saveParted(dst); ok {
			return saved
		}
	}
	return c.m.Save(c.save(dst))
}

// The first words of states in which no thread can go on, and of those in which the collection is
// still being made.
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
		c.fromMachine()
		c.m.Load(state[1:])
	case first&wordParted != 0:
		rest := c.load(state)
		c.threads[0] = threadOf(first &^ wordParted)
		c.mem.from = append(c.mem.from[:0], state...)
		c.loadParted(rest)
	default:
		c.fromMachine()
		c.m.Load(c.load(state))
	}
}

var _ interleave.Cursor = (*cursor)(nil)
