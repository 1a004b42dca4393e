// SPDX-License-Identifier: BSD-3-Clause

package verdict

import "testing"

func TestByPoints_NamesScopesAndPoints(t *testing.T) {
	at := func(line int, when string) Point {
		return Point{Place: Place{File: "stack/stack.go", Line: line}, When: when}
	}
	one := &ByPoints{Scopes: []string{"3t 8s 0p"}, Found: "2t 3s 0p", Outcomes: []EffectAt{
		{Operation: "Push", Points: []Point{at(67, "swapped")}},
		{Operation: "Pop", Outcome: "_, true", Points: []Point{at(79, "swapped"), at(81, "")}},
	}}
	want := "3t 8s 0p by points that were found in 2t 3s 0p: Push at stack.go:67 swapped; Pop = _, true at stack.go:79 swapped or stack.go:81"
	if got := one.Text(); got != want {
		t.Errorf("%q, not %q", got, want)
	}
	var none *ByPoints
	earlier := &ByPoints{Scopes: []string{"D"}}
	if both := one.And(earlier); len(both.Scopes) != 2 || both.Scopes[0] != "D" || len(one.Scopes) != 1 || both.Found != one.Found {
		t.Errorf("both: %+v, one: %+v", both, one)
	}
	if none.And(nil) != nil || none.And(one) != one || one.And(none) != one {
		t.Error("points and no points are not the points")
	}
}
