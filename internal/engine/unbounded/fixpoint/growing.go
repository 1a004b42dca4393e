// SPDX-License-Identifier: BSD-3-Clause

package fixpoint

import (
	"fmt"

	"pangolin/internal/engine/unbounded/shape"
)

// A number in memory that counts, such as the size of a stack, has a value of its own in each view: the table has no end. That shows long
// before a limit on views: one word of one type of cells has had many values.

// mostNumbers is how many numbers a word of cells may hold. No collection that is proved has as many as a dozen.
const mostNumbers = 64

// GrowingError says that a word of cells takes ever more values.
type GrowingError struct{ Word string }

func (e *GrowingError) Error() string {
	return fmt.Sprintf("%s takes ever more values (more than %d)", e.Word, mostNumbers)
}

// place is a word of all cells of a type.
type place struct {
	typ uint16
	off int
}

// numbers are the numbers that words of cells hold in views.
type numbers struct {
	seen   map[place]map[shape.Word]bool
	looked int // views that were looked at
}

// growing looks at the views that have come since the last time, and is an error if a word holds too many numbers.
func (c *computation) growing() error {
	for ; c.numbers.looked < len(c.inv.Entries); c.numbers.looked++ {
		h := &c.inv.Entries[c.numbers.looked].View.Heap
		for i := range h.Nodes {
			n := &h.Nodes[i]
			if n.Summary {
				continue
			}
			for off, w := range h.Words[n.At : n.At+n.N] {
				if w.IsConst() && c.numbers.add(place{n.Type, off}, w) > mostNumbers {
					t := c.inv.Program.Prog.Types[n.Type]
					return &GrowingError{"the" + spaced(t.FieldPath(off)) + " of a " + t.Name}
				}
			}
		}
	}
	return nil
}

// spaced is a path of fields as words: ".n" is " n".
func spaced(path string) string {
	if path == "" {
		return " value"
	}
	return " " + path[1:]
}

// add notes a number, and gives how many different ones the word has held.
func (n *numbers) add(p place, w shape.Word) int {
	if n.seen == nil {
		n.seen = map[place]map[shape.Word]bool{}
	}
	of := n.seen[p]
	if of == nil {
		of = map[shape.Word]bool{}
		n.seen[p] = of
	}
	of[w] = true
	return len(of)
}
