// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"context"
	"fmt"

	"pangolin"
	"pangolin/verdict"
)

// A list whose removals were wrong in the first printing of a book: two threads that remove one
// value may both be told that they did. The witness is an execution that shows it.
func ExampleVerify() {
	list, err := pangolin.Verify(context.Background(), pangolin.Request{
		Packages: []string{"./collections/list.LockFreeListOriginal"},
		Scope:    pangolin.Scope{Config: "B"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range list {
		fmt.Println(v.Collection, v.Status)
		if v.Status == verdict.Violated {
			fmt.Println(v.Violation.Summary)
		}
	}
	// Output:
	// list.LockFreeListOriginal violated
	// no order of the operations explains their results
}

// What a package holds, and how it would be verified.
func ExamplePrepare() {
	found, err := pangolin.Prepare(context.Background(), pangolin.Request{Packages: []string{"./collections/stack.LockFreeStack"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range found.Collections() {
		fmt.Println(c.Name, c.Kind, c.Protocol)
	}
	// Output: stack.LockFreeStack stack nonblocking
}
