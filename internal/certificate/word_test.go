// SPDX-License-Identifier: BSD-3-Clause

package certificate

import (
	"reflect"
	"testing"
)

// Tests that words, nodes and registers are read as they are written, and that other texts are refused.

func TestWords_AreReadAsTheyAreWritten(t *testing.T) {
	for text, w := range map[string]Word{
		"0": {}, "12": {N: 12}, "-1": {N: -1},
		"@0": {Form: Ref}, "@2+1": {Form: Ref, N: 2, Off: 1},
		"<k": {Form: Item, N: Below}, "=k": {Form: Item, N: Equal}, ">k": {Form: Item, N: Above}, "=j": {Form: Item, N: EqualJ}, ">j": {Form: Item, N: OtherJ},
		"?": {Form: Top}, "_": {Form: Dead}, "f7": {Form: Func, N: 7},
	} {
		if written, err := w.MarshalText(); err != nil || string(written) != text {
			t.Errorf("%v is written as %s, want %s (%v)", w, written, text, err)
		}
		var again Word
		if err := again.UnmarshalText([]byte(text)); err != nil || again != w {
			t.Errorf("%s is read as %v, want %v (%v)", text, again, w, err)
		}
		if w.IsRef() != (text[0] == '@') || w.OfJ() != (text == "=j" || text == ">j") {
			t.Errorf("%s: is a reference %t, is compared with j %t", text, w.IsRef(), w.OfJ())
		}
	}
	for _, text := range []string{"", "k", "==k", "@", "@-1", "@1+", "@1+-1", "@1+4096", "f", "f-1", "1.5", "2147483648", "1 2", "??"} {
		if err := new(Word).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is read as a word", text)
		}
	}
}

func TestNodes_AreReadAsTheyAreWritten(t *testing.T) {
	for text, n := range map[string]Node{
		"5{}":                     {Type: 5, Words: []Word{}},
		"5{>k @2}":                {Type: 5, Words: []Word{{Form: Item, N: Above}, {Form: Ref, N: 2}}},
		"'5{0}":                   {Type: 5, Private: true, Words: []Word{{}}},
		"3{?}!mine,open,put,>k":   {Type: 3, Words: []Word{{Form: Top}}, Offer: Offer{Holder: Mine, Stage: Open, Item: Word{Form: Item, N: Above}}},
		"3{?}!others,met,take,=k": {Type: 3, Words: []Word{{Form: Top}}, Offer: Offer{Holder: Others, Stage: Met, Takes: true, Item: Word{Form: Item, N: Equal}}},
		"3{?}!mine,missed,take,0": {Type: 3, Words: []Word{{Form: Top}}, Offer: Offer{Holder: Mine, Stage: Missed, Takes: true}},
		"[0 1|0|1]->@3":           {Chain: true, All: []int{0, 1}, First: []int{0}, Last: []int{1}, Next: Word{Form: Ref, N: 3}},
		"[2|2|2]*->0":             {Chain: true, MayBeEmpty: true, All: []int{2}, First: []int{2}, Last: []int{2}},
	} {
		if written, err := n.MarshalText(); err != nil || string(written) != text {
			t.Errorf("%v is written as %s, want %s (%v)", n, written, text, err)
		}
		var again Node
		if err := again.UnmarshalText([]byte(text)); err != nil || !reflect.DeepEqual(again, n) {
			t.Errorf("%s is read as %#v, want %#v (%v)", text, again, n, err)
		}
	}
	for _, text := range []string{"", "5", "5{", "5}", "{}", "x{}", "5{zz}", "5{}!", "5{}!mine,open,put", "5{}!his,open,put,0", "5{}!mine,shut,put,0",
		"5{}!mine,open,give,0", "5{}!mine,open,put,zz", "[0|0|0]", "[0|0]->0", "[0|0|0->0", "[x|0|0]->0", "[0|0|0]->", "[0|0|0|0]->0"} {
		if err := new(Node).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is read as a node", text)
		}
	}
}

func TestRegisters_AreReadAsTheyAreWritten(t *testing.T) {
	r := Reg{Reg: 3, Word: Word{Form: Ref, N: 2, Off: 1}}
	if written, err := r.MarshalText(); err != nil || string(written) != "r3=@2+1" {
		t.Errorf("%v is written as %s (%v)", r, written, err)
	}
	var again Reg
	if err := again.UnmarshalText([]byte("r3=@2+1")); err != nil || again != r {
		t.Errorf("it is read as %v (%v)", again, err)
	}
	for _, text := range []string{"", "r3", "3=0", "r=0", "r-1=0", "r3=zz", "r99999999999=0"} {
		if err := new(Reg).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is read as a register", text)
		}
	}
}

// A compare-and-swap of register 0 guarded by register 1 uses both; a read of register 0 uses it alone.
func TestRule_UsesWhatItReadsAndChanges(t *testing.T) {
	swap := Rule{Guards: []Guard{{Register: 1, Arg: -1}}, Assigns: 0, From: 0, Returns: 2}
	read := Rule{Assigns: -1, Returns: 0}
	none := Rule{Assigns: -1, Returns: -1}
	for register, want := range [][3]bool{{true, true, false}, {true, false, false}, {true, false, false}, {false, false, false}} {
		if got := [3]bool{swap.Uses(register), read.Uses(register), none.Uses(register)}; got != want {
			t.Errorf("register %d is used by the swap, the read, and what does nothing: %v, want %v", register, got, want)
		}
	}
}
