// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"go/types"
	"testing"
)

// An error of a type of the package is a hash of type, text and fields. What a witness shows of it is found by trying.
func TestNotation_ShowsWhatAnErrorHolds(t *testing.T) {
	number := &Codec{Type: types.Typ[types.Int], Shape: AsInt}
	full := types.NewNamed(types.NewTypeName(0, types.NewPackage("example/q", "q"), "Full", nil), types.NewStruct(nil, nil), nil)
	of := func(fields ...Part) *Codec {
		return &Codec{Shape: AsFailure, Parts: []Part{{Codec: &Codec{Type: full, Shape: AsOpaque, Elem: &Codec{Type: full, Shape: AsStruct, Parts: fields}}}}}
	}
	texts := func(is func(string) bool) (string, bool) { return "full", is("full") }
	plain := Mix(1, textNumber("full"))
	length, capacity := Part{Name: "Len", Codec: number}, Part{Name: "Cap", Codec: number}
	for _, tc := range []struct {
		name string
		c    *Codec
		v    int64
		want string
	}{
		{"nothing", of(), plain, `q.Full "full"`},
		{"one", of(length), Mix(plain, 1+7), `q.Full "full" {Len: 7}`},
		{"two", of(length, capacity), Mix(Mix(plain, 1), 1+2), `q.Full "full" {Len: 0, Cap: 2}`},
		{"a nil pointer", of(length), plain, `q.Full "full"`},
		{"a number that is not small", of(length), Mix(Mix(plain, 0), 1000), ""},
		{"three", of(length, capacity, length), Mix(Mix(Mix(plain, 1), 1), 1), ""},
	} {
		if got, ok := tc.c.showLong(tc.v|1<<ContentBit, texts); got != tc.want || ok != (tc.want != "") {
			t.Errorf("%s: %q, %v, want %q", tc.name, got, ok, tc.want)
		}
	}
}
