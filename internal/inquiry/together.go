// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/internal/find"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Together asks whether values count by some of their fields alone: users of a set by their IDs, jobs of a priority queue by their times.
//
// A set that forgets to look at a field is not told from one that is meant to look at one alone, so the verdict says that values which differ in one field were taken for the same. What a
// queue, a stack or a register gives has to be the whole value, so there a contradiction stays.
var Together = Rule{
	Name: "some fields alone",
	Doc: "One thread contradicts a set, a map or a priority queue of structs, of which two fields vary by themselves: {ID: 0, Name: \"\"} and {ID: 0, Name: \"w02\"} are the same to a set by ID, and a priority queue by time knows nothing of names. " +
		"One thread is asked again with fields that vary together. Of a set or a map each field is tried that may be the only one that counts, then each that may not count: those that do not have one value and another one in turns. Of a priority queue, bools and constants do not vary at all. " +
		"What agrees then is taken (of several threads, what looks for a key is given other values of the fields that do not count than what adds it), and the verdict says which these are, or that some alone count. A set or a map of which no field is one that does not count, and that agrees where all vary together, as one of edges without direction does, is judged by its own code: one thread does not show which values are the same to it.",
	When: wrongOfKind,
	Ask: firstAgreeing(func(c Case) []*Reading {
		list := c.Reading.together(c)
		if c.Reading.Found.Kind == oracle.PQueue || c.Reading.varying() == "" {
			return list
		}
		return append(list, c.Reading.ignored(c, nil)...)
	}),
	Conclude: func(c Case, so []Answer) Case {
		r, ok := agreed(so)
		if !ok {
			return c
		}
		client := c.One.Verdict.Violation.Client
		if r.Found.Kind == oracle.PQueue || len(r.Overrides.Ignored) > 0 {
			return c.take(r.settled(c), r.counted(c.Reading.varying(), client))
		}
		own, err := c.Reading.asItself(c.ctx)
		if err != nil {
			return c
		}
		return c.take(own, fmt.Sprintf("not all fields of %s count (%s), and none is one that does not, so only the code itself judges which are the same", collection.One(c.Reading.varying()), client))
	},
}

// counted tells which fields of values of a type count, as a client shows that contradicts that all do.
func (r *Reading) counted(of, client string) string {
	switch fields := r.Overrides.Ignored; {
	case len(fields) > 1:
		return fmt.Sprintf("the fields %s of %s do not count, as one thread sees (%s)", strings.Join(fields, ", "), collection.One(of), client)
	case len(fields) == 1:
		return fmt.Sprintf("the field %s of %s does not count, as one thread sees (%s)", fields[0], collection.One(of), client)
	case of == "": // of the kind that was tried before, none vary by themselves
		return fmt.Sprintf("some fields alone count, as one thread sees (%s)", client)
	}
	return fmt.Sprintf("some fields alone order values of type %s, as one thread sees (%s)", of, client)
}

// mostFields is the greatest number of fields of which each is tried.
const mostFields = 6

// together are the same reading with fields that vary together: of a set or a map each with some fields ignored; none: some fields alone cannot count, or none vary by themselves.
func (r *Reading) together(c Case) (list []*Reading) {
	if r.Overrides.Together || r.varying() == "" {
		return nil
	}
	switch r.Found.Kind {
	case oracle.PQueue:
		return r.ignored(c, nil)
	case oracle.Set, oracle.Map:
		all := r.Target.MayIgnore()
		if len(all) > mostFields {
			return nil
		}
		for i := range all {
			if but := slices.Delete(slices.Clone(all), i, i+1); len(but) > 1 {
				list = append(list, r.ignored(c, but)...)
			}
		}
		for _, field := range all {
			list = append(list, r.ignored(c, []string{field})...)
		}
	}
	return list
}

// ignored is the same reading with fields that vary together, some of them ignored: these have one value and another one in turns, for one thread; none: it cannot be read so.
func (r *Reading) ignored(c Case, fields []string) []*Reading {
	o, err := r.found("together, in turns "+strings.Join(fields, ","), func() (*find.Target, error) { return r.Target.Together(c.ctx, fields, len(fields) > 0) })
	if err != nil {
		return nil
	}
	return []*Reading{o}
}

// settled is a reading of one thread with fields that are ignored as it is for several threads: what looks for a key is given another value of these than what adds it.
func (r *Reading) settled(c Case) *Reading {
	if !r.Overrides.Turns {
		return r
	}
	o, err := r.found("together", func() (*find.Target, error) { return r.Target.Together(c.ctx, r.Overrides.Ignored, false) })
	if err != nil {
		return r
	}
	return o
}

// varying is the type of a struct that operations are given, of a map as a key, and whose fields vary, some by themselves, or, of a priority queue, as a bool does; "" if there is none.
func (r *Reading) varying() string {
	var of func(c *collection.Codec) bool
	of = func(c *collection.Codec) bool {
		return c != nil && (c.Pair > 0 || of(c.Elem) || of(c.Key) || slices.ContainsFunc(c.Parts, func(p collection.Part) bool {
			return of(p.Codec) || r.Found.Kind == oracle.PQueue && c.Shape == collection.AsStruct && p.Codec != nil && p.Codec.Shape == collection.AsBool && !p.Codec.Zero
		}))
	}
	for i := range r.Found.Operations {
		for _, p := range r.Found.Operations[i].Params {
			if (r.Found.Kind != oracle.Map || p.Meaning == oracle.ParamKey) && of(p.Codec) {
				return p.Type
			}
		}
	}
	return ""
}

// Apart asks once more, of a type by some fields alone, with fields that vary by themselves.
//
// The oracle of a kind knows no values of which two are the same in some fields only. The type's own code does, so a race between two users with one ID shows by it.
var Apart = Rule{
	Name: "fields by themselves",
	Doc: "A type is verified or proved with fields that vary together (\"some fields alone\"). It is judged once more by its own code, run sequentially, with two fields of a struct that vary by themselves: " +
		"what is violated then is the verdict, and otherwise the verdict says that this was looked at. If all of the type is judged by its own code anyway (\"whole type\"), nothing is asked.",
	When: func(c Case) bool {
		return c.right() && c.Reading.Overrides.Together && c.All == nil && !c.Reading.itself()
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		if len(so) > 0 {
			return Question{}, false
		}
		r, err := c.Reading.asItself(c.ctx)
		if err != nil {
			return Question{}, false
		}
		l, property := Limit{}, c.Property
		if c.Verdict.Status == verdict.Proved {
			l = Limit{Usual: true, States: besideStates}
			if property.IsProgress() {
				property = verdict.Linear
			}
		}
		return Question{Reading: r.alone(), Scope: r.Scopes.Asked(), Property: property, Limit: l}, true
	},
	Conclude: func(c Case, so []Answer) Case {
		if len(so) == 0 {
			return c
		}
		a := so[0]
		v := c.Verdict
		v.Assumptions = slices.Clone(v.Assumptions)
		switch {
		case a.Err == nil && a.Verdict.Status == verdict.Violated:
			return c.wrong(a, fmt.Sprintf("holds where all fields vary together, by the oracle %s", c.Reading.Found.Oracle))
		case a.Agrees():
			v.States, v.Transitions, v.Seconds, v.PeakBytes = v.States+a.Verdict.States, v.Transitions+a.Verdict.Transitions, v.Seconds+a.Verdict.Seconds, max(v.PeakBytes, a.Verdict.PeakBytes)
			v.Assumptions = append(v.Assumptions, "with two fields that vary by themselves: verified in "+a.Verdict.Scope.Name()+", judged by the same code run sequentially")
		case a.Err != nil:
			v.Assumptions = append(v.Assumptions, "with two fields that vary by themselves it could not be judged: "+a.Err.Error())
		default:
			v.Assumptions = append(v.Assumptions, "with two fields that vary by themselves it could not be judged: "+a.Verdict.Reason)
		}
		c.Verdict = v
		return c
	},
	Within: []Rule{Known, Scout, Inexecutable, StandIns, Agreeing},
}
