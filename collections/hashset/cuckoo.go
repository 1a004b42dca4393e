package hashset

import "sync/atomic"

// Cuckoo holds the parameters of the cuckoo hash sets. Zero fields stand for the
// defaults.
type Cuckoo[T comparable] struct {
	Capacity  int          // probe sets in each of the two tables at first. Default 16.
	ProbeSize int          // values that fit into a probe set. Default 4.
	Threshold int          // values in a probe set that call for relocation. Default 2.
	Limit     int          // rounds of relocation before resizing. Default 512.
	Hash0     func(T) uint // for the first table; default DefaultHash
	Hash1     func(T) uint // for the second table; default derived from Hash0
}

// withDefaults replaces zero fields and panics if the others make no sense.
func (p Cuckoo[T]) withDefaults() Cuckoo[T] {
	p.Capacity = orDefault(p.Capacity, 16)
	p.ProbeSize = orDefault(p.ProbeSize, 4)
	p.Threshold = orDefault(p.Threshold, 2)
	p.Limit = orDefault(p.Limit, 512)
	p.Hash0 = hashOr(p.Hash0)
	if p.Hash1 == nil {
		first := p.Hash0
		p.Hash1 = func(x T) uint { return scramble(first(x)) }
	}
	if p.Capacity < 1 || p.Threshold < 1 || p.ProbeSize <= p.Threshold || p.Limit < 1 {
		panic("hashset: want 1 <= Capacity, 1 <= Threshold < ProbeSize, 1 <= Limit")
	}
	return p
}

// scramble makes a second hash of the first: values with equal hashes keep equal
// ones, as in Java, where both come from one hash code. (An odd factor permutes;
// the shift brings high bits down, where the index is taken from.)
func scramble(h uint) uint {
	h64 := uint64(h) * 0x9e3779b97f4a7c15
	return uint(h64 >> 32)
}

// A cuckooTable is two arrays of probe sets, filled after they have become visible.
type cuckooTable[T comparable] [2][]atomic.Pointer[probeSet[T]]

// A probeSet is a short list of values in order of arrival. It is changed under a
// lock but relocate looks at it without, so it keeps its values in an immutable
// slice: each of its methods takes effect at once, as COLLECT's lists do. (Java's
// ArrayList promises nothing here.)
type probeSet[T comparable] struct {
	values atomic.Pointer[[]T]
}

func newProbeSet[T comparable]() *probeSet[T] {
	p := new(probeSet[T])
	p.values.Store(new([]T))
	return p
}

func (p *probeSet[T]) len() int { return len(*p.values.Load()) }

// first returns the oldest value; it panics if there is none.
func (p *probeSet[T]) first() T { return (*p.values.Load())[0] }

func (p *probeSet[T]) has(x T) bool {
	return bucket[T](*p.values.Load()).index(x) >= 0
}

func (p *probeSet[T]) add(x T) {
	old := *p.values.Load()
	values := append(old[:len(old):len(old)], x) // a copy: no room to append in place
	p.values.Store(&values)
}

func (p *probeSet[T]) remove(x T) bool {
	old := *p.values.Load()
	i := bucket[T](old).index(x)
	if i < 0 {
		return false
	}
	values := append(old[:i:i], old[i+1:]...)
	p.values.Store(&values)
	return true
}

// phases is what the two cuckoo sets do differently.
type phases[T comparable] interface {
	acquire(x T) // lock both of x's probe sets, reentrantly
	release(x T)
	resize() // double the tables
}

// A phased is what they share (the book's PhasedCuckooHashSet, section 13.4.2): an
// operation is a sequence of phases, each of which locks, changes one or two probe
// sets, and unlocks; between phases a value is always in one of its places.
type phased[T comparable] struct {
	params   Cuckoo[T]
	self     phases[T]
	capacity atomic.Int64
	table    atomic.Pointer[cuckooTable[T]]
}

func (s *phased[T]) init(p Cuckoo[T], self phases[T]) {
	s.params = p
	s.self = self
	s.capacity.Store(int64(p.Capacity))
	s.table.Store(newCuckooTable[T](p.Capacity))
	s.table.Load().fill()
}

// newCuckooTable returns a table of places without probe sets.
func newCuckooTable[T comparable](capacity int) *cuckooTable[T] {
	return &cuckooTable[T]{
		make([]atomic.Pointer[probeSet[T]], capacity),
		make([]atomic.Pointer[probeSet[T]], capacity),
	}
}

// fill puts an empty probe set into every place.
func (t *cuckooTable[T]) fill() {
	for i := range t {
		for j := range t[i] {
			t[i][j].Store(newProbeSet[T]())
		}
	}
}

// place returns the number of x's probe set in table i.
func (s *phased[T]) place(i int, x T) int {
	hash := s.params.Hash0
	if i == 1 {
		hash = s.params.Hash1
	}
	return int(hash(x) % uint(s.capacity.Load()))
}

// probe returns a probe set.
func (s *phased[T]) probe(i, place int) *probeSet[T] {
	return s.table.Load()[i][place].Load()
}

// Add inserts x and says whether it was absent.
func (s *phased[T]) Add(x T) bool {
	switch outcome, i, place := s.put(x); outcome {
	case putPresent:
		return false
	case putDone:
	case putFull:
		s.self.resize()
		s.Add(x)
	case putCrowded:
		if !s.relocate(i, place) {
			s.self.resize()
		}
	}
	return true
}

// A putOutcome is how the first phase of an addition ended.
type putOutcome int

const (
	putPresent putOutcome = iota // the value was there already
	putDone                      // it was put where there was room
	putCrowded                   // it was put into a probe set above its threshold
	putFull                      // both probe sets were full
)

// put is the first phase of an addition. If it crowded a probe set it says which.
func (s *phased[T]) put(x T) (outcome putOutcome, i, place int) {
	s.self.acquire(x)
	defer s.self.release(x)
	h0, h1 := s.place(0, x), s.place(1, x)
	if s.has(x) {
		return putPresent, 0, 0
	}
	set0, set1 := s.probe(0, h0), s.probe(1, h1)
	switch {
	case set0.len() < s.params.Threshold:
		set0.add(x)
		return putDone, 0, 0
	case set1.len() < s.params.Threshold:
		set1.add(x)
		return putDone, 0, 0
	case set0.len() < s.params.ProbeSize:
		set0.add(x)
		return putCrowded, 0, h0
	case set1.len() < s.params.ProbeSize:
		set1.add(x)
		return putCrowded, 1, h1
	}
	return putFull, 0, 0
}

// Remove deletes x and says whether it was present.
func (s *phased[T]) Remove(x T) bool {
	s.self.acquire(x)
	defer s.self.release(x)
	return s.probe(0, s.place(0, x)).remove(x) || s.probe(1, s.place(1, x)).remove(x)
}

// Contains says whether x is present.
func (s *phased[T]) Contains(x T) bool {
	s.self.acquire(x)
	defer s.self.release(x)
	return s.has(x)
}

// has says whether x is in one of its places. The caller holds x's locks.
func (s *phased[T]) has(x T) bool {
	return s.probe(0, s.place(0, x)).has(x) || s.probe(1, s.place(1, x)).has(x)
}

// relocate moves the oldest values of crowded probe sets to their other places,
// starting with the given one, until none is crowded. It says false if it gave up.
//
// It reads the tables, and the oldest value, without a lock (figure 13.27), and
// panics if another thread's resize has just replaced them by empty ones.
func (s *phased[T]) relocate(i, place int) bool {
	for range s.params.Limit {
		from := s.probe(i, place)
		y := from.first()
		j := 1 - i
		other := s.place(j, y)
		switch s.displace(from, y, j, other) {
		case displaceSettled:
			return true
		case displaceFull:
			return false
		case displaceCrowded:
			i, place = j, other
		}
	}
	return false
}

// A displaceOutcome is how one phase of a relocation ended.
type displaceOutcome int

const (
	displaceSettled displaceOutcome = iota // no probe set is crowded any more
	displaceCrowded                        // now the other one is
	displaceAgain                          // someone else moved the value; the set is still crowded
	displaceFull                           // the other one is full; nothing was moved
)

// displace moves y from a crowded probe set to its place in table j.
func (s *phased[T]) displace(from *probeSet[T], y T, j, place int) displaceOutcome {
	s.self.acquire(y)
	defer s.self.release(y)
	to := s.probe(j, place)
	if !from.remove(y) {
		if from.len() >= s.params.Threshold {
			return displaceAgain
		}
		return displaceSettled
	}
	switch n := to.len(); {
	case n < s.params.Threshold:
		to.add(y)
		return displaceSettled
	case n < s.params.ProbeSize:
		to.add(y)
		return displaceCrowded
	}
	from.add(y)
	return displaceFull
}

// double makes empty tables of twice the capacity visible, place by place, and
// returns the old ones.
func (s *phased[T]) double() *cuckooTable[T] {
	old := s.table.Load()
	capacity := 2 * s.capacity.Load()
	s.capacity.Store(capacity)
	s.table.Store(newCuckooTable[T](int(capacity))) // visible before it is filled: as printed
	return old
}

// refill adds the values of the old tables.
func (s *phased[T]) refill(old *cuckooTable[T]) {
	for i := range old {
		for j := range old[i] {
			for _, x := range *old[i][j].Load().values.Load() {
				s.Add(x)
			}
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
