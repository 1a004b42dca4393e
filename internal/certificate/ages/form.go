// SPDX-License-Identifier: BSD-3-Clause

package ages

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
const Method = "ages"

// None stands in lists of kinds for "no cell counts".
const None = -1

// Certificate is a table of what threads may know of a set whose cells are put in front and never move. One value k is followed.
type Certificate struct {
	Head    Head     `json:"head"`
	Kinds   []Kind   `json:"kind"` // by number
	Kept    []Kept   `json:"kept"`
	Threads []Thread `json:"thread"` // by number
	Rows    []Row    `json:"row"`
}

// Head is what the whole certificate is about.
type Head struct {
	file.Head
	Item  int   `json:"item"`  // the offset in a cell of its item,
	State int   `json:"state"` // of its state,
	Link  int   `json:"link"`  // and of its link
	Dead  int   `json:"dead"`  // the state of cells that do not count
	Held  []int `json:"held"`  // k is held if the youngest cell that counts has one of these states
	Ends  bool  `json:"ends"`  // there are cells with k that do not count
}

// NewHead makes the head of a new certificate, which says nothing of cells.
func NewHead(source verdict.Source, p *ir.Program) Head {
	return Head{Head: file.NewHead(Method, source, p), Held: []int{}}
}

// Kind is what is known of a cell that counts.
type Kind struct {
	Op    string `json:"op"`    // the operation whose call has linked it in
	Found bool   `json:"found"` // k was held just before
	Done  bool   `json:"done"`  // that call has changed the state of the first cell below that counted
	State int    `json:"state"`
	Below []int  `json:"below"` // the kinds that the first cell below it that counts may have; None: none counts
}

// Kept lists the registers of which a thread knows something that has come to an instruction; if Calling, one in whose call it is.
type Kept struct {
	Func    int   `json:"func"`
	PC      int   `json:"pc"`
	Calling bool  `json:"calling"`
	Regs    []int `json:"regs"`
}

// Thread is what a thread knows beside the kind of the youngest cell that counts.
type Thread struct {
	Op      string     `json:"op"`      // the operation's name; "": it is between calls, and nothing else is said
	Is      bool       `json:"is"`      // its argument is k
	Changed bool       `json:"changed"` // it has changed what is held
	Present bool       `json:"present"` // k was held at some moment since the call; of calls with k
	Absent  bool       `json:"absent"`  // k was not held at some moment since the call; of calls with k
	Empty   bool       `json:"empty"`   // head leads to the first of the cells; if there is none, to nil
	Gaps    []Gap      `json:"gaps"`    // one more than cells: above the first, below each
	Cells   []Cell     `json:"cells"`   // those that are linked in and that registers lead to, the youngest first
	Private [][]string `json:"private"` // cells that the thread alone knows: their words, as in Call
	Calls   []Call     `json:"calls"`   // in progress, the innermost one last
}

// Gap is what is known of the cells between two cells.
type Gap struct {
	Kinds []int `json:"kinds"` // of all that count and are in the gap
	Below []int `json:"below"` // of the first one that counts below the upper end of the gap, wherever it is; None: none counts
}

// Cell is what is known of a cell.
type Cell struct {
	Is   bool `json:"is"`   // its item is k
	Kind int  `json:"kind"` // None: it does not count
	Own  bool `json:"own"`  // the thread's call has linked it in
}

// Call is a call in progress, with the values of the kept registers: a number, "?" (some number), "item k", "item other", "word" (of the
// collection, the one that it has), "cell 1.2" (the address of word 2 of the second of the cells), "private 0.1" (likewise).
type Call struct {
	Func   int      `json:"func"`
	PC     int      `json:"pc"`
	Values []string `json:"values"`
}

// Row says what threads may know where the youngest cell that counts has one kind.
type Row struct {
	First   int   `json:"first"` // None: no cell counts
	Threads []int `json:"threads"`
}

// Views is the number of threads in rows.
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
			lines[at] = append(lines[at], c.line(r.First, t))
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

// line is a thread for people: "first of kind 3; Add(k): head ... cell k, own, kind 3 ... nil; knows [cell 0.0]".
func (c *Certificate) line(first int, t *Thread) string {
	kind := func(k int) string {
		if k == None {
			return "none"
		}
		return fmt.Sprint(k)
	}
	text := "first of kind " + kind(first)
	if t.Op == "" {
		return text
	}
	argument := "other"
	if t.Is {
		argument = "k"
	}
	text += fmt.Sprintf("; %s(%s): head", t.Op, argument)
	for i, g := range t.Gaps {
		if i > 0 && i <= len(t.Cells) {
			x := t.Cells[i-1]
			text += " cell"
			if x.Is {
				text += " k of kind " + kind(x.Kind)
			}
			if x.Own {
				text += ", own"
			}
		}
		if i == 0 && t.Empty {
			continue
		}
		text += fmt.Sprintf(" %v then %v", g.Kinds, g.Below)
	}
	if n := len(t.Calls); n > 0 {
		text += fmt.Sprintf("; knows %v", t.Calls[n-1].Values)
	}
	return text
}
