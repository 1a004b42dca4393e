// SPDX-License-Identifier: BSD-3-Clause

package places

// label says which Put an item comes from. The proof follows the items of two Puts, any two that fill places: first is that of the lower
// place, second that of the higher one.
type label uint8

const (
	none label = iota
	first
	second
	other // any other Put's
)

func (l label) followed() bool { return l == first || l == second }

// class says where a number is among the two places that are followed. Numbers of different classes are in the order of their classes.
type class uint8

const (
	negative class = iota
	below          // 0 or more, and less than the lower place
	lower
	between
	higher
	above
)

// follows lists the classes that the next greater number may have.
func (c class) follows() []class {
	return [][]class{{negative, below, lower}, {below, lower}, {between, higher}, {between, higher}, {above}, {above}}[c]
}

// precedes lists the classes that the next smaller number may have.
func (c class) precedes() []class {
	return [][]class{{negative}, {negative, below}, {negative, below}, {lower, between}, {lower, between}, {higher, above}}[c]
}

// kind is what a value is.
type kind uint8

const (
	constant kind = iota // the number x; nil is 0
	number               // a number of a class, with what is known of it beside counters
	next                 // the number behind one of class x: a counter's value after 1 was added
	item                 // the item of a Put with label x
	box                  // the address of a cell that others may see, which has such an item for ever
	root                 // the address of word x of the collection
	array                // the address of the slice's first element
	elem                 // the address of the slice's element with an index of class x
	cell                 // the address of a word of a cell that the thread alone knows: x is cell*256 + word
	unknown              // a number
)

// bound is what is known of a number beside the collection's counters. They never become smaller.
type bound uint8

const (
	free  bound = iota
	upTo        // it is at most what some counter has
	under       // it is less
)

// value is an abstract word.
type value struct {
	kind kind
	b    bound // of a number
	x    int32
}

var null = value{}

func constOf(x int64) value {
	if x > mostConstant || x < -mostConstant {
		return value{kind: unknown}
	}
	return value{kind: constant, x: int32(x)}
}

// mostConstant is the greatest number that is told apart from others.
const mostConstant = 1 << 20

func truth(b bool) value {
	if b {
		return constOf(1)
	}
	return null
}

// numbers lists what a number may be as one of a class; nil: it is none of which that is known. positive: some counter is greater than 0.
func (v value) numbers(positive bool) (out []value) {
	add := func(b bound, list ...class) {
		for _, c := range list {
			out = append(out, value{number, b, int32(c)})
		}
	}
	switch v.kind {
	case number:
		return []value{v}
	case next:
		add(upTo, class(v.x).follows()...)
	case constant:
		switch {
		case v.x < 0:
			add(free, negative)
		case v.x == 0 && positive:
			add(under, below, lower)
		case v.x == 0:
			add(upTo, below, lower)
		default:
			add(free, below, lower, between, higher, above)
		}
	}
	return out
}
