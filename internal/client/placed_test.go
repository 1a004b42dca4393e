// SPDX-License-Identifier: BSD-3-Clause

package client

import "testing"

// A call of an operation with the role not-Wait+Stop does not begin beside one of Wait or of Stop, nor one of these beside it; others begin beside all.
func TestPlaced_KeepsOperationsApart(t *testing.T) {
	ops, err := SetRoles([]Op{{Name: "Add"}, {Name: "Wait"}, {Name: "Done"}, {Name: "Stop"}}, "Add:not-Wait+Stop")
	if err != nil {
		t.Fatal(err)
	}
	const add, wait, done, stop = 0, 1, 2, 3
	for _, c := range []struct {
		called     int
		inProgress []int
		want       bool
	}{
		{add, nil, true}, {wait, nil, true}, {add, []int{add}, true}, {wait, []int{wait}, true}, {done, []int{add}, true}, {done, []int{wait}, true}, {add, []int{done}, true},
		{stop, []int{wait}, true}, {wait, []int{stop}, true}, {stop, []int{stop}, true},
		{add, []int{wait}, false}, {wait, []int{add}, false}, {add, []int{done, wait}, false}, {wait, []int{done, add}, false}, {add, []int{stop}, false}, {stop, []int{add}, false},
	} {
		if got := (&Position{}).Placed(ops, c.called, c.inProgress); got != c.want {
			t.Errorf("%s beside %v: %t, want %t", ops[c.called].Name, c.inProgress, got, c.want)
		}
	}
	for _, flag := range []string{"Add:not-Wait,Done:not-Weit", "Add:not-Wait+Weit", "Add:not-", "Add:not-Wait+"} {
		if _, err := SetRoles(ops, flag); err == nil {
			t.Errorf("%q names an operation that does not exist", flag)
		}
	}
}
