// SPDX-License-Identifier: BSD-3-Clause

// Package certificate is the form of an invariant that shows a collection correct for any
// number of threads: what a prover writes, and what a checker reads that does not trust it.
//
// A certificate says what a thread may see of the memory (views), what others may do to it
// (effects), how the content of the collection is read from the memory, and a few facts
// about words of memory; and which claim covers each result of the checker, so that it
// compares and does not search (as LRAT does for DRAT: Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp, Efficient certified RAT verification, CADE 2017).
// doc/certificate.md describes the files.
//
// The package writes and reads them (package file) and draws views for people. It does not say whether what
// a certificate claims is true.
package certificate

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"pangolin/internal/certificate/file"
	"pangolin/internal/certificate/ranking"
	"pangolin/internal/ir"
	"pangolin/verdict"
)

// Method is the engine whose certificates these are.
const Method = "unbounded"

// Certificate is an invariant.
type Certificate struct {
	Head    Head     `json:"head"`
	Kinds   []Kind   `json:"kind"` // by number
	Effects []Effect `json:"effect"`
	Views   []View   `json:"view"`
	Fits    []Fits   `json:"fits"`
}

// Fits tell for one check which claims cover its results, in the order in which the checker needs them (package checker): the number of a
// view or an effect, then for each of its chains the number of nodes that it stands for. For example (12)03 is view 12, whose first chain
// has no node and whose second one has three; - means that there is none. The first Fits are those of the constructor; then come those of
// each view, and those of each memory after the writes of other threads.
type Fits []int32

// MarshalText writes the numbers 12, 0, 3 and -1 as (12)03-.
func (f Fits) MarshalText() ([]byte, error) {
	text := []byte{}
	for _, n := range f {
		switch {
		case n < 0:
			text = append(text, '-')
		case n < 10:
			text = append(text, '0'+byte(n))
		default:
			text = append(strconv.AppendInt(append(text, '('), int64(n), 10), ')')
		}
	}
	return text, nil
}

// UnmarshalText parses what MarshalText writes.
func (f *Fits) UnmarshalText(text []byte) error {
	*f = nil
	for i := 0; i < len(text); i++ {
		switch x := text[i]; {
		case x == '-':
			*f = append(*f, -1)
		case x >= '0' && x <= '9':
			*f = append(*f, int32(x-'0'))
		default:
			digits, _, closed := strings.Cut(string(text[i+1:min(len(text), i+12)]), ")")
			n, err := strconv.ParseInt(digits, 10, 32)
			if x != '(' || !closed || err != nil || n < 0 {
				return fmt.Errorf("%q is no number in brackets", text[i:min(len(text), i+12)])
			}
			*f = append(*f, int32(n))
			i += len(digits) + 1
		}
	}
	return nil
}

// Write writes the certificate's file.
func (c *Certificate) Write(w io.Writer) error { return file.Write(w, c) }

// Parse parses a certificate's file, without checking that the nodes and places exist.
func Parse(text []byte) (*Certificate, error) {
	c := &Certificate{}
	return c, file.Read(text, Method, c)
}

// NewHead makes the head of a new certificate for the collection that source names and p is the program of, without facts about memory and
// content.
func NewHead(source verdict.Source, p *ir.Program) Head {
	return Head{Head: file.NewHead(Method, source, p)}
}

// Head contains the facts that all views have in common.
type Head struct {
	file.Head
	Content Content `json:"content"`
	Object  *Object `json:"object,omitempty"` // instead of the content, of an object of registers
	// Ordered: items have three classes, <k, =k and >k; otherwise >k only means that an item differs from k.
	Ordered bool    `json:"ordered"`
	Links   []Place `json:"links"`   // words by which cells form chains, one of a type
	Mutable []Place `json:"mutable"` // words that are written while others may see them
	Plain   []Place `json:"plain"`   // shared words that are accessed without synchronisation
	Items   []Place `json:"items"`   // words that hold items
	// Replaced lists the values that writes replace in shared words, and Returning the words in which the address of a shared cell is ever
	// stored.
	Replaced  []Replaced `json:"replaced"`
	Returning []Place    `json:"returning"`
	// Pauses lists the instructions before which steps end although no write of others changes what follows.
	Pauses []Pause `json:"pauses"`
	// Progress claims that calls return; nil: nothing is claimed of that.
	Progress *ranking.Ranking `json:"progress,omitempty"`
}

// Pause is an instruction, and the call that it belongs to; both are 0 in an operation's own function.
type Pause struct {
	Func   int `json:"func"`
	PC     int `json:"pc"`
	Caller int `json:"caller"`
	Call   int `json:"call"`
}

// Replaced is a set of values of a word of all objects of a type: any value, a number, or the addresses of cells of a type with certain
// words.
type Replaced struct {
	Type  int     `json:"type"`
	Off   int     `json:"off"`
	Any   bool    `json:"any,omitempty"`
	Value Word    `json:"value"`          // if Cell is 0
	Cell  int     `json:"cell,omitempty"` // the type of the cells
	Words []Fixed `json:"words,omitempty"`
}

// Fixed is a word of a cell, with its value.
type Fixed struct {
	Off   int  `json:"off"`
	Value Word `json:"value"`
}

// Place is a word of all objects of a type.
type Place struct {
	Type int `json:"type"` // index in ir.Program.Types
	Off  int `json:"off"`
}

// Content tells what a collection contains: the cells of the chain that begins at a word of the collection, without the first Skip, and
// without those whose mark is not 0.
type Content struct {
	Word int    `json:"word"`
	Skip int    `json:"skip"`
	Mark *Place `json:"mark,omitempty"` // a word of the cells, or of a cell to which each is linked
	// Offers are cells at which a put and a take take effect together.
	Offers *Offers `json:"offers,omitempty"`
}

// Kind is a type of cells with the values of all their words, except that of the link.
type Kind struct {
	Type  int    `json:"type"`
	Words []Word `json:"words"`
}

// View is what one thread may see.
type View struct {
	Calls []Call `json:"calls,omitempty"` // in progress, outermost first; none: it calls nothing
	Op    int    `json:"op"`              // of the collection's operations
	Arg   Word   `json:"arg"`             // the class of its argument; 0: none; for objects a number with a bit for each argument
	Saw   []Seen `json:"saw,omitempty"`   // what has happened since the operation was called
	Taken Word   `json:"taken"`           // the item that it has taken out, or must return; 0: none
	Mine  *Word  `json:"mine,omitempty"`  // the cell with its descriptor, if it has put one into a register
	Heap  []Node `json:"heap"`            // the first node is the collection
}

// Seen is an event since an operation was called.
type Seen string

// The events.
const (
	Changed Seen = "changed" // the operation has changed the content
	Empty   Seen = "empty"   // at some moment the content was empty
	Absent  Seen = "absent"  // at some moment the content was without k
	Present Seen = "present" // at some moment the content had k
	// Of objects:
	Announced Seen = "announced" // it has put its descriptor into a register
	Allowed   Seen = "allowed"   // since the descriptor was put there, at some moment the other registers allowed its effect
	Refused   Seen = "refused"   // at some moment since then they did not allow it
	Right     Seen = "right"     // at some moment it would have changed nothing, and returned k or j
	// Of stacks:
	Offered Seen = "offered" // it has an offer
)

// Call is a call in progress.
type Call struct {
	Func     int        `json:"func"` // index in ir.Program.Funcs
	PC       int        `json:"pc"`
	Regs     []Reg      `json:"regs,omitempty"` // those that matter
	Deferred []Deferred `json:"deferred,omitempty"`
}

// Deferred is a call that is deferred, with the words of the callee and its arguments.
type Deferred struct {
	Call  int    `json:"call"` // index in ir.Program.Calls
	Words []Word `json:"words"`
}

// Effect is a write of some thread, in the memory before it.
type Effect struct {
	Heap  []Node `json:"heap"`
	At    Word   `json:"at"` // the address
	Words []Word `json:"words,omitempty"`
	Plain bool   `json:"plain,omitempty"` // not atomically
	Lock  string `json:"lock,omitempty"`  // "take" or "give": of a lock of the collection, and no words
}

// What an effect may do to a lock.
const (
	Take = "take"
	Give = "give"
)
