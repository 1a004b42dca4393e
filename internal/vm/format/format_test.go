// SPDX-License-Identifier: BSD-3-Clause

package format

import (
	"fmt"
	"math"
	"testing"

	"pangolin/internal/ir"
)

// fake is a memory of a few types, strings and words.
type fake struct {
	types   []*ir.Type
	strings []string
	words   []uint64
	failed  string
}

func (m *fake) Address(p uint64) uint64     { return p }
func (m *fake) Text(w uint64) string        { return m.strings[w] }
func (m *fake) At(p uint64, n int) []uint64 { return m.words[p-1:][:n] }
func (m *fake) Entries(p uint64) int        { return int(m.words[p-2]) }
func (m *fake) Unsupported(message string)  { m.failed = message }
func (m *fake) Failed() bool                { return m.failed != "" }

func (m *fake) Dynamic(word uint64) *ir.Type {
	if word == 0 {
		return nil
	}
	return m.types[word&^ir.TypeTag]
}

func (m *fake) Box(t *ir.Type, w []uint64) (typ, data uint64) {
	for i, u := range m.types {
		if u == t {
			return ir.TypeTag | uint64(i), w[0]
		}
	}
	panic("an unknown type")
}

// values are a memory and interface words for an int, a string, a float, a slice of
// bytes and nil, with what they are in Go.
func values() (m *fake, words []uint64, goValues []any) {
	number := &ir.Type{Name: "int", Class: ir.Int, Size: 1}
	str := &ir.Type{Name: "string", Class: ir.StringClass, Size: 1}
	float := &ir.Type{Name: "float64", Class: ir.Float64, Size: 1}
	bytes := &ir.Type{Name: "[]uint8", Class: ir.Slice, Size: 3, Elem: &ir.Type{Name: "uint8", Class: ir.Uint8, Size: 1}}
	m = &fake{types: []*ir.Type{nil, number, str, float, bytes}, strings: []string{"", "pan\ngolin"},
		words: []uint64{'g', 'o', 1, 2, 2}}
	words = []uint64{ir.TypeTag | 1, 42, ir.TypeTag | 2, 1, ir.TypeTag | 3, math.Float64bits(2.5), ir.TypeTag | 4, 3, 0, 0}
	return m, words, []any{42, "pan\ngolin", 2.5, []byte("go"), nil}
}

func TestWith_IsFmt(t *testing.T) {
	for _, f := range []string{"%v %v %v %v %v", "%d|%q|%6.2f|%x|%v", "%5d%-12s|%g%s%v", "%+v %#v %e %v %T", "%[3]v %[1]v", "%d", "%z %!",
		"%v %v %v %v %v %v", "%*d", "%s %d %s %d %s"} {
		m, words, goValues := values()
		m.words = append(m.words, words...)
		call := Call{Format: f, Args: []uint64{6, uint64(len(goValues)), uint64(len(goValues))}}
		if got, want := With(m, call, nil), fmt.Sprintf(f, goValues...); got != want {
			t.Errorf("%q: %q, want %q", f, got, want)
		}
		if needs := Needs(m, call); len(needs) > 0 {
			t.Errorf("%q needs %v", f, needs)
		}
	}
}

// A method's text stands in for its value, quoted or cut as the directive says.
func TestNeeds_NamesWhatHasMethods(t *testing.T) {
	named := &ir.Type{Name: "main.T", Class: ir.Int, Size: 1, Methods: map[string]*ir.Func{"String() string": {}}}
	m := &fake{types: []*ir.Type{nil, named}, strings: []string{"", "text"}, words: []uint64{ir.TypeTag | 1, 7}}
	call := Call{Format: "%v %d %q", Args: []uint64{1, 1, 1}}
	call.Format = "%v|%[1]d|%[1]q"
	if needs := Needs(m, call); fmt.Sprint(needs) != fmt.Sprint([]uint64{ir.TypeTag | 1, 7, ir.TypeTag | 1, 7}) {
		t.Errorf("needs %v", needs)
	}
	if got := With(m, call, []uint64{1, 1}); got != `text|7|"text"` {
		t.Error(got)
	}
}

func TestWith_RefusesFormatters(t *testing.T) {
	odd := &ir.Type{Name: "main.Odd", Class: ir.Int, Size: 1, Methods: map[string]*ir.Func{"Format(fmt.State, int32)": nil}}
	m := &fake{types: []*ir.Type{nil, odd}, words: []uint64{ir.TypeTag | 1, 7}}
	With(m, Call{Format: "%v", Args: []uint64{1, 1, 1}}, nil)
	if m.failed != "formatting calls the method Format of main.Odd" {
		t.Errorf("failed: %q", m.failed)
	}
}

func TestWrapped_ListsTheVerbsInOrder(t *testing.T) {
	boom := &ir.Type{Name: "*main.E", Class: ir.PointerClass, Size: 1, Methods: map[string]*ir.Func{"Error() string": {}}}
	m := &fake{types: []*ir.Type{nil, boom}, words: []uint64{ir.TypeTag | 1, 7, ir.TypeTag | 1, 9}}
	args := []uint64{1, 2, 2}
	if got := Wrapped(m, Call{Format: "%w %w", Args: args}); fmt.Sprint(got) != "[0 1]" {
		t.Error(got)
	}
	if got := Wrapped(m, Call{Format: "%[2]w %[1]w", Args: args}); fmt.Sprint(got) != "[0 1]" {
		t.Error(got)
	}
	if got := Wrapped(m, Call{Format: "%v %w", Args: args}); fmt.Sprint(got) != "[1]" {
		t.Error(got)
	}
}
