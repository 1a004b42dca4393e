// SPDX-License-Identifier: BSD-3-Clause

package zones

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
const Method = "zones"

// Certificate is a table of what a thread may know of a queue whose cells form one chain, in which they are numbered.
type Certificate struct {
	Head    Head     `json:"head"`
	Threads []Thread `json:"thread"`
}

// Head is what the whole certificate is about.
type Head struct {
	file.Head
	Fingers []int      `json:"fingers"` // offsets of the words of the collection that lead into the chain; the first one is the front
	Next    int        `json:"next"`    // the offset in a cell of the chain of the word that leads to the next one
	Words   []string   `json:"words"`   // what the words of such a cell hold: "item 0" (the first word of the item), number, next, or "?"
	Slots   []Slot     `json:"slots"`   // words at which items are handed over
	Offers  [][]string `json:"offers"`  // what is put into a slot: the cells that others may read, the first one is in the slot; of each the words: "item 0", "number 0", "cell 1", or "?", which others do not read
	Left    []string   `json:"left"`    // what is in a slot when an offer was taken: "0" (nil) or "constant 5"
	Bounds  []Bound    `json:"bounds"`  // of the shared variables, at all times
	Offered []Bound    `json:"offered"` // of shared variables and those of an offer, as long as it is in a slot: behind the shared ones "since", and its numbers
}

// Slot is a word of the collection, or an element of a slice in words of the collection.
type Slot struct {
	Word  int `json:"word"`
	Index int `json:"index"` // -1: the word itself
}

// Bound says that variable A is at most variable B plus C. The shared variables are numbered from 0: the position of the cell that each of the fingers leads to, in
// the order of Head.Fingers; that of the last cell of the chain; the greatest one of a cell whose Put has returned. Behind them come those of the thread, or of the offer.
type Bound [3]int

// Thread is what a thread may know that has a call in progress, before its next access that others can see. Any number of threads may know each of these at the same time.
type Thread struct {
	Op      string     `json:"op"`      // the operation's name
	Did     string     `json:"did"`     // "": nothing; a Put: "linked 2" (its item, in the cell with that position) or "handed" (over); a Take: "took cell 2" or "took offer 0"
	Empty   bool       `json:"empty"`   // at some moment since the call of this Take all items were taken whose Puts had returned
	Vars    int        `json:"vars"`    // how many variables of its own it has
	Since   int        `json:"since"`   // of a Put: the variable that has the greatest position of a cell whose Put had returned when it was called; else -1
	Offers  [][]int    `json:"offers"`  // offers of others that its registers lead to: of each the variables of its since and of its numbers
	Offered int        `json:"offered"` // the private cell that it has put into a slot, and not taken back; -1: none
	Slot    int        `json:"slot"`    // the number of that slot; -1: none
	Met     bool       `json:"met"`     // that offer was taken
	Private [][]string `json:"private"` // cells of its own that are not in the chain: their words, as in Call
	Shown   []bool     `json:"shown"`   // of each of these: others may read it, for it was offered at some time
	Bounds  []Bound    `json:"bounds"`  // of the shared variables and its own
	Calls   []Call     `json:"calls"`   // in progress, the innermost one last
}

// Call is a call in progress, with the values of the registers that are read later:
//
//	5              the number 5; 0 is nil as well
//	?              a number of which nothing is known
//	number 2+1     what variable 2 of the thread has, and 1
//	item own 0     word 0 of the argument of the thread's Put
//	item cell 2.0  word 0 of the item of the cell of the chain whose position variable 2 has
//	item offer 0.0 likewise of offer 0
//	word 3         the address of word 3 of the collection
//	slice 3        the address of the first element of the slice whose header begins at word 3 of the collection
//	slot 0         the address of that slot
//	constant 3     the address that word 3 of the collection has always led to
//	cell 2.1       the address of word 1 of the cell of the chain whose position variable 2 has
//	offer 0.1.2    the address of word 2 of cell 1 of offer 0
//	private 0.1    the address of word 1 of private cell 0
type Call struct {
	Func   int      `json:"func"`
	PC     int      `json:"pc"`
	Regs   []int    `json:"regs"`
	Values []string `json:"values"` // in the order of Regs
}

// NewHead makes the head of a new certificate, which says nothing of cells.
func NewHead(source verdict.Source, p *ir.Program) Head {
	return Head{Head: file.NewHead(Method, source, p), Fingers: []int{}, Words: []string{}, Slots: []Slot{}, Offers: [][]string{}, Left: []string{}, Bounds: []Bound{}, Offered: []Bound{}}
}

// Write writes the certificate's file.
func (c *Certificate) Write(w io.Writer) error { return file.Write(w, c) }

// Parse parses a certificate's file. Check says whether it makes sense.
func Parse(text []byte) (*Certificate, error) {
	c := &Certificate{}
	return c, file.Read(text, Method, c)
}

// Draw writes the table for people, by the places in the code that threads have come to.
func (c *Certificate) Draw(w io.Writer, p *ir.Program) error {
	lines := map[string][]string{}
	for i := range c.Threads {
		t, at := &c.Threads[i], ""
		if n := len(t.Calls); n > 0 && t.Calls[n-1].Func >= 0 && t.Calls[n-1].Func < len(p.Funcs) {
			f := p.Funcs[t.Calls[n-1].Func]
			if pc := t.Calls[n-1].PC; pc >= 0 && pc < len(f.Code) {
				at = p.Position(f.Pos[pc]) + " in " + f.Short
			}
		}
		lines[at] = append(lines[at], c.line(t))
	}
	if _, err := fmt.Fprintf(w, "at all times: %s\n", c.bounds(c.Head.Bounds, nil)); err != nil {
		return err
	}
	var at []string
	for place := range lines {
		at = append(at, place)
	}
	slices.Sort(at)
	for _, place := range at {
		list := lines[place]
		slices.Sort(list)
		if _, err := fmt.Fprintf(w, "%s: %d views\n    %s\n", place, len(list), strings.Join(list, "\n    ")); err != nil {
			return err
		}
	}
	return nil
}

// line is a thread for people: "Dequeue: knows [cell 0.0], where v0 <= front".
func (c *Certificate) line(t *Thread) string {
	text := t.Op
	if t.Did != "" {
		text += ", " + t.Did
	}
	if t.Empty {
		text += ", seen empty"
	}
	if t.Slot >= 0 {
		text += fmt.Sprintf(", offers private %d in slot %d", t.Offered, t.Slot)
	}
	if t.Met {
		text += ", which was taken"
	}
	if n := len(t.Calls); n > 0 {
		text += fmt.Sprintf("; knows %v", t.Calls[n-1].Values)
	}
	if where := c.bounds(t.Bounds, t); where != "" {
		text += ", where " + where
	}
	return text
}

// bounds are bounds for people: "front <= end, v0 <= front"; of a thread those of its own variables.
func (c *Certificate) bounds(list []Bound, t *Thread) string {
	name := func(i int) string {
		switch n := len(c.Head.Fingers); {
		case i == 0:
			return "front"
		case i < 0:
			return fmt.Sprint(i) // no variable
		case i < n:
			return fmt.Sprintf("word %d", c.Head.Fingers[i])
		case i == n:
			return "end"
		case i == n+1:
			return "returned"
		case t != nil && i-n-2 == t.Since:
			return "since"
		default:
			return fmt.Sprintf("v%d", i-n-2)
		}
	}
	var out []string
	for _, b := range list {
		if n := len(c.Head.Fingers) + 2; t != nil && b[0] < n && b[1] < n {
			continue // it holds at all times
		}
		text := name(b[0]) + " <= " + name(b[1])
		if b[2] != 0 {
			text += fmt.Sprintf(" %+d", b[2])
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}
