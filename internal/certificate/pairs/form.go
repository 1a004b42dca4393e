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
	Items  int  `json:"items"`  // that the collection holds at a time, at most
	Values int  `json:"values"` // of which the items are
	Races  bool `json:"races"`  // that there are none is claimed as well
	// Roles are the operations that one thread alone calls, with the number of that thread: what the
	// proof is about, of which the code says nothing.
	Roles map[string]int `json:"roles,omitempty"`
	// Frozen and Guards are what the machine's steps rest on, which it checks while it executes them.
	Frozen []bool   `json:"frozen"`
	Guards []uint32 `json:"guards"` // null: nothing is guarded
	// Calls are those that a thread may make; Contents what the collection may hold, each as the calls that
	// lead there one after the other.
	Calls    []string `json:"calls"`
	Contents [][]int  `json:"contents"`
	// Language is what facts can say, if there are lemmas.
	Language *Language `json:"language,omitempty"`
}

// Language is how far facts look from variables, whether they compare numbers one after the other, and whether they have
// what the code computes and what the content is.
type Language struct {
	Depth int  `json:"depth"`
	Wide  bool `json:"wide"`
	Code  bool `json:"code,omitempty"`
}

// Lemma is what holds of a thread that stands at a place and is about to do something that others see.
type Lemma struct {
	Site  []uint64 `json:"site"` // the calls in progress: functions with their instructions, by number
	At    string   `json:"at"`
	Does  string   `json:"does"`
	Facts []Fact   `json:"facts"`
}

// Fact is what stands before, between and behind the names of one or two terms.
type Fact struct {
	Before  string `json:"before,omitempty"`
	X       string `json:"x"`
	Between string `json:"between,omitempty"`
	Y       string `json:"y,omitempty"`
}

// Memory is what all threads see, in the words of a saved state of the machine.
type Memory struct {
	Content int      `json:"content"` // what it stands for, by number
	Front   []uint64 `json:"front"`   // what stands before the threads
	Objects []uint64 `json:"objects"` // what package variables and the collection lead to
}

// View is what one thread sees.
type View struct {
	Memory int `json:"memory"`
	// Call is the call that it is in, counted from 1; 0: none.
	Call int `json:"call"`
	// Done is the result that the call has to return, for it has taken effect; else Right are those
	// that would have been right, without an effect, at some moment of the call.
	Done  *string  `json:"done,omitempty"`
	Right []string `json:"right,omitempty"`
	// Acts says that the call takes effect with the next step.
	Acts   bool     `json:"acts,omitempty"`
	Thread []uint64 `json:"thread"`
	Own    []uint64 `json:"own"` // objects to which only the thread leads
}

// Write writes a file.
func (c *Certificate) Write(w io.Writer) error { return file.Write(w, c) }

// Parse reads a file. Whether what it says makes sense is for New to say.
func Parse(text []byte) (*Certificate, error) {
	c := &Certificate{}
	return c, file.Read(text, Method, c)
}
