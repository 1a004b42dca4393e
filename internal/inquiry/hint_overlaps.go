// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pangolin/oracle"
	"pangolin/verdict"
)

// Overlapping asks whether a type that is not linearizable is so but for operations that only read, such as a Len that adds up shards, and
// what these promise.
var Overlapping = Rule{
	Name: "overlapping reads",
	Doc: "The type is not linearizable, and an operation that only reads takes part in what is wrong. Is it linearizable but for such operations, " +
		"with the meaning parts, else quiet, and if that holds some, between or eventually (doc/weaker.md)? If what is wrong then has other such operations, they get the meaning too; in the end each is tried without.",
	When: func(c Case) bool {
		t := c.Reading.terms
		return wrong(c) && c.Property == verdict.Linear && c.Verdict.Violation.Execution.Class == "history" && (!t.Property || t.Strongest) && len(readers(c, &c.Verdict)) > 0
	},
	Ask: func(c Case, so []Answer) (Question, bool) {
		list, done := promised(c, so)
		if done {
			return Question{}, false
		}
		return less(c, so, claim{reading: c.Reading, property: verdict.Promising(list)})
	},
	Conclude: func(c Case, so []Answer) Case {
		p, holds := Weakest(so)
		if !holds {
			return advise(c, so, "")
		}
		var list []string
		for _, one := range p.Promises() {
			list = append(list, one.String())
		}
		return advise(c, so, fmt.Sprintf("holds with Request.Specification.Overlaps '%s', in this scope: %s", strings.Join(list, ","), strings.Join(p.Weaker(), ", and ")))
	},
}

// Weakest is the property of the last answer that agrees. Of those to the questions of Overlapping it is the strongest that holds.
func Weakest(so []Answer) (p verdict.Property, holds bool) {
	for i := range so {
		if so[i].Agrees() {
			p, holds = so[i].Property, true
		}
	}
	return p, holds
}

// mostReaders is the greatest number of operations that Overlapping asks about.
const mostReaders = 3

// reading are the roles of operations that only read.
var reading = []oracle.Role{oracle.Len, oracle.IsEmpty, oracle.Load, oracle.Contains, oracle.Peek, oracle.PeekFront, oracle.PeekBack}

// readingNames are names of operations that only read, where no oracle of a kind knows them.
var readingNames = regexp.MustCompile(`^(Is)?(Len|Length|Size|Count|Sum|Total|Empty|Range|All|Keys|Values|Items|Entries|Snapshot|String|Each|ForEach|Stats|Contents)($|[A-Z])`)

// readers lists the operations that only read and are called in a violation, in the type's order.
func readers(c Case, v *verdict.Verdict) (names []string) {
	if v.Violation == nil || v.Violation.Execution == nil {
		return nil
	}
	for _, o := range c.Reading.Found.Operations {
		known := !c.Reading.itself() && o.Op.Role != ""
		is := known && slices.Contains(reading, o.Op.Role) || !known && readingNames.MatchString(o.Name) && !o.Silent()
		if is && callsOf(v.Violation.Execution, o.Name) > 0 {
			names = append(names, o.Name)
		}
	}
	return names[:min(len(names), mostReaders)]
}

// promising gives the operations the meaning.
func promising(names []string, meaning string) (list []verdict.Promise) {
	for _, name := range slices.Sorted(slices.Values(names)) {
		list = append(list, verdict.Promise{Operation: name, Meaning: verdict.Meaning{Name: meaning}})
	}
	return list
}

// promised is what is asked next. The reads of the violation get the strongest meaning; if it does not hold, the weakest, with the reads of what
// is wrong then added; if that holds, those in between. In the end each read is tried without. done means that there is nothing to ask.
func promised(c Case, so []Answer) (list []verdict.Promise, done bool) {
	names, meaning, at := readers(c, &c.Verdict), "", 0
	// ask is true if the next question, whose answer is so[at-1] then, has been asked and agrees. While one has not, nothing else counts.
	ask := func(names []string, meaning string) bool {
		if at++; at > len(so) {
			if at == len(so)+1 {
				list = promising(names, meaning)
			}
			return false
		}
		return so[at-1].Agrees()
	}
	for _, next := range []string{verdict.Parts, verdict.Quiet, verdict.Some, verdict.Between, verdict.Eventually} {
		agrees := ask(names, next)
		for next == verdict.Quiet && !agrees && at <= len(so) {
			more := slices.DeleteFunc(readers(c, &so[at-1].Verdict), func(name string) bool { return slices.Contains(names, name) })
			if names = append(names, more...); len(more) == 0 || len(names) > mostReaders {
				return nil, true // more than reads is wrong
			}
			agrees = ask(names, next)
		}
		if agrees {
			meaning = next
		}
		if list != nil || agrees && next != verdict.Quiet {
			break
		}
	}
	for i := 0; list == nil && i < len(names) && len(names) > 1; {
		if fewer := slices.Delete(slices.Clone(names), i, i+1); ask(fewer, meaning) {
			names = fewer
		} else {
			i++
		}
	}
	return list, list == nil
}
