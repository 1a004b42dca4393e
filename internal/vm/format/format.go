// SPDX-License-Identifier: BSD-3-Clause

// Package format prints the values of a program that is executed in the machine: as
// package fmt does, as print does, and single numbers and strings for other texts.
//
// The functions of package fmt are models in package front's prelude, which call
// three functions of the machine. Needs says on which of the values the formatting
// calls a method; the model calls the methods, in Go; With then formats with
// the texts that they gave. Both walk over the arguments in the same way.
//
// What is printed is what package fmt of Go 1.26 prints, but for addresses, which
// are made up, and for Formatters, which are unsupported. Numbers and strings are
// given to the real fmt, so that flags, widths and precisions mean the same.
//
// The package reads the machine's memory through an interface (Memory), changes
// nothing but for the values that it boxes, and executes nothing.
package format

import (
	"slices"
	"strings"
	"unicode/utf8"

	"pangolin/internal/ir"
)

// Memory is what formatting asks of the machine whose values it prints.
type Memory interface {
	Text(w uint64) string                          // the string of a String word
	At(p uint64, n int) []uint64                   // the n words that p points to
	Dynamic(word uint64) *ir.Type                  // the type of an interface's type word; nil if that is 0
	Entries(p uint64) int                          // how many entries the map at p has
	Box(t *ir.Type, w []uint64) (typ, data uint64) // an interface value that holds w
	Address(p uint64) uint64                       // the number of the place that a reference refers to
	Unsupported(message string)                    // formatting needs something that has no meaning
	Failed() bool                                  // Unsupported has been called, or memory is exhausted
}

// A Call is a call of one of fmt's functions.
type Call struct {
	Format string
	Mode   int
	Args   []uint64 // the words of a slice of interfaces
}

// Needs lists the interface values, two words each, on which the call calls a method,
// in the order in which With wants their texts. A nil interface in front of one says that
// GoString is meant.
func Needs(m Memory, c Call) []uint64 {
	f := &formatter{m: m, collect: true}
	f.call(c.Format, c.Mode, f.arguments(c.Args))
	return f.needs
}

// With formats; texts are what the methods gave, String words.
func With(m Memory, c Call, texts []uint64) string {
	f := &formatter{m: m, texts: texts}
	f.call(c.Format, c.Mode, f.arguments(c.Args))
	return string(f.out)
}

// Wrapped lists the arguments that the verbs %w name: in the order of the verbs,
// or of the arguments if the format has an index.
func Wrapped(m Memory, c Call) []uint64 {
	f := &formatter{m: m, collect: true, wraps: true}
	p := parser{f: f, format: c.Format, args: f.arguments(c.Args)}
	p.run()
	if p.reordered {
		slices.Sort(p.wrapped)
	}
	return p.wrapped
}

// formatter is one formatting call.
type formatter struct {
	m       Memory
	dir     directive
	out     []byte
	needs   []uint64 // collecting: interface values whose methods are called, two words each
	texts   []uint64 // printing: what they gave, String words
	collect bool
	bare    bool // inside a report of a bad verb: no methods are called
	wraps   bool // the call is Errorf
}

// Modes of a formatting call, as the prelude numbers them.
const (
	modeFormat = iota // Sprintf
	modePlain         // Sprint
	modeLine          // Sprintln
	modeError         // Errorf
)

// datum is a value to print.
type datum struct {
	t *ir.Type // nil: there is none, as in a nil interface
	w []uint64
	// What an unexported field holds has no methods that fmt may call; for an
	// embedded field that is not true of what it holds in turn.
	hidden, hiddenSelf bool
	// reflected: it is, or is within, what a reflect.Value is of. Perhaps the program makes no interface values of its type.
	reflected bool
}

// arguments of a formatting call, from the words of a slice of interfaces.
func (f *formatter) arguments(slice []uint64) []datum {
	n := int(slice[1])
	list := make([]datum, n)
	if n > 0 {
		w := f.m.At(slice[0], n*ir.IfaceWords)
		for i := range list {
			list[i] = f.inside(w[2*i : 2*i+2])
		}
	}
	return list
}

// inside is the value that an interface holds.
func (f *formatter) inside(iface []uint64) datum {
	t := f.m.Dynamic(iface[0])
	if t == nil {
		return datum{}
	}
	w := iface[1:2]
	switch t.Size {
	case 0:
		w = nil
	case 1:
	default:
		w = f.m.At(iface[1], t.Size)
	}
	return datum{t: t, w: w}
}

// call formats arguments in a mode.
func (f *formatter) call(format string, mode int, args []datum) {
	f.wraps = mode == modeError
	switch mode {
	case modePlain:
		f.plain(args)
	case modeLine:
		f.line(args)
	default:
		p := parser{f: f, format: format, args: args}
		p.run()
	}
}

func (f *formatter) plain(args []datum) {
	before := false
	for i, a := range args {
		isString := a.t != nil && a.t.Class == ir.StringClass
		if i > 0 && !isString && !before {
			f.out = append(f.out, ' ')
		}
		f.arg(a, 'v')
		before = isString
	}
}

func (f *formatter) line(args []datum) {
	for i, a := range args {
		if i > 0 {
			f.out = append(f.out, ' ')
		}
		f.arg(a, 'v')
	}
	f.out = append(f.out, '\n')
}

func (f *formatter) write(s string) { f.out = append(f.out, s...) }

// method says whether a method of the value decides how it is printed, and if so
// prints its text.
func (f *formatter) method(d datum, verb rune) bool {
	if f.bare || d.t == nil || d.hidden || d.hiddenSelf {
		return false
	}
	if d.reflected && !d.t.Dynamic && !d.t.IsInterface() && d.t.MayHaveMethods() {
		f.m.Unsupported("formatting a reflect.Value asks for the methods of type " + d.t.Name + ", of which the program makes no interface value")
		return true
	}
	if verb == 'w' {
		if !f.wraps || !has(d.t, "Error() string") {
			f.badVerb(d, verb)
			return true
		}
		verb = 'v'
	}
	if _, ok := d.t.Methods["Format(fmt.State, int32)"]; ok {
		f.m.Unsupported("formatting calls the method Format of " + d.t.Name)
		return true
	}
	if f.dir.sharpV {
		return has(d.t, "GoString() string") && f.text(d, verb, true)
	}
	switch verb {
	case 'v', 's', 'x', 'X', 'q':
		return (has(d.t, "Error() string") || has(d.t, "String() string")) && f.text(d, verb, false)
	}
	return false
}

func has(t *ir.Type, method string) bool { return t.Methods[method] != nil }

// text prints what a method gives, or notes that it has to be called. A nil
// interface in front of a needed value says that GoString is meant.
func (f *formatter) text(d datum, verb rune, goSyntax bool) bool {
	if f.collect {
		if goSyntax {
			f.needs = append(f.needs, 0, 0)
		}
		typ, data := f.m.Box(d.t, d.w)
		f.needs = append(f.needs, typ, data)
		return true
	}
	if goSyntax && len(f.texts) > 0 {
		f.texts = f.texts[1:]
	}
	if len(f.texts) == 0 { // another thread changed what is printed between the two calls
		return false
	}
	s := f.m.Text(f.texts[0])
	f.texts = f.texts[1:]
	switch {
	case strings.HasPrefix(s, "\x00(PANIC="): // see textOf in the prelude
		f.write("%!" + string(verb) + s[1:])
	case strings.HasPrefix(s, "\x00") && !strings.HasPrefix(s, "\x00\x00"):
		f.write(s[1:])
	default:
		f.methodText(strings.TrimPrefix(s, "\x00"), verb, goSyntax)
	}
	return true
}

// methodText prints what a method gave.
func (f *formatter) methodText(s string, verb rune, goSyntax bool) {
	if goSyntax {
		f.host('s', 's', s)
	} else {
		f.string(s, verb)
	}
}

// badVerb reports a verb that the value has no form for.
func (f *formatter) badVerb(d datum, verb rune) {
	f.write("%!")
	f.out = utf8.AppendRune(f.out, verb)
	f.write("(")
	f.described(d)
	f.write(")")
}

// described prints a value with its type.
func (f *formatter) described(d datum) {
	if d.t == nil {
		f.write("<nil>")
		return
	}
	f.write(d.t.Name + "=")
	bare := f.bare
	f.bare = true
	f.arg(d, 'v')
	f.bare = bare
}
