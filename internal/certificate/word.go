// SPDX-License-Identifier: BSD-3-Clause

package certificate

import (
	"fmt"
	"strconv"
	"strings"
)

// Word is the abstract value of a word of memory or of a register.
type Word struct {
	Form Form
	N    int32 // the number, node, class or function
	Off  int32 // of a Ref: words from the beginning of the node
}

// Form is the kind of a Word.
type Form uint8

// The forms.
const (
	Const Form = iota // a number; nil and false are 0
	Ref               // the address of a word of a node
	Item              // an item or key of a class
	Top               // some number
	Func              // a function without free variables
	Dead              // a word of a private cell that is not read before it is written
)

// Class tells how an item compares with one value k that is never fixed.
type Class = int32

// The classes.
const (
	Below Class = iota
	Equal
	Above
	// For objects: whether an item is equal to the second value j.
	EqualJ
	OtherJ
)

var classes = []string{"<k", "=k", ">k", "=j", ">j"}

// OfJ reports whether an item is compared with j.
func (w Word) OfJ() bool { return w.Form == Item && w.N >= EqualJ }

// IsRef reports whether a word is an address.
func (w Word) IsRef() bool { return w.Form == Ref }

func (w Word) String() string {
	switch w.Form {
	case Ref:
		if w.Off != 0 {
			return fmt.Sprintf("@%d+%d", w.N, w.Off)
		}
		return fmt.Sprintf("@%d", w.N)
	case Item:
		return classes[w.N]
	case Top:
		return "?"
	case Func:
		return fmt.Sprintf("f%d", w.N)
	case Dead:
		return "_"
	}
	return strconv.Itoa(int(w.N))
}

// MarshalText writes a word: "12", "@2+1", ">k", "?", "f7", "_".
func (w Word) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText parses a word.
func (w *Word) UnmarshalText(text []byte) (err error) {
	*w, err = parseWord(string(text))
	return err
}

func parseWord(s string) (Word, error) {
	for c, name := range classes {
		if s == name {
			return Word{Form: Item, N: int32(c)}, nil
		}
	}
	form, digits, off := Const, s, "0"
	switch {
	case s == "?":
		return Word{Form: Top}, nil
	case s == "_":
		return Word{Form: Dead}, nil
	case strings.HasPrefix(s, "f"):
		form, digits = Func, s[1:]
	case strings.HasPrefix(s, "@"):
		form, digits = Ref, s[1:]
		if at, rest, found := strings.Cut(digits, "+"); found {
			digits, off = at, rest
		}
	}
	n, err := strconv.ParseInt(digits, 10, 32)
	o, err2 := strconv.ParseUint(off, 10, 12)
	if err != nil || err2 != nil || form != Const && n < 0 {
		return Word{}, fmt.Errorf("%q is not a word such as 12, @2+1, >k, ?, f7 or _", s)
	}
	return Word{form, int32(n), int32(o)}, nil
}

// Node is a cell, or a chain of any number of cells to which nothing else refers.
type Node struct {
	Type    int
	Private bool // no other thread can reach it
	Words   []Word
	Offer   Offer // for operations that take effect together; zero: none
	// Of a chain:
	Chain            bool
	MayBeEmpty       bool
	All, First, Last []int // kinds of any of its cells, of the first, of the last
	Next             Word  // the link of the last cell
}

// String writes a cell as 5{>k @2}, with ' in front of a private one and its offer at the end; a chain as [0 1|0|1]->@3, with * after the
// bracket if it may be empty.
func (n Node) String() string {
	var b strings.Builder
	if n.Chain {
		b.WriteByte('[')
		for i, set := range [][]int{n.All, n.First, n.Last} {
			if i > 0 {
				b.WriteByte('|')
			}
			b.WriteString(strings.Trim(fmt.Sprint(set), "[]"))
		}
		b.WriteByte(']')
		if n.MayBeEmpty {
			b.WriteByte('*')
		}
		return b.String() + "->" + n.Next.String()
	}
	if n.Private {
		b.WriteByte('\'')
	}
	fmt.Fprintf(&b, "%d{", n.Type)
	for i, w := range n.Words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.String())
	}
	return b.String() + "}" + n.Offer.String()
}

// MarshalText writes a node.
func (n Node) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalText parses a node.
func (n *Node) UnmarshalText(text []byte) error {
	s := string(text)
	*n = Node{}
	var err error
	if rest, found := strings.CutPrefix(s, "["); found {
		err = n.chain(rest)
	} else {
		err = n.cell(s)
	}
	if err != nil {
		return fmt.Errorf("%q is neither a cell such as 5{>k @2} nor a chain such as [0 1|0|1]->@3: %w", s, err)
	}
	return nil
}

func (n *Node) cell(s string) (err error) {
	s, n.Private = strings.CutPrefix(s, "'")
	s, offer, offers := strings.Cut(s, "!")
	if offers {
		if n.Offer, err = parseOffer(offer); err != nil {
			return err
		}
	}
	typ, rest, found := strings.Cut(s, "{")
	words, closed := strings.CutSuffix(rest, "}")
	if !found || !closed {
		return fmt.Errorf("the braces are missing")
	}
	if n.Type, err = strconv.Atoi(typ); err != nil {
		return err
	}
	n.Words = []Word{}
	for _, f := range strings.Fields(words) {
		w, err := parseWord(f)
		if err != nil {
			return err
		}
		n.Words = append(n.Words, w)
	}
	return nil
}

func (n *Node) chain(s string) (err error) {
	n.Chain = true
	sets, next, found := strings.Cut(s, "->")
	if !found {
		return fmt.Errorf("the arrow is missing")
	}
	if n.Next, err = parseWord(next); err != nil {
		return err
	}
	sets, n.MayBeEmpty = strings.CutSuffix(sets, "*")
	sets, closed := strings.CutSuffix(sets, "]")
	parts := strings.Split(sets, "|")
	if !closed || len(parts) != 3 {
		return fmt.Errorf("there are not three sets in brackets")
	}
	for i, set := range []*[]int{&n.All, &n.First, &n.Last} {
		for _, f := range strings.Fields(parts[i]) {
			k, err := strconv.Atoi(f)
			if err != nil {
				return err
			}
			*set = append(*set, k)
		}
	}
	return nil
}

// Reg is a register with its value.
type Reg struct {
	Reg  int
	Word Word
}

// MarshalText writes r3=@2.
func (r Reg) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "r%d=%s", r.Reg, r.Word), nil }

// UnmarshalText parses it.
func (r *Reg) UnmarshalText(text []byte) error {
	name, word, found := strings.Cut(string(text), "=")
	digits, ok := strings.CutPrefix(name, "r")
	n, err := strconv.ParseUint(digits, 10, 31)
	w, err2 := parseWord(word)
	if !found || !ok || err != nil || err2 != nil {
		return fmt.Errorf("%q is not a register with its value, such as r3=@2", text)
	}
	*r = Reg{int(n), w}
	return nil
}
