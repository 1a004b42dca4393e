// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"pangolin/internal/certificate/file"
	"pangolin/internal/ir"
	"pangolin/verdict"
)

// Method is the engine whose certificates these are.
const Method = "sections"

// Certificate says who can reach which memory in calls that are one critical section each.
type Certificate struct {
	Head   Head   `json:"head"`
	Calls  []Call `json:"call"`
	States []At   `json:"state"`
}

// Head is what the whole certificate is about.
type Head struct {
	file.Head
	Lock  string   `json:"lock"`  // where the lock is: "path +0"
	Fixed []string `json:"fixed"` // classes of words that no call writes
	// Atomic are the classes of words that calls access by atomic instructions alone, and Kept those of them that calls write only while they have the lock for writing. The class of the first word of
	// a sync.Map or an atomic.Value stands for its methods.
	Atomic []string `json:"atomic"`
	Kept   []string `json:"kept"`
	// Progress is a property of progress that is claimed of calls that return when nobody else calls; "" if nothing is.
	Progress verdict.Property `json:"progress,omitempty"`
}

// Call is a function with what it is given. The first ones are the operations, in their order, and then the constructor.
type Call struct {
	Func  int      `json:"func"`  // index in ir.Program.Funcs
	Given []string `json:"given"` // the values of its first registers: parameters, then captured words
	Phase string   `json:"phase"` // of the thread when it is called, see At
	Holds string   `json:"holds"` // what own memory may hold then: "", "f", "s" or "fs"
	Ends  []End    `json:"ends"`  // how it may return
}

// End is how a function may return.
type End struct {
	Phase     string   `json:"phase"`
	Holds     string   `json:"holds"`
	Published bool     `json:"published"` // something that was own when it was called may be shared now
	Results   []string `json:"results"`
}

// At is a state at the beginning of a block, or at the instruction behind a recovered panic, of a function that was called in some way.
//
// A value is the set of what it may lead to, "" to "ofs" in this order, and then, each behind a blank, what else is known of it:
//
//	s path 6,0+3     word 3 of the object that is reached from the collection by its word 6 and then word 0
//	o is 12+3        it leads to word 3 of a struct of type 12, one of whose fields this is
//	s elem 5         it leads to an element or variable of type 5, which is no struct and no array
//	f global 2+1     it leads to word 1 of package variable 2
//	of func 17(;f;o) it is function 17, with these values of captured words: "", "f", "o"; it leads to code, so it has f
//
// Of a value with none of "is", "elem" and "global" it is not known to what kind of word it leads; "path" may be followed by "is".
type At struct {
	Call      int      `json:"call"` // index in Certificate.Calls
	PC        int      `json:"pc"`
	Phase     string   `json:"phase"` // "before", "reading", "writing", "reading+" or "writing+" behind the call's moment, "after" or, in the constructor and what it calls, "making"
	Holds     string   `json:"holds"`
	Published bool     `json:"published"`
	Deferred  []Defer  `json:"deferred"` // the first one first
	Regs      []string `json:"regs"`     // all registers of the function
}

// Defer is a deferred call: the values of the words of the function, and then of its arguments.
type Defer struct {
	Call  int      `json:"call"` // index in ir.Program.Calls
	Words []string `json:"words"`
}

// NewHead makes the head of a new certificate.
func NewHead(source verdict.Source, p *ir.Program) Head {
	return Head{Head: file.NewHead(Method, source, p), Fixed: []string{}, Atomic: []string{}, Kept: []string{}}
}

// Write writes the certificate's file.
func (c *Certificate) Write(w io.Writer) error { return file.Write(w, c) }

// Parse parses a certificate's file. Check says whether it makes sense.
func Parse(text []byte) (*Certificate, error) {
	c := &Certificate{}
	return c, file.Read(text, Method, c)
}

// Draw writes the states for people, by functions.
func (c *Certificate) Draw(w io.Writer, p *ir.Program) error {
	if _, err := fmt.Fprintf(w, "lock: %s\nfixed: %s\natomic: %s\nkept: %s\n", c.Head.Lock, strings.Join(c.Head.Fixed, ", "), strings.Join(c.Head.Atomic, ", "), strings.Join(c.Head.Kept, ", ")); err != nil {
		return err
	}
	var lines []string
	for i := range c.States {
		s := &c.States[i]
		if s.Call < 0 || s.Call >= len(c.Calls) || c.Calls[s.Call].Func < 0 || c.Calls[s.Call].Func >= len(p.Funcs) {
			continue
		}
		f := p.Funcs[c.Calls[s.Call].Func]
		if s.PC >= 0 && s.PC < len(f.Code) {
			lines = append(lines, fmt.Sprintf("%s in %s: %s, %d deferred", p.Position(f.Pos[s.PC]), f.Short, s.Phase, len(s.Deferred)))
		}
	}
	slices.Sort(lines)
	_, err := fmt.Fprintln(w, strings.Join(slices.Compact(lines), "\n"))
	return err
}
