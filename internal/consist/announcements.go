// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pangolin/history"
	"pangolin/oracle"
)

// ErrNondeterministic: after an announcement the oracle may be in several states.
var ErrNondeterministic = errors.New("the oracle is nondeterministic: an announced operation does not say what the next state is, so no policy can be checked against it")

// ErrOrder: the receivers of a message do not commute.
var ErrOrder = errors.New("the order in which the receivers of a message take effect is not said, and matters: let them receive different messages, or one of them before and one after")

// Announced is an event of a sequence with announcements: a call, an announcement or a return.
type Announced struct {
	Kind   AnnouncedKind
	Thread int
	Call   oracle.Call   // of an announcement: the operation that takes effect
	Result history.Tuple // of an announcement or a return
	Given  bool          // an announcement without a result: it has the one that the oracle allows
	May    bool          // it may be that this announcement was not made
	// Group is equal for announcements that are made in an unknown order; 0: in the order of the
	// sequence.
	Group int
}

// AnnouncedKind is the sort of an event.
type AnnouncedKind uint8

// The kinds.
const (
	Called AnnouncedKind = iota
	Announces
	Returned
)

// Broken is a rule that a sequence of events breaks.
type Broken struct {
	Rule  string // M3 to M6 in Fig. 4 of the paper
	Event int    // index of the event that breaks it
	Text  string
}

// CheckPolicy looks at a whole sequence and judges it by the four conditions of section 4 of
// the paper (see PolicyMonitor) as they are written there:
//
//	(i)   each method invocation generates a non-empty sequence of operations,
//	(ii)  the last operation of a method conforms to its parameters and return value,
//	(iii) only the last operation of a method may change the state of the observer,
//	(iv)  the sequence of all operations cannot drive the observer to an accepting state
//
// with the two deviations that are named at PolicyMonitor. It gives the first event after which
// one of them cannot hold any more; nil: all hold. Calls without a return generate what
// they have generated so far. It shares nothing with the monitor.
//
// Announcements of a group come in any order (rule R): the first of them breaks what one of the orders
// breaks. If two orders differ in what they come to, that is ErrOrder.
//
// If a policy speculates, announcements that may have been made or not, and groups, are tried in all
// ways: a rule is broken where the last of the ways breaks one.
func CheckPolicy(spec oracle.Spec, keyed []bool, events []Announced, speculates bool) (*Broken, error) {
	if !speculates {
		return checkDefinite(spec, keyed, events)
	}
	c := &ways{spec: spec, keyed: keyed, events: events}
	broken, err := c.from(0, nil, nil)
	return broken, err
}

// ways tries all ways in which announcements may have been made.
type ways struct {
	spec   oracle.Spec
	keyed  []bool
	events []Announced
}

// from continues a sequence with the events from i on, in all ways; origin has the index of each
// event of the sequence.
func (c *ways) from(i int, sequence []Announced, origin []int) (last *Broken, err error) {
	for i < len(c.events) {
		to := groupEnd(c.events, i)
		if to > i+1 || c.events[i].May {
			return c.choose(i, to, sequence, origin)
		}
		for ; i < to; i++ {
			sequence, origin = append(sequence, c.events[i]), append(origin, i)
		}
	}
	return c.judge(sequence, origin)
}

// judge checks a sequence without choices.
func (c *ways) judge(sequence []Announced, origin []int) (*Broken, error) {
	broken, err := checkDefinite(c.spec, c.keyed, sequence)
	if broken != nil {
		broken.Event = origin[broken.Event]
	}
	return broken, err
}

// choose tries all subsets of the events from i to to, in all orders.
func (c *ways) choose(i, to int, sequence []Announced, origin []int) (*Broken, error) {
	if broken, err := c.judge(sequence, origin); err != nil || broken != nil {
		return broken, err
	}
	var last *Broken
	for chosen := range 1 << (to - i) {
		var members []int
		left := false
		for k := range to - i {
			if chosen>>k&1 == 1 {
				members = append(members, i+k)
			} else {
				left = left || !c.events[i+k].May
			}
		}
		if left {
			continue
		}
		for _, order := range orders(len(members)) {
			s, o := slices.Clone(sequence), slices.Clone(origin)
			for _, k := range order {
				e := c.events[members[k]]
				e.Group = 0
				s, o = append(s, e), append(o, members[k])
			}
			broken, err := c.from(to, s, o)
			if err != nil || broken == nil {
				return nil, err
			}
			if last == nil || broken.Event > last.Event {
				last = broken
			}
		}
	}
	return last, nil
}

// checkDefinite is CheckPolicy for announcements that were all made.
func checkDefinite(spec oracle.Spec, keyed []bool, events []Announced) (*Broken, error) {
	for from := 0; from < len(events); {
		to := groupEnd(events, from)
		if to > from+1 {
			if broken, err := checkOrders(spec, keyed, events[:to], from); err != nil || broken != nil {
				return broken, err
			}
		}
		from = to
	}
	_, broken, err := checkSequence(spec, keyed, events)
	return broken, err
}

// groupEnd is the index behind the last event of event i's group.
func groupEnd(events []Announced, i int) int {
	to := i + 1
	for to < len(events) && events[i].Group != 0 && events[to].Group == events[i].Group {
		to++
	}
	return to
}

// checkOrders checks events whose last ones, from index from on, may come in any order.
func checkOrders(spec oracle.Spec, keyed []bool, events []Announced, from int) (*Broken, error) {
	var common string
	var open error
	for i, order := range orders(len(events) - from) {
		sequence := slices.Clone(events[:from])
		for _, k := range order {
			sequence = append(sequence, events[from+k])
		}
		p, broken, err := checkSequence(spec, keyed, sequence)
		if err != nil {
			return nil, err
		}
		if broken != nil {
			if broken.Event >= from {
				broken.Event = from + order[broken.Event-from]
			}
			return broken, nil
		}
		come, err := p.outcome()
		if err != nil {
			return nil, err
		}
		if i > 0 && come != common {
			open = ErrOrder
		}
		common = come
	}
	return nil, open
}

// outcome describes the end of a sequence: the state, and for every pending call what it may return
// and whether it has changed the state.
func (p *policyCheck) outcome() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%v", p.states[len(p.states)-1])
	seen := map[int]bool{}
	for i := len(p.events) - 1; i >= 0; i-- {
		e := &p.events[i]
		if e.Kind == Announces || seen[e.Thread] {
			continue
		}
		seen[e.Thread] = true
		if e.Kind == Returned {
			continue
		}
		before := p.generated(i, len(p.events), e.Thread)
		may, err := p.may(i, len(p.events), before)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, " %d %v %t", e.Thread, may, len(before) > 0 && p.changes(before[len(before)-1]))
	}
	return b.String(), nil
}

// checkSequence checks events in their order.
func checkSequence(spec oracle.Spec, keyed []bool, events []Announced) (*policyCheck, *Broken, error) {
	events = slices.Clone(events) // results that were Given are filled in
	states, broken, err := replayed(spec, events)
	if err != nil {
		return nil, nil, err
	}
	p := &policyCheck{spec: spec, keyed: keyed, events: events, states: states}
	for i := range events {
		if events[i].Kind != Called {
			b, err := p.event(i)
			if err != nil || b != nil {
				return p, b, err
			}
		}
		if broken != nil && broken.Event == i {
			return p, broken, nil
		}
	}
	return p, nil, nil
}

// replayed is condition (iv): the states of the oracle, before each event and at the end, up
// to the first announcement that it does not allow.
func replayed(spec oracle.Spec, events []Announced) (states []oracle.State, broken *Broken, err error) {
	s := spec.Initial()
	for i, e := range events {
		states = append(states, s)
		if e.Kind != Announces {
			continue
		}
		outcomes, err := spec.Outcomes(s, e.Call)
		if err != nil {
			return nil, nil, err
		}
		var next []oracle.State
		var results []history.Tuple
		for _, o := range outcomes {
			if (e.Given || o.Result == e.Result) && (!slices.Contains(next, o.Next) || !slices.Contains(results, o.Result)) {
				next, results = append(next, o.Next), append(results, o.Result)
			}
		}
		if e.Given && len(results) > 0 {
			events[i].Result = results[0]
		}
		switch len(next) {
		case 0:
			return states, &Broken{"M3", i, "the specification does not allow the announced operation in the state that the announcements before it lead to"}, nil
		case 1:
			s = next[0]
		default:
			return nil, nil, ErrNondeterministic
		}
	}
	return append(states, s), nil, nil
}

// policyCheck is a sequence with the oracle's states.
type policyCheck struct {
	spec   oracle.Spec
	keyed  []bool
	events []Announced
	states []oracle.State // the state before each event; ends at the first wrong announcement
}

// invocation is the index of the call that event i belongs to, or -1.
func (p *policyCheck) invocation(i int) int {
	for k := i - 1; k >= 0; k-- {
		if e := &p.events[k]; e.Thread == p.events[i].Thread && e.Kind != Announces {
			if e.Kind == Called {
				return k
			}
			return -1
		}
	}
	return -1
}

// generated are the announcements of a thread's call before event i.
func (p *policyCheck) generated(from, i, thread int) []int {
	var out []int
	for k := from + 1; k < i; k++ {
		if e := &p.events[k]; e.Thread == thread && e.Kind == Announces {
			out = append(out, k)
		}
	}
	return out
}

// changes reports whether announcement k, which the oracle allows, changes the oracle's state.
func (p *policyCheck) changes(k int) bool {
	return p.states[k] != p.states[k+1]
}

func (p *policyCheck) event(i int) (*Broken, error) {
	e := &p.events[i]
	from := p.invocation(i)
	if from < 0 || e.Kind == Announces && e.Call != p.events[from].Call {
		return &Broken{"M6", i, "the announced operation is not the one that was called"}, nil // (ii), parameters
	}
	before := p.generated(from, i, e.Thread)
	if e.Kind == Announces {
		if len(before) > 0 && p.changes(before[len(before)-1]) { // (iii)
			return &Broken{"M5", i, "the operation has changed the state already, and takes effect once more"}, nil
		}
		return nil, nil
	}
	if i >= len(p.states) {
		return nil, nil
	}
	ok, err := p.justified(from, i, before)
	if err != nil || ok {
		return nil, err
	}
	if len(before) == 0 { // (i)
		return &Broken{"M4", i, "the operation returns and has not been announced"}, nil
	}
	return &Broken{"M6", i, "the operation returns another result than the one that was announced"}, nil
}

// justified is condition (ii) for results, with the deviations.
func (p *policyCheck) justified(from, i int, before []int) (bool, error) {
	may, err := p.may(from, i, before)
	return slices.Contains(may, p.events[i].Result), err
}

// may lists the results that a call may return at event i.
func (p *policyCheck) may(from, i int, before []int) ([]history.Tuple, error) {
	if n := len(before); n > 0 && p.changes(before[n-1]) {
		return []history.Tuple{p.events[before[n-1]].Result}, nil
	}
	var out []history.Tuple
	add := func(r history.Tuple) {
		if !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	for _, k := range before {
		add(p.events[k].Result)
	}
	c := p.events[from].Call
	for k := from; k <= i && p.keyed[c.Op]; k++ {
		outcomes, err := p.spec.Outcomes(p.states[k], c)
		if err != nil {
			return nil, err
		}
		for _, o := range outcomes {
			if o.Next == p.states[k] {
				add(o.Result)
			}
		}
	}
	slices.SortFunc(out, func(a, b history.Tuple) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return out, nil
}

// String is the rule's name and what it says.
func (b *Broken) String() string { return fmt.Sprintf("%s: %s", b.Rule, b.Text) }
