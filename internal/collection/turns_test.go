// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"testing"

	"pangolin/history"
	"pangolin/oracle"
)

func TestAlike_TellsKeysFromAmounts(t *testing.T) {
	number := func(name, typ string) Param { return Param{Name: name, Type: typ} }
	two := func(a, b int64) history.Tuple { return history.Of(history.IntValue(a), history.IntValue(b)) }
	context, thread := Param{Name: "ctx", Codec: &Codec{Shape: AsContext}}, Param{Meaning: oracle.ParamThread}
	for _, c := range []struct {
		name   string
		params []Param
		a, b   history.Tuple
		want   bool
	}{
		{"amounts differ", []Param{context, number("n", "int64")}, two(0, 1), two(1, 2), true},
		{"callers differ", []Param{number("n", "int"), thread}, two(1, 1), two(1, 2), true},
		{"keys differ", []Param{number("key", "int"), number("n", "int")}, two(1, 1), two(2, 1), false},
		{"keys are equal", []Param{number("key", "int"), number("n", "int")}, two(1, 1), two(1, 2), true},
		{"what a number says is not known", []Param{number("v", "int")}, two(1, 0), two(2, 0), false},
		{"names differ", []Param{number("s", "string")}, two(1, 0), two(2, 0), false},
		{"ids differ", []Param{number("userID", "uint64")}, two(1, 0), two(2, 0), false},
	} {
		if got := (&Operation{Params: c.params}).Alike(c.a, c.b); got != c.want {
			t.Errorf("%s: alike %v, want %v", c.name, got, c.want)
		}
	}
}

// A lock is for what its argument names, whatever the name of the parameter.
func TestAlike_LocksAreForNames(t *testing.T) {
	o := Operation{Params: []Param{{Name: "n", Type: "int"}}}
	one, two := history.Of(history.IntValue(1)), history.Of(history.IntValue(2))
	for name, want := range map[string]bool{"Lock": false, "RLock": false, "TryLockFor": false, "Acquire": true, "Take": true} {
		if o.Name = name; o.Alike(one, two) != want {
			t.Errorf("%s(1) and %[1]s(2) are alike: %v, want %v", name, !want, want)
		}
	}
}

func TestDeclines_IsSaidByFalseOrAnError(t *testing.T) {
	of := func(v ...history.Value) history.Tuple { return history.Of(v...) }
	boolean, number, failure := Result{Type: "bool"}, Result{Type: "int"}, Result{Type: "error"}
	coded := Result{Type: "error", Codec: &Codec{Shape: AsFailure}}
	for _, c := range []struct {
		name    string
		results []Result
		t       history.Tuple
		want    bool
	}{
		{"false", []Result{boolean}, of(history.BoolValue(false)), true},
		{"true", []Result{boolean}, of(history.BoolValue(true)), false},
		{"an error", []Result{failure}, of(history.ErrValue()), true},
		{"no error", []Result{failure}, of(history.NilValue()), false},
		{"an error of the package's", []Result{coded}, of(history.IntValue(FirstError)), true},
		{"none of the package's", []Result{coded}, of(history.IntValue(0)), false},
		{"nothing, and false", []Result{number, boolean}, of(history.IntValue(0), history.BoolValue(false)), true},
		{"something, and false", []Result{number, boolean}, of(history.IntValue(3), history.BoolValue(false)), false},
		{"true, and an error", []Result{boolean, failure}, of(history.BoolValue(true), history.ErrValue()), false},
		{"a number alone", []Result{number}, of(history.IntValue(0)), false},
		{"nothing at all", nil, history.Tuple{}, false},
		{"a panic", []Result{boolean}, history.PanicTuple(), false},
	} {
		if got := (&Operation{Results: c.results}).Declines(c.t); got != c.want {
			t.Errorf("%s: declines %v, want %v", c.name, got, c.want)
		}
	}
}
