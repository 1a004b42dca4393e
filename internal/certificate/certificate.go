// Package certificate is the form of an invariant that shows a collection correct for any
// number of threads: what a prover writes, and what a checker reads that does not trust it.
//
// A certificate says what a thread may see of the memory (views), what others may do to it
// (effects), how the content of the collection is read out of the memory, and a few facts
// about words of memory. It is bound to the source by a digest of the compiled program. A
// file has one JSON object a line: a head, kinds, effects, views, and an end that counts them.
// doc/certificate.md describes it.
//
// The package writes and reads files and draws views for people. It does not say whether what
// a certificate claims is true.
package certificate

import (
	"crypto/sha256"
	"fmt"
	"io"

	"pangolin/internal/ir"
	"pangolin/verdict"
)

// Version is the version of the form of the files.
const Version = 2

// Certificate is an invariant.
type Certificate struct {
	Head    Head
	Kinds   []Kind // by number
	Effects []Effect
	Views   []View
}

// Head is what all views have in common.
type Head struct {
	Version int            `json:"version"`
	Source  verdict.Source `json:"source"` // how the collection is loaded
	Digest  string         `json:"digest"` // of the compiled program
	Content Content        `json:"content"`
	Object  *Object        `json:"object,omitempty"` // instead of the content, of an object of registers
	// Ordered says that items have three classes, <k, =k and >k; otherwise >k only means that
	// an item differs from k.
	Ordered bool    `json:"ordered"`
	Links   []Place `json:"links"`   // words by which cells form chains, one of a type
	Mutable []Place `json:"mutable"` // words that are written while others may see them
	Plain   []Place `json:"plain"`   // words that are then accessed without synchronisation
	Items   []Place `json:"items"`   // words that hold items
	// Replaced are the values that writes replace in words that others may see, and Returning the words
	// to which the address of a cell is ever written that others have seen already.
	Replaced  []Replaced `json:"replaced"`
	Returning []Place    `json:"returning"`
	// Pauses are where steps end although nothing that others do changes what comes next.
	Pauses []Pause `json:"pauses"`
}

// Pause is an instruction, and the call that it is part of; of an operation's own instruction both are 0.
type Pause struct {
	Func   int `json:"func"`
	PC     int `json:"pc"`
	Caller int `json:"caller"`
	Call   int `json:"call"`
}

// Replaced are values of a word of all objects of a type: any, or a number, or the addresses of cells of
// a type with certain words.
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

// Content says what a collection holds: the cells of the chain that begins at a word of the
// collection, without the first Skip, and without those whose mark is not 0.
type Content struct {
	Word int    `json:"word"`
	Skip int    `json:"skip"`
	Mark *Place `json:"mark,omitempty"` // a word of the cells, or of a cell behind each
	// Offers are cells at which a put and a take take effect together.
	Offers *Offers `json:"offers,omitempty"`
}

// Kind is a type of cells with all their words, of which that of the link says nothing.
type Kind struct {
	Type  int    `json:"type"`
	Words []Word `json:"words"`
}

// View is what one thread may see.
type View struct {
	Calls []Call `json:"calls,omitempty"` // in progress, outermost first; none: it calls nothing
	Op    int    `json:"op"`              // of the collection's operations
	Arg   Word   `json:"arg"`             // the class of its argument; 0: it has none; of objects a number with a bit for each
	Saw   []Seen `json:"saw,omitempty"`   // what has happened since the operation was called
	Taken Word   `json:"taken"`           // what it has taken out, or has to return; 0: nothing
	Mine  *Word  `json:"mine,omitempty"`  // the cell with its descriptor, if it is announced
	Heap  []Node `json:"heap"`            // the first node is the collection
}

// Seen is something that has happened since an operation was called.
type Seen string

// What may have happened.
const (
	Changed Seen = "changed" // the operation has changed what is held
	Empty   Seen = "empty"   // at some moment nothing was held
	Absent  Seen = "absent"  // at some moment k was not held
	Present Seen = "present" // at some moment k was held
	// Of objects:
	Announced Seen = "announced" // it has put its descriptor into a register
	Allowed   Seen = "allowed"   // since the descriptor was put there, at some moment the other registers allowed its effect
	Refused   Seen = "refused"   // at some moment they did not
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

// Digest is that of a program: of its types and its code.
func Digest(p *ir.Program) string {
	h := sha256.New()
	for _, t := range p.Types {
		if t != nil {
			describe(h, t)
		}
	}
	p.Print(h)
	return fmt.Sprintf("sha256:%x", h.Sum(nil))
}

func describe(w io.Writer, t *ir.Type) {
	fmt.Fprintf(w, "type %d %s %d", t.ID, t.Name, t.Size)
	for _, f := range t.Fields {
		fmt.Fprintf(w, " %s:%d:%d", f.Name, f.Type.ID, f.Offset)
	}
	fmt.Fprintln(w)
}
