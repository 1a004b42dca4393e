// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"pangolin/verdict"
)

// Vacuous withdraws a verdict that rests on calls that never return.
//
// A type without a known constructor is made as its zero value, with a nil map, say. If then every call panics and the type is its own
// oracle, each panic is explained by the same panic of the oracle, and the whole scope is right: nothing was verified. Conversely, if a
// collection was made in a guessed way, a panic of one thread shows that the guess was wrong, not the code.
var Vacuous = Rule{
	Name: "vacuous",
	Doc: "Operations of which no call returned in the whole scope are left out of what is verified. If there are no others and the same code judges, if no result shows that anything was done (every call was refused, every channel empty), or if one thread alone " +
		"fails in what was made in a way that was guessed, nothing is known of the type: the verdict is unknown.",
	When: func(c Case) bool {
		v := &c.Verdict
		return v.Status == verdict.Verified || v.Violation != nil && guess(c.Reading) != ""
	},
	Conclude: func(c Case, _ []Answer) Case {
		if c.Verdict.Violation != nil {
			return unmade(c)
		}
		return unreturned(c)
	},
}

// empty is why a verdict says nothing that a search in its scope agrees with: no call has returned there, or none has done anything. "" if some call has.
func empty(c Case, found Answer) string {
	if !found.Agrees() {
		return ""
	}
	if found.Reading != c.Reading {
		c.Facts = nil
	}
	c.Answer = found
	if c = unreturned(c); c.Verdict.Cause != verdict.Vacuous {
		return ""
	}
	return c.Verdict.Reason
}

// withdrawn is the case with an unknown verdict, in the scope of a search, in place of a proof that is about nothing.
func (c Case) withdrawn(reason string, in verdict.Scope) Case {
	v := &c.Verdict
	v.Status, v.Cause, v.Proof, v.Scope, v.Reason = verdict.Unknown, verdict.Vacuous, nil, in, reason
	return c
}

// unmade turns a violation into unknown if one thread alone fails with a nil pointer or at a nil channel: then the
// collection was not made as users make it.
func unmade(c Case) Case {
	v := c.Verdict
	w := v.Violation.Execution
	if w == nil || c.Reading.terms.Expected[c.Property] == verdict.Violated {
		return c
	}
	for i := range w.History {
		if w.History[i].Thread != w.History[0].Thread {
			return left(c, w)
		}
	}
	waits := slices.ContainsFunc(w.Waiting, func(s verdict.Situation) bool { return strings.Contains(s.For, "nil chan") })
	if !(v.Violation.Class == "panic" && strings.Contains(v.Violation.Summary, "nil ")) && !(v.Violation.Class == "deadlock" && waits) {
		return left(c, w)
	}
	why := cmp.Or(c.Reading.Found.Made.Guess, unset(c.Reading))
	if why == "" {
		return c
	}
	what, _, _ := strings.Cut(v.Violation.Summary, "\n")
	return c.vacuous(fmt.Sprintf("one thread alone fails (%s), at %s: %s; %s", v.Violation.Client, w.Where(), what, why))
}

// vacuous is the case with an unknown verdict in place of a violation, which may come from how the collection is made.
func (c Case) vacuous(reason string) Case {
	v := &c.Verdict
	v.Status, v.Cause, v.Violation, v.Reason = verdict.Unknown, verdict.Vacuous, nil, reason
	return c
}

// unset says which fields of a zero value its users may have to set: exported ones that hold interfaces or functions. "" if there are none, or it is made otherwise.
func unset(r *Reading) string {
	p, ok := r.Found.Made.Type.(*types.Pointer)
	if !ok || guess(r) == "" {
		return ""
	}
	fields, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	var names []string
	for f := range fields.Fields() {
		switch f.Type().Underlying().(type) {
		case *types.Interface, *types.Signature:
			if f.Exported() {
				names = append(names, f.Name())
			}
		}
	}
	if names == nil {
		return ""
	}
	return fmt.Sprintf("it is made as its zero value, in which nobody has set %s (-new names another way)", strings.Join(names, ", "))
}

// left turns a violation into unknown if it is about what a call has left that fails alone, too.
func left(c Case, w *verdict.Witness) Case {
	what := broken(c, w)
	if what == "" {
		return c
	}
	return c.vacuous(fmt.Sprintf("what is found (%s) follows a call that fails alone, too (%s); %s", c.Verdict.Violation.Client, what, guess(c.Reading)))
}

// guess says why a type may not be made as its users make it; "" if its constructor is known.
func guess(r *Reading) string {
	if zero := strings.HasPrefix(r.Found.New, "new("); zero && r.Found.Made.Guess == "" && r.Overrides.New == "" {
		return "it is made as its zero value (-new names another way)"
	}
	return r.Found.Made.Guess
}

// broken describes a call of a witness that panics at a nil pointer, as it does alone on what was made: the lock that it held, or the step that it
// was in, is what the rest of the witness is about. It returns "" if there is none.
func broken(c Case, w *verdict.Witness) string {
	for i := range w.History {
		e := &w.History[i]
		op := c.Reading.Operation(e.Operation)
		if !e.Panicked || op < 0 || c.Facts == nil {
			continue
		}
		if text := c.Facts.Unreturned(op); strings.Contains(text, "nil ") {
			return e.Operation + " " + text
		}
	}
	return ""
}

// unreturned lists as left out the operations that never returned in the scope, and marks those that refused every call. If no
// operation returned, the verdict is unknown.
func unreturned(c Case) Case {
	v := c.Verdict
	r := c.about()
	v.Returns = slices.Clone(v.Returns)
	var never []verdict.LeftOut
	others := 0 // operations of the type itself, not of its handles, that have returned
	done := 0   // operations of which a result shows that they did something
	mute := 0   // operations that have no results, and show nothing
	refused := false
	for i := range v.Returns {
		x := &v.Returns[i]
		op := r.Operation(x.Operation)
		if op < 0 {
			continue
		}
		x.Refuses = r.Refuses(x)
		refused = refused || x.Refuses && !r.OnHandle(op)
		if !x.Never {
			switch {
			case len(r.Found.Operations[op].Results) == 0:
				mute++
			case !r.Idle(x):
				done++
			}
			if !r.OnHandle(op) { // no operation may return such a handle; then nothing is called on it
				others++
			}
			continue
		}
		never = append(never, verdict.LeftOut{Operation: x.Operation, Why: "no call of it returned in this scope" + how(c, r, op, x)})
	}
	if len(v.Returns) == 0 {
		never = crashes(c, r)
	}
	switch {
	case others > 0 && done == 0 && (mute == 0 || refused) && r.itself():
		v.Status, v.Cause, v.Reason = verdict.Unknown, verdict.Vacuous, idle(r, v.Returns)
	case len(never) == 0:
	case others == 0 && (r.itself() || len(v.Returns) == 0):
		v.Status, v.Cause, v.Reason = verdict.Unknown, verdict.Vacuous, reason(r, never)
	default:
		v.LeftOut = slices.Clone(v.LeftOut)
		for _, l := range never {
			if !slices.ContainsFunc(v.LeftOut, func(o verdict.LeftOut) bool { return o.Operation == l.Operation }) {
				v.LeftOut = append(v.LeftOut, l)
			}
		}
	}
	c.Verdict = v
	return c
}

// idle is the verdict's reason if no operation has done anything.
func idle(r *Reading, returns []verdict.Returns) string {
	var texts []string
	for _, x := range returns {
		if x.Never {
			texts = append(texts, x.Operation+" never returned")
			continue
		}
		if len(x.Results) == 0 || x.Results[0] == "" {
			texts = append(texts, x.Operation+" returned nothing")
			continue
		}
		texts = append(texts, x.Operation+" always returned "+strings.Join(x.Results, " or "))
	}
	return fmt.Sprintf("nothing was done in the whole scope, so that nothing was verified: %s; it is made by %s (Request.New names another constructor, Request.Prefix what is done first)",
		strings.Join(texts, ", "), r.Found.New)
}

// about returns the reading to which the results in the verdict belong: that of the whole type, if rule Whole asked about
// it.
func (c *Case) about() *Reading {
	r := c.Reading
	for _, x := range c.Verdict.Returns {
		if r.Operation(x.Operation) < 0 {
			if w, err := r.whole(*c); err == nil {
				return w
			}
		}
	}
	return r
}

// how describes how the calls of an operation end that never returns: ": they panic".
func how(c Case, r *Reading, op int, x *verdict.Returns) string {
	if r == c.Reading && c.Facts != nil {
		if text := c.Facts.Unreturned(op); text != "" {
			return ": it " + text
		}
	}
	switch panics := len(x.Results) > 0; {
	case panics && x.Waits:
		return ": they panic, or wait for ever"
	case panics:
		return ": they panic"
	case x.Waits:
		return ": they wait for ever"
	}
	return ""
}

// crashes lists the operations of the type if each of them crashes on a nil value at its first call; nil if one does not. It is for
// verdicts that contain no results of operations.
func crashes(c Case, r *Reading) (list []verdict.LeftOut) {
	if c.Facts == nil || c.Verdict.Engine == "" {
		return nil
	}
	for i := range r.Found.Operations {
		if r.OnHandle(i) {
			continue
		}
		text := c.Facts.Unreturned(i)
		if !strings.Contains(text, "nil ") {
			return nil
		}
		list = append(list, verdict.LeftOut{Operation: r.Found.Operations[i].Name, Why: "no call of it returns: it " + text})
	}
	return list
}

// reason is the verdict's reason if no call of any operation returned.
func reason(r *Reading, never []verdict.LeftOut) string {
	var texts []string
	for _, l := range never {
		_, text, found := strings.Cut(l.Why, ": it ")
		if !found {
			_, text, _ = strings.Cut(l.Why, ": they ")
		}
		texts = append(texts, strings.TrimSpace(l.Operation+" "+text))
	}
	made := r.Found.Made.Guess
	if made == "" {
		made = fmt.Sprintf("it is made by %s (Request.New names another constructor)", r.Found.New)
	}
	return fmt.Sprintf("no call of any operation returned in the whole scope, so that nothing was verified: %s; %s", strings.Join(texts, "; "), made)
}
