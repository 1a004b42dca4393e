package bounded

import (
	"cmp"
	"slices"

	"pangolin/internal/consist"
	"pangolin/internal/explore"
	"pangolin/internal/plan"
	"pangolin/internal/vm"
	"pangolin/internal/vm/parts"
	"pangolin/oracle"
)

// States as parts. Where the machine's state can be taken apart (vm/state, parts.go), a saved state
// holds the numbers of its parts in place of the machine's words, and a step that is
// remembered (vm/parts) is recalled, so that no machine executes it. What comes of it is the same state: the
// order of the threads, their tags, the names of items and keys and the monitor's state are found here from
// the parts as Save finds them from the machine, and everything that is more than a step from
// one such state to another is left to the machine: decisions, threads that meet, begin or end, panics,
// faults, races, and states that cannot be taken apart.
//
// The first word of such a state has the bit parted. Then come the plan's count, the heap
// with the number of threads, the threads, two in a word, and their tags.

const parted uint64 = 1 << 63

// whereabouts says where a cursor's state is to be found.
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
	words     []uint64 // of the state that was loaded
	move      explore.Move
	after     parts.After
	saved     parts.Position               // canonical: of the last saved state
	at        parts.Position               // in which the machine stands, if held
	known     [2][parts.Room]*parts.Record // of the threads of loaded and of saved
	held      bool
	draft     *parts.Draft // of the step that the machine executes; nil: nothing can be learned
	room      parts.Draft
	shared    bool // the machine's state has been found to be no parts, and nothing else
	raw       bool // after's parts have no numbers: they are the pieces
	order     []uint8
	ties      tiesOfParts
	scratch   []uint64
	ranks     map[rankKey]uint32
}

// rankKey is a part and the set of keys among which its own are ranked.
type rankKey struct {
	part    uint32
	thread  bool
	present uint64
}

// How much the parts of a search's states may take, and what a worker remembers of them: no more
// than so many bytes, and no more than a part of what the search may take.
var (
	partBytes   int64 = 256 << 20
	memoryBytes int64 = 128 << 20
)

const memoryShare = 8

// parts makes a store for the parts of a system's states; nil if they are not taken apart.
func (v *verification) parts(s *system) *parts.Store {
	if v.opt.Reduce&vm.RememberedSteps == 0 || v.opt.Clients || v.opt.Only != nil || s.guess != nil || !s.opt.symmetry ||
		s.threads < 2 || v.img.UsesThreadIDs() {
		return nil
	}
	return parts.New(&v.img.Ground, v.share(partBytes))
}

// share bounds a table by a part of what the search may take.
func (v *verification) share(bytes int64) int64 {
	if v.opt.MaxBytes > 0 {
		return min(bytes, v.opt.MaxBytes/memoryShare)
	}
	return bytes
}

func newMemory(s *system) *memory {
	if s.parts == nil {
		return nil
	}
	return &memory{Memory: parts.NewMemory(s.parts, s.memory), executing: !s.opt.symmetry, ranks: map[rankKey]uint32{}}
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

// stand brings the machine into the cursor's state.
func (c *cursor) stand() {
	if !c.away() {
		return
	}
	mem := c.mem
	if mem.standing == loaded {
		c.visitPosition(&mem.loaded)
		mem.standing, mem.held = inMachine, false
		return
	}
	words, executing := slices.Clone(mem.words), mem.executing
	mem.executing = true
	c.Load(words)
	c.Step(mem.move, explore.Replay(nil))
	mem.executing = executing
}

// visitPosition brings the machine into a state that consists of parts.
func (c *cursor) visitPosition(p *parts.Position) {
	mem := c.mem
	if mem.held && mem.at == *p {
		return
	}
	mem.scratch = mem.Join(mem.scratch[:0], p.Heap, p.Threads[:p.N], p.Tags[:p.N])
	c.m.Load(mem.scratch)
	mem.at, mem.held = *p, true
}

// loadParted makes a saved state current that consists of parts.
func (c *cursor) loadParted(state []uint64) {
	mem := c.mem
	p := &mem.loaded
	mem.words = append(mem.words[:0], state...)
	*p = parts.Position{Heap: uint32(state[2]), N: int(state[2] >> 32)}
	rest := state[3:]
	for i := range p.N {
		p.Threads[i] = uint32(rest[i/2] >> (i % 2 * 32))
	}
	copy(p.Tags[:p.N], rest[(p.N+1)/2:])
	if mem.known[0] = mem.known[1]; mem.saved != *p {
		mem.known[0] = [parts.Room]*parts.Record{}
	}
	mem.shared = false
	mem.standing, mem.draft, c.setUp = loaded, nil, setUp{born: -1}
	c.m.Failure = nil
	if mem.executing {
		c.stand()
	}
}

// stance is that of a thread in a state that consists of parts. The machine may have to stand there.
func (c *cursor) stance(p *parts.Position, i int) *vm.Stance {
	mem := c.mem
	r := mem.record(p, i)
	if r.Stance != nil {
		return r.Stance
	}
	c.visitPosition(p)
	s := c.m.Stance(i, c.sys.img.BaseCount()+mem.Heap(p.Heap).Objects)
	if !s.Peered {
		mem.Remember(r, s)
	}
	return &s
}

// record is what is known of thread i of one of the memory's positions, which keeps it as long as it
// stays there.
func (mem *memory) record(p *parts.Position, i int) *parts.Record {
	known := &mem.known[0]
	if p != &mem.loaded {
		known = &mem.known[1]
	}
	if known[i] == nil {
		known[i] = mem.Record(p, i)
	}
	return known[i]
}

// present is the position in which an away cursor stands, saved if a step has been recalled.
func (c *cursor) present() *parts.Position {
	if c.mem.standing == loaded {
		return &c.mem.loaded
	}
	return &c.mem.saved
}

// raced says that two threads of the state are in a data race.
func (c *cursor) raced() bool {
	p := c.present()
	for i := range p.N {
		for j := range i {
			if c.stance(p, i).Races(c.stance(p, j)) {
				return true
			}
		}
	}
	return false
}

// recalls takes a step that is remembered. It says whether there was one; otherwise, nothing
// has happened but that the draft of the step has been begun.
func (c *cursor) recalls(mv explore.Move, b *beginning) bool {
	mem := c.mem
	if mem == nil || mem.standing != loaded {
		return false
	}
	i, call, fresh := mv.Agent(), uint32(0), -1
	if b != nil {
		call = c.callNumber(mv, b)
		if c.sys.opt.items && slices.Contains(c.sys.subject.Operations[b.step.Op].Client.Params, oracle.ParamItem) {
			fresh = c.items
		}
	}
	s, known, tried := mem.record(&mem.loaded, i).Find(call)
	if known && !c.begunInRace(s, i) && mem.Recall(s, &mem.loaded, i, &mem.after) {
		c.commit(s, mv, b, fresh)
		return true
	}
	c.stand()
	c.m.Peered, mem.draft = false, nil
	if known || !tried {
		mem.room = parts.Draft{From: &mem.loaded, Agent: i, Call: call, Fresh: fresh, Results: mem.room.Results[:0], Said: mem.room.Said[:0]}
		mem.draft = &mem.room
	}
	return false
}

// begunInRace says that the first access of a call would race with another thread's.
func (c *cursor) begunInRace(s *parts.Step, i int) bool {
	if s.Begun == nil {
		return false
	}
	p := &c.mem.loaded
	for j := range p.N {
		if j != i && s.Begun.Races(c.stance(p, j)) {
			return true
		}
	}
	return false
}

// callNumber numbers a call with its arguments. An item that the call brings has no name in it; if
// there is no other either, the plan's number says it all.
func (c *cursor) callNumber(mv explore.Move, b *beginning) uint32 {
	if c.sys.opt.items || !c.sys.opt.generic {
		k, _ := move(mv).call()
		return uint32(k) + 1
	}
	words := append(c.argumentWords(b.step), uint64(b.step.Op))
	for i, w := range words {
		if k, ok := vm.AsItem(w); ok && k == c.items && c.sys.opt.items {
			words[i] = ^uint64(0)
		}
	}
	return c.mem.Call(words)
}

// commit makes the state behind a recalled step current.
func (c *cursor) commit(s *parts.Step, mv explore.Move, b *beginning, fresh int) {
	mem, i := c.mem, mv.Agent()
	if c.sys.opt.items || s.Returned {
		mem.Rename(&mem.after, fresh)
	}
	mem.standing, mem.move = recalled, mv
	if b != nil {
		c.begins(i, b)
		mem.after.Tags[i] = tagBusy | uint64(b.step.Op)<<tagOp
	}
	if mem.Speak(&mem.after, fresh); !c.hear(mem.after.Said) {
		return
	}
	if s.Returned {
		op := operationOf(mem.after.Tags[i])
		mem.after.Tags[i] = 0
		c.returns(i, op, c.sys.subject.Operations[op].Tuple(c.asValues(mem.after.Results, &c.sys.subject.Operations[op])))
	}
}

// saveParted appends the form of a state as parts; false if it cannot be taken apart, or there is no
// room for its parts.
func (c *cursor) saveParted(dst []uint64) ([]uint64, bool) {
	mem, a := c.mem, &c.mem.after
	if mem.standing == recalled {
		mem.raw = false
		for i := range c.sys.threads {
			a.Tags[i] = c.tag(i, a.Tags[i])
		}
		return c.saveAfter(dst)
	}
	for i := range c.sys.threads {
		c.m.SetTag(i, c.tag(i, c.m.Tag(i)))
	}
	mem.held = false
	draft := mem.draft
	mem.draft = nil
	apart, numbered := mem.TakeApart(c.m, a)
	if numbered && draft != nil {
		mem.Learn(c.m, draft, a)
	}
	mem.shared = apart == parts.Shared
	if mem.raw = !numbered; apart != parts.Parted || mem.raw && !c.sys.opt.keys {
		return dst, false
	}
	return c.saveAfter(dst)
}

// saveAfter appends the form of the state that memory.after holds.
func (c *cursor) saveAfter(dst []uint64) ([]uint64, bool) {
	mem, a := c.mem, &c.mem.after
	perm := c.sortParts()
	id := c.renamed(perm[:])
	all := c.all & plan.Mask
	if c.sys.opt.items {
		n := 0
		id, n = c.withItems(id, c.partsItems(perm[:]))
		all |= uint64(n) << plan.Items
	}
	heap, threads := a.Heap, a.Threads
	if c.sys.opt.keys {
		n, ok := 0, false
		if id, n, ok = c.rankParts(id, &heap, &threads); !ok {
			return dst, false
		}
		all |= uint64(n) << plan.Keys
	}
	s := &mem.saved
	*s = parts.Position{Heap: heap, N: a.N}
	mem.known[1] = [parts.Room]*parts.Record{}
	for place := range a.N {
		s.Threads[place], s.Tags[place] = threads[perm[place]], a.Tags[perm[place]]
	}
	dst = append(dst, parted|uint64(id)|uint64(c.switches)<<32, all, uint64(s.Heap)|uint64(s.N)<<32)
	for i := 0; i < s.N; i += 2 {
		dst = append(dst, uint64(s.Threads[i])|uint64(s.Threads[(i+1)%parts.Room])<<32)
	}
	return append(dst, s.Tags[:s.N]...), true
}

// sortParts finds the canonical order of the threads, as vm/state does (symmetry.go).
func (c *cursor) sortParts() (perm [parts.Room]int) {
	a := &c.mem.after
	for i := range perm {
		perm[i] = i
	}
	for i := 1; i < a.N; i++ {
		for j := i; j > 0 && c.compareParts(perm[j-1], perm[j]) > 0; j-- {
			perm[j-1], perm[j] = perm[j], perm[j-1]
		}
	}
	for i := 1; i < a.N; i++ {
		if c.compareParts(perm[i-1], perm[i]) == 0 {
			c.breakTies(perm[:a.N])
			break
		}
	}
	return perm
}

func (c *cursor) compareParts(i, j int) int {
	a := &c.mem.after
	if a.Threads[i] == a.Threads[j] && !c.mem.raw {
		return cmp.Compare(a.Tags[i], a.Tags[j])
	}
	x, y := c.partWords(i), c.partWords(j)
	if x[0] != y[0] {
		return cmp.Compare(x[0], y[0])
	}
	if a.Tags[i] != a.Tags[j] {
		return cmp.Compare(a.Tags[i], a.Tags[j])
	}
	return slices.Compare(x[2:], y[2:])
}

// partWords are the words of a thread's part.
func (c *cursor) partWords(i int) []uint64 {
	if c.mem.raw {
		return c.mem.Pieces().Threads[i].Words
	}
	return c.mem.Thread(c.mem.after.Threads[i]).Words()
}

// mostOrders bounds the orders of equal threads that are tried, as vm/state does.
const mostOrders = 5040

// breakTies chooses among the orders of threads with equal parts one that the monitor's state decides.
func (c *cursor) breakTies(perm []int) {
	t := &c.mem.ties
	t.best = append(t.best[:0], perm...)
	t.number, t.left = c.tieParts(perm), mostOrders
	c.tryOrders(perm, 0, true)
	copy(perm, t.best)
}

// tiesOfParts is the best order so far, its number, and how many may still be tried.
type tiesOfParts struct {
	best   []int
	number uint64
	left   int
}

// tryOrders tries every order that differs from the given one only among equal threads, from
// position i on; the first one, it itself, is known already.
func (c *cursor) tryOrders(perm []int, i int, first bool) {
	if i == len(perm) {
		t := &c.mem.ties
		if t.left--; t.left < 0 || first {
			return
		}
		if n := c.tieParts(perm); n < t.number {
			t.number = n
			copy(t.best, perm)
		}
		return
	}
	for j := i; j < len(perm); j++ {
		if j > i && (c.compareParts(perm[i], perm[j]) != 0 || c.exchangeable(perm[i])) {
			break
		}
		perm[i], perm[j] = perm[j], perm[i]
		c.tryOrders(perm, i+1, first && j == i)
		perm[i], perm[j] = perm[j], perm[i]
	}
}

// exchangeable says that the order of the threads with the same part means nothing.
func (c *cursor) exchangeable(i int) bool {
	return i >= c.sys.threads && (!c.sys.opt.items || len(c.mem.after.Items[i]) == 0)
}

// tieParts is tie for a state as parts.
func (c *cursor) tieParts(perm []int) uint64 {
	id := c.renamed(perm)
	if c.sys.opt.items {
		id, _ = c.withItems(id, c.partsItems(perm))
	}
	return c.sys.monitor.Content(id)
}

// partsItems lists the items of a state as parts in the order of their new names.
func (c *cursor) partsItems(perm []int) []uint8 {
	mem := c.mem
	mem.order = append(mem.order[:0], mem.after.HeapItems...)
	for _, i := range perm[:mem.after.N] {
		mem.order = append(mem.order, mem.after.Items[i]...)
	}
	return mem.order
}

// rankParts ranks the keys of a state as parts, and of the monitor's. It returns how many there are.
func (c *cursor) rankParts(id consist.ID, heap *uint32, threads *[parts.Room]uint32) (renamed consist.ID, n int, ok bool) {
	mem := c.mem
	if mem.raw {
		return c.rankPieces(id, heap, threads)
	}
	present := mem.Heap(*heap).Keys
	for _, t := range threads[:mem.after.N] {
		present |= mem.Thread(t).Keys
	}
	renamed, present, n = c.rank(id, present)
	if present == 0 {
		return renamed, n, true
	}
	if *heap, ok = c.rankedPart(*heap, false, present); !ok {
		return id, 0, false
	}
	for i := range threads[:mem.after.N] {
		if threads[i], ok = c.rankedPart(threads[i], true, present); !ok {
			return id, 0, false
		}
	}
	return renamed, n, true
}

// rankPieces does the same if the parts have no room as they are: with their keys ranked they may have been
// met before.
func (c *cursor) rankPieces(id consist.ID, heap *uint32, threads *[parts.Room]uint32) (renamed consist.ID, n int, ok bool) {
	p := c.mem.Pieces()
	lists := [][]uint64{p.Front, p.Heap}
	for i := range p.Threads {
		lists = append(lists, p.Threads[i].Words[2:])
	}
	present := uint64(0)
	for _, words := range lists {
		present |= parts.KeysIn(words)
	}
	if renamed, present, n = c.rank(id, present); present == 0 {
		return id, 0, false
	}
	for _, words := range lists {
		patchKeys(words, present)
	}
	ok = c.mem.Number(c.m, &c.mem.after)
	*heap, *threads = c.mem.after.Heap, c.mem.after.Threads
	return renamed, n, ok
}

// rankedPart is a part with its keys ranked.
func (c *cursor) rankedPart(part uint32, thread bool, present uint64) (uint32, bool) {
	mem := c.mem
	key := rankKey{part, thread, present}
	if to, known := mem.ranks[key]; known {
		return to, true
	}
	replace := mem.ReplaceHeap
	if thread {
		replace = mem.ReplaceThread
	}
	to, ok := replace(part, func(words []uint64) { patchKeys(words, present) })
	if ok {
		mem.ranks[key] = to
	}
	return to, ok
}

// saveMachine appends the words of the machine's state.
func (c *cursor) saveMachine(dst []uint64) []uint64 {
	if c.mem == nil || !c.mem.shared {
		return c.m.Save(dst)
	}
	c.mem.shared = false
	return c.m.SaveShared(dst, c.mem.Pieces())
}

// doubt is shown every state as parts, if it is not nil: tests compare it with what the machine saves.
var doubt func(c *cursor, saved []uint64)

// sortMachine lets the machine find the order of the threads in the state that has been saved, for
// those who look at it.
func (c *cursor) sortMachine() {
	if c.mem.executing {
		c.mem.scratch = c.m.Save(c.mem.scratch[:0])
	}
}

// fromMachine says that the cursor stands where the machine does, about whose step nothing can be learned.
func (c *cursor) fromMachine() {
	if c.mem != nil {
		c.mem.standing, c.mem.held, c.mem.draft, c.mem.shared = inMachine, false, nil, false
	}
}

// draftBegins notes where a call stands before its first visible access.
func (c *cursor) draftBegins(i int) {
	if c.mem == nil || c.mem.draft == nil {
		return
	}
	d, peered := c.mem.draft, c.m.Peered
	s := c.m.Stance(i, c.sys.img.BaseCount()+c.mem.Heap(c.mem.loaded.Heap).Objects)
	d.Begun, d.Failed = &s, d.Failed || c.m.Wrote
	c.m.Peered = c.m.Peered || peered
}

// draftReturns notes what a call has returned.
func (c *cursor) draftReturns(i int) {
	if c.mem == nil || c.mem.draft == nil {
		return
	}
	d := c.mem.draft
	d.Failed = d.Failed || i != d.Agent || d.Returns || c.m.Panicked(i) != ""
	d.Returns, d.Results = true, append(d.Results[:0], c.m.Results(i)...)
}

// draftSays notes what was announced.
func (c *cursor) draftSays(list []vm.Announcement) {
	if c.mem != nil && c.mem.draft != nil {
		c.mem.draft.Said = append(c.mem.draft.Said, list...)
	}
}
