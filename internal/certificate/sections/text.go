// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"strconv"
	"strings"

	"pangolin/internal/ir"
)

// The texts of values, sets, phases and classes. A text that says nothing that could be true is refused.

// phase says what a call has done with the lock, and whether its moment has passed.
type phase uint8

// The phases.
const (
	before      phase = iota // it has not taken it
	reading                  // it has it for reading
	writing                  // it has it
	readingPlus              // it has it for reading, and its moment has passed
	writingPlus              // it has it, and its moment has passed
	after                    // it has given it back, or its moment has passed without it
	making                   // it is the constructor, or called by it
)

var phases = [...]string{before: "before", reading: "reading", writing: "writing", readingPlus: "reading+", writingPlus: "writing+", after: "after", making: "making"}

func (p phase) String() string { return phases[p] }

// locked says whether the call has the lock.
func (p phase) locked() bool { return p == reading || p == readingPlus || p.locksOut() }

// locksOut says whether the call has the lock for writing, so that no other call has it.
func (p phase) locksOut() bool { return p == writing || p == writingPlus }

func parsePhase(text string) (phase, bool) {
	for i, name := range phases {
		if name == text {
			return phase(i), true
		}
	}
	return 0, false
}

func (s set) String() string {
	text := ""
	for i, letter := range "ofs" {
		if s&[]set{own, foreign, shared}[i] != 0 {
			text += string(letter)
		}
	}
	return text
}

func parseSet(text string) (s set, ok bool) {
	for s := range everything + 1 {
		if s.String() == text {
			return s, true
		}
	}
	return 0, false
}

// parseHolds parses what own memory may hold.
func parseHolds(text string) (s set, ok bool) {
	s, ok = parseSet(text)
	return s, ok && s&own == 0
}

// parseNumber parses a number from 0 to most, without signs and zeros in front.
func parseNumber(text string, most int) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && n <= most && strconv.Itoa(n) == text
}

// mostNested is how deep functions may be nested in what others have captured.
const mostNested = 3

// parser parses values.
type parser struct {
	p *ir.Program
	t *types
}

// value parses one for a word of the kind.
func (x parser) value(text string, k ir.Kind) (value, bool) { return x.nested(text, k, 0) }

func (x parser) nested(text string, k ir.Kind, depth int) (v value, ok bool) {
	if text, v.fn, ok = x.takeFunction(text, depth); !ok {
		return v, false
	}
	var words []string
	if text != "" {
		words = strings.Split(text, " ")
	}
	if len(words) > 0 {
		if s, is := parseSet(words[0]); is && s != 0 {
			v.set, words = s, words[1:]
		}
	}
	for len(words) > 0 {
		if len(words) < 2 {
			return v, false
		}
		if v.path.set && words[0] == "path" || v.hint != (hint{}) { // a path comes before a hint
			return v, false
		}
		if words[0] == "path" {
			v.path, ok = parsePlace(words[1])
			ok = ok && v.set == shared
		} else {
			v.hint, ok = x.hint(words[0], words[1])
			ok = ok && (v.hint.sort != isGlobal || v.set == foreign && !v.path.set)
		}
		if !ok {
			return v, false
		}
		words = words[2:]
	}
	if !leads(k) && (v.set != 0 || v.hint != hint{}) || v.fn != nil && (!mayCall(k) || v.set&foreign == 0) {
		return v, false
	}
	return v.fitted(k), true
}

// hint parses what is known of the word to which a value leads.
func (x parser) hint(sort, text string) (hint, bool) {
	if sort == "elem" {
		t := x.typ(text)
		if t == nil || !isLeaf(t) {
			return hint{}, false
		}
		return hint{isElem, x.t.group[t.ID], 0}, true
	}
	of, at, _ := strings.Cut(text, "+")
	n, ok := parseNumber(at, mostOffset)
	if !ok {
		return hint{}, false
	}
	switch sort {
	case "is":
		t := x.typ(of)
		if t == nil || t.Class != ir.Struct || n > t.Size {
			return hint{}, false
		}
		return hint{isField, x.t.group[t.ID], n}, true
	case "global":
		g, ok := parseNumber(of, len(x.p.Globals)-1)
		return hint{isGlobal, g, n}, ok
	}
	return hint{}, false
}

// typ is the type with an ID; nil if there is none.
func (x parser) typ(text string) *ir.Type {
	id, ok := parseNumber(text, len(x.p.Types)-1)
	if !ok {
		return nil
	}
	return x.p.Types[id]
}

// parsePlace parses what stands behind "path".
func parsePlace(text string) (p place, ok bool) {
	words, off, found := strings.Cut(text, "+")
	if p.off, ok = parseNumber(off, mostOffset); !ok || !found {
		return place{}, false
	}
	if words != "" {
		list := strings.Split(words, ",")
		if len(list) > mostWords {
			return place{}, false
		}
		for i, w := range list {
			if p.words[i], ok = parseNumber(w, mostOffset); !ok {
				return place{}, false
			}
		}
		p.n = len(list)
	}
	p.set = true
	return p, true
}

// takeFunction takes the function off the end of a text.
func (x parser) takeFunction(text string, depth int) (rest string, fn *function, ok bool) {
	const word = "func "
	at := strings.Index(text, word) // what is in parentheses comes later
	if at < 0 {
		return text, nil, true
	}
	rest, text = text[:at], text[at+len(word):]
	if rest != "" {
		if !strings.HasSuffix(rest, " ") || rest == " " {
			return rest, nil, false
		}
		rest = rest[:len(rest)-1]
	}
	number, list, found := strings.Cut(text, "(")
	id, ok := parseNumber(number, len(x.p.Funcs)-1)
	if !ok || !found || !strings.HasSuffix(list, ")") || depth == mostNested {
		return rest, nil, false
	}
	fn = &function{id: id}
	kinds := layoutOf(x.p.Funcs[id].Free)
	parts, ok := split(list[:len(list)-1])
	if len(kinds) == 0 {
		return rest, fn, ok && len(parts) == 1 && parts[0] == ""
	}
	if !ok || len(parts) != len(kinds) {
		return rest, nil, false
	}
	for i, part := range parts {
		v, ok := x.nested(part, kinds[i], depth+1)
		if !ok {
			return rest, nil, false
		}
		fn.captured = append(fn.captured, v)
	}
	return rest, fn, true
}

// split splits a text at the semicolons that are not in parentheses.
func split(text string) (parts []string, ok bool) {
	depth, from := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return nil, false
			}
		case ';':
			if depth == 0 {
				parts, from = append(parts, text[from:i]), i+1
			}
		}
	}
	return append(parts, text[from:]), depth == 0
}

// layoutOf are the kinds of the words of values of some types.
func layoutOf(list []*ir.Type) (kinds []ir.Kind) {
	for _, t := range list {
		kinds = append(kinds, t.Layout()...)
	}
	return kinds
}

// String is the text of a value, with the first type of each group.
func (v value) String() string {
	parts := make([]string, 0, 4)
	if v.set != 0 {
		parts = append(parts, v.set.String())
	}
	if v.path.set {
		parts = append(parts, "path "+v.path.String())
	}
	at := strconv.Itoa(v.hint.a) + "+" + strconv.Itoa(v.hint.b)
	switch v.hint.sort {
	case isField:
		parts = append(parts, "is "+at)
	case isElem:
		parts = append(parts, "elem "+strconv.Itoa(v.hint.a))
	case isGlobal:
		parts = append(parts, "global "+at)
	}
	if v.fn != nil {
		list := make([]string, len(v.fn.captured))
		for i, w := range v.fn.captured {
			list[i] = w.String()
		}
		parts = append(parts, "func "+strconv.Itoa(v.fn.id)+"("+strings.Join(list, ";")+")")
	}
	return strings.Join(parts, " ")
}

func (p place) String() string {
	list := make([]string, p.n)
	for i := range list {
		list[i] = strconv.Itoa(p.words[i])
	}
	return strings.Join(list, ",") + "+" + strconv.Itoa(p.off)
}

// class parses a fixed class.
func (x parser) class(text string) (class, bool) {
	sort, of, found := strings.Cut(text, " ")
	if !found {
		return class{}, false
	}
	if sort == "map" {
		t := x.typ(of)
		if t == nil || t.Class != ir.Map {
			return class{}, false
		}
		return class{entries, x.t.group[t.ID], 0}, true
	}
	if sort == "chan" {
		t := x.typ(of)
		if t == nil {
			return class{}, false
		}
		return x.t.channelClass(t), true
	}
	h, ok := x.hint(sort, of)
	switch {
	case !ok:
	case h.sort == isElem:
		return class{elem, h.a, 0}, true
	case h.sort == isField:
		if _, has := x.t.leaf[[2]int{h.a, h.b}]; has {
			return class{field, h.a, h.b}, true
		}
	}
	return class{}, false
}
