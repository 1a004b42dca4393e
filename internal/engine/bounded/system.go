// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"sync"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/explore"
	"pangolin/internal/play"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// The collection under its clients, as the search sees it. The rest of a state beside the machine's is small, and is saved in words with
// it: the monitor's state and the plan's count in front, and what belongs to one thread in that thread's tag. So sorting the threads
// (symmetry) sorts their tags too, and equal words are equal positions.
//
// A cursor may keep nothing about how a state was reached after Load: the search loads states in any order, on any worker. What a step
// finds wrong (found) is the one exception, and Save makes a state of its own of it.

// system is the collection under its clients as a transition system. A state consists of the machine's and the monitor's state and the rest
// of the client. A move is a step of a thread; an idle thread's begins with the invocation of an operation, and one in which an operation
// returns ends with its response.
type system struct {
	subject       *subject.Subject
	img           *vm.Image
	guess, points *Guess // nil: none
	composed      *Composed
	space         *client.Space
	ops           []client.Op // the subject's, with the roles of each
	monitor       consist.Monitor
	plan          client.Plan
	opt           systemOptions
	machine       vm.Options
	starts        *starts // states of the oracle during construction
	threads       int
	cursors       *cursors    // cursors that are used again; nil: none
	store         *play.Store // of states as parts; nil: states are not taken apart
	seen          *seen       // results of operations; nil: not recorded
	made          *made       // nil: no search is in progress
}

// made contains the cursors of a search: one for each worker, and some for other purposes.
type made struct {
	mu   sync.Mutex
	list []*cursor
}

// cursors contains the cursors of a system that is searched again and again by one worker, which uses them again.
type cursors struct {
	made []*cursor
	used int // number in use by the present search
}

// systemOptions select what a system does besides executing.
type systemOptions struct {
	races, leaks bool // look for data races, and for goroutines that wait for ever
	fuse         bool // an invocation and the operation's first access are one step
	symmetry     bool
	play.Renamed
	untold  bool // the oracle is not told which thread makes a call, because the code has not asked so far
	closed  bool // idle threads make no calls
	preempt int  // bound on preemptions; -1: none
}

// closed is the system in which only busy threads move, and threads are not sorted.
func (s *system) closed() *system {
	c := *s
	c.opt.symmetry, c.opt.closed, c.opt.preempt = false, true, -1
	return &c
}

func (s *system) NewCursor() explore.Cursor {
	if s.cursors == nil {
		c := s.newCursor()
		if s.made != nil && !s.opt.closed { // there are thousands of closed systems
			s.made.mu.Lock()
			defer s.made.mu.Unlock()
			s.made.list = append(s.made.list, c)
		}
		return c
	}
	if s.cursors.used == len(s.cursors.made) {
		s.cursors.made = append(s.cursors.made, s.newCursor())
	}
	s.cursors.used++
	return s.cursors.made[s.cursors.used-1]
}

func (s *system) newCursor() *cursor {
	c := &cursor{sys: s, monitor: play.Listen(s.monitor), ids: make(map[client.Step]oracle.CallID)}
	opt := &play.Options{Machine: s.machine, Clients: s.threads, Operations: s.subject.Operations, View: c.view, Tie: c.tie,
		Renamed: s.opt.Renamed, Races: s.opt.races, Fuse: s.opt.fuse, Store: s.store}
	s.reportsSites(opt)
	m := &opt.Machine
	m.NoSymmetry, m.Places = !s.opt.symmetry, s.opt.closed
	c.inquirer = s.newInquirer(opt)
	c.names = play.NewNames(s.img, opt, &c.monitor)
	c.place = c.names.At
	c.m = c.place.Stand()
	c.own, c.placed = make([]uint64, s.threads), s.places()
	return c
}

// cursor is in one state.
type cursor struct {
	sys   *system
	place play.Place
	m     *vm.Machine // the place's machine, which need not be in the cursor's state
	turn  play.Turn   // the last one
	taken taken       // for tests
	names *play.Names // names of the place's items and keys
	// monitor follows the system's monitor, whose state is id.
	monitor play.Listener
	id      consist.ID
	all     uint64   // the plan's count
	own     []uint64 // the plan's count of each thread
	preemptions
	setUp          // how far the collection is made
	early bool     // there are names that cannot be followed, see makeAlone
	found *finding // what is wrong with the state, if a step found it

	ids    map[client.Step]oracle.CallID // numbers of calls in the monitor
	list   []int
	heard  heard
	noted  noted // results that were reported to sys.seen
	placed bool  // roles say when some operation is called

	inquirer *inquirer // nil: the collection has no invariants
}

// taken is the state that was loaded and the move from it, for tests that repeat a step.
type taken struct {
	from []uint64
	move explore.Move
}

// finding is a violation that shows in one state.
type finding struct {
	class   Class
	message string
	race    vm.Race
	thread  int // in a stuck history: a thread whose waiting is not justified; else -1
}

// Initial constructs the collection and makes the pre-adds, or as much of that as happens without other goroutines, and leaves the threads
// idle.
func (c *cursor) Initial(ch *explore.Choices) {
	c.begin(ch.Choose(c.sys.plan.Variants()))
	c.makeAlone(ch)
}

func (c *cursor) call(i int, s client.Step) {
	c.m.Call(i, c.sys.subject.Operations[s.Op].Func, c.names.Words(&s))
}

// Moves appends one move for each call of an idle thread, and one for each busy thread that can continue. Of idle threads in the same
// position only one moves.
func (c *cursor) Moves(dst []explore.Move) []explore.Move {
	if c.found != nil || c.m.Fault() != nil || c.place.Ended() {
		return dst
	}
	// If the bound is used up, the thread that moved last continues as long as it can. Then any thread
	// may move, which is no preemption.
	ahead := -1
	if c.sys.opt.preempt >= 0 && c.last >= 0 && c.place.Enabled(c.last) {
		dst, ahead = append(dst, goOn(c.last)), c.last // first: depth first spends preemptions late, where they show soon
		if c.switches >= c.sys.opt.preempt {
			return dst
		}
	}
	for i := range c.place.Threads() {
		switch {
		case i == ahead:
		case i >= c.sys.threads || !c.place.Idle(i):
			if c.place.Enabled(i) {
				dst = append(dst, goOn(i))
			}
		case !c.makes() && !c.sys.opt.closed && !c.doubled(i):
			for _, k := range c.calls(i) {
				dst = append(dst, invocation(i, k))
			}
		}
	}
	return dst
}

// Step executes a move.
func (c *cursor) Step(mv explore.Move, ch *explore.Choices) {
	i := mv.Agent()
	if c.makes() {
		c.m.Step(i, ch)
		c.proceed(ch)
		return
	}
	c.countSwitch(i)
	c.turn, c.taken.move = play.Turn{Thread: i, Fresh: -1}, mv
	op := 0
	if k, ok := move(mv).call(); ok {
		b := c.beginning(i, k)
		c.begins(i, &b)
		op = b.step.Op
		c.names.Begin(&c.turn, &b.step, k)
	} else if i < c.sys.threads {
		op = play.OperationOf(c.place.Tag(i))
	}
	e := c.place.Take(&c.turn, ch)
	if e.Site > 0 && c.m.Fault() == nil {
		c.passes(i, op, e.Site-1)
	}
	c.hears(e)
}

// hears records the events of a turn, and tells the monitor about the calls that have returned.
func (c *cursor) hears(e *play.Events) {
	if e.Race != nil {
		c.found = &finding{class: Race, race: *e.Race}
		return
	}
	if c.place.Ended() {
		c.found = &finding{class: Panic, message: c.m.Text(c.m.Ended().Text)}
		return
	}
	if c.m.Fault() != nil || !c.hear(e.Said) {
		return
	}
	for k := range e.Returned {
		r := &e.Returned[k]
		op, result := &c.sys.subject.Operations[r.Operation], history.PanicTuple()
		if r.Panic == "" {
			result = c.names.Result(op, r.Words)
		}
		c.sys.guess.returned(r.Operation, result)
		c.place.SetTag(r.Thread, 0)
		if !c.returns(r.Thread, r.Operation, result) {
			if r.Panic != "" {
				c.found = &finding{class: Panic, message: r.Panic, thread: r.Thread}
			}
			return
		}
	}
}

// Save appends the canonical form: monitor state and counts, then the machine's words, whose thread tags contain what belongs to each
// thread.
func (c *cursor) Save(dst []uint64) []uint64 {
	if c.useless() {
		return append(dst, ^uint64(0))
	}
	if c.found != nil {
		return append(dst, ^uint64(0), uint64(c.found.class.index()))
	}
	// Tags first: the threads are sorted by them too, and only then is it known in
	// which order the monitor has to name them.
	last := -1
	if c.sys.opt.preempt >= 0 {
		last = c.last
	}
	c.place.Count(c.own, last)
	at := len(dst)
	dst = append(dst, 0, c.all)
	if c.makes() {
		c.place.Sort(true)
		dst = c.place.Append(dst)
		c.saveMaking(dst[at:])
		return dst
	}
	id, all, ok := c.rename(false)
	if !ok {
		id, all, _ = c.rename(true)
	}
	dst[at], dst[at+1] = uint64(c.monitor.Settle(id))|uint64(c.switches)<<32, all
	dst = c.place.Append(dst)
	if doubt != nil {
		doubt(c, dst[at:])
	}
	return dst
}

// rename sorts the state and renames its threads, items and keys; ok is false if the place must start again, with the whole state as the
// machine's words.
func (c *cursor) rename(whole bool) (id consist.ID, all uint64, ok bool) {
	id, counts, ok := c.names.Rename(c.renamed(c.place.Sort(whole)))
	return id, c.all&client.CountMask | counts, ok
}

// doubt, if not nil, is called with every saved state by tests.
var doubt func(c *cursor, saved []uint64)

// Machine returns the machine, brought into the cursor's state. From then on the machine executes every step.
func (c *cursor) Machine() *vm.Machine { return c.place.Follow() }

// Load makes a saved state current.
func (c *cursor) Load(state []uint64) {
	if c.found = nil; doubt != nil {
		c.taken.from = append(c.taken.from[:0], state...)
	}
	c.id, c.switches = consist.ID(state[0]), int(state[0]>>32)&(1<<(phaseShift-32)-1)
	c.all = state[1]
	c.names.Load(c.all)
	c.early = false
	c.place.Load(state[2:])
	c.loadMaking(state)
	c.last = c.place.Counts(c.own)
}
