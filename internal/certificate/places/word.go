// SPDX-License-Identifier: BSD-3-Clause

package places

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// word is an abstract value, as certificates write it:
//
//	5              the number 5; 0 is nil as well
//	lower          a number that is the lower place; lower+1 is the one behind it
//	lower<         the same, and less than some counter; lower<= at most as much as some counter
//	item first     the item of the first Put
//	at first       the address of a cell with that item, which others may see and nobody changes
//	word 2         the address of word 2 of the collection
//	slice          the address of the slice's first element
//	place lower    the address of the slice's element with that index
//	own 0.1        the address of word 1 of cell 0 of those that the thread alone knows
//	?              a number of which nothing is known
type word struct {
	sort  string // "" a number that is known, "where", "item", "at", "word", "slice", "place", "own", "?"
	name  string // of "where" and "place" a zone, of "item" and "at" a Put
	n, m  int    // n: the number, the word or the cell; m: the word of the cell
	plus  bool   // of "where": the number behind one there
	limit int    // of "where": 0, or what is known beside counters
}

// What is known of a number beside counters.
const (
	atMost = 1
	less   = 2
)

var zones = []string{"negative", "below", "lower", "between", "higher", "above"}

func (w word) String() string {
	switch w.sort {
	case "":
		return strconv.Itoa(w.n)
	case "where":
		s := w.name
		if w.plus {
			s += "+1"
		}
		return s + []string{"", "<=", "<"}[w.limit]
	case "item", "at", "place":
		return w.sort + " " + w.name
	case "word":
		return fmt.Sprintf("word %d", w.n)
	case "own":
		return fmt.Sprintf("own %d.%d", w.n, w.m)
	}
	return w.sort
}

// read parses a word. What is not as String would write it is an error.
func read(text string) (word, error) {
	w := word{}
	sort, rest, spaced := strings.Cut(text, " ")
	if n, err := strconv.Atoi(text); err == nil {
		w.n = n
	} else if spaced {
		w.sort, w.name = sort, rest
		switch sort {
		case "word":
			w.name = ""
			w.n, _ = strconv.Atoi(rest)
		case "own":
			w.name = ""
			a, b, _ := strings.Cut(rest, ".")
			w.n, _ = strconv.Atoi(a)
			w.m, _ = strconv.Atoi(b)
		case "place":
			if !slices.Contains(zones, rest) {
				w.sort = "?"
			}
		case "item", "at":
			if !isPut(rest) {
				w.sort = "?"
			}
		default:
			w.sort = "?"
		}
	} else if text == "slice" || text == "?" {
		w.sort = text
	} else {
		w.sort, w.name = "where", text
		if name, ok := strings.CutSuffix(w.name, "<="); ok {
			w.name, w.limit = name, atMost
		} else if name, ok := strings.CutSuffix(w.name, "<"); ok {
			w.name, w.limit = name, less
		}
		w.name, w.plus = strings.CutSuffix(w.name, "+1")
		if !slices.Contains(zones, w.name) {
			w.sort = "?"
		}
	}
	if w.String() != text || w.n < 0 && w.sort != "" || w.m < 0 {
		return w, fmt.Errorf("%q is no value", text)
	}
	return w, nil
}

func isPut(name string) bool { return name == "first" || name == "second" || name == "other" }

// near says for two zones, or for a zone and a number, what may be, found by trying numbers for all small places: it is not a table that
// somebody has written down.
type near struct {
	more, fewer map[string][]string       // the zones of x+1 and x-1 by the zone of x
	signs       map[[2]string][]int       // of x-y by the zones of x and y
	of          func(number int) []string // the zones of a number
}

// reach is how large the numbers are that are tried: two places, one number between them, and two on each side need no more.
const reach = 9

func zoneOf(x, low, high int) string {
	switch {
	case x < 0:
		return "negative"
	case x < low:
		return "below"
	case x == low:
		return "lower"
	case x < high:
		return "between"
	case x == high:
		return "higher"
	}
	return "above"
}

func tryNumbers() *near {
	n := &near{map[string][]string{}, map[string][]string{}, map[[2]string][]int{}, nil}
	each := func(visit func(low, high int)) {
		for low := range reach {
			for high := low + 1; high < reach; high++ {
				visit(low, high)
			}
		}
	}
	each(func(low, high int) {
		for x := -3; x < reach+3; x++ {
			z := zoneOf(x, low, high)
			n.more[z] = with(n.more[z], zoneOf(x+1, low, high))
			n.fewer[z] = with(n.fewer[z], zoneOf(x-1, low, high))
			for y := -3; y < reach+3; y++ {
				sign := 0
				if x < y {
					sign = -1
				} else if x > y {
					sign = 1
				}
				pair := [2]string{z, zoneOf(y, low, high)}
				n.signs[pair] = with(n.signs[pair], sign)
			}
		}
	})
	n.of = func(number int) (out []string) {
		number = max(-1, min(number, reach-5)) // greater ones are like this one
		each(func(low, high int) { out = with(out, zoneOf(number, low, high)) })
		return out
	}
	return n
}

func with[T comparable](list []T, x T) []T {
	if slices.Contains(list, x) {
		return list
	}
	return append(list, x)
}
