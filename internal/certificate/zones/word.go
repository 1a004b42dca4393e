// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"fmt"
	"strconv"
	"strings"
)

// word is an abstract value, as form.go writes it (see Call):
//
//	number      n
//	unknown     some number
//	variable    what variable n has, and k
//	itemOwn     word m of the argument of the thread's Put
//	itemCell    word m of the item of the cell of the chain whose position variable n has
//	itemOffer   likewise of offer n
//	dynamic     the type of an interface value, type n of the program; while the constructor is executed
//	root        the address of word n of the collection
//	element     the address of element m of the slice whose header begins at word n of the collection
//	constant    the address that word n of the collection has always led to
//	cell        the address of word m of the cell of the chain whose position variable n has
//	offer       the address of word m of cell k of offer n
//	private     the address of word m of private cell n
//
// A slot is a root or an element, for one address must not have two names: "slice 3" is "slot 0" if that is the first element of that slice.
type word struct {
	sort    sort
	n, k, m int
}

type sort uint8

const (
	number sort = iota
	unknown
	variable
	itemOwn
	itemCell
	itemOffer
	root
	element
	constant
	cell
	offer
	private
	dynamic
)

// mostNumber is the greatest number that is told from others, and mostPlus the greatest constant that is added to a variable.
const (
	mostNumber = 1 << 20
	mostPlus   = 4
)

func (w word) isItem() bool { return w.sort == itemOwn || w.sort == itemCell || w.sort == itemOffer }

func (w word) isNumber() bool { return w.sort == number || w.sort == unknown || w.sort == variable }

func (w word) isAddress() bool { return !w.isItem() && !w.isNumber() }

// position is the variable of a cell, of an item of a cell, or of a number, and what is added to it.
func (w word) position() term {
	if w.sort == variable {
		return term{w.n, w.k}
	}
	return term{w.n, 0}
}

// spelled is a value as a certificate writes it: its name, and the numbers behind that. "item cell 2.0" is {"item cell", [2 0]}.
type spelled struct {
	name    string
	numbers []int
}

// spellings has for each name how many numbers are behind it, and what is between them.
var spellings = map[string]struct {
	count int
	sep   string
}{
	"?": {0, ""}, "item own": {1, ""}, "item cell": {2, "."}, "item offer": {2, "."}, "word": {1, ""}, "slice": {1, ""}, "slot": {1, ""}, "constant": {1, ""},
	"cell": {2, "."}, "offer": {3, "."}, "private": {2, "."},
}

// spell takes a value apart. Each value has one spelling; only a number to which nothing is added may be written "number 2" and "number 2+0".
func spell(text string) (spelled, error) {
	bad := fmt.Errorf("%q is no value", text)
	if n, err := strconv.Atoi(text); err == nil {
		if strconv.Itoa(n) != text || n > mostNumber || n < -mostNumber {
			return spelled{}, bad
		}
		return spelled{"", []int{n}}, nil
	}
	if text == "?" {
		return spelled{name: text}, nil
	}
	at := strings.LastIndexByte(text, ' ')
	if at < 0 {
		return spelled{}, bad
	}
	s, rest := spelled{name: text[:at]}, text[at+1:]
	if s.name == "number" {
		plus := strings.IndexAny(rest, "+-")
		if plus < 0 {
			plus, rest = len(rest), rest+"+0"
		}
		v, known := natural(rest[:plus])
		k, signed := natural(rest[plus+1:])
		if !known || !signed || k > mostPlus || k == 0 && rest[plus] == '-' {
			return spelled{}, bad
		}
		if rest[plus] == '-' {
			k = -k
		}
		s.numbers = []int{v, k}
		return s, nil
	}
	form, known := spellings[s.name]
	if !known || form.count == 0 {
		return spelled{}, bad
	}
	parts := []string{rest}
	if form.sep != "" {
		parts = strings.Split(rest, form.sep)
	}
	for _, part := range parts {
		n, is := natural(part)
		if !is {
			return spelled{}, bad
		}
		s.numbers = append(s.numbers, n)
	}
	if len(s.numbers) != form.count {
		return spelled{}, bad
	}
	return s, nil
}

// natural reads a number of at least 0, without zeros in front and without a sign.
func natural(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && n <= mostNumber && strconv.Itoa(n) == text
}

// followed reads a text that is a name, and one number behind it: "linked 2".
func followed(text, name string) (int, bool) {
	rest, has := strings.CutPrefix(text, name+" ")
	if !has {
		return 0, false
	}
	return natural(rest)
}
