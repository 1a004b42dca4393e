package refine

import (
	"fmt"
	"strings"
	"sync"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
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
	opt     vm.Options
	body    body
	client  Client
	steps   []client.Step // all that some thread may call
	may     [][]int       // by thread: indices into steps
	pre     [][]client.Step
	results *results
}

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
	img, err := vm.NewImage(s.Prog)
	if err != nil {
		return nil, err
	}
	space, err := c.space(s)
	if err != nil {
		return nil, err
	}
	sys := &system{subject: s, img: img, body: b, client: c, results: &results{of: map[history.Tuple]int{}}}
	sys.opt = interleave.Operations(c.Hash)
	sys.opt.NoSymmetry = true
	sys.opt.NoFusing = c.Raw
	for p := c.Pre.From; p <= c.Pre.To; p++ {
		sys.pre = append(sys.pre, space.PreAdds(p))
	}
	at := map[client.Step]int{}
	for t := range c.Threads {
		var may []int
		for _, step := range space.Steps(t) {
			n, ok := at[step]
			if !ok {
				n = len(sys.steps)
				at[step] = n
				sys.steps = append(sys.steps, step)
			}
			may = append(may, n)
		}
		sys.may = append(sys.may, may)
	}
	return sys, nil
}

func (s *system) NewCursor() explore.Cursor {
	return &cursor{calling: calling{sys: s, threads: make([]thread, s.client.Threads)}, m: s.img.NewMachine(s.opt)}
}

// cursor stands in one state.
type cursor struct {
	calling
	m       *vm.Machine
	failed  string // the collection cannot be made
	blocked bool   // an operation that has to be one step cannot end
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

func labelOf(kind label, thread int, t thread) label {
	return kind | label(thread)<<2 | label(t.step)<<10 | label(t.value)<<26
}

// name writes a label: call(1, Push(0)), return(1, Push, true).
func (s *system) name(l label) string {
	kind, i, step, value := l&kinds, int(l>>2&0xff)+1, s.steps[l>>10&0xffff], int(l>>26)
	op := &s.subject.Operations[step.Op]
	switch kind {
	case invocation:
		return fmt.Sprintf("call(%d, %s)", i, op.Client.Call(step.Args))
	case crash:
		return fmt.Sprintf("crash(%d, %s)", i, op.Name)
	}
	result := op.Client.Notation.Results(s.results.list[value])
	if result = strings.TrimSpace(result); result == "" {
		return fmt.Sprintf("return(%d, %s)", i, op.Name)
	}
	return fmt.Sprintf("return(%d, %s, %s)", i, op.Name, result)
}

// Machine gives the machine that the cursor moves.
func (c *cursor) Machine() *vm.Machine { return c.m }

// Initial makes a new collection and leaves the threads idle.
func (c *cursor) Initial(ch *explore.Choices) {
	c.m.Reset()
	c.clear()
	clear(c.threads)
	for range c.threads {
		c.m.Spawn()
	}
	pre := c.sys.pre[ch.Choose(len(c.sys.pre))]
	c.m.Call(0, c.sys.subject.New, nil)
	if !c.alone("the constructor", ch) {
		return
	}
	c.m.SetRoots(c.m.Results(0)[0])
	for _, step := range pre {
		c.call(0, step)
		if !c.alone("the pre-add "+c.sys.subject.Operations[step.Op].Client.Call(step.Args), ch) {
			return
		}
	}
}

// alone lets the first thread finish its call, before the others begin.
func (c *cursor) alone(what string, ch *explore.Choices) bool {
	c.m.RunAlone(0, ch)
	switch {
	case c.m.Fault() != nil:
	case c.m.Panicked(0) != "":
		c.failed = what + " panics: " + c.m.Panicked(0)
	case c.m.Ended().Kind != vm.Running:
		c.failed = what + " ends the program: " + c.m.Text(c.m.Ended().Text)
	case !c.m.Idle(0):
		c.failed = what + " does not return when it runs alone: it waits at " + c.m.At(0)
	default:
		return true
	}
	return false
}

func (c *cursor) clear() { c.label, c.failed, c.blocked, c.crashed = internal, "", false, false }

// Moves appends the moves: the calls of idle threads, a response, or a step of a busy thread or of
// one that an operation has started.
func (c *cursor) Moves(dst []explore.Move) []explore.Move {
	if c.over() {
		return dst
	}
	for i := range c.m.Threads() {
		switch {
		case i < len(c.threads) && c.threads[i].phase != busy:
			dst = c.moves(dst, i)
		case !c.m.Idle(i) && c.m.Enabled(i), i < len(c.threads) && c.m.Enabled(i):
			dst = append(dst, explore.Move(i))
		}
	}
	return dst
}

func (c *cursor) over() bool {
	return c.failed != "" || c.blocked || c.crashed || c.m.Fault() != nil || c.m.Ended().Kind != vm.Running
}

// Step executes a move.
func (c *cursor) Step(mv explore.Move, ch *explore.Choices) {
	c.clear()
	i := mv.Agent()
	switch {
	case c.see(mv):
		if c.threads[i].phase == busy {
			c.call(i, c.sys.steps[c.threads[i].step])
			c.m.Settle(i, ch)
			c.arrive(i)
		}
	case i < len(c.threads) && c.sys.body == atomic:
		c.m.RunAlone(i, ch)
		c.arrive(i)
		c.blocked = c.threads[i].phase == busy && c.m.Fault() == nil && c.m.Ended().Kind == vm.Running
	default:
		c.m.Step(i, ch)
		if i < len(c.threads) {
			c.arrive(i)
		}
	}
	if e := c.m.Ended(); e.Kind != vm.Running {
		c.crashed = true
		if i < len(c.threads) {
			c.label = labelOf(crash, i, thread{step: c.threads[i].step})
		}
	}
}

func (c *cursor) call(i int, s client.Step) {
	c.words = subject.ArgumentWords(c.words[:0], c.m.Root(0), s.Args)
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
		result = c.sys.subject.Operations[c.sys.steps[t.step].Op].Tuple(c.m.Results(i))
	}
	t.phase, t.value = returned, c.sys.results.number(result)
}

// Save appends the state: a word for each thread, then the machine's. States that end a search or
// are of no use have one word, or two.
func (c *cursor) Save(dst []uint64) []uint64 {
	switch {
	case c.m.Fault() != nil || c.failed != "":
		return append(dst, wordFailed)
	case c.blocked:
		return append(dst, wordBlocked)
	case c.crashed:
		return append(dst, wordCrashed)
	}
	return c.m.Save(c.save(dst))
}

// The first words of states in which no thread can go on.
const (
	wordFailed  = ^uint64(0)
	wordBlocked = ^uint64(1)
	wordCrashed = ^uint64(2)
)

// Load makes a saved state current.
func (c *cursor) Load(state []uint64) {
	c.clear()
	switch state[0] {
	case wordBlocked:
		c.blocked = true
		return
	case wordCrashed:
		c.crashed = true
		return
	}
	c.m.Load(c.load(state))
}

var _ interleave.Cursor = (*cursor)(nil)
