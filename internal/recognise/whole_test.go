// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"slices"
	"testing"

	"pangolin/internal/collection"
	"pangolin/oracle"
)

// Of the fields of a struct that callers make, the first number or text varies by itself: beside the next one, or beside a bool or a constant where there is none.
func TestFind_LetsTwoFieldsVaryByThemselves(t *testing.T) {
	for fields, want := range map[string][]int{
		"N int":                     {0},
		"On bool":                   {0},
		"N int; S string":           {collection.FirstOfTwo, collection.SecondOfTwo},
		"N int; On bool":            {collection.BesideFew, collection.OneOfFew},
		"On bool; N int":            {collection.OneOfFew, collection.BesideFew},
		"Mode Mode; N int":          {collection.OneOfFew, collection.BesideFew},
		"On bool; N int; S string":  {0, collection.FirstOfTwo, collection.SecondOfTwo},
		"N int; On bool; Also bool": {collection.BesideFew, collection.OneOfFew, 0},
		"On bool; Mode Mode":        {0, 0},
	} {
		t.Run(fields, func(t *testing.T) {
			_, c := findOne(t, "package p; type Mode string; const (Fast Mode = \"f\"; Slow Mode = \"s\"); type A struct{ "+fields+" }; type O struct{ a A }; func (o *O) Set(a A) { o.a = a }",
				collection.Overrides{Type: "O"})
			parts := c.Operations[0].Params[0].Codec.Parts
			if len(parts) != len(want) {
				t.Fatalf("%d fields, want %d", len(parts), len(want))
			}
			for i, p := range parts {
				if p.Codec.Pair != want[i] {
					t.Errorf("%s varies as %d, want %d", p.Name, p.Codec.Pair, want[i])
				}
			}
		})
	}
}

// A field may be one that does not count only if there is another one that does.
func TestMayIgnore_LeavesOneFieldThatCounts(t *testing.T) {
	for fields, want := range map[string][]string{"N int": nil, "N int; S string": {"N", "S"}, "N int; L []int": {"N"}} {
		_, c := findOne(t, "package p; type A struct{ "+fields+" }; type O struct{ a A }; func (o *O) Set(a A) { o.a = a }", collection.Overrides{Type: "O"})
		if got := MayIgnore(c.Operations[0].Params[0].Codec); !slices.Equal(got, want) {
			t.Errorf("%s: %v may not count, want %v", fields, got, want)
		}
	}
}

// Of a bool the name says what it tells, of each operation by itself.
func TestPolarity_ReadsTheNamesOfEachOperation(t *testing.T) {
	for _, c := range []struct {
		role oracle.Role
		name string
		slot oracle.Slot
		open bool // the name says nothing
	}{
		{oracle.LoadOrStore, "loaded", oracle.SlotOK, false},
		{oracle.LoadOrStore, "stored", oracle.SlotNotOK, false},
		{oracle.LoadOrStore, "b", oracle.SlotOK, true},
		{oracle.Add, "added", oracle.SlotOK, false},
		{oracle.Add, "found", oracle.SlotNotOK, false},
		{oracle.Contains, "found", oracle.SlotOK, false},
		{oracle.Contains, "missing", oracle.SlotNotOK, false},
	} {
		b := &binding{role: c.role}
		if got := b.polarity(c.name); got != c.slot || b.eitherSense != c.open {
			t.Errorf("%s of %v reads as %v, left open: %t", c.name, c.role, got, b.eitherSense)
		}
	}
}

// More could be compared of an error than whether it is nil, and not of a bool or a number.
func TestFind_ListsWhatIsComparedInPart(t *testing.T) {
	_, c := findOne(t, "package p; type Set struct{}; func (*Set) Add(k int) error { return nil }; func (*Set) Remove(k int) bool { return false }; func (*Set) Contains(k int) bool { return false }", collection.Overrides{})
	if !slices.Equal(c.More, []string{"Add"}) {
		t.Errorf("of %v more could be compared, want Add", c.More)
	}
}

// What is called a heap is a priority queue.
func TestCalled_TakesHeapsForPriorityQueues(t *testing.T) {
	for typ, want := range map[string][]oracle.Kind{"MinHeap[int]": {oracle.PQueue}, "JobQueue": {oracle.Queue, oracle.PQueue, oracle.Deque}, "Cheapest": nil} {
		if got := Called(&collection.Collection{Type: typ}); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", typ, got, want)
		}
	}
}

// A struct goes down if one of its numbers does.
func TestGoesDown_LooksIntoStructs(t *testing.T) {
	_, c := findOne(t, "package p; type A struct{ S string; N int }; type O struct{ a A }; func (o *O) Set(a A) { o.a = a }", collection.Overrides{Type: "O"})
	codec := c.Operations[0].Params[0].Codec
	if goesDown(codec) || !goesDown(descending(codec)) {
		t.Errorf("goes down: %t, and when it is made to %t", goesDown(codec), goesDown(descending(codec)))
	}
}
