// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/internal/find"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Sense decides what a bool means that has no name and of which the documentation says nothing: Insert(k) bool may tell whether k was added, or whether it was there.
//
// With one thread, what no order explains is the result of the last call. If that returns such a bool, it is taken to mean the opposite, and one thread is asked again, about all
// that the type does; so on with the next one. A set that is wrong does not become right by that: each of its results still has to agree with the oracle.
// A queue whose bool means "it was full" has a capacity as well, which is tried with it.
var Sense = Rule{
	Name: "sense",
	Doc: "One thread contradicts every kind that the type could be, by what an operation returns whose bool may mean that it was done or that it was not (Insert(k) bool), as far as names and documentation tell. " +
		"It is taken for the opposite; with it the same of other operations, and 1 to 8 items at most, if one thread contradicts that. What one thread then agrees with, in all that it does, is taken.",
	When: func(c Case) bool {
		return wrongOfKind(c) && c.Reading.eitherSense(&c.One.Verdict) != ""
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		last := c.One
		if n := len(so); n > 0 {
			last = &so[n-1]
		}
		if _, wrong := disagrees(&last.Verdict); last.Err != nil || !wrong {
			return Question{}, false
		}
		r, err := c.Reading.otherwise(c, last)
		if r == nil || err != nil || r.Found.Oracle != c.Reading.Found.Oracle {
			return Question{}, false
		}
		return r.byOneThread(verdict.Linear, false), true
	},
	Conclude: taking(func(c Case, r *Reading, client string) (*Reading, string) {
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(r.Overrides.Readings)) {
			if c.Reading.Overrides.Readings[name] == "" {
				parts = append(parts, fmt.Sprintf("the bool of %s is true where %s", name, undone(r.Found, name)))
			}
		}
		if p := r.Found.Protocol; p != c.Reading.Found.Protocol {
			parts = append(parts, fmt.Sprintf("it holds %d items at most", p.Capacity))
		}
		return r, fmt.Sprintf("%s, as one thread sees (%s)", strings.Join(parts, ", "), client)
	}),
}

// wrongOfKind is wrongAlone also of a kind that the user names, who has not said what bools mean.
func wrongOfKind(c Case) bool {
	if c.One == nil || c.Reading.itself() {
		return false
	}
	_, yes := disagrees(&c.One.Verdict)
	return yes
}

// lastCall is the last call of a history of one thread that no order explains; nil: there is none.
func lastCall(v *verdict.Verdict) *verdict.Event {
	if v.Violation == nil || v.Violation.Class != "history" || v.Violation.Execution == nil {
		return nil
	}
	calls := v.Violation.Execution.History
	if len(calls) == 0 {
		return nil
	}
	return &calls[len(calls)-1]
}

// eitherSense is the operation of the last call in a violation by one thread, if its bool may mean the opposite; "" otherwise.
func (r *Reading) eitherSense(one *verdict.Verdict) string {
	if last := lastCall(one); last != nil && r.EitherSense(last.Operation) {
		return last.Operation
	}
	return ""
}

// otherwise is the reading that comes next behind one with which one thread does not agree: the bool of the last call means the opposite; or it does already and there is less room. nil: there is no other.
func (r *Reading) otherwise(c Case, tried *Answer) (*Reading, error) {
	t := tried.Reading
	if name := t.eitherSense(&tried.Verdict); name != "" {
		return t.found("sense "+name, func() (*find.Target, error) {
			return t.Target.Reading(c.ctx, map[string]string{name: string(oracle.SlotNotOK)})
		})
	}
	last := lastCall(&tried.Verdict)
	if last == nil || r.Overrides.Protocol != nil || r.Found.Protocol.Kind == oracle.Bounded || t == r {
		return nil, nil
	}
	at := t.Operation(last.Operation)
	if at < 0 || !isPut(&t.Found.Operations[at]) || t.Overrides.Readings[last.Operation] == "" {
		return nil, nil
	}
	p := oracle.Protocol{Kind: oracle.Bounded, Capacity: 1}
	if now := t.Found.Protocol; now.Kind == oracle.Bounded {
		p.Capacity = now.Capacity + 1
	}
	if p.Capacity > mostHeld {
		return nil, nil
	}
	return t.underProtocol(c.ctx, p)
}

func isPut(o *collection.Operation) bool {
	return slices.Contains([]oracle.Role{oracle.Put, oracle.PutFront, oracle.PutBack}, o.Op.Role)
}

// undone says where an operation is not done.
func undone(found *collection.Collection, name string) string {
	at := slices.IndexFunc(found.Operations, func(o collection.Operation) bool { return o.Name == name })
	switch o := &found.Operations[at]; {
	case o.Op.Role == oracle.Add:
		return "the item is there already"
	case o.Op.Role == oracle.LoadOrStore:
		return "the value is stored"
	case isPut(o):
		return "there is no room"
	}
	return "there is nothing"
}

// tellsElse reports whether what one thread has shown contradicts an operation whose bool tells something else, by its documentation or its name: "whether the queue is full now".
func tellsElse(c Case) bool {
	last := lastCall(&c.One.Verdict)
	return last != nil && c.Reading.TellsElse(last.Operation)
}

// meansElse is the hint where the only result of the last call is a bool of which nothing tells what it means; "" otherwise.
func (r *Reading) meansElse(one *verdict.Verdict) string {
	name := r.eitherSense(one)
	if at := r.Operation(name); at < 0 || len(r.Found.Operations[at].Op.Results) != 1 {
		return ""
	}
	return fmt.Sprintf("if the bool of %s tells something else than whether it was done: name the result, say so in its documentation, or have it judged by its own code (-kind object)", name)
}
