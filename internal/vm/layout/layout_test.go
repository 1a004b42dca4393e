// SPDX-License-Identifier: BSD-3-Clause

package layout

import (
	"testing"

	"pangolin/internal/ir"
)

func basic(c ir.Class, words int) *ir.Type { return &ir.Type{Class: c, Size: words} }

// sink keeps slices on the heap: those on a stack begin with another capacity.
var sink any

func capacities[T any]() (list []int) {
	var s []T
	sink = &s
	for range 300 {
		var zero T
		s = append(s, zero)
		list = append(list, cap(s))
	}
	return list
}

func TestGrow_GivesTheRuntimesCapacities(t *testing.T) {
	type pair struct {
		_ int8
		_ *int
	}
	tests := []struct {
		name string
		typ  *ir.Type
		want []int
	}{
		{"uint8", basic(ir.Uint8, 1), capacities[uint8]()},
		{"int32", basic(ir.Int32, 1), capacities[int32]()},
		{"string", basic(ir.StringClass, 1), capacities[string]()},
		{"[3]int16", &ir.Type{Class: ir.Array, Len: 3, Size: 3, Elem: basic(ir.Int16, 1)}, capacities[[3]int16]()},
		{"pair", &ir.Type{Class: ir.Struct, Size: 2, Fields: []ir.Field{
			{Name: "a", Type: basic(ir.Int8, 1)}, {Name: "p", Offset: 1, Type: basic(ir.PointerClass, 1)}}}, capacities[pair]()},
	}
	for _, tc := range tests {
		c := uint64(0)
		for n, want := range tc.want {
			if uint64(n+1) > c {
				c = Grow(tc.typ, c, uint64(n+1))
			}
			if c != uint64(want) {
				t.Errorf("%s: for %d elements there is room for %d, want %d", tc.name, n+1, c, want)
				break
			}
		}
	}
}

func TestSameNumbers_TellsFormatsApart(t *testing.T) {
	i64, f64, u8, i16 := basic(ir.Int64, 1), basic(ir.Float64, 1), basic(ir.Uint8, 1), basic(ir.Int16, 1)
	two := &ir.Type{Class: ir.Struct, Size: 2, Fields: []ir.Field{{Type: i64}, {Offset: 1, Type: u8}}}
	tests := []struct {
		have *ir.Type
		off  int
		want *ir.Type
		same bool
	}{
		{i64, 0, i64, true},
		{i64, 0, f64, true}, // by its bits
		{i64, 0, u8, false},
		{two, 0, i64, true},
		{two, 1, i64, false},
		{two, 1, u8, true},
		{i16, 0, basic(ir.Uint16, 1), false},
	}
	for i, tc := range tests {
		if got := SameNumbers(tc.have, tc.off, tc.want); got != tc.same {
			t.Errorf("case %d: %v", i, got)
		}
	}
}
