package refine

import (
	"pangolin/internal/explore"
	"pangolin/internal/vm"
	"pangolin/internal/vm/parts"
)

// States as parts. As in the engine bounded, a state of the code's system that can be taken apart (vm/state,
// parts.go) is saved as the numbers of its parts in place of the machine's words, and a step that is
// remembered (vm/parts) is recalled, so that no machine executes it. Threads keep their places here,
// and items and keys their values, so there is nothing to sort or to rename.

// wordParted is set in the first thread's word of a state that consists of parts. Behind the threads' words
// come the heap with the number of threads, and the threads, two in a word.
const wordParted = uint64(1) << 62

// whereabouts says where the machine's part of a cursor's state is to be found.
type whereabouts uint8

const (
	inMachine whereabouts = iota
	loaded                // in memory.loaded; no step has been taken
	recalled              // in memory.after: a step from memory.loaded has been recalled
)

// memory is what a cursor remembers, and where it stands.
type memory struct {
	*parts.Memory
	standing  whereabouts
	executing bool // nothing is recalled: somebody looks at the machine
	loaded    parts.Position
	from      []uint64                  // the saved state that was loaded, and the move from there
	move      explore.Move              // tests take it again
	known     [parts.Room]*parts.Record // of the threads of loaded
	after     parts.After
	at        parts.Position // in which the machine stands, if held
	held      bool
	draft     *parts.Draft // of the step that the machine executes; nil: nothing can be learned
	room      parts.Draft
	words     []uint64
}

// How much the parts of a search's states may take, and what a worker remembers of their steps: no more
// than so many bytes, and no more than a part of what the search may take.
var (
	partBytes   int64 = 256 << 20
	memoryBytes int64 = 128 << 20
)

const memoryShare = 8

// remember begins to take the states of a search apart, if that is asked for and possible.
func (s *system) remember(lim Limits) {
	s.parts = nil
	if s.client.Reduce&vm.RememberedSteps == 0 || s.body == atomic || s.client.Threads < 2 || s.img.UsesThreadIDs() {
		return
	}
	share := func(bytes int64) int64 {
		if lim.Bytes > 0 {
			return min(bytes, lim.Bytes/memoryShare)
		}
		return bytes
	}
	s.parts, s.memory = parts.New(&s.img.Ground, share(partBytes)), share(memoryBytes)
}

func newMemory(s *system) *memory {
	if s.parts == nil {
		return nil
	}
	return &memory{Memory: parts.NewMemory(s.parts, s.memory)}
}

// away says that the machine need not stand in the cursor's state.
func (c *cursor) away() bool { return c.mem != nil && c.mem.standing != inMachine }

// Machine gives the machine that the cursor moves. From then on the cursor executes every step.
func (c *cursor) Machine() *vm.Machine {
	if c.mem != nil {
		c.mem.executing = true
		c.stand()
	}
	return c.m
}

// stand brings the machine into the cursor's state, in which it will be moved.
func (c *cursor) stand() {
	if !c.away() {
		return
	}
	mem := c.mem
	if mem.standing == loaded {
		c.visit(&mem.loaded)
	} else {
		c.visit(&mem.after.Position)
	}
	mem.standing, mem.held = inMachine, false
}

// visit brings the machine into a state that consists of parts.
func (c *cursor) visit(p *parts.Position) {
	mem := c.mem
	if mem.held && mem.at == *p {
		return
	}
	mem.words = mem.Join(mem.words[:0], p.Heap, p.Threads[:p.N], p.Tags[:p.N])
	c.m.Load(mem.words)
	mem.at, mem.held = *p, true
}

// fromMachine says that the cursor stands where the machine does, of whose step nothing can be learned.
func (c *cursor) fromMachine() {
	if c.mem != nil {
		c.mem.standing, c.mem.held, c.mem.draft = inMachine, false, nil
	}
}

// loadParted makes a state current of which the words behind the threads' name the parts.
func (c *cursor) loadParted(words []uint64) {
	mem := c.mem
	p := parts.Position{Heap: uint32(words[0]), N: int(words[0] >> 32)}
	for i := range p.N {
		p.Threads[i] = uint32(words[1+i/2] >> (i % 2 * 32))
	}
	if p != mem.loaded {
		mem.loaded, mem.known = p, [parts.Room]*parts.Record{}
	}
	mem.standing, mem.draft = loaded, nil
	if mem.executing {
		c.stand()
	}
}

// threadsNow is how many threads there are.
func (c *cursor) threadsNow() int {
	if c.away() {
		return c.mem.loaded.N
	}
	return c.m.Threads()
}

// enabled says that a thread can move.
func (c *cursor) enabled(i int) bool {
	if !c.away() {
		return c.m.Enabled(i)
	}
	mem := c.mem
	r := mem.record(i)
	if r.Stance != nil {
		return r.Stance.Enabled
	}
	c.visit(&mem.loaded)
	s := c.m.Stance(i, c.sys.img.BaseCount()+mem.Heap(mem.loaded.Heap).Objects)
	if !s.Peered {
		mem.Remember(r, s)
	}
	return s.Enabled
}

// record is what is known of a thread of the loaded state.
func (mem *memory) record(i int) *parts.Record {
	if mem.known[i] == nil {
		mem.known[i] = mem.Record(&mem.loaded, i)
	}
	return mem.known[i]
}

// recalls takes a step of a thread that is remembered, with the call that it makes, one more than its
// number, or 0. Otherwise the machine stands where the step is to be executed.
func (c *cursor) recalls(i, call int) bool {
	mem := c.mem
	if mem == nil || mem.standing != loaded {
		return false
	}
	s, known, tried := mem.record(i).Find(uint32(call))
	if known && mem.Recall(s, &mem.loaded, i, &mem.after) {
		mem.standing = recalled
		if s.Returned {
			mem.Rename(&mem.after, -1)
			c.returns(i, c.sys.subject.Operations[c.sys.steps[c.threads[i].step].Op].Tuple(mem.after.Results))
		}
		return true
	}
	c.stand()
	c.m.Peered, mem.draft = false, nil
	if known || !tried {
		mem.room = parts.Draft{From: &mem.loaded, Agent: i, Call: uint32(call), Fresh: -1, Results: mem.room.Results[:0]}
		mem.draft = &mem.room
	}
	return false
}

// rests takes a move that the machine has no part in.
func (c *cursor) rests() {
	if c.away() {
		c.mem.after.Position, c.mem.standing = c.mem.loaded, recalled
	}
}

// draftReturns notes that the call has returned which the machine executes.
func (c *cursor) draftReturns(i int) {
	if c.mem == nil || c.mem.draft == nil {
		return
	}
	d := c.mem.draft
	d.Failed = d.Failed || c.m.Panicked(i) != ""
	d.Returns, d.Results = true, append(d.Results[:0], c.m.Results(i)...)
}

// saveParted appends the threads' words and the numbers of the parts; false if the state cannot be taken
// apart, or there is no room for its parts.
func (c *cursor) saveParted(dst []uint64) ([]uint64, bool) {
	mem := c.mem
	p := &mem.after.Position
	switch mem.standing {
	case loaded:
		p = &mem.loaded
	case inMachine:
		draft := mem.draft
		mem.held, mem.draft = false, nil
		apart, numbered := mem.TakeApart(c.m, &mem.after)
		if apart != parts.Parted || !numbered {
			return dst, false
		}
		if draft != nil {
			mem.Learn(c.m, draft, &mem.after)
		}
	}
	at := len(dst)
	dst = c.save(dst)
	dst[at] |= wordParted
	dst = append(dst, uint64(p.Heap)|uint64(p.N)<<32)
	for i := 0; i < p.N; i += 2 {
		w := uint64(p.Threads[i])
		if i+1 < p.N {
			w |= uint64(p.Threads[i+1]) << 32
		}
		dst = append(dst, w)
	}
	if doubt != nil {
		doubt(c, dst[at:])
	}
	return dst, true
}

// doubt is shown every state as parts, if it is not nil: tests compare it with what the machine saves.
var doubt func(c *cursor, saved []uint64)
