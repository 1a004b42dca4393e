// SPDX-License-Identifier: BSD-3-Clause

package places

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
const Method = "places"

// Certificate is a table of what all threads know, and of what each may know beside it.
type Certificate struct {
	Head    Head     `json:"head"`
	Kept    []Kept   `json:"kept"`
	Common  []Common `json:"common"` // by number
	Threads []Thread `json:"thread"` // by number
	Rows    []Row    `json:"row"`
}

// Head is what the whole certificate is about.
type Head struct {
	file.Head
	Places   int   `json:"places"`   // of the collection's slice: Puts are called so many times at most
	Slice    int   `json:"slice"`    // the offset of the slice in the collection
	Counters []int `json:"counters"` // the offsets of the numbers that Puts add to
}

// NewHead makes the head of a new certificate, which says nothing of the collection's words.
func NewHead(source verdict.Source, p *ir.Program) Head {
	return Head{Head: file.NewHead(Method, source, p), Counters: []int{}}
}

// Kept lists the registers of which a thread knows something that has come to an instruction; if Calling, one in whose call it is.
type Kept struct {
	Func    int   `json:"func"`
	PC      int   `json:"pc"`
	Calling bool  `json:"calling"`
	Regs    []int `json:"regs"`
}

// Common is what all threads know. Two Puts are followed, "first" and "second", whose items are in the lower and the higher of two places.
type Common struct {
	Counters []string    `json:"counters"` // where each is: "below", "lower", "between", "higher", "above"
	Claimed  [][2]string `json:"claimed"`  // whose call has moved each from the lower, and from the higher place: "first", "second", "other" or ""
	Held     [2]string   `json:"held"`     // whose item the lower and the higher place hold, or ""
	Puts     [2][]string `json:"puts"`     // what has become of the first and the second Put: "called", "stored", "returned", "taken"
	Before   string      `json:"before"`   // "first": the first had returned when the second was called; "second": the other way round; or ""
}

// Thread is what a thread knows beside that.
type Thread struct {
	Op       string     `json:"op"`       // the operation's name; "": it is between calls
	Of       string     `json:"of"`       // of a Put: "first", "second", "other"
	Got      string     `json:"got"`      // of a Take: whose item it has taken, or ""
	Stored   bool       `json:"stored"`   // of a Put: its item is in a place
	Positive bool       `json:"positive"` // some counter is greater than 0
	Added    []int      `json:"added"`    // counters that the Put has added to, by their index in the head
	Calls    []Call     `json:"calls"`    // in progress, the innermost one last
	Cells    [][]string `json:"cells"`    // that the thread alone knows
}

// Call is a call in progress, with the values of the kept registers.
type Call struct {
	Func   int      `json:"func"`
	PC     int      `json:"pc"`
	Values []string `json:"values"`
}

// Row says what threads may know, where all know one thing.
type Row struct {
	Common  int   `json:"common"`
	Threads []int `json:"threads"`
}

// Views is the number of pairs of what all and what one thread may know.
func (c *Certificate) Views() (n int) {
	for i := range c.Rows {
		n += len(c.Rows[i].Threads)
	}
	return n
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
	for _, r := range c.Rows {
		if r.Common < 0 || r.Common >= len(c.Common) {
			continue
		}
		k := &c.Common[r.Common]
		for _, id := range r.Threads {
			if id < 0 || id >= len(c.Threads) {
				continue
			}
			t, at := &c.Threads[id], "between calls"
			if n := len(t.Calls); n > 0 && t.Calls[n-1].Func >= 0 && t.Calls[n-1].Func < len(p.Funcs) {
				f := p.Funcs[t.Calls[n-1].Func]
				if pc := t.Calls[n-1].PC; pc >= 0 && pc < len(f.Code) {
					at = p.Position(f.Pos[pc]) + " in " + f.Short
				}
			}
			line := fmt.Sprintf("counters %v, places hold %q, Puts %v", k.Counters, k.Held, k.Puts)
			if t.Op != "" {
				line += fmt.Sprintf("; %s of %q, got %q, knows %v", t.Op, t.Of, t.Got, t.Calls[len(t.Calls)-1].Values)
			}
			lines[at] = append(lines[at], line)
		}
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
