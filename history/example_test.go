// SPDX-License-Identifier: BSD-3-Clause

package history_test

import (
	"fmt"

	"pangolin/history"
)

// Two threads: the one's Push has returned before the other's Pop begins.
func ExampleHistory() {
	h := history.History{Threads: 2, Events: []history.Event{
		{Phase: history.Invoke, Thread: 0, Name: "Push", Args: history.Ints(7)},
		{Phase: history.Respond, Thread: 0, Name: "Push", Args: history.Ints(7)},
		{Phase: history.Invoke, Thread: 1, Method: 1, Name: "Pop"},
		{Phase: history.Respond, Thread: 1, Method: 1, Name: "Pop", Result: history.Of(history.IntValue(7), history.BoolValue(true))},
	}}
	fmt.Println(h.Validate(), h.Complete())
	for _, op := range h.Operations() {
		fmt.Println(op.Thread+1, op.Name, op.Invoked, op.Responded)
	}
	// Output:
	// <nil> true
	// 1 Push 0 1
	// 2 Pop 2 3
}
