// SPDX-License-Identifier: BSD-3-Clause

package client

import "testing"

// A call of an operation with the role not-Wait does not begin beside one of Wait, nor one of Wait beside it; others begin beside both.
func TestPlaced_KeepsTwoOperationsApart(t *testing.T) {
	ops, err := SetRoles([]Op{{Name: "Add"}, {Name: "Wait"}, {Name: "Done"}}, "Add:not-Wait")
	if err != nil {
		t.Fatal(err)
	}
	const add, wait, done = 0, 1, 2
	for _, c := range []struct {
		called     int
		inProgress []int
		want       bool
	}{
		{add, nil, true}, {wait, nil, true}, {add, []int{add}, true}, {wait, []int{wait}, true}, {done, []int{add}, true}, {done, []int{wait}, true}, {add, []int{done}, true},
		{add, []int{wait}, false}, {wait, []int{add}, false}, {add, []int{done, wait}, false}, {wait, []int{done, add}, false},
	} {
		if got := (&Position{}).Placed(ops, c.called, c.inProgress); got != c.want {
			t.Errorf("%s beside %v: %t, want %t", ops[c.called].Name, c.inProgress, got, c.want)
		}
	}
	if _, err := SetRoles(ops, "Add:not-Wait,Done:not-Weit"); err == nil {
		t.Error("the role names an operation that does not exist")
	}
}
