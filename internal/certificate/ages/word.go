// SPDX-License-Identifier: BSD-3-Clause

package ages

import (
	"fmt"
	"strconv"
	"strings"
)

// word is an abstract value, as certificates write it:
//
//	5              the number 5; 0 is nil as well
//	?              a number of which nothing is known
//	item k         the value that is followed
//	item other     another one
//	word           the address of the collection's word
//	cell 1.2       the address of word 2 of the linked cell 1 of those that the thread names
//	private 0.1    the address of word 1 of cell 0 of those that the thread alone knows
type word struct {
	sort sort
	n, m int // n: the number, or the cell; m: the word of the cell
}

type sort uint8

const (
	number sort = iota
	unknown
	itemK
	itemOther
	root
	linked
	private
)

var sorts = []string{unknown: "?", itemK: "item k", itemOther: "item other", root: "word", linked: "cell", private: "private"}

func (w word) String() string {
	switch w.sort {
	case number:
		return strconv.Itoa(w.n)
	case linked, private:
		return fmt.Sprintf("%s %d.%d", sorts[w.sort], w.n, w.m)
	}
	return sorts[w.sort]
}

func (w word) isItem() bool { return w.sort == itemK || w.sort == itemOther }

// read parses a word. What is not as String would write it is an error.
func read(text string) (word, error) {
	w := word{}
	if n, err := strconv.Atoi(text); err == nil {
		w.n = n
	} else {
		for s := unknown; s <= root; s++ {
			if text == sorts[s] {
				return word{sort: s}, nil
			}
		}
		for s := linked; s <= private; s++ {
			if rest, ok := strings.CutPrefix(text, sorts[s]+" "); ok {
				a, b, _ := strings.Cut(rest, ".")
				w.sort = s
				w.n, _ = strconv.Atoi(a)
				w.m, _ = strconv.Atoi(b)
			}
		}
	}
	if w.String() != text || w.sort != number && (w.n < 0 || w.m < 0) {
		return w, fmt.Errorf("%q is no value", text)
	}
	return w, nil
}
