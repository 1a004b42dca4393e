// SPDX-License-Identifier: BSD-3-Clause

package pairs

import (
	"io"

	"pangolin/internal/certificate/file"
)

// Method is the engine whose certificates these are.
const Method = "cmp"

// Certificate is a table of what one thread may see.
type Certificate struct {
	Head     Head     `json:"head"`
	Memories []Memory `json:"memory"` // by number
	Views    []View   `json:"view"`
	// Lemmas are what the proof needs of threads that are not shown, if that was looked for. The views imply them; whether a
	// proof goes through with nothing else is another claim, and for the engine to say.
	Lemmas []Lemma `json:"lemma"`
}

// Head is what all views have in common.
type Head struct {
	file.Head
	Items  int  `json:"items"`  // how many items the collection holds at a time, at most
	Values int  `json:"values"` // of how many values they are
	Races  bool `json:"races"`  // it is claimed, too, that there is no data race
	// Roles are the operations that one thread alone calls, with the number of that thread (from 1). The proof is about
	// such programs only; the code does not say it.
	Roles map[string]int `json:"roles,omitempty"`
	// Frozen and Guards are the assumptions on which the machine's steps rest. The machine checks them while it
	// executes.
	Frozen []bool   `json:"frozen"`
	Guards []uint32 `json:"guards"` // null: nothing is guarded
	// Calls are those that a thread may make, as text. Contents are what the collection may hold: for each, the indexes
	// of calls that lead there from a new collection, one after the other.
	Calls    []string `json:"calls"`
	Contents [][]int  `json:"contents"`
	// Language is that of the lemmas, if there are some.
	Language *Language `json:"language,omitempty"`
}

// Language is what facts can be about: how many pointers they follow from variables, whether they compare two numbers
// of an object one after the other, and whether they speak of what the code computes and of the content.
type Language struct {
	Depth int  `json:"depth"`
	Wide  bool `json:"wide"`
	Code  bool `json:"code,omitempty"`
}

// Lemma is what holds of every thread that stands at a place and is about to do something that others see.
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

// Memory is what all threads see, in the words of a saved state of the machine.
type Memory struct {
	Content int      `json:"content"` // index in Head.Contents
	Front   []uint64 `json:"front"`   // the words before those of the thread
	Objects []uint64 `json:"objects"` // package variables and objects to which the collection leads
}

// View is what one thread sees.
type View struct {
	Memory int `json:"memory"` // index in Certificate.Memories
	// Call is the call that the thread is in: its index in Head.Calls plus 1; 0: none.
	Call int `json:"call"`
	// Done is the result that the call has to return if it has taken effect. Otherwise Right are the results that were
	// right, without an effect, at some moment of the call.
	Done  *string  `json:"done,omitempty"`
	Right []string `json:"right,omitempty"`
	// Acts says that the call takes effect with the thread's next step.
	Acts   bool     `json:"acts,omitempty"`
	Thread []uint64 `json:"thread"`
	Own    []uint64 `json:"own"` // objects to which only the thread leads
}

// Write writes a file.
func (c *Certificate) Write(w io.Writer) error { return file.Write(w, c) }

// Parse reads a file. New checks that what it says makes sense.
func Parse(text []byte) (*Certificate, error) {
	c := &Certificate{}
	return c, file.Read(text, Method, c)
}
