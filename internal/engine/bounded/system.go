package bounded

import (
	"sync"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/explore"
	"pangolin/internal/plan"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/internal/vm/parts"
	"pangolin/oracle"
)

// The collection under its clients, as the search sees it. What is beside the machine's
// state is small, and is put into words that the machine saves with it: the monitor's state
// and the plan's count in front, and what belongs to one thread in that thread's tag. So
// sorting the threads (symmetry) sorts all of it along, and equal words are equal
// positions.
//
// Nothing about how the state was reached may be kept in a cursor beyond Load: the search
// loads states in any order, on any worker. What a step finds wrong (found) is the one
// exception, and Save makes a state of its own of it.

// system is the collection under its clients as a transition system. A state is
// that of the machine, the monitor's, and what is left of the client. A move is a
// step of a thread; that of an idle thread begins with the invocation of an
// operation, and one in which an operation returns ends with its response.
type system struct {
	subject  *subject.Subject
	img      *vm.Image
	guess    *Guess // nil: none
	composed *Composed
	space    *client.Space
	monitor  consist.Monitor
	plan     plan.Plan
	opt      systemOptions
	machine  vm.Options
	starts   *starts // of the oracle, while collections are made
	threads  int
	cursors  *cursors     // to be used again; nil: none
	parts    *parts.Store // nil: states are not taken apart, see parted.go
	memory   int64        // bytes for what a cursor remembers of steps
	seen     *seen        // of the search in progress; nil: nobody asks
	made     *made        // nil: no search is in progress
}

// made are the cursors of a search, one for each worker and some for what is looked up beside it.
type made struct {
	mu   sync.Mutex
	list []*cursor
}

// cursors are those that a system has made. A system that is searched again and again, by
// one worker, gives them out again.
type cursors struct {
	made []*cursor
	used int // by the search in progress
}

// systemOptions choose what a system does besides executing.
type systemOptions struct {
	races    bool
	fuse     bool // an invocation goes with the operation's first access
	symmetry bool
	keys     bool // keys are held by rank, see keys.go
	generic  bool // generic items are watched, see items.go
	items    bool // and renamed
	numbers  bool // numbers of threads are renamed: symmetry although the code asks for them
	untold   bool // the oracle is not told which thread makes a call, for nobody has asked yet
	closed   bool // idle threads invoke nothing more
	preempt  int  // bound on preemptions; -1: none
}

// closed is the system in which only threads that are busy go on, each known by its place.
func (s *system) closed() *system {
	c := *s
	c.opt.symmetry, c.opt.closed, c.opt.preempt = false, true, -1
	return &c
}

func (s *system) NewCursor() explore.Cursor {
	if s.cursors == nil {
		c := s.newCursor()
		if s.made != nil && !s.opt.closed { // closed systems come by the thousand, and are visited state by state
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
	c := &cursor{sys: s, ids: make(map[client.Step]oracle.CallID), renamings: make(map[oracle.Renaming]oracle.RenamingID)}
	opt := s.machine
	opt.NoSymmetry, opt.Places = !s.opt.symmetry, s.opt.closed
	opt.Tie, opt.Items, opt.Numbers, opt.Watch = c.tie, s.opt.items, s.opt.numbers, s.opt.keys || s.opt.generic
	c.m = s.img.NewMachine(opt)
	c.own = make([]uint64, s.threads)
	c.monitor = s.monitor
	if m, ok := s.monitor.(*consist.PolicyMonitor); ok {
		c.follower = m.Follower()
		c.monitor = c.follower
	}
	c.mem = newMemory(s, c.m)
	c.ends = s.endsWithOne()
	return c
}

// cursor stands in one state.
type cursor struct {
	sys *system
	m   *vm.Machine
	// monitor is the system's, or the cursor's own way to follow it; id is the state that it is in.
	monitor  consist.Monitor
	follower *consist.Follower // nil: there is none
	id       consist.ID
	all      uint64   // the plan's count
	own      []uint64 // the plan's count of each thread
	// last is the thread that moved last and switches the number of preemptions so
	// far; both only matter under a preemption bound.
	last, switches int
	setUp                   // how far the collection is made
	early          bool     // names that cannot be followed, see makeAlone
	found          *finding // what is wrong with the state, if a step found it

	ids       map[client.Step]oracle.CallID
	renamings map[oracle.Renaming]oracle.RenamingID
	// Of the state that was loaded: how many items and keys it has. Since then: where a
	// new key stands, 0 if there is none. Of the last saved state: for each key, the name
	// it had before.
	items, names, between int
	ranked                []int
	words                 []uint64
	list                  []int
	order                 []uint8
	named                 []named // see withItems
	heard                 heard
	mem                   *memory // nil: nothing is remembered
	noted                 noted   // of sys.seen
	ends                  bool    // an operation is called last
}

// finding is a violation that shows in one state.
type finding struct {
	class   Class
	message string
	race    vm.Race
	thread  int // of a stuck history: the thread that nothing justifies
}

// A thread's tag: whether it is busy, whether it moved last, its operation, and its count.
const (
	tagBusy  uint64 = 1
	tagLast  uint64 = 2
	tagOp           = 2  // shift, 8 bits; 0 for an idle thread
	tagOwn          = 10 // shift, 22 bits
	opLimit         = 1 << 8
	ownLimit        = 1 << 22
)

// looks says what the code does with items, keys or numbers of threads that it must not do if they are renamed. What is not renamed does not count: fmt
// looks at everything that it is given.
func (c *cursor) looks() vm.Looked {
	l, opt := c.m.Looked(), &c.sys.opt
	return vm.Looked{Items: l.Items && opt.generic, Keys: l.Keys && opt.keys, Numbers: l.Numbers && opt.numbers, Asked: l.Asked && opt.untold}
}

func (c *cursor) looked() bool { return c.looks() != vm.Looked{} }

// useless says that the machine could not go on, or that an assumption of the search is
// wrong.
func (c *cursor) useless() bool {
	return c.m.Fault() != nil || c.m.Breached() >= 0 || c.looked() || c.early
}

// Initial makes a new collection, adds what the plan wants to be in it, and leaves
// the threads idle; or it makes as much of it as is made without other goroutines.
func (c *cursor) Initial(ch *explore.Choices) {
	c.begin(ch.Choose(c.sys.plan.Variants()))
	c.makeAlone(ch)
}

func (c *cursor) call(i int, s client.Step) {
	c.m.Call(i, c.sys.subject.Operations[s.Op].Func, c.argumentWords(s))
}

// Moves appends the moves: one for each call of an idle thread, one for each busy
// thread that can go on. Of idle threads that may make the same calls one is enough.
func (c *cursor) Moves(dst []explore.Move) []explore.Move {
	if c.found != nil || !c.away() && (c.m.Fault() != nil || c.m.Ended().Kind != vm.Running) {
		return dst
	}
	// The bound is used up: who moved last goes on for as long as it can. Once it cannot, anybody
	// may, for that is no preemption.
	ahead := -1
	if c.sys.opt.preempt >= 0 && c.last >= 0 && c.enabled(c.last) {
		dst, ahead = append(dst, goOn(c.last)), c.last // first: depth first spends preemptions late, where they show soon
		if c.switches >= c.sys.opt.preempt {
			return dst
		}
	}
	for i := range c.threads() {
		switch {
		case i == ahead:
		case i >= c.sys.threads || !c.idleAt(i):
			if c.enabled(i) {
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
	if k, ok := move(mv).call(); ok {
		b := c.beginning(i, k)
		if c.recalls(mv, &b) {
			return
		}
		c.invoke(i, &b, ch)
	} else {
		if c.recalls(mv, nil) {
			return
		}
		c.pass(i, ch)
	}
	c.respond()
}

// invoke lets an idle thread call an operation and make its first access, unless that could race
// with another's, or goroutines that the call has started could go first: all others might as well
// have gone before the call.
func (c *cursor) invoke(i int, b *beginning, ch *explore.Choices) {
	c.begins(i, b)
	c.m.SetTag(i, tagBusy|uint64(b.step.Op)<<tagOp)
	threads := c.m.Threads()
	c.call(i, b.step)
	c.m.Wrote = false
	c.m.Settle(i, ch)
	if c.m.Fault() != nil || c.m.Idle(i) || c.m.Ended().Kind != vm.Running {
		return
	}
	// The first access is about to be made within this move, so that no state will have the
	// thread standing at it: a race with it shows now or never.
	if c.sys.opt.races {
		if c.mem != nil {
			c.mem.Begins(i)
		}
		if r, ok := c.m.RaceWith(i); ok {
			c.found = &finding{class: Race, race: r}
			return
		}
		if c.found = c.examineHunt(); c.found != nil {
			return
		}
	}
	if c.sys.opt.fuse && c.m.Threads() == threads && !c.m.StandsAtPlain(i) && c.m.Enabled(i) {
		c.pass(i, ch)
	}
}

// respond lets the monitor see the operations that have returned.
func (c *cursor) respond() {
	if e := c.m.Ended(); e.Kind != vm.Running && c.found == nil {
		c.found = &finding{class: Panic, message: c.m.Text(e.Text)}
		return
	}
	if c.m.Fault() != nil || c.found != nil || !c.listen() {
		return
	}
	for i := range c.sys.threads {
		if c.m.Tag(i)&tagBusy == 0 || !c.m.Idle(i) {
			continue
		}
		op, result := c.running(i), c.result(i)
		c.sys.guess.returned(op, result)
		c.m.SetTag(i, 0)
		if c.mem != nil {
			c.mem.Returns(i)
		}
		if !c.returns(i, op, result) {
			if text := c.m.Panicked(i); text != "" {
				c.found = &finding{class: Panic, message: text, thread: i}
			}
			return
		}
	}
}

func (c *cursor) result(i int) history.Tuple {
	if c.m.Panicked(i) != "" {
		return history.PanicTuple()
	}
	op := &c.sys.subject.Operations[c.running(i)]
	return op.Tuple(c.resultWords(i, op))
}

// Save appends the canonical form: monitor state and counts, then the machine's
// words, whose thread tags hold what belongs to each thread.
func (c *cursor) Save(dst []uint64) []uint64 {
	if c.useless() {
		return append(dst, ^uint64(0))
	}
	if c.found != nil {
		return append(dst, ^uint64(0), uint64(c.found.class.index()))
	}
	if c.mem != nil && !c.makes() {
		if saved, ok := c.saveParted(dst); ok {
			c.sortMachine()
			if doubt != nil {
				doubt(c, saved[len(dst):])
			}
			return saved
		}
		c.stand()
	}
	// Tags first: the machine sorts the threads by them as well, and only then is it known in
	// which order the monitor has to name them.
	c.label()
	at := len(dst)
	dst = c.saveMachine(append(dst, 0, c.all))
	if c.makes() {
		c.saveMaking(dst[at:])
		return dst
	}
	id := c.renamed(c.m.Permutation())
	all := c.all & plan.Mask
	if c.sys.opt.items {
		n := 0
		id, n = c.withItems(id, c.m.ItemOrder())
		all |= uint64(n) << plan.Items
	}
	if c.sys.opt.keys {
		n := 0
		id, n = c.rankKeys(id, dst[at+2:])
		all |= uint64(n) << plan.Keys
	}
	dst[at], dst[at+1] = uint64(c.settled(id))|uint64(c.switches)<<32, all
	return dst
}

// Load makes a saved state current.
func (c *cursor) Load(state []uint64) {
	c.found = nil
	c.id, c.switches = consist.ID(state[0]), int(state[0]>>32)&(1<<(phaseShift-32)-1)
	c.all, c.between = state[1], 0
	c.items, c.names = int(c.all>>plan.Items&0xff), int(c.all>>plan.Keys&0xff)
	c.last, c.early = -1, false
	if state[0]&parted != 0 {
		c.loadParted(state)
	} else {
		c.fromMachine()
		c.m.Load(state[2:])
		c.loadMaking(state)
	}
	for i := range c.sys.threads {
		tag := c.tagAt(i)
		c.own[i] = tag >> tagOwn & (ownLimit - 1)
		if tag&tagLast != 0 {
			c.last = i
		}
	}
}
