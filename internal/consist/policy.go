// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"slices"
	"sync"

	"pangolin/history"
	"pangolin/oracle"
)

// Announcing is a Monitor that is also told which operations the code announces. It follows one
// state of the oracle instead of a set of configurations.
type Announcing interface {
	Monitor
	// Announce is the state after an announcement; Rejected says that it breaks a rule.
	Announce(id ID, a Announcement) ID
	// AnnounceAll is the state after several threads have announced in an unknown order; Rejected:
	// one of the orders breaks a rule.
	AnnounceAll(id ID, list []Announcement) ID
}

// Announcement tells that a thread's call takes effect.
type Announcement struct {
	Thread int
	Own    bool // of the operation that the thread has called; Call is ignored
	Call   oracle.CallID
	Result oracle.ResultID // the result, or Given
	May    bool            // it may be that it does not take effect
}

// Given stands for the result that the oracle allows, of which there must be one.
const Given = oracle.ResultID(1<<16 - 1)

// PolicyMonitor judges histories by their announcements, as the monitor of Fig. 4 of P. A. Abdulla,
// B. Jonsson and C. Q. Trinh, Automated verification of linearization policies (SAS 2016), does:
//
//	M1  an announcement that leaves the state as it is: the call has linearized (Lin = 1), its result is remembered
//	M2  one that changes the state: Lin = 2, its result is remembered
//	M3  one that the oracle does not allow is an error
//	M4  a return without an announcement is an error
//	M5  an announcement after one that has changed the state is an error
//	M6  a return with another result than the one that was announced is an error
//	M7  an error remains
//
// Deviations. Of the results announced under M1 all are remembered, not the last one: a call that
// changes nothing may take effect at any of the moments at which its result was right. And an
// operation with a key whose outcome changes nothing (contains, an add that finds its key, a remove
// that does not) needs no announcement: whatever the oracle allows it, without a change, in some
// state between call and return justifies its result. It is sound for other outcomes as well,
// "empty" among them, but there it would be the oracle that finds the point, and a policy is to
// name it.
//
// Rejected does not say which rule was broken: CheckPolicy does, another way.
type PolicyMonitor struct {
	*HistoryMonitor
	judge policyJudge
	open  *announced // knows whether an announcement had several possible next states
	// several is true if it follows several states at a time.
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

// NewPolicyMonitor makes a monitor for so many threads. keyed tells, by operation, whether outcomes
// that change nothing need no announcement.
func NewPolicyMonitor(a *oracle.Automaton, keyed []bool, threads int) (*PolicyMonitor, error) {
	one := &announced{auto: a, keyed: keyed, threads: threads}
	return newPolicyMonitor(one, one, false)
}

// NewSpeculatingMonitor is NewPolicyMonitor for policies in which some announcements may be made or
// not.
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

// Announce is the state after an announcement. One that may be made or not, of another operation
// than was called, was not made.
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

// AnnounceAll is the state after announcements in any order, as of the receivers of a message (rule
// R of Fig. 4). All orders must be right. They must also lead to the same state, else the monitor
// has the error ErrOrder, as it would have to follow several states. A speculating monitor follows
// several anyway; there, one order that is right suffices.
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

// together is a list of announcements in any order.
type together struct {
	n    int
	list [MaxThreads]Announcement
}

// number returns the number of a list of announcements.
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

// inEveryOrder computes AnnounceAll. same is false if the order matters and only one state is
// followed.
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

// orders lists the permutations of n numbers, the identity first.
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

// Candidate is an outcome that a call has announced more than once, or before another outcome. Only
// when the call returns is it known which announcement was the point.
type Candidate struct {
	Op     int
	Result history.Tuple
}

// Candidates are those met so far.
func (m *PolicyMonitor) Candidates() []Candidate {
	var out []Candidate
	m.open.again.Range(func(k, _ any) bool {
		c := k.(givenUp)
		out = append(out, Candidate{m.open.auto.Call(c.call).Op, m.open.auto.Result(c.result)})
		return true
	})
	return out
}

// Err is the first error. ErrNondeterministic is one.
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
