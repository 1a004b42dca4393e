// SPDX-License-Identifier: BSD-3-Clause

package verdict

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Proof is the invariant that an engine has found, or the reason why it has found none.
type Proof struct {
	Content string `json:"content"`         // the abstract content of the collection, as a function of its memory
	Views   int    `json:"views"`           // number of abstract states that one thread may see
	Effects int    `json:"effects"`         // number of abstract steps of one thread that others may see
	Cells   int    `json:"cells,omitempty"` // of the engine cmp: the greatest number of objects in a view
	// By is the engine that found it and For what it covers, "for any number of threads and calls, values 0..1", of a verdict that is
	// verified in a scope and, beyond it, proved to be free of wrong results, panics and data races; else "".
	By  string `json:"by,omitempty"`
	For string `json:"for,omitempty"`
	// Alone is the scope in which the kind's oracle has verified what one thread does, "1x5", if the proof says no more than that each operation takes effect at one moment with that; else "".
	Alone string `json:"alone,omitempty"`
	// Assumptions lists what a proof beyond a scope rests on beside what the verdict does.
	Assumptions []string `json:"assumptions,omitempty"`
	// Checked: the certificate of the proof was checked, without the prover.
	Checked bool `json:"checked,omitempty"`
	// Progress lists what the proof rests on that calls return, if a property of progress was asked for: the order of locks, what helpers'
	// writes make less, what holds of locked cells.
	Progress []string `json:"progress,omitempty"`
	// Unreached lists instructions, outcomes and effects that no execution reaches according to the invariant, so that they were not
	// examined. It is not nil.
	Unreached []string `json:"unreached"`
	Alarm     *Alarm   `json:"alarm,omitempty"`  // why there is no proof; nil if there is one
	Lemmas    *Lemmas  `json:"lemmas,omitempty"` // facts about other threads that the proof needs, if asked for
	// Seen is the invariant by places in the code, if scenes were asked for.
	Seen []SeenAt `json:"-"`
	// Text is the certificate, if asked for.
	Text []byte `json:"-"`
	// Checks lists facts about threads at a line, if assertions were asked for, and Assertions the source files with these facts as checks.
	Checks     []Check      `json:"-"`
	Assertions []SourceFile `json:"-"`
}

// Beside reports whether the proof goes beyond a verdict that is verified in a scope.
func (p *Proof) Beside() bool { return p != nil && p.For != "" }

// OneMoment reports whether the proof says no more than that each call takes effect at one moment, with what one thread does.
func (p *Proof) OneMoment() bool { return p != nil && p.Alone != "" }

// Without names the operations that such a proof does not cover, "Walk, Reset"; "" if it covers all.
func (p *Proof) Without() string {
	names, found := strings.CutPrefix(p.For, "without ")
	if !found {
		return ""
	}
	names, _, _ = strings.Cut(names, ", for any number of ")
	return names
}

// AtMost is what such a proof bounds of calls in all, "at most 8 calls of Enqueue in all"; "" if it bounds none.
func (p *Proof) AtMost() string {
	_, text, found := strings.Cut(p.For, ", at most ")
	if !found {
		return ""
	}
	text, _, _ = strings.Cut(text, " in all")
	return "at most " + text + " in all"
}

// PanicsAlone is the assumption of a proof that an operation behaves as it does alone, which says nothing of panics that it has alone.
const PanicsAlone = "a call panics only where it does when nobody else calls"

// ReturnsAlone is the assumption of a proof of progress that an operation behaves as it does alone, which says nothing of calls that do not return when they are alone.
const ReturnsAlone = "a call returns when nobody else calls"

// Says is what such a proof says, with what it rests on.
func (p *Proof) Says() string {
	text, rests := "no wrong result, panic or data race ", p.Assumptions
	if p.OneMoment() {
		text = "each call takes effect at one moment, with what its code does when nobody else calls, and without a data race, "
	}
	if at := slices.Index(rests, PanicsAlone); at >= 0 {
		if rests = slices.Delete(slices.Clone(rests), at, at+1); !p.OneMoment() {
			text = "no wrong result or data race, and no panic but those of a call alone, "
		}
	}
	text += p.For
	if len(rests) > 0 {
		text += "; of these it is assumed: " + strings.Join(rests, "; ")
	}
	return text
}

// Check lists what holds for every thread that is about to execute a statement, within the bound of the proof. Facts are Go expressions
// over the variables there; mine(mu) means that the thread holds the lock mu.
type Check struct {
	File  string // name of the file, as in positions
	Line  int
	Facts []string
}

// SourceFile is a source file with changed text.
type SourceFile struct {
	Name string // as in positions
	Path string // on the disk; "" where the source may be anywhere
	Text []byte
}

// Lemmas are facts about a thread at a line that is about to do something that others see. They are all that a proof needs to know about
// the threads that a view does not show.
type Lemmas struct {
	Given bool `json:"given,omitempty"` // the user has given the facts: none are mined
	Mined int  `json:"mined"`           // facts that hold in the explored executions of one to three threads
	True  int  `json:"true"`            // facts that hold for any number of threads
	// Sufficient: these facts are enough for a proof; if not, Needed is unknown.
	Sufficient bool `json:"sufficient"`
	// Unfinished: the time limit was reached before that was known. Needed is empty then, and the proof is valid.
	Unfinished bool `json:"unfinished,omitempty"`
	// Minimal: none of the needed facts can be left out; otherwise not all were tried.
	Minimal bool    `json:"minimal"`
	Needed  []Lemma `json:"needed"` // facts that are enough, by place; not nil
	// Seconds is the time for finding them, which is not part of the proof's.
	Seconds float64 `json:"seconds"`
}

// Lemma is a set of facts about threads at one place.
type Lemma struct {
	At    string   `json:"at"`    // "file.go:12 in F"
	Does  string   `json:"does"`  // what the thread is about to do
	Facts []string `json:"facts"` // in Go's syntax, with mine(lock), reachable(p), private(p) and old(what was read before)
}

// Count is the number of facts that are needed.
func (l *Lemmas) Count() int {
	n := 0
	for i := range l.Needed {
		n += len(l.Needed[i].Facts)
	}
	return n
}

// SeenAt lists what threads at one place may see.
type SeenAt struct {
	At    string // "file.go:12 in F before ...", or "between calls"
	Count int    // number of all views
	Views []Seen // the first of them
}

// Seen is one view: what one thread may see.
type Seen struct {
	Facts []string       // facts about its operation and variables
	Cells []AbstractCell // the memory; the first one is the collection
}

// AbstractCell is a piece of memory, or a chain of any number of pieces to which nothing else refers.
type AbstractCell struct {
	Name    string // "@1"
	Type    string
	Private bool    // no other thread can reach it
	Fields  []Field // To is the name of another cell
	// Of a chain: the kinds of its cells, and whether it may be empty. Its one field refers to what follows it.
	Chain      bool
	Kinds      []string
	MayBeEmpty bool
}

// Checked is the result of checking a certificate.
type Checked struct {
	Type string `json:"type"` // "check"
	Subject
	Holds  bool   `json:"holds"`
	Reason string `json:"reason"` // why it does not hold, or ""
	Statement
	Views   int     `json:"views"`
	Effects int     `json:"effects"`
	Lemmas  int     `json:"lemmas,omitempty"` // facts of the certificate's lemmas, if it has some
	Seconds float64 `json:"seconds"`          // without loading
	Schema  int     `json:"schema"`
}

// Statement is what a certificate shows if it holds, as far as the Subject does not say it: of which type, made how, which of its
// operations are right and which are not looked at, and what that rests on.
type Statement struct {
	Module   string `json:"module"`
	Package  string `json:"package"`  // import path
	Instance string `json:"instance"` // the type with its arguments: "LazyList[int]"
	New      string `json:"new"`      // the constructor, a Go expression within the package
	// Operations are those that any number of threads call; LeftOut are methods that nobody calls. Neither is nil.
	Operations []string  `json:"operations"`
	LeftOut    []LeftOut `json:"left_out"`
	// Progress is the property of progress that it shows beside linearizability; "" if it says nothing of whether calls return.
	Progress Property `json:"progress,omitempty"`
	// Races: it also shows that there is no data race.
	Races bool `json:"races"`
	// Limits are what is bounded, and what is not.
	Limits []Limit `json:"limits"`
	// Assumptions lists what the statement rests on. It is not nil.
	Assumptions []string `json:"assumptions"`
}

// Except lists what a certificate does not cover, in the words of Verdict.Except.
func (c *Checked) Except() string {
	v := Verdict{Subject: c.Subject, Status: Proved, LeftOut: c.LeftOut, Scope: Scope{Limits: c.Limits}}
	return v.Except()
}

// Alarm is the reason why there is no proof. It need not be a fault of the code.
type Alarm struct {
	// Outside: the code is outside of the fragment that the engine can prove; otherwise the invariant permits something wrong.
	Outside bool   `json:"outside"`
	Message string `json:"message"`
	At      string `json:"at"` // "file.go:12", or ""
	// Callers are the calls that lead there, innermost first: "f at file.go:12".
	Callers []string `json:"callers"`
	// Trace lists the abstract steps that lead there, in order.
	Trace []AbstractStep `json:"trace"`
}

// AbstractStep is a step of an abstract execution: of a thread, or of others on what it sees, and what it sees then.
type AbstractStep struct {
	Text string `json:"text"` // "call of Push(=k)", "step", "write of another thread"
	At   string `json:"at"`   // "file.go:12", or ""
	Sees string `json:"sees"` // the memory, drawn in one line
}

// CertificateSource reads from the first line of a certificate how its collection is loaded, and the method that proved it.
func CertificateSource(text []byte) (s *Source, method string, err error) {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	var l struct {
		Type string
		Head *struct {
			Source Source
			Method string // "" in version 2, of the method unbounded
		}
	}
	if err := json.Unmarshal(first, &l); err != nil {
		return nil, "", fmt.Errorf("this is not a certificate of pangolin prove: its first line is no JSON: %w", err)
	}
	if l.Type != "certificate" || l.Head == nil || len(l.Head.Source.Patterns) == 0 {
		return nil, "", errors.New("this is not a certificate of pangolin prove: its first line names no collection")
	}
	return &l.Head.Source, cmp.Or(l.Head.Method, "unbounded"), nil
}
