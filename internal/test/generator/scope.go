// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// scope knows what a text uses and how it is declared.
type scope struct {
	form    form
	objects []object
	helpers []helper
}

func newScope(f form) *scope { return &scope{form: f} }

var reference = regexp.MustCompile(`@[a-z0-9]+`)

// use notes what the text refers to, and what that refers to.
func (s *scope) use(text string) {
	for _, ref := range reference.FindAllString(text, -1) {
		s.useName(ref[1:])
	}
	if usesWord(text, "world") {
		for _, name := range []string{"n", "m", "s"} {
			s.useName(name)
		}
	}
}

func (s *scope) useName(name string) {
	switch name {
	case "cond":
		s.useName("cm")
	case "value":
		s.useName("x")
	}
	for _, o := range append(objects(), special(s.form)...) {
		if o.name == name && !slices.Contains(s.objects, o) {
			s.objects = append(s.objects, o)
			return
		}
	}
	for _, h := range helpers() {
		if h.name == name && !slices.Contains(s.helpers, h) {
			s.helpers = append(s.helpers, h)
			s.use(h.body)
			return
		}
	}
}

// special are the objects whose initial values refer to others.
func special(f form) []object {
	return []object{
		{"cond", "*sync.Cond", "sync.NewCond(&@cm)", "", ""},
		{"value", "func() int", "sync.OnceValue(func() int { @x++; return @x })", "", ""},
	}
}

// late says that an object is set after the struct that holds it has been made.
func (o *object) late() bool { return strings.Contains(o.value, "@") }

// resolve replaces references by what they refer to.
func (s *scope) resolve(text string) string {
	return reference.ReplaceAllStringFunc(text, func(ref string) string {
		name := ref[1:]
		isHelper := slices.ContainsFunc(s.helpers, func(h helper) bool { return h.name == name })
		switch {
		case isHelper && s.form != receiver:
			return name
		case s.form == receiver:
			return "o." + name
		case s.form.inStruct():
			return "w." + name
		}
		return s.variableName(name)
	})
}

// variableName is that of an object which is a variable of its own: not one that the
// productions declare.
func (s *scope) variableName(name string) string { return name + "0" }

// declarations are those at package level.
func (s *scope) declarations() string {
	var b strings.Builder
	text := ""
	for _, o := range s.objects {
		text += o.needs + " "
	}
	for _, h := range s.helpers {
		text += h.body
	}
	if s.form.inStruct() {
		b.WriteString(s.structType())
	}
	switch s.form {
	case packageVariables:
		for _, o := range s.sorted() {
			b.WriteString(s.variable(o))
		}
	case packageStruct:
		b.WriteString("var w = world" + s.literal() + "\n\n" + s.lateInit())
	case packagePointer:
		b.WriteString("var w = &world" + s.literal() + "\n\n" + s.lateInit())
	}
	if !s.form.local() {
		for _, h := range s.helpers {
			b.WriteString(s.function(h))
		}
	}
	return b.String()
}

// sorted are the objects in the order of their table: those that others need come first.
func (s *scope) sorted() []object {
	all := append(objects(), special(s.form)...)
	sorted := slices.Clone(s.objects)
	slices.SortFunc(sorted, func(a, b object) int { return slices.Index(all, a) - slices.Index(all, b) })
	return sorted
}

func (s *scope) variable(o object) string {
	name := s.variableName(o.name)
	if o.value == "" {
		return fmt.Sprintf("var %s %s\n\n", name, o.typ)
	}
	return fmt.Sprintf("var %s %s = %s\n\n", name, o.typ, o.value)
}

// structType declares the struct of all shared objects.
func (s *scope) structType() string {
	name := "world"
	if s.form == receiver {
		name = "T"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "type %s struct {\n", name)
	for _, o := range s.sorted() {
		fmt.Fprintf(&b, "%s %s\n", o.name, o.typ)
	}
	b.WriteString("}\n\n")
	return b.String()
}

// literal is the composite literal's part in braces.
func (s *scope) literal() string {
	var fields []string
	for _, o := range s.sorted() {
		if o.value != "" && !o.late() {
			fields = append(fields, o.name+": "+o.value)
		}
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

// lateInit sets what refers to other objects.
func (s *scope) lateInit() string {
	text := s.lateStatements()
	if text == "" {
		return ""
	}
	return "func init() {\n" + text + "}\n\n"
}

func (s *scope) lateStatements() string {
	text := ""
	for _, o := range s.sorted() {
		if o.late() {
			text += "@" + o.name + " = " + o.value + "\n"
		}
	}
	return text
}

func (s *scope) function(h helper) string {
	switch s.form {
	case receiver:
		return fmt.Sprintf("func (o *T) %s%s {\n%s\n}\n\n", h.name, h.signature, h.body)
	case localVariables, localPointer:
		return fmt.Sprintf("%s := func%s {\n%s\n}\n", h.name, h.signature, h.body)
	}
	return fmt.Sprintf("func %s%s {\n%s\n}\n\n", h.name, h.signature, h.body)
}

// locals are main's declarations.
func (s *scope) locals() string {
	if !s.form.local() {
		return ""
	}
	var b strings.Builder
	if s.form == localPointer {
		b.WriteString("w := &world" + s.literal() + "\n" + s.lateStatements() + "_ = w\n")
	} else {
		for _, o := range s.sorted() {
			b.WriteString(strings.TrimSpace(s.variable(o)) + "\n_ = &" + s.variableName(o.name) + "\n")
		}
	}
	for i := len(s.helpers) - 1; i >= 0; i-- {
		b.WriteString(s.function(s.helpers[i]))
	}
	return b.String()
}

// finals prints what is shared at the end.
func (s *scope) finals() string {
	var values []string
	for _, o := range s.sorted() {
		if o.final != "" {
			values = append(values, o.final)
		}
	}
	if len(values) == 0 {
		return ""
	}
	return "fmt.Println(" + strings.Join(values, ", ") + ")\n"
}

// freeOnes declares the types and functions that a text needs.
func freeOnes(text string) string {
	declared := ""
	for range 2 { // some need others
		declared = ""
		for _, t := range typeDeclarations {
			if usesWord(text, t.name) {
				declared += t.text + "\n"
			}
		}
		for _, h := range freeHelpers {
			if usesWord(text, h.name) {
				declared += fmt.Sprintf("func %s%s {\n%s\n}\n\n", h.name, h.signature, h.body)
			}
		}
		text += declared
	}
	return declared
}
