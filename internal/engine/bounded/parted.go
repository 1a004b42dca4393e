package bounded

import (
	"cmp"
	"slices"

	"pangolin/internal/consist"
	"pangolin/internal/explore"
	"pangolin/internal/memo"
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

// memory is what a cursor remembers, and where it stands.
type memory struct {
	parts.Standing
	words  []uint64 // of the state that was loaded, and the move from there
	move   explore.Move
	shared bool // the machine's state has been found to be no parts, and nothing else
	raw    bool // After's parts have no numbers: they are the pieces
	order  []uint8
	perm   [parts.Room]int // the order of the threads in the state that was saved last
	ties   tiesOfParts
	ranks  rankings
}

// rankings are the parts that parts have become when their keys were ranked among those of a state. It is asked
// for each part of every other state, so the sets of keys, of which there are few, have numbers.
type rankings struct {
	sets   map[uint64]uint64
	last   uint64 // the set that was asked for last
	number uint64 // of that set
	parts  memo.Table
}

// key is where the answer about a part is kept.
func (r *rankings) key(part uint32, thread bool, present uint64) uint64 {
	if r.last != present {
		n, known := r.sets[present]
		if !known {
			n = uint64(len(r.sets)) + 1
			r.sets[present] = n
		}
		r.last, r.number = present, n
	}
	key := r.number<<33 | uint64(part)
	if thread {
		key |= 1 << 32
	}
	return key
}

// limits bound what a search remembers.
var limits = parts.Usual

// parts makes a store for the parts of a system's states, and says how many bytes a cursor may remember of
// their steps; nil if they are not taken apart.
func (v *verification) parts(s *system) (store *parts.Store, memory int64) {
	if v.opt.Reduce&vm.RememberedSteps == 0 || v.opt.OneByOne || v.opt.Only != nil || s.guess != nil || !s.opt.symmetry ||
		s.threads < 2 || v.img.UsesThreadIDs() && !s.opt.numbers {
		return nil, 0
	}
	of := limits.Within(v.opt.MaxBytes)
	return parts.New(&v.img.Ground, of.Parts), of.Steps
}

func newMemory(s *system, m *vm.Machine) *memory {
	if s.parts == nil {
		return nil
	}
	mem := &memory{Standing: parts.NewStanding(parts.NewMemory(s.parts, s.memory), m), ranks: rankings{sets: map[uint64]uint64{}}}
	mem.Executing = !s.opt.symmetry
	return mem
}

// away says that the machine need not stand in the cursor's state.
func (c *cursor) away() bool { return c.mem != nil && c.mem.Away() }

// Machine gives the machine that the cursor moves. From then on the cursor executes every step.
func (c *cursor) Machine() *vm.Machine {
	if c.mem != nil {
		c.mem.Executing = true
		c.stand()
	}
	return c.m
}

// stand brings the machine into the cursor's state. Behind a step that was recalled the state as parts is the canonical
// one already, and the cursor's is not: its threads stand as they did. So the step is executed.
func (c *cursor) stand() {
	mem := c.mem
	switch {
	case !c.away():
	case mem.Recalled():
		words, executing := slices.Clone(mem.words), mem.Executing
		mem.Executing = true
		c.Load(words)
		c.Step(mem.move, explore.Replay(nil))
		mem.Executing = executing
	default:
		mem.Enter(&mem.Loaded)
	}
}

// loadParted makes a saved state current that consists of parts.
func (c *cursor) loadParted(state []uint64) {
	mem := c.mem
	mem.words = append(mem.words[:0], state...)
	mem.Load(state[2:])
	mem.shared, c.setUp = false, setUp{born: -1}
	c.m.Failure = nil
	if mem.Executing {
		c.stand()
	}
}

// present is the position in which an away cursor stands, saved if a step has been recalled.
func (c *cursor) present() *parts.Position {
	if c.mem.Recalled() {
		return &c.mem.Saved
	}
	return &c.mem.Loaded
}

// raced says that two threads of the state are in a data race.
func (c *cursor) raced() bool {
	p := c.present()
	for i := range p.N {
		for j := range i {
			if c.mem.Stance(p, i).Races(c.mem.Stance(p, j)) {
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
	if !c.away() || mem.Recalled() {
		return false
	}
	i, call, fresh := mv.Agent(), uint32(0), -1
	if b != nil {
		call = c.callNumber(mv, b)
		if c.sys.opt.items && slices.Contains(c.sys.subject.Operations[b.step.Op].Client.Params, oracle.ParamItem) {
			fresh = c.items
		}
	}
	s, tried := mem.Find(i, call)
	if s != nil && !c.begunInRace(s, i) && mem.Recall(s, i) {
		c.commit(s, mv, b, fresh)
		return true
	}
	c.stand()
	mem.Draft(i, call, fresh, s != nil || !tried)
	return false
}

// begunInRace says that the first access of a call would race with another thread's.
func (c *cursor) begunInRace(s *parts.Step, i int) bool {
	begun := s.Begun()
	if begun == nil {
		return false
	}
	p := &c.mem.Loaded
	for j := range p.N {
		if j != i && begun.Races(c.mem.Stance(p, j)) {
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
	// Names are found only where somebody reads them: to rename items, or to tell the monitor what was returned.
	if c.sys.opt.items || s.Returned {
		mem.Rename(&mem.After, fresh)
	}
	mem.move = mv
	if b != nil {
		c.begins(i, b)
		mem.After.Tags[i] = tagBusy | uint64(b.step.Op)<<tagOp
	}
	if mem.Speak(&mem.After, fresh); !c.hear(mem.After.Said) {
		return
	}
	if s.Returned {
		op := operationOf(mem.After.Tags[i])
		mem.After.Tags[i] = 0
		c.returns(i, op, c.sys.subject.Operations[op].Tuple(c.asValues(mem.After.Results, &c.sys.subject.Operations[op])))
	}
}

// saveParted appends the form of a state as parts; false if it cannot be taken apart, or there is no
// room for its parts.
func (c *cursor) saveParted(dst []uint64) ([]uint64, bool) {
	mem, a := c.mem, &c.mem.After
	if mem.Recalled() {
		mem.raw = false
		for i := range c.sys.threads {
			a.Tags[i] = c.tag(i, a.Tags[i])
		}
		return c.saveAfter(dst)
	}
	c.label()
	apart, numbered := mem.TakeApart()
	mem.shared = apart == parts.Shared
	if mem.raw = !numbered; apart != parts.Parted || mem.raw && !c.sys.opt.keys {
		return dst, false
	}
	return c.saveAfter(dst)
}

// saveAfter appends the form of the state that memory.after holds.
func (c *cursor) saveAfter(dst []uint64) ([]uint64, bool) {
	mem, a := c.mem, &c.mem.After
	// From here on as in Save: the order of the threads first, as items have the names of the order in which the threads lead to
	// them; then the monitor's state in these names; keys last, whose ranks depend on neither.
	perm := c.sortParts()
	mem.perm = perm
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
	s := mem.Keep()
	s.Heap, s.N = heap, a.N
	for place := range a.N {
		s.Threads[place], s.Tags[place] = threads[perm[place]], a.Tags[perm[place]]
	}
	dst = s.Append(append(dst, parted|uint64(c.settled(id))|uint64(c.switches)<<32, all))
	return append(dst, s.Tags[:s.N]...), true
}

// sortParts finds the canonical order of the threads, as vm/state does (symmetry.go).
func (c *cursor) sortParts() (perm [parts.Room]int) {
	a := &c.mem.After
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
	a := &c.mem.After
	// Numbers of parts say which are equal, and nothing of their order: two workers give them in another one.
	// So unequal parts are compared by their words, as the machine sorts (vm/state/symmetry.go): head, tag, the rest.
	if a.Threads[i] == a.Threads[j] && !c.mem.raw {
		return cmp.Or(cmp.Compare(a.Tags[i], a.Tags[j]), c.compareViews(i, j))
	}
	x, y := c.partWords(i), c.partWords(j)
	if x[0] != y[0] {
		return cmp.Compare(x[0], y[0])
	}
	if a.Tags[i] != a.Tags[j] {
		return cmp.Compare(a.Tags[i], a.Tags[j])
	}
	if rest := slices.Compare(x[2:], y[2:]); rest != 0 {
		return rest
	}
	return c.compareViews(i, j)
}

// compareViews compares two threads that differ in nothing else; others than clients mean nothing to the monitor.
func (c *cursor) compareViews(i, j int) int {
	if max(i, j) >= c.sys.threads {
		return 0
	}
	return cmp.Compare(c.view(i), c.view(j))
}

// partWords are the words of a thread's part.
func (c *cursor) partWords(i int) []uint64 {
	if c.mem.raw {
		return c.mem.Pieces().Threads[i].Words
	}
	return c.mem.Thread(c.mem.After.Threads[i]).Words()
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
	return i >= c.sys.threads && (!c.sys.opt.items || len(c.mem.After.Items[i]) == 0)
}

// tieParts is tie for a state as parts.
func (c *cursor) tieParts(perm []int) uint64 {
	id := c.renamed(perm)
	if c.sys.opt.items {
		id, _ = c.withItems(id, c.partsItems(perm))
	}
	return c.monitor.Content(id)
}

// partsItems lists the items of a state as parts in the order of their new names.
func (c *cursor) partsItems(perm []int) []uint8 {
	mem := c.mem
	mem.order = append(mem.order[:0], mem.After.HeapItems...)
	for _, i := range perm[:mem.After.N] {
		mem.order = append(mem.order, mem.After.Items[i]...)
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
	for _, t := range threads[:mem.After.N] {
		present |= mem.Thread(t).Keys
	}
	renamed, present, n = c.rank(id, present)
	if present == 0 {
		return renamed, n, true
	}
	if *heap, ok = c.rankedPart(*heap, false, present); !ok {
		return id, 0, false
	}
	for i := range threads[:mem.After.N] {
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
	ok = c.mem.Number(c.m, &c.mem.After)
	*heap, *threads = c.mem.After.Heap, c.mem.After.Threads
	return renamed, n, ok
}

// rankedPart is a part with its keys ranked.
func (c *cursor) rankedPart(part uint32, thread bool, present uint64) (uint32, bool) {
	mem := c.mem
	// What a part becomes depends on which keys there are in the whole state, as its keys are ranked among them.
	key := mem.ranks.key(part, thread, present)
	if to, known := mem.ranks.parts.Get(key); known {
		return to, true
	}
	replace := mem.ReplaceHeap
	if thread {
		replace = mem.ReplaceThread
	}
	to, ok := replace(part, func(words []uint64) { patchKeys(words, present) })
	if ok {
		mem.ranks.parts.Put(key, to)
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

// sortMachine tells the machine the order of the threads in the state that has been saved, for
// those who look at it. Its own may be another one: to it an object that two threads lead to is as one of their own.
func (c *cursor) sortMachine() {
	if c.mem.Executing {
		c.m.Sorted(c.mem.perm[:c.mem.After.N])
	}
}

// fromMachine says that the cursor stands where the machine does, about whose step nothing can be learned.
func (c *cursor) fromMachine() {
	if c.mem != nil {
		c.mem.Leave()
		c.mem.shared = false
	}
}
