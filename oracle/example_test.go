// SPDX-License-Identifier: BSD-3-Clause

package oracle_test

import (
	"fmt"

	"pangolin/history"
	"pangolin/oracle"
)

// A queue says which results a call may have in a state, and which state comes then.
func ExampleNew() {
	queue, err := oracle.New(oracle.Queue, oracle.Protocol{Kind: oracle.Nonblocking}, []oracle.Op{
		{Name: "Enqueue", Role: oracle.Put, Params: []oracle.Param{oracle.ParamItem}},
		{Name: "Dequeue", Role: oracle.Take, Results: []oracle.Slot{oracle.SlotItem, oracle.SlotOK}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	enqueue := oracle.Step{Call: oracle.Call{Op: 0, Args: history.Ints(7)}}
	state, ok, _, err := oracle.Advance(queue, []oracle.Step{enqueue})
	fmt.Println(ok, err)
	outcomes, err := queue.Outcomes(state, oracle.Call{Op: 1})
	fmt.Println(len(outcomes), outcomes[0].Result, err)
	// Output:
	// true <nil>
	// 1 7, true <nil>
}
