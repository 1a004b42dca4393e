// SPDX-License-Identifier: BSD-3-Clause

package pairs

import (
	"io"

	"pangolin/internal/certificate/file"
	"pangolin/verdict"
)

// Method is the engine whose certificates these are.
const Method = "cmp"

// Certificate is a table of what one thread may see.
type Certificate struct {
	Head     Head     `json:"head"`
	Memories []Memory `json:"memory"` // by number
	Views    []View   `json:"view"`
	// Lemmas are the facts about threads outside of a view that the proof needs, if they were looked for. The views imply them; that a
	// proof needs nothing else is another claim, which the engine makes.
	Lemmas []Lemma `json:"lemma"`
}

// Head contains the facts that all views have in common.
type Head struct {
	file.Head
	Items  int  `json:"items"`  // the greatest number of items in the collection at a time
	Values int  `json:"values"` // the number of different items
	Races  bool `json:"races"`  // the certificate also claims that there is no data race
	// Progress is a property of progress that the certificate also claims: lock-free, obstruction-free or deadlock-free; "": none.
	Progress verdict.Property `json:"progress,omitempty"`
	// Roles maps operations that only one thread calls to that thread, counted from 1. The proof covers only such programs; the code does
	// not enforce it.
	Roles map[string]int `json:"roles,omitempty"`
	// Frozen and Guards are the assumptions of the machine's steps, which the machine checks while it executes.
	Frozen []bool   `json:"frozen"`
	Guards []uint32 `json:"guards"` // null: nothing is guarded
	// Owned lists the values of words that belong to the thread that has written them, in order.
	Owned []Owned `json:"owned,omitempty"`
	// Strings lists the strings, in Go's syntax, that are no constants of the program, such as keys of calls: states name them by number, in
	// this order.
	Strings []string `json:"strings,omitempty"`
	// Calls lists the calls that a thread may make, as text. Contents lists the possible contents of the collection, each by the indices of
	// the calls that lead to it from a new one, in order.
	Calls    []string `json:"calls"`
	Contents [][]int  `json:"contents"`
	// Language is the language of the lemmas, if there are any.
	Language *Language `json:"language,omitempty"`
}

// Language tells what facts can express: how many pointers they follow from variables, whether they compare two numbers of one object, and
// whether they refer to computations of the code and to the content.
type Language struct {
	Depth int  `json:"depth"`
	Wide  bool `json:"wide"`
	Code  bool `json:"code,omitempty"`
}

// Lemma is a set of facts about every thread that is at a place and about to do something that others see.
type Lemma struct {
	Site  []uint64 `json:"site"` // the calls in progress: each a function and its instruction, by number
	At    string   `json:"at"`
	Does  string   `json:"does"`
	Facts []Fact   `json:"facts"`
}

// Fact is a fact in Go's syntax: X and Y are the names of one or two terms, Before and Between what is written before
// and between them.
type Fact struct {
	Before  string `json:"before,omitempty"`
	X       string `json:"x"`
	Between string `json:"between,omitempty"`
	Y       string `json:"y,omitempty"`
}

// Memory is the memory that all threads see, as words of a saved state of the machine.
type Memory struct {
	Content int      `json:"content"` // index in Head.Contents
	Front   []uint64 `json:"front"`   // the words before those of the thread
	Objects []uint64 `json:"objects"` // package variables, and objects that can be reached from the collection
}

// View is what one thread sees.
type View struct {
	Memory int `json:"memory"` // index in Certificate.Memories
	// Call is the call that the thread is in: its index in Head.Calls plus 1; 0: none.
	Call int `json:"call"`
	// Done is the result that the call must return, if it has taken effect. Otherwise Right lists the results that were right, without an
	// effect, at some moment of the call.
	Done  *string  `json:"done,omitempty"`
	Right []string `json:"right,omitempty"`
	// Acts: the call takes effect with the thread's next step.
	Acts bool `json:"acts,omitempty"`
	// Rank, where progress is claimed, is less behind each step of the thread within a call, and never greater behind a step of another one, as long as the content stays as it is.
	Rank   int      `json:"rank,omitempty"`
	Thread []uint64 `json:"thread"`
	Own    []uint64 `json:"own"` // objects that only the thread can reach
}

// Write writes the certificate's file.
func (c *Certificate) Write(w io.Writer) error { return file.Write(w, c) }

// Parse parses a certificate's file. New checks that it makes sense.
func Parse(text []byte) (*Certificate, error) {
	c := &Certificate{}
	return c, file.Read(text, Method, c)
}
