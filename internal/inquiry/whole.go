// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/internal/find"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// Whole asks about all operations of a type that its kind's oracle has verified.
//
// The oracle of a kind knows the kind's operations, with the kind's arguments. Whatever else a type offers (iterate, subscribe, update
// by a function, give up when a context is cancelled) only its own code can judge, run sequentially. So a second verification follows,
// of the whole type; operations that it cannot judge are listed as left out.
var Whole = Rule{
	Name: "whole type",
	Doc: "The type is verified by the oracle of its kind, and has operations that the oracle does not know or that return an error or a pointer, of which it knows whether it is nil, or reads the clock, which stands still for it. " +
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
	Within:   []Rule{Known, Scout, Inexecutable, StandIns, Agreeing},
}

// whole returns the reading of the type with all operations, judged by its own code.
func (r *Reading) whole(c Case) (*Reading, error) {
	w, err := r.found("whole", func() (*find.Target, error) { return r.Target.Whole(c.ctx) })
	if err != nil {
		return nil, err
	}
	return w.alone(), nil
}

// hasMore reports whether the type has operations that were not verified, or reads the clock, which stands still for a kind's oracle.
// It is false if the user has chosen operations, oracle or roles.
func hasMore(c Case) bool {
	o := &c.Reading.Overrides
	timed := !c.Reading.itself() && slices.Contains(c.Verdict.Assumptions, subject.ClockStands)
	ours := o.Oracle.IsAuto() || o.Oracle.IsSelf() && c.Reading.Unlike != "" // by the rules "itself" or "compiled"
	return (timed || len(c.Reading.Found.More) > 0) && len(o.Ops) == 0 && ours && c.Reading.roles == ""
}

// complete merges a verdict about the kind's operations with the answer about all operations.
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
		hint := ""
		if !c.Reading.itself() && names == "" {
			hint = fmt.Sprintf("holds while the clock stands still, by the oracle %s%s", c.Reading.Found.Oracle, elsewhere(&v, &w))
		} else if !c.Reading.itself() {
			hint = fmt.Sprintf("holds without %s, by the oracle %s%s", names, c.Reading.Found.Oracle, elsewhere(&v, &w))
		}
		return c.wrong(so[0], hint)
	case verdict.Unknown:
		leaveOut(&v, more, "could not be judged: "+w.Reason)
		if slices.Contains(v.Assumptions, subject.ClockStands) {
			v.Assumptions = append(slices.Clone(v.Assumptions), "all of it together, where the clock goes on at any moment, could not be judged: "+w.Reason)
		}
		c.Verdict = v
		return c
	}
	judged := slices.DeleteFunc(slices.Clone(more), func(name string) bool { return so[0].Reading.Overrides.Without[name] != "" })
	if len(judged) == 0 && len(more) > 0 { // each of them turned out not to be executable
		for _, name := range more {
			leaveOut(&v, []string{name}, so[0].Reading.Overrides.Without[name])
		}
		c.Verdict = v
		return c
	}
	c.Verdict, c.All = joined(c, v, w, judged), so[0].Reading
	return c
}

// joined merges the verdict v about the kind's operations with w, about all, more among them; both are verified.
func joined(c Case, v, w verdict.Verdict, more []string) verdict.Verdict {
	names := strings.Join(more, ", ")
	v.LeftOut, v.Returns, v.NotExecuted, v.NotCalled = w.LeftOut, w.Returns, w.NotExecuted, w.NotCalled // which are about all operations
	at := elsewhere(&v, &w)
	v.Scope, v.Clients, v.Dropped = w.Scope, w.Clients, w.Dropped // in which all operations were searched, and in which they were not
	v.States, v.Transitions, v.Seconds = v.States+w.States, v.Transitions+w.Transitions, v.Seconds+w.Seconds
	v.PeakBytes = max(v.PeakBytes, w.PeakBytes)
	v.Assumptions = slices.DeleteFunc(slices.Clone(v.Assumptions), func(a string) bool {
		return a == subject.ClockStands || slices.ContainsFunc(more, func(name string) bool { return strings.HasSuffix(a, collection.OnlyNil(name)) })
	})
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
	v.SayUnexecuted()
	return v
}

// elsewhere names the scope of a verdict if it differs from that of another one: ", in D+2x4".
func elsewhere(holds, other *verdict.Verdict) string {
	if holds.Scope.Name() == other.Scope.Name() {
		return ""
	}
	return ", in " + holds.Scope.Name()
}

// leaveOut records why operations are not part of the verdict.
func leaveOut(v *verdict.Verdict, names []string, why string) {
	for _, name := range names {
		i := slices.IndexFunc(v.LeftOut, func(l verdict.LeftOut) bool { return l.Operation == name })
		if i < 0 {
			v.LeftOut = append(v.LeftOut, verdict.LeftOut{Operation: name, Why: why + "; verified with fewer arguments, or with less of its results compared, only"})
			continue
		}
		v.LeftOut[i].Why = why
	}
}

// right reports whether the type is verified or proved.
func (c *Case) right() bool {
	return c.Verdict.Status == verdict.Verified || c.Verdict.Status == verdict.Proved
}

// accept makes an answer that a rule has asked for the case's own, of which nothing else is known yet.
func (c *Case) accept(a Answer) { c.Answer, c.Facts, c.One = a, nil, nil }

// wrong returns the case whose answer is a violation that a rule has found beyond the case's question. The hint says what holds all the
// same; "": nothing is said.
func (c Case) wrong(found Answer, hint string) Case {
	if hint != "" {
		found.Verdict.Hints = append(slices.Clip(found.Verdict.Hints), hint)
	}
	c.Answer, c.Facts = found, nil
	return c
}
