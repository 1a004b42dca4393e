package consist

import (
	"errors"
	"fmt"
	"slices"

	"pangolin/history"
	"pangolin/oracle"
)

// ErrNondeterministic says that announcements do not determine the oracle's state.
var ErrNondeterministic = errors.New("the oracle is nondeterministic: an announced operation does not say what the next state is, so no policy can be checked against it")

// Announced is an event of a sequence with announcements: a call, an announcement or a return.
type Announced struct {
	Kind   AnnouncedKind
	Thread int
	Call   oracle.Call   // of an announcement: what is announced
	Result history.Tuple // of an announcement and a return
}

// AnnouncedKind is what an event is.
type AnnouncedKind uint8

// The kinds.
const (
	Called AnnouncedKind = iota
	Announces
	Returned
)

// Broken is a rule that a sequence breaks, and where.
type Broken struct {
	Rule  string // M3 to M6 of Fig. 4
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
func CheckPolicy(spec oracle.Spec, keyed []bool, events []Announced) (*Broken, error) {
	states, broken, err := replayed(spec, events)
	if err != nil {
		return nil, err
	}
	p := &policyCheck{spec: spec, keyed: keyed, events: events, states: states}
	for i := range events {
		if events[i].Kind != Called {
			b, err := p.event(i)
			if err != nil || b != nil {
				return b, err
			}
		}
		if broken != nil && broken.Event == i {
			return broken, nil
		}
	}
	return nil, nil
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
		for _, o := range outcomes {
			if o.Result == e.Result && !slices.Contains(next, o.Next) {
				next = append(next, o.Next)
			}
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

// policyCheck holds a sequence while its calls are looked at.
type policyCheck struct {
	spec   oracle.Spec
	keyed  []bool
	events []Announced
	states []oracle.State // may end early
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

// generated are the announcements of a call before event i.
func (p *policyCheck) generated(from, i int) []int {
	var out []int
	for k := from + 1; k < i; k++ {
		if e := &p.events[k]; e.Thread == p.events[i].Thread && e.Kind == Announces {
			out = append(out, k)
		}
	}
	return out
}

// changes says whether an announcement changes the oracle's state.
func (p *policyCheck) changes(k int) bool {
	return k+1 < len(p.states) && p.states[k] != p.states[k+1]
}

func (p *policyCheck) event(i int) (*Broken, error) {
	e := &p.events[i]
	from := p.invocation(i)
	if from < 0 || e.Kind == Announces && e.Call != p.events[from].Call {
		return &Broken{"M6", i, "the announced operation is not the one that was called"}, nil // (ii), parameters
	}
	before := p.generated(from, i)
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
	result := p.events[i].Result
	if n := len(before); n > 0 && p.changes(before[n-1]) {
		return p.events[before[n-1]].Result == result, nil
	}
	for _, k := range before {
		if p.events[k].Result == result {
			return true, nil
		}
	}
	c := p.events[from].Call
	if !p.keyed[c.Op] {
		return false, nil
	}
	for k := from; k <= i; k++ {
		outcomes, err := p.spec.Outcomes(p.states[k], c)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(outcomes, func(o oracle.Outcome) bool { return o.Result == result && o.Next == p.states[k] }) {
			return true, nil
		}
	}
	return false, nil
}

// String names the rule and what it says.
func (b *Broken) String() string { return fmt.Sprintf("%s: %s", b.Rule, b.Text) }
