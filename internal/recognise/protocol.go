// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"slices"

	"pangolin/internal/collection"
	"pangolin/oracle"
)

// judgement is the protocol and the oracle of a collection.
type judgement struct {
	protocol oracle.Protocol
	self     string // why only the same code run sequentially can judge it; "" if the kind's oracle can
	notes    []string
	roomy    bool // the constructor's capacity should be out of reach
}

func (j *judgement) note(format string, args ...any) {
	j.notes = append(j.notes, fmt.Sprintf(format, args...))
}

// buffers are the kinds whose operations can find them full or empty.
func buffers(kind oracle.Kind) bool {
	return slices.Contains([]oracle.Kind{oracle.Queue, oracle.Stack, oracle.Deque, oracle.PQueue}, kind)
}

// judge decides by the signatures what they can tell, and leaves the rest to the
// oracle self. A capacity and calls without a sign of refusal are taken for a
// bounded blocking collection, as the user's Request.Protocol may deny.
func judge(rec recognition, m maker, name hints, o collection.Overrides) judgement {
	j := judgement{protocol: oracle.Protocol{Kind: oracle.Nonblocking}}
	if o.Protocol != nil {
		j.protocol = *o.Protocol
	}
	for _, b := range rec.bindings {
		if b.misfit != "" && j.self == "" {
			j.self = b.misfit
		}
	}
	switch {
	case rec.kind == collection.Object:
		j.self = "a plain object has no oracle of its own"
	case name.forgets && (rec.kind == oracle.Map || rec.kind == oracle.Set) && j.self == "":
		j.self = "a cache may forget what it holds"
	}
	if j.self != "" || !buffers(rec.kind) {
		return j
	}
	found := judgement{protocol: oracle.Protocol{Kind: oracle.Nonblocking}}
	found.guess(rec, m, name)
	if found.roomy && o.New != "" && o.Oracle.IsSelf() { // full or not, the code itself says what is right
		found.roomy, found.notes = false, nil
	}
	switch {
	case o.Protocol == nil:
		return found
	case found.protocol.String() == o.Protocol.String(): // who types what was printed asks for nothing else
		if !found.roomy {
			found.notes = nil // it is no guess any more
		}
		return found
	}
	j.judgeGiven(rec)
	return j
}

// judgeGiven completes the user's protocol, which is another one than would be found.
func (j *judgement) judgeGiven(rec recognition) {
	take := silent(rec.bindings, (*binding).isTake)
	if take != nil && (j.protocol.Kind == oracle.Nonblocking || j.protocol.Kind == "") {
		j.self = unclear(take)
	}
}

func unclear(take *binding) string {
	return fmt.Sprintf("%s returns only a value, so that nothing tells what it does when there is none (wait, panic or a zero value)", take.m.name)
}

// silent is the first operation of a sort whose results do not tell of refusal.
func silent(bindings []*binding, sort func(*binding) bool) *binding {
	for _, b := range bindings {
		if sort(b) && !b.tells() {
			return b
		}
	}
	return nil
}

func (j *judgement) guess(rec recognition, m maker, name hints) {
	take, put := silent(rec.bindings, (*binding).isTake), silent(rec.bindings, (*binding).isPut)
	if name.unbounded {
		m.bound = nil
	}
	reports := slices.ContainsFunc(rec.bindings, func(b *binding) bool { return b.isPut() && b.tells() })
	switch {
	case take != nil && name.synchronous:
		j.protocol = oracle.Protocol{Kind: oracle.Synchronous}
		j.note("it is synchronous, as its name says (or Request.Protocol otherwise)")
	case take != nil && m.bound != nil:
		j.protocol = oracle.Protocol{Kind: oracle.Bounded, Capacity: m.bound.n}
		j.note("it holds up to %d items and waits: the constructor takes %s, and %s returns only a value (or Request.Protocol says otherwise)",
			m.bound.n, capacityName(m.bound.param), take.m.name)
	case take != nil && take.m.seen:
		j.protocol = oracle.Protocol{Kind: oracle.Blocking}
	case take != nil:
		j.self = unclear(take)
	case m.bound == nil && reports && m.opaque:
		j.self = "it may be full, and nothing tells how many items it holds (Request.Protocol 'bounded(N)' does)"
	case m.bound == nil && reports:
		j.note("it is never full: no constructor takes a capacity (or Request.Protocol says otherwise)")
	case m.bound == nil:
	case reports && m.bound.exact():
		j.protocol = oracle.Protocol{Kind: oracle.Bounded, Capacity: m.bound.n}
		how := "refuses"
		if put != nil {
			how = "refuses or waits"
		}
		j.note("it holds exactly %d items: the constructor takes %s, and whatever adds %s beyond (or Request.Protocol says otherwise)",
			m.bound.n, capacityName(m.bound.param), how)
	case reports:
		j.self = fmt.Sprintf("it may be full, and that its constructor's %s counts items is not certain (Request.Protocol 'bounded(%d)' says so)",
			capacityName(m.bound.param), m.bound.n)
	case put == nil: // all that adds is read another way, see wide.go
	default:
		j.roomy = true
		j.note("the capacity is not reached: %s has no way to refuse", put.m.name)
	}
}
