// SPDX-License-Identifier: BSD-3-Clause

package verdict

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
)

// Proof is what an engine has found that looks for an invariant: the invariant of a proved
// verdict, or what stood in its way.
type Proof struct {
	Content string `json:"content"`         // what the collection holds: a function of its memory
	Views   int    `json:"views"`           // what a thread may see, in so many ways
	Effects int    `json:"effects"`         // what a thread may do to what others see
	Cells   int    `json:"cells,omitempty"` // of the engine cmp: the most objects of which a view has seen the contents
	// Unreached are instructions, outcomes and effects that no execution has according to the
	// invariant. It is not nil. What stands there has not been looked at.
	Unreached []string `json:"unreached"`
	Alarm     *Alarm   `json:"alarm,omitempty"`  // why there is no proof; nil if there is one
	Lemmas    *Lemmas  `json:"lemmas,omitempty"` // what keeps other threads from going wrong, if it was asked for
	// Seen is the invariant by places, if there is a proof and scenes were asked for.
	Seen []SeenAt `json:"-"`
	// Text is the certificate, if one was asked for and there is a proof.
	Text []byte `json:"-"`
	// Checks are facts about the threads that stand at a line, if assertions were asked for, and Assertions
	// the source with them in it, for tests.
	Checks     []Check      `json:"-"`
	Assertions []SourceFile `json:"-"`
}

// Check is what holds of every thread that is about to execute a statement, as long as the bound of the proof
// is kept. Facts are expressions of Go over the variables there; mine(mu) stands for a lock that the thread holds.
type Check struct {
	File  string // as positions have it
	Line  int
	Facts []string
}

// SourceFile is a file of the source with other text.
type SourceFile struct {
	Name string // as positions have it
	Path string // on the disk; "" where the source may be anywhere
	Text []byte
}

// Lemmas are facts about a thread that stands at a line and is about to do something that others
// see: a proof needs no more of the threads that it does not show.
type Lemmas struct {
	Mined int `json:"mined"` // facts that hold of one to three threads, as far as these were followed
	True  int `json:"true"`  // facts that hold of any number of threads
	// Sufficient says that these facts are enough for a proof; else nothing is known of what is
	// needed.
	Sufficient bool `json:"sufficient"`
	// Unfinished says that the time was up before that was known: nothing is needed or counted, and the proof stands.
	Unfinished bool `json:"unfinished,omitempty"`
	// Minimal says that none of those that are needed can be left out; else not all was tried.
	Minimal bool    `json:"minimal"`
	Needed  []Lemma `json:"needed"` // those of them that are enough, by place; not nil
	// Seconds is what looking for them took; the proof's do not contain them.
	Seconds float64 `json:"seconds"`
}

// Lemma is what holds of threads at one place.
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

// SeenAt is what threads may see that stand at one place.
type SeenAt struct {
	At    string // "file.go:12 in F before ...", or "between calls"
	Count int    // of all that they may see
	Views []Seen // the first ones of them
}

// Seen is what one thread may see.
type Seen struct {
	Facts []string       // what is known of its operation and variables
	Cells []AbstractCell // the memory; the first one is the collection
}

// AbstractCell is a piece of memory, or a chain of any number of pieces that nothing else refers to.
type AbstractCell struct {
	Name    string // "@1"
	Type    string
	Private bool    // no other thread can come to it
	Fields  []Field // To is the name of another cell
	// Of a chain: what its cells are, and whether there may be none. Its one field is what is behind it.
	Chain      bool
	Kinds      []string
	MayBeEmpty bool
}

// Checked is what a check of a certificate came to.
type Checked struct {
	Type       string  `json:"type"` // "check"
	Collection string  `json:"collection"`
	Holds      bool    `json:"holds"`
	Reason     string  `json:"reason"` // why it does not hold, or ""
	Views      int     `json:"views"`
	Effects    int     `json:"effects"`
	Lemmas     int     `json:"lemmas,omitempty"` // facts of the certificate's lemmas, if it has some
	Limits     []Limit `json:"limits,omitempty"` // what the proof bounds; none: nothing
	Seconds    float64 `json:"seconds"`          // without loading
	Schema     int     `json:"schema"`
}

// Alarm is what stood in the way of a proof. It need not be a fault of the code.
type Alarm struct {
	// Outside says that the code is not in the fragment of which there are proofs; otherwise
	// the invariant allows something that is wrong.
	Outside bool   `json:"outside"`
	Message string `json:"message"`
	At      string `json:"at"` // "file.go:12", or ""
	// Callers are the calls that lead there, innermost first: "f at file.go:12".
	Callers []string `json:"callers"`
	// Trace are the steps that lead there, the first one first, as the invariant has them.
	Trace []AbstractStep `json:"trace"`
}

// AbstractStep is a step of an abstract execution: what a thread does, or what others do to
// what it sees, and what it sees then.
type AbstractStep struct {
	Text string `json:"text"` // "call of Push(=k)", "step", "write of another thread"
	At   string `json:"at"`   // "file.go:12", or ""
	Sees string `json:"sees"` // the memory, drawn in one line
}

// CertificateSource says how the collection of a certificate is loaded, and which method it is of, as
// the first line of its file has it.
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
		return nil, "", fmt.Errorf("this is no certificate: %w", err)
	}
	if l.Type != "certificate" || l.Head == nil || len(l.Head.Source.Patterns) == 0 {
		return nil, "", errors.New("this is no certificate: its first line does not say what it is about")
	}
	return &l.Head.Source, cmp.Or(l.Head.Method, "unbounded"), nil
}
