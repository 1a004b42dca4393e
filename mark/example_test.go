// SPDX-License-Identifier: BSD-3-Clause

package mark_test

import (
	"fmt"

	"pangolin/mark"
)

// Under Pangolin every level is tried; here one is drawn at random.
func ExampleChoose() {
	level := mark.Choose(4)
	fmt.Println(level >= 0 && level < 4)
	// Output: true
}

// A reentrant lock asks whether it is held by the thread that wants it.
func ExampleThread() {
	owner := mark.Thread()
	fmt.Println(mark.Thread() == owner)
	other := make(chan int)
	go func() { other <- mark.Thread() }()
	fmt.Println(<-other == owner)
	// Output:
	// true
	// false
}
