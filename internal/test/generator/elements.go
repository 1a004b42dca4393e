// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// element is what a collection holds in place of ints.
type element struct {
	typ, decl string // the type, and its declaration if it has one
	as, from  string // statements that make an element of an int i, and an int of an element v
	ordered   bool
	generic   bool
	loses     string // the body of a function half(v) that gives v without a part of it, or with one in the place of another; "" is none
}

var elements = []element{
	{typ: "string", as: "if i == 0 {\nreturn \"\"\n}\nreturn string(rune('a' + i))", from: "if v == \"\" {\nreturn 0\n}\nreturn int(v[0]) - 'a'", ordered: true},
	{typ: "key", decl: "type key int8\n\n", as: "return key(i)", from: "return int(v)", ordered: true},
	{typ: "key", decl: "type key struct{ id int }\n\n", as: "return key{i}", from: "return v.id"},
	{typ: "uint64", as: "return uint64(i)", from: "return int(v)", ordered: true},
	{typ: "E", ordered: true, generic: true},
}

// elementFor is the n-th element that meets a constraint, counted around.
func elementFor(of string, n int) *element {
	for of == "cmp.Ordered" && !elements[n].ordered {
		n = (n + 1) % len(elements)
	}
	return &elements[n]
}

func (e *element) name() string {
	if e.decl != "" {
		return strings.TrimSpace(strings.TrimPrefix(e.decl, "type "))
	}
	return e.typ
}

var (
	intWord = regexp.MustCompile(`\bint\b`)
	// aboutInts finds faults that look at what is held.
	aboutInts = regexp.MustCompile(`[<>]|[!=]= |\b[0-9]\b|Sort|sort`)
)

// storage is s with elements for ints.
func (e *element) storage(s storage) storage {
	if e.typ == "int" {
		return s
	}
	retype := func(text string) string {
		text = intWord.ReplaceAllString(text, e.typ)
		text = strings.ReplaceAll(text, "return 0, false", "return *new("+e.typ+"), false")
		return strings.ReplaceAll(text, "return 0\n", "return *new("+e.typ+")\n")
	}
	s.fields, s.types, s.values, s.helpers = retype(s.fields), retype(s.types), retype(s.values), retype(s.helpers)
	s.methods = slices.Clone(s.methods)
	for i := range s.methods {
		m := &s.methods[i]
		m.params, m.results, m.body = retype(m.params), retype(m.results), strings.TrimSuffix(retype(m.body+"\n"), "\n")
	}
	var faults []replacement
	for _, r := range s.faults {
		if !aboutInts.MatchString(strings.ReplaceAll(r.to, "<-", "")) {
			faults = append(faults, replacement{retype(r.from), retype(r.to)})
		}
	}
	s.faults = faults
	if e.loses != "" {
		s.faults = append(s.faults, e.losing(s.methods)...)
	}
	return s
}

// losing are the faults by which an operation takes or gives an element without a part of it.
func (e *element) losing(methods []method) (list []replacement) {
	for _, m := range methods {
		param := regexp.MustCompile(`(\w) ` + regexp.QuoteMeta(e.typ) + `$`).FindStringSubmatch(m.params)
		head := fmt.Sprintf("func (t *T) %s(%s) %s {\n", m.name, m.params, m.results)
		if param != nil {
			list = append(list, replacement{head, head + param[1] + " = half(" + param[1] + ")\n"})
		}
	}
	return list
}

// operation is a method, and how it is called with ints.
func (e *element) operation(m *method) Operation {
	op := Operation{Name: m.name, Role: m.role, Params: strings.Count(m.params, ",") + strings.Count(m.params, "int")}
	if e.typ == "int" || e.generic {
		return op
	}
	args := []string{"as($1)", "as($2)"}[:op.Params]
	op.Call = "$c." + m.name + "(" + strings.Join(args, ",") + ")"
	switch m.results {
	case "(int, bool)":
		op.Call = "both(" + op.Call + ")"
	case "int":
		op.Call = "from(" + op.Call + ")"
	}
	return op
}

// helpers are the functions that the calls mention.
func (e *element) helpers() string {
	if e.typ == "int" || e.generic {
		return ""
	}
	half := ""
	if e.loses != "" {
		half = "func half(v " + e.typ + ") " + e.typ + " {\n" + e.loses + "\n}\n\n"
	}
	return e.decl + half + "func as(i int) " + e.typ + " {\n" + e.as + "\n}\n\nfunc from(v " + e.typ + ") int {\n" + e.from + "\n}\n\n" +
		"func both(v " + e.typ + ", ok bool) (int, bool) { return from(v), ok }\n"
}

var (
	declares = regexp.MustCompile(`(?m)^type (T|node) struct`)
	applies  = regexp.MustCompile(`\b(T|node)\b`)
	creates  = regexp.MustCompile(`(?m)^func New\(\)`)
)

// generic gives a text's types a parameter E.
func generic(text, constraint string) string {
	const mark = "\x00"
	text = declares.ReplaceAllString(text, "type "+mark+"${1}"+mark+" struct")
	text = applies.ReplaceAllString(text, "${1}[E]")
	text = strings.NewReplacer(mark+"T[E]"+mark, "T[E "+constraint+"]", mark+"node[E]"+mark, "node[E "+constraint+"]").Replace(text)
	return creates.ReplaceAllString(text, "func New[E "+constraint+"]()")
}
