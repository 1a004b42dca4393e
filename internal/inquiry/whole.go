// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/find"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// Whole asks about all operations.
//
// The oracle of a kind knows the kind's operations, with the arguments that they have there. What
// else a type can do (iterate, subscribe, update by a function, give up when a context is
// cancelled) only the same code can judge, run sequentially. So behind the one verification
// comes another one, of the whole collection; what it cannot judge is left out, and that is said.
var Whole = Rule{
	Name: "whole type",
	Doc: "The type is verified by the oracle of its kind, and has operations that the oracle does not know, or reads the clock, which stands still for it. " +
		"All operations together are judged by the same code, run sequentially. The verdict is about the scope of that.",
	When: func(c Case) bool { return c.Verdict.Status == verdict.Verified && hasMore(c) },
	Ask: func(c Case, so []Answer) (Question, bool) {
		if len(so) > 0 {
			return Question{}, false
		}
		r, err := c.Reading.whole(c)
		if err != nil {
			return Question{}, false
		}
		return Question{Reading: r, Scope: r.Scopes, Property: c.Property}, true
	},
	Conclude: complete,
	Within:   []Rule{Scout, Agreeing},
}

// whole is the whole type.
func (r *Reading) whole(c Case) (*Reading, error) {
	w, err := r.found("whole", func() (*find.Target, error) { return r.Target.Whole(c.ctx) })
	if err != nil {
		return nil, err
	}
	return w.alone(), nil
}

// hasMore says that the collection has operations beyond those that are verified, or reads the clock, which
// stands still for a kind's oracle, and that nobody has asked for these alone.
func hasMore(c Case) bool {
	o := &c.Reading.Overrides
	timed := !c.Reading.itself() && slices.Contains(c.Verdict.Assumptions, subject.ClockStands)
	return (timed || len(c.Reading.Found.More) > 0) && len(o.Ops) == 0 && o.Oracle.IsAuto() && c.Reading.roles == ""
}

// complete completes a verdict about the operations that a kind's oracle knows by what the same code says of all of them.
func complete(c Case, so []Answer) Case {
	v, more := c.Verdict, c.Reading.Found.More
	v.LeftOut = slices.Clone(v.LeftOut)
	if len(so) == 0 || so[0].Err != nil {
		err := fmt.Errorf("no way to call it")
		if len(so) > 0 {
			err = so[0].Err
		} else if _, failed := c.Reading.whole(c); failed != nil {
			err = failed
		}
		leaveOut(&v, more, "cannot be judged: "+err.Error())
		c.Verdict = v
		return c
	}
	w, names := so[0].Verdict, strings.Join(more, ", ")
	switch w.Status {
	case verdict.Violated:
		if !c.Reading.itself() && names == "" {
			w.Hints = append(w.Hints, fmt.Sprintf("holds while the clock stands still, by the oracle %s%s", c.Reading.Found.Oracle, elsewhere(&v, &w)))
		} else if !c.Reading.itself() {
			w.Hints = append(w.Hints, fmt.Sprintf("holds without %s, by the oracle %s%s", names, c.Reading.Found.Oracle, elsewhere(&v, &w)))
		}
		c.Answer, c.Facts = so[0], nil
		c.Verdict = w
		return c
	case verdict.Unknown:
		leaveOut(&v, more, "could not be judged: "+w.Reason)
		c.Verdict = v
		return c
	}
	c.Verdict = joined(c, v, w)
	return c
}

// joined is a verdict about the operations that a kind's oracle knows, and one about all.
func joined(c Case, v, w verdict.Verdict) verdict.Verdict {
	names := strings.Join(c.Reading.Found.More, ", ")
	v.LeftOut, v.Returns = w.LeftOut, w.Returns // which are about all operations
	at := elsewhere(&v, &w)
	v.Scope, v.Clients = w.Scope, w.Clients // in which all operations were searched
	v.Dropped = append(slices.Clone(v.Dropped), w.Dropped...)
	v.States, v.Transitions, v.Seconds = v.States+w.States, v.Transitions+w.Transitions, v.Seconds+w.Seconds
	v.PeakBytes = max(v.PeakBytes, w.PeakBytes)
	v.Assumptions = slices.DeleteFunc(slices.Clone(v.Assumptions), func(a string) bool { return a == subject.ClockStands })
	for _, a := range w.Assumptions {
		if !slices.Contains(v.Assumptions, a) {
			v.Assumptions = append(v.Assumptions, a)
		}
	}
	if names == "" {
		names = "what expires"
	}
	v.Assumptions = append(v.Assumptions, fmt.Sprintf("%s: judged by the same code run sequentially, together with all other operations", names))
	if at != "" {
		v.Assumptions = append(v.Assumptions, fmt.Sprintf("without %s: verified by the oracle %s%s as well", names, c.Reading.Found.Oracle, at))
	}
	return v
}

// elsewhere says in which scope a verdict holds if that is not the one of another verdict: ", in D+2x4".
func elsewhere(holds, other *verdict.Verdict) string {
	if holds.Scope.Name() == other.Scope.Name() {
		return ""
	}
	return ", in " + holds.Scope.Name()
}

// leaveOut says why operations were left out.
func leaveOut(v *verdict.Verdict, names []string, why string) {
	for _, name := range names {
		i := slices.IndexFunc(v.LeftOut, func(l verdict.LeftOut) bool { return l.Operation == name })
		if i < 0 {
			v.LeftOut = append(v.LeftOut, verdict.LeftOut{Operation: name, Why: why + "; verified with fewer arguments only"})
			continue
		}
		v.LeftOut[i].Why = why
	}
}
