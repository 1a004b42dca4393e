// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"fmt"
	"strconv"
	"strings"

	"pangolin/internal/ir"
)

// origins are a set of kinds of memory.
type origins uint8

const (
	own     origins = 1 << iota // made in this call, and nobody else can reach it
	foreign                     // reached from package variables; code
	shared                      // all other
)

// String is "ofs", or what of it is in the set.
func (o origins) String() (text string) {
	for i, c := range "ofs" {
		if o&(1<<i) != 0 {
			text += string(c)
		}
	}
	return text
}

// value is what is known of a word in a register. The zero value is a number, a string or nil. Values can be compared.
type value struct {
	may  origins
	at   path
	hint hint
	fn   *closure // the function that it is; nil: unknown, or it is none
}

// path leads from the collection to a word: through the words whose offsets words lists ("6,0"), to word off. It is known if is.
type path struct {
	is    bool
	words string
	off   int
}

// mostSteps bounds the words of a path, and mostDeep how deep functions capture functions.
const (
	mostSteps = 4
	mostDeep  = 3
)

func (p path) String() string { return fmt.Sprintf("path %s+%d", p.words, p.off) }

// step is the path to word 0 of what word i behind p leads to; no path if it is too long.
func (p path) step(i int) path {
	if !p.is || p.words != "" && strings.Count(p.words, ",")+1 >= mostSteps {
		return path{}
	}
	text := strconv.Itoa(p.off + i)
	if p.words != "" {
		text = p.words + "," + text
	}
	return path{is: true, words: text}
}

// hint says to what kind of word a value leads.
type hint struct {
	sort hintSort
	typ  *ir.Type // of the struct, element or variable
	n    int      // isField: the offset of the field; isGlobal: the number of the variable
	off  int      // isGlobal: the offset in it
}

type hintSort uint8

const (
	unknown  hintSort = iota
	isField           // a field of a struct
	isElem            // an element or variable of a type that is no struct or array
	isGlobal          // a word of a package variable
)

func (h hint) String() string {
	switch h.sort {
	case isField:
		return fmt.Sprintf(" is %d+%d", h.typ.ID, h.n)
	case isElem:
		return fmt.Sprintf(" elem %d", h.typ.ID)
	case isGlobal:
		return fmt.Sprintf(" global %d+%d", h.n, h.off)
	}
	return ""
}

// elemOf is the hint of an element or variable of a type.
func elemOf(t *ir.Type) hint {
	if t.Class == ir.Struct || t.Class == ir.Array {
		return hint{}
	}
	return hint{sort: isElem, typ: t}
}

// closure is a function with what it has captured. Equal ones are the same.
type closure struct {
	fn    *ir.Func
	words []value
	deep  int
}

// String is the value as certificates have it: "s path 6+0 is 12+3".
func (v value) String() string {
	text := v.may.String()
	if v.at.is {
		text += " " + v.at.String()
	}
	text += v.hint.String()
	if v.fn != nil {
		var words []string
		for _, w := range v.fn.words {
			words = append(words, w.String())
		}
		text += fmt.Sprintf(" func %d(%s)", v.fn.fn.ID, strings.Join(words, ";"))
	}
	return text
}

// plain is a value of which nothing more is known.
func plain(may origins) value { return value{may: may} }

// moved is a pointer into the same object, of which it is not known to which word.
func (v value) moved() value { return plain(v.may) }

// join is what covers both.
func (v value) join(w value) value {
	switch none := (value{}); {
	case v == w || w == none:
		return v
	case v == none:
		return w
	}
	out := value{may: v.may | w.may}
	if v.at == w.at {
		out.at = v.at
	}
	if v.hint == w.hint {
		out.hint = v.hint
	}
	if v.fn == w.fn {
		out.fn = v.fn
	}
	return out
}

// closures makes them one for each content.
type closures map[string]*closure

// of is a function that has captured words; its value. A function is code, which is foreign.
func (c closures) of(f *ir.Func, words []value) value {
	made := &closure{fn: f, words: words}
	out := value{may: foreign, fn: made}
	for _, w := range words {
		if out.may |= w.may; w.fn != nil {
			made.deep = max(made.deep, w.fn.deep+1)
		}
	}
	if made.deep > mostDeep {
		return plain(out.may)
	}
	key := out.String()
	if c[key] == nil {
		c[key] = made
	}
	out.fn = c[key]
	return out
}

// published is the value when what was own is shared.
func (c closures) published(v value) value {
	if v.may&own == 0 {
		return v
	}
	v.may = v.may&^own | shared
	if v.fn != nil {
		may := v.may
		v = c.of(v.fn.fn, c.allPublished(v.fn.words))
		v.may |= may
	}
	return v
}

func (c closures) allPublished(list []value) []value {
	out := make([]value, len(list))
	for i, v := range list {
		out[i] = c.published(v)
	}
	return out
}

// isReference reports whether words of a kind may lead to memory.
func isReference(k ir.Kind) bool {
	return k == ir.Pointer || k == ir.Unsafe || k == ir.Code || k == ir.IfaceData
}
