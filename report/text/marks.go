// SPDX-License-Identifier: BSD-3-Clause

package text

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pangolin/verdict"
)

// What a verdict rests on besides its scope has two sorts. What Pangolin assumes of most types, such as a fair scheduler, is said once, in
// the sentence behind all verdicts. What is assumed of one type, such as that the functions it is given return at once, is a mark on the
// line of its verdict, with an asterisk, and explained once behind all verdicts. -v prints every text in full.
//
// A verdict has texts, and the tables below choose words for them. They need not be complete: a text that neither of them knows is a mark
// with a number (*1), and explained like the others. So a text that is new, or reworded, is never passed over.

// ofSearch are the beginnings of texts that are about how Pangolin searches, with what the sentence says.
var ofSearch = []struct{ begins, short string }{
	{"the code does not look at the items", anyValues},
	{"the scheduler is strongly fair", "a fair scheduler"},
	{"states are told apart by ", ""}, // and what they are told apart by
	{"the code is correct when one ", oneIsRight},
	{"an operation may wait for ever where", "calls may wait"},
	{"clients that may remove more than is added", "nothing is removed that was not added"},
	{"no two items have the same priority", "no two items have the same priority"},
	{"there are no data races: they were not looked for", "data races were not looked for"},
	{"there are no goroutine leaks: they were not looked for", "goroutine leaks were not looked for"},
	{"progress was not asked", "progress was not asked: a call may wait, or go round, for ever"},
	{"every thread that can go on does so", "every thread that can go on does so in time"},
	{"a call panics only where it does when nobody else calls", "a call panics only where it does alone"},
	{verdict.ReturnsAlone, ""},
	{"what one thread does is not proved", "what one thread does: verified in a scope, not proved"},
	{"only results are judged", "only results are judged: not deadlocks, endless executions and data races"},
}

const linesNotExecuted = "lines not executed"

// anyValues is said with the scopes.
const anyValues = "any values"

// oneIsRight is what follows from a type being its own oracle.
const oneIsRight = "its own code, run by one thread, says what is right"

// ofTypes are parts of texts that are about one type, each with its mark, and what the mark means if it does not say it; no mark for a text
// that restricts nothing.
var ofTypes = []struct{ has, mark, means string }{
	{"in what it returns, which calls write", "parts of results not read", "by callers, for calls write them (-v)"},
	{"weaker than linearizability: ", "", ""},     // the property names it, and the line behind it says it
	{" is called before all other calls", "", ""}, // the scope has the roles, which are marks, or the documentation
	{" is called while no other call is in progress", "", ""},
	{" is called when every other call has returned", "", ""},
	{"may be their own fault, and is not judged", "functions do not call back", "what one thread meets if they do is not judged (-v)"},
	{"was not finished, so that it is not judged", "functions do not call back", "what follows if they do was not decided: its search was not finished (-v)"},
	{" is given are not tried to call ", "not all called back", "functions call some operations of the object in no search (-v names these)"},
	{" is given do not call ", "functions do not call back", "they would wait for themselves"},
	{" is given call back in clients of one thread only", "", ""}, // more than that functions return at once
	{"the first call of each function that ", "functions call back", "each once"},
	{": as its documentation says", "", ""},
	{" is called any number of times, at any time", "more than its role", "called at any time"},
	{"given functions that return one of two results, or an error", "functions return or fail", "at once, with one of two results or an error; they do not panic"},
	{"which not every implementation allows", "arguments called at once", "made up for interfaces of the constructor: they do nothing, and several threads may call them, which not every implementation allows"},
	{" is made up for the constructor: ", "made-up arguments", "of the constructor, for interfaces: their methods do nothing and return at once"},
	{"given functions that return one of two results", "functions return at once", "with one of two results; they do not panic"},
	{"given functions that return at once", "handlers return at once", "functions without results; they do not panic"},
	{", and no other place", "functions change one place", "of what they are given"},
	{" is given change nothing of what they are given", "functions change nothing", "of what they are given"},
	{" uses the bytes again behind the call", "", ""},
	{"is never cancelled", "contexts not cancelled", ""},
	{"context.Background(), and users may give", "no deadlines or values", "of contexts: operations are given context.Background()"},
	{"no two items are equal: ", "no equal items", "its oracle may tell them apart"},
	{" is given no more than three elements at once", "at most three at once", "slices and maps that operations are given have none to three elements, and their callers do not use them again"},
	{"with two fields that vary by themselves: verified in ", "", ""}, // by the type's own code, beside the oracle
	{" that operations are given vary together, but for ", "fields vary together", "of structs that operations are given, but for two (-v names these)"},
	{" that operations are given vary together", "all fields vary together", "of structs that operations are given: no two of these differ in one field alone"},
	{"no client of these scopes executes ", linesNotExecuted, "by any client of these scopes (-v names them)"},
	{" is given one argument", "one argument", "of those that ... allows"},
	{"nothing of the ", "results not compared", "nothing of what operations return that -v names"},
	{"is not compared", "not all compared", "of arguments and results some fields, or which object it is"},
	{"though the code asks for its type", "any is an int", "operations are given no other types, for which the code asks"},
	{"there is one of it, and it is made once: ", "one instance", "what several do to each other by package variables that they share is not seen (-v names these)"},
	{" are run at once, to their end or to their first item", "iterators run at once", "to their end or their first item"},
	{" is run at once, to its end or to its first item", "iterators run at once", "to their end or their first item"},
	{"is taken step by step", "iterators step by step", ""},
	{" is used by who got it, beside the original, in ", "copies in a small scope", "what one shares with the original shows in the scope that -v names"},
	{"is used by the thread that got it and by no other", "handles not shared", "who got one uses it, the last first"},
	{"is given the function ", "one function", "given to the operation, and no other"},
	{"no other implementation of ", "one implementation", "of the interface, and no other"},
	{", whichever thread got it, and nothing else", "first ids", "operations are given the first that others return, and no other (-v)"},
	{"nobody but its own code uses ", "fields not used", "that users may use: channels, locks, atomic variables (-v names them)"},
	{" is given no options, and nothing else", "no options", "are given to operations that take some (-v names these)"},
	{", and nothing else", "fixed arguments", "always the same"},
	{" is never full: no constructor", "never full", ""},
	{"the capacity is not reached", "never full", ""},
	{"it holds up to ", "capacity", "that of the constructor's argument"},
	{"it holds exactly ", "capacity", "that of the constructor's argument"},
	{", as one thread sees (", "read off one thread", "capacity, what waits, what a bool means, or which fields count"},
	{"it is synchronous, as its name says", "synchronous", ""},
	{"it may be made otherwise, and is right so", "and made otherwise", "-v says how"},
	{"it is not right where it is full", "not right if full", "with less room several threads do what one does not (-v names the flags that show it)"},
	{"it is given functions that give the same at each call", "functions give the same", "at each call; if not, results need not be those of one call after the other (-v)"},
	{" is given are not observed, and do not call back", "callbacks not observed", "functions that the constructor or a field is given: nobody sees them called, and they call nothing"},
	{"exported fields that users may set are not set: ", "fields not set", "exported ones that users may set (-v names these)"},
	{"it may be made otherwise, which is not judged", "as made here only", "other ways are not searched, or not to the end (-v)"},
	{"it is made by ", "constructor guessed", "-new names another"},
	{"it is made as its zero value", "made as zero value", "-new names a constructor"},
	{" is not judged as a whole (", "not all of D", "which has too many states: -config D"},
	{"the clock stands still", "clock stands still", "nothing expires"},
	{"the clock goes on once at most", "clock jumps", "once, by a year"},
	{"the clock goes on by a year where", "clock in year-passes", "it stands still otherwise"},
	{"it is right, too, where the clock goes on", "", ""},
	{"where the clock goes on at any reading, it is not judged", "clock between calls only", "not within (-v)"},
	{"that the clock goes on by a year between two calls", "no year between calls", "the search of that reached a limit"},
	{"timers fire at any moment", "timers at any moment", "whatever their durations"},
	{"time is virtual", "virtual time", "calls take none"},
	{"package initialisation leaves out", "initialisation in part", "what is not supported is left out"},
	{"where package initialisation ranges over a map", "map order fixed", "while packages are initialised"},
	{"random numbers that the code takes", "few random numbers", ""},
	{"random fractions", "random quarters", "0, 1/4, 1/2 and 3/4"},
	{"there are 2 processors", "2 processors", ""},
	{"hash/maphash: an integer is its own hash", "few hash functions", "one, and its complement for other seeds; -hash has others"},
	{"runtime.memhash is a sum", "one hash function", "-hash has others"},
	{"hash tries have the same seed", "one hash seed", ""},
	{"RWMutex.TryLock is one step", "TryLock is one step", ""},
	{"atomic.Value.CompareAndSwap compares values", "Value compares values", "not which of equal ones it is"},
	{"addresses that the code prints", "addresses made up", ""},
	{"so are those of pointers that it converts to uintptr", "addresses made up", ""},
	{"finalizers never run", "no finalizers", ""},
	{"the network is the loopback interface", "loopback network", ""},
	{"the environment is PATH=/usr/bin", "fixed environment", ""},
	{"to stop it or to release what it holds, is not called", "never stopped", "what the constructor gives for that is not called"},
	{"the process has the number 2", "fixed process", "its number, and the host's name"},
	{"a float that does not fit", "floats as on amd64", "converted to integers that cannot hold them"},
	{"goroutines are numbered from 1", "goroutines numbered", "from 1 on"},
	{"searched without ", "fault of Pangolin avoided", "please report it (-v)"},
	{"judged by the same code run sequentially", "self-judged", "in part, by its own code"},
	{": verified by the oracle ", "", ""},
	{"elements of one priority are equal", "equal priorities", "elements of one priority are equal"},
	{"returns the old value", "old value returned", ""},
	{"returns the new value", "new value returned", ""},
	{"Add and the like return are the new value", "new value returned", ""},
	{"And and Or return are the old one", "old value returned", ""},
}

// unproved are statements that a proof does not show and that a search has looked at, with how they are shortened.
var unproved = []struct{ begins, short string }{
	{"that calls return", "calls return"},
	{"that " + verdict.ReturnsAlone, "that a call returns alone"},
}

// note is an assumption for the screen.
type note struct {
	mark  string // on the line of the verdict, without the asterisk; "": the sentence has it
	short string // for the sentence
	means string // what the mark means; "" if it says all
}

// noteOf chooses words for an assumption. Texts without words of their own have numbers, in the order in which they are met.
func (p *Printer) noteOf(text string) note {
	for _, s := range unproved {
		if looked, found := strings.CutPrefix(text, s.begins+" is no part of the proof: "); found {
			if strings.HasPrefix(looked, "verified in ") {
				return note{short: s.short + ": verified in a scope, not proved"}
			}
			return note{short: s.short + ": not known"}
		}
	}
	for _, s := range ofSearch {
		if strings.HasPrefix(text, s.begins) {
			short := s.short
			if short == "" {
				apart, _, _ := strings.Cut(strings.TrimPrefix(text, s.begins), ":")
				short = apart
			}
			return note{short: short}
		}
	}
	if bound, _, found := strings.Cut(text, ": executions with more preemptions"); found {
		return note{mark: bound, means: "executions with more preemptions are not explored"}
	}
	if arguments, apart, found := strings.Cut(strings.TrimPrefix(text, "of its type arguments "), ", and nothing else: the code tells "); found {
		return note{mark: arguments, means: "its code tells " + apart}
	}
	for _, t := range ofTypes {
		if strings.Contains(text, t.has) {
			return note{mark: t.mark, means: t.means}
		}
	}
	at := slices.Index(p.numbered, text)
	if at < 0 {
		at = len(p.numbered)
		p.numbered = append(p.numbered, text)
	}
	return note{mark: fmt.Sprint(at + 1), means: text}
}

// notes are those of a verdict: what it assumes, who makes the collection and who judges it, and who may call what.
func (p *Printer) notes(v *verdict.Verdict) (list []note) {
	made := p.made[v.Collection]
	if v.Violation != nil && v.Violation.Execution != nil { // a rule may have found it with other functions as arguments
		made = v.Violation.Execution.Source.New
	}
	if takesArguments(made) {
		list = append(list, note{mark: typeArguments.ReplaceAllString(made, "$1(")})
	}
	if roles := undocumented(v); roles != "" {
		list = append(list, note{mark: "roles " + roles})
	}
	for _, text := range chosenOracle(*v) {
		list = append(list, note{mark: "judged by " + text})
	}
	if v.ByPoints != nil {
		list = append(list, note{mark: "by points"})
	}
	for _, text := range v.Assumptions {
		list = append(list, p.noteOf(text))
	}
	return list
}

// typeArguments are the "[int]" of "New[int](2)".
var typeArguments = regexp.MustCompile(`^([\w.]+)\[[^(]*\]\(`)

// takesArguments says that a constructor is an expression with arguments, which others could be given: New(2), not New() or new(T).
func takesArguments(made string) bool {
	if strings.HasPrefix(made, "func() ") { // statements behind the call: q := New(); q.OnDrop = f. Those of -prefix, which have lines of their own, are the user's
		return !strings.Contains(made, "\n")
	}
	return made != "" && !strings.HasSuffix(made, "()") && !strings.HasPrefix(made, "new(") && !strings.HasSuffix(made, "{}")
}

// undocumented lists the roles of a scope that are not those of the type's documentation, which the line tells by other words.
func undocumented(v *verdict.Verdict) string {
	if v.Scope.Bounds == nil || v.Scope.Roles == "" {
		return ""
	}
	return strings.Join(slices.DeleteFunc(strings.Split(v.Scope.Roles, ","), func(role string) bool {
		return slices.ContainsFunc(v.Contracts, func(c verdict.Contract) bool { return role == c.Operation+":"+c.Role })
	}), ",")
}

// marked are the marks of a verdict, each once, with asterisks. That some lines are not executed, which is said of many types, comes last.
func marked(notes []note) (list []string) {
	notes = slices.SortedStableFunc(slices.Values(notes), func(a, b note) int {
		return cmp.Compare(strings.Count(a.mark, linesNotExecuted), strings.Count(b.mark, linesNotExecuted))
	})
	for _, n := range notes {
		if n.mark != "" && !slices.Contains(list, "*"+n.mark) {
			list = append(list, "*"+n.mark)
		}
	}
	return list
}
