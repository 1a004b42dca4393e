package consist

import (
	"slices"
	"sync"
	"sync/atomic"

	"pangolin/history"
	"pangolin/oracle"
)

// Announcing is a Monitor that is told, besides calls and returns, which operations the code
// announces: it follows one state of the oracle instead of a set of configurations.
type Announcing interface {
	Monitor
	// Announce is the state after an announcement; Rejected says that it breaks a rule.
	Announce(id ID, a Announcement) ID
	// AnnounceAll is the state after threads have announced in an order that is not said; Rejected
	// says that one of the orders breaks a rule.
	AnnounceAll(id ID, list []Announcement) ID
}

// Announcement says that a thread's call has taken effect.
type Announcement struct {
	Thread int
	Own    bool // of what the thread has called, which Call need not say
	Call   oracle.CallID
	Result oracle.ResultID // or Given
	May    bool            // or has not
}

// Given is the result that the oracle allows; there must be no other one.
const Given = oracle.ResultID(1<<16 - 1)

// PolicyMonitor judges histories by their announcements, as the monitor of Fig. 4 of P. A.
// Abdulla, B. Jonsson and C. Q. Trinh, Automated verification of linearization policies (SAS
// 2016), does:
//
//	M1  an announcement that leaves the state as it is: the call has linearized (Lin = 1), its result is remembered
//	M2  one that changes the state: Lin = 2, its result is remembered
//	M3  one that the oracle does not allow is an error
//	M4  a return without an announcement is an error
//	M5  an announcement after one that has changed the state is an error
//	M6  a return with another result than the one that was announced is an error
//	M7  an error remains
//
// Deviations. Of the results announced under M1 all are remembered, not the last one: a call
// that changes nothing may take effect at any of the moments at which its result was right.
// And an operation with a key whose outcome changes nothing (contains, an add that finds its
// key, a remove that does not) needs no announcement: whatever the oracle allows it, without a
// change, in some state between call and return justifies its result. It is sound for
// other outcomes as well, "empty" among them, but there it would be the oracle that finds the
// point, and a policy is to name it.
//
// Rejected does not say which rule was broken: CheckPolicy does, another way.
type PolicyMonitor struct {
	*HistoryMonitor
	judge policyJudge
	open  *announced // knows whether something was left open
	// several says that it follows several states.
	several bool

	lists   sync.Mutex
	numbers map[together]uint64
}

// policyJudge is the judge of a PolicyMonitor.
type policyJudge interface {
	judge
	announce(words string, a Announcement) []byte
	union(sets []string) []byte
	pending(words string, thread int) oracle.CallID
	mayReturn(words string, thread int) []uint16
}

// NewPolicyMonitor makes a monitor for so many threads. Keyed says of each operation, by its
// number, whether outcomes that change nothing need no announcement.
func NewPolicyMonitor(a *oracle.Automaton, keyed []bool, threads int) (*PolicyMonitor, error) {
	one := &announced{auto: a, keyed: keyed, threads: threads}
	return newPolicyMonitor(one, one, false)
}

// NewSpeculatingMonitor is NewPolicyMonitor for announcements of which some may be made or not.
func NewSpeculatingMonitor(a *oracle.Automaton, keyed []bool, threads int) (*PolicyMonitor, error) {
	one := &announced{auto: a, keyed: keyed, threads: threads}
	return newPolicyMonitor(&speculation{one}, one, true)
}

func newPolicyMonitor(j policyJudge, one *announced, several bool) (*PolicyMonitor, error) {
	m, err := newMonitor(one.auto, j, one.threads)
	if err != nil {
		return nil, err
	}
	return &PolicyMonitor{HistoryMonitor: m, judge: j, open: one, several: several, numbers: map[together]uint64{}}, nil
}

// Announce is the state after an announcement. One that may not be made and is of another operation than
// was called has not been made.
func (m *PolicyMonitor) Announce(id ID, a Announcement) ID {
	switch {
	case id == Rejected:
		return Rejected
	case a.Own:
	case m.Pending(id, a.Thread) != a.Call && a.May:
		return id
	case m.Pending(id, a.Thread) != a.Call:
		return Rejected
	}
	detail := uint64(a.Thread)<<16 | uint64(a.Result)
	if a.May {
		detail |= 1 << 28
	}
	key := memoKey(id, onAnnounce, detail)
	if v, ok := m.memo.Get(key); ok {
		return ID(v)
	}
	return m.remember(key, m.judge.announce(m.states.words(id), a))
}

// AnnounceAll is the state after announcements in any order. The receivers of a message are such
// (rule R of Fig. 4): all orders must be right, and here they must also come to the same, or the
// monitor has an error (ErrOrder): else it would have to follow several states. One that speculates
// does so anyway: there one of the orders suffices.
func (m *PolicyMonitor) AnnounceAll(id ID, list []Announcement) ID {
	if len(list) == 1 || id == Rejected {
		return m.Announce(id, list[0])
	}
	if len(list) > MaxThreads {
		next, _ := m.inEveryOrder(id, list)
		return next
	}
	key := memoKey(id, onTogether, m.number(list))
	if v, ok := m.memo.Get(key); ok {
		return ID(v)
	}
	next, same := m.inEveryOrder(id, list)
	if same {
		m.memo.Put(key, uint32(next))
	}
	return next
}

// together is a list of announcements.
type together struct {
	n    int
	list [MaxThreads]Announcement
}

// number numbers a list of announcements.
func (m *PolicyMonitor) number(list []Announcement) uint64 {
	all := together{n: len(list)}
	copy(all.list[:], list)
	m.lists.Lock()
	defer m.lists.Unlock()
	n, ok := m.numbers[all]
	if !ok {
		n = uint64(len(m.numbers))
		m.numbers[all] = n
	}
	return n
}

// inEveryOrder is AnnounceAll, computed; same: the order does not matter, or several states are followed.
func (m *PolicyMonitor) inEveryOrder(id ID, list []Announcement) (end ID, same bool) {
	first := Rejected
	same = true
	var sets []string
	for i, order := range orders(len(list)) {
		next := id
		for _, k := range order {
			next = m.Announce(next, list[k])
		}
		switch {
		case m.several && next != Rejected:
			sets = append(sets, m.states.words(next))
		case m.several:
		case next == Rejected:
			return Rejected, true
		case i == 0:
			first = next
		case next != first:
			m.open.unordered.Store(true)
			same = false
		}
	}
	switch {
	case !m.several:
		return first, same
	case len(sets) == 0:
		return Rejected, true
	}
	return m.intern(m.judge.union(sets)), true
}

// orders lists the permutations of n numbers, that which leaves all where they are first.
func orders(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var out [][]int
	for _, shorter := range orders(n - 1) {
		for at := n - 1; at >= 0; at-- {
			out = append(out, slices.Insert(slices.Clone(shorter), at, n-1))
		}
	}
	return out
}

// Pending is the call of a busy thread.
func (m *PolicyMonitor) Pending(id ID, thread int) oracle.CallID {
	return m.judge.pending(m.states.words(id), thread)
}

// MayReturn are the results that a thread's call may return now.
func (m *PolicyMonitor) MayReturn(id ID, thread int) []oracle.ResultID {
	var out []oracle.ResultID
	for _, r := range m.judge.mayReturn(m.states.words(id), thread) {
		out = append(out, oracle.ResultID(r))
	}
	return out
}

// Candidate is an outcome of which a call has announced more than one, or another one later: which of the
// steps was the point is known when the call returns.
type Candidate struct {
	Op     int
	Result history.Tuple
}

// Candidates are those that have been seen.
func (m *PolicyMonitor) Candidates() []Candidate {
	var out []Candidate
	m.open.again.Range(func(k, _ any) bool {
		c := k.(givenUp)
		out = append(out, Candidate{m.open.auto.Call(c.call).Op, m.open.auto.Result(c.result)})
		return true
	})
	return out
}

// Err is the first error; a nondeterministic oracle is one.
func (m *PolicyMonitor) Err() error {
	if err := m.HistoryMonitor.Err(); err != nil {
		return err
	}
	if m.open.open.Load() {
		return ErrNondeterministic
	}
	if m.open.unordered.Load() {
		return ErrOrder
	}
	return nil
}

// announced is the judge of definite announcements.
type announced struct {
	auto    *oracle.Automaton
	keyed   []bool
	threads int
	open    atomic.Bool // an outcome left open what the next state is
	// unordered says that announcements in an order that is not said did not come to the same.
	unordered atomic.Bool
	again     sync.Map // of givenUp: what Candidates lists
}

// givenUp is an outcome that was announced before another one.
type givenUp struct {
	call   oracle.CallID
	result oracle.ResultID
}

// effect is how far a call has come.
type effect struct {
	changed bool     // Lin = 2
	results []uint16 // ResultIDs that the call may return, ascending
}

type announcedState struct {
	calls   calls
	state   oracle.StateID
	effects [MaxThreads]effect
	room    [4 * MaxThreads]uint16 // for the effects' results, as long as there are no more
}

func (p *announced) write(s *announcedState) []byte {
	w := &writer{buf: make([]byte, 0, 8*p.threads+4)}
	s.calls.write(w, p.threads)
	w.u32(uint32(s.state))
	for t := range p.threads {
		e := &s.effects[t]
		n := uint16(len(e.results)) << 1
		if e.changed {
			n |= 1
		}
		w.u16(n)
		for _, r := range e.results {
			w.u16(r)
		}
	}
	return w.buf
}

func (p *announced) read(s *announcedState, words string) {
	r := reader{words}
	s.calls.read(&r, p.threads)
	s.state = oracle.StateID(r.u32())
	room := s.room[:0]
	for t := range p.threads {
		n := r.u16()
		at := len(room)
		for range n >> 1 {
			room = append(room, r.u16())
		}
		s.effects[t] = effect{n&1 != 0, room[at:len(room):len(room)]}
	}
}

func (p *announced) initial(s oracle.StateID) []byte { return p.write(&announcedState{state: s}) }

func (p *announced) invoke(words string, thread int, c oracle.CallID) []byte {
	var room announcedState
	s := &room
	p.read(s, words)
	s.calls.set(thread, c)
	s.effects[thread] = effect{}
	p.justify(s, thread)
	return p.write(s)
}

// justify adds the results that need no announcement in the current state.
func (p *announced) justify(s *announcedState, thread int) {
	c := s.calls.get(thread)
	if !p.keyed[p.auto.Call(c).Op] {
		return
	}
	for _, e := range p.auto.Edges(s.state, c) {
		if e.Next == s.state {
			s.effects[thread].add(uint16(e.Result))
		}
	}
}

func (e *effect) add(r uint16) {
	if at, found := slices.BinarySearch(e.results, r); !found {
		e.results = slices.Insert(e.results, at, r)
	}
}

// announce is M1, M2, M3 and M5.
func (p *announced) announce(words string, a Announcement) []byte {
	var room announcedState
	s := &room
	p.read(s, words)
	e := &s.effects[a.Thread]
	if e.changed {
		return nil // M5
	}
	r := a.Result
	next, ok := p.outcome(s.state, s.calls.get(a.Thread), &r)
	switch {
	case !ok:
		return nil // M3
	case next == s.state: // M1
		p.note(s, a.Thread)
		e.add(uint16(r))
	default: // M2
		s.state = next
		p.note(s, a.Thread)
		*e = effect{changed: true, results: []uint16{uint16(r)}}
		for t := range p.threads {
			if s.calls[t] != 0 && !s.effects[t].changed {
				p.justify(s, t)
			}
		}
	}
	return p.write(s)
}

// note notes what a call that announces has announced before.
func (p *announced) note(s *announcedState, thread int) {
	for _, r := range s.effects[thread].results {
		p.again.LoadOrStore(givenUp{s.calls.get(thread), oracle.ResultID(r)}, true)
	}
}

// outcome is the state after a call with a result, which may be Given: then that is found.
func (p *announced) outcome(s oracle.StateID, c oracle.CallID, r *oracle.ResultID) (next oracle.StateID, ok bool) {
	given := *r == Given
	for _, e := range p.auto.Edges(s, c) {
		if !given && e.Result != *r {
			continue
		}
		if ok && (e.Next != next || e.Result != *r) {
			p.open.Store(true)
		}
		*r, next, ok = e.Result, e.Next, true
	}
	return next, ok
}

// within says that two states of the same calls differ in nothing but results that a call may return in b and
// not in a.
func (p *announced) within(a, b *announcedState) bool {
	if a.state != b.state {
		return false
	}
	for t := range p.threads {
		x, y := &a.effects[t], &b.effects[t]
		if x.changed != y.changed {
			return false
		}
		for _, r := range x.results {
			if _, found := slices.BinarySearch(y.results, r); !found {
				return false
			}
		}
	}
	return true
}

func (p *announced) union([]string) []byte { panic("consist: definite announcements have one state") }

func (p *announced) pending(words string, thread int) oracle.CallID {
	var pending calls
	pending.read(&reader{words}, p.threads)
	return pending.get(thread)
}

func (p *announced) mayReturn(words string, thread int) []uint16 {
	var s announcedState
	p.read(&s, words)
	return slices.Clone(s.effects[thread].results)
}

// respond is M4 and M6.
func (p *announced) respond(words string, thread int, r oracle.ResultID) []byte {
	var room announcedState
	s := &room
	p.read(s, words)
	if _, found := slices.BinarySearch(s.effects[thread].results, uint16(r)); !found {
		return nil
	}
	s.calls[thread], s.effects[thread] = 0, effect{}
	return p.write(s)
}

func (p *announced) busy(words string) ThreadSet { return busyIn(words, p.threads) }

func (p *announced) complete(words string) bool {
	var s announcedState
	p.read(&s, words)
	return p.auto.Accepting(s.state)
}

// blocked: a stuck call must not have taken effect, and be one that may block.
func (p *announced) blocked(words string, stuck ThreadSet) int {
	var room announcedState
	s := &room
	p.read(s, words)
	for t := range p.threads {
		if stuck.Has(t) && (s.effects[t].changed || !p.auto.MayBlock(s.state, s.calls.get(t))) {
			return t
		}
	}
	return s.calls.partner(p.auto, stuck)
}

func (p *announced) permute(words string, perm Perm) []byte {
	var room announcedState
	s := &room
	p.read(s, words)
	out := *s
	out.calls = s.calls.permuted(perm)
	for t := range p.threads {
		out.effects[perm.To(t)] = s.effects[t]
	}
	return p.write(&out)
}

func (p *announced) rename(words string, r oracle.RenamingID) []byte {
	var room announcedState
	s := &room
	p.read(s, words)
	for t := range p.threads {
		e := &s.effects[t]
		for i, res := range e.results {
			e.results[i] = uint16(p.auto.RenameResult(s.calls.get(t), oracle.ResultID(res), r))
		}
		slices.Sort(e.results)
	}
	s.state = p.auto.RenameState(s.state, r)
	s.calls = s.calls.renamed(p.auto, r)
	return p.write(s)
}

func (p *announced) names(words string, n *oracle.Names) {
	var room announcedState
	s := &room
	p.read(s, words)
	p.auto.StateNames(s.state, n)
	for t, call := range s.calls {
		if call == 0 {
			continue
		}
		p.auto.CallNames(s.calls.get(t), n)
		for _, res := range s.effects[t].results {
			p.auto.ResultNames(s.calls.get(t), oracle.ResultID(res), n)
		}
	}
}

func (p *announced) describe(words string, signatures []uint64) (content uint64) {
	var room announcedState
	s := &room
	p.read(s, words)
	var hashes [MaxThreads]uint64
	of := hashes[:p.threads]
	for t := range of {
		of[t] = s.calls.hash(p.auto, t)
		e := &s.effects[t]
		if e.changed {
			of[t] = mix(of[t], 2)
		}
		sum := uint64(0) // their order follows numbers
		for _, r := range e.results {
			sum += mix(p.auto.ResultHash(oracle.ResultID(r)), 3)
		}
		of[t] = mix(of[t], sum)
	}
	state := p.auto.StateHash(s.state)
	for t := range signatures {
		signatures[t] = mix(state, seen(of, t))
	}
	return mix(state, inOrder(of))
}
