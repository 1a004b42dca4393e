// construct: two appends to one slice, which append has made
// outcomes: exact
// open: capacity
// outcome: "[1 2 3 5] [1 2 3 5] [9 2 3]\n"
// outcome: "[1 2 3 4] [9 2 3 5] [1 2 3]\n"
// why: if there is room for a fourth element, both appends write it and b and c are one array with a; the last assignment
//	is seen in all three, or would be, had a not been read before. If there is none, all three are arrays of their own.

package main

import "fmt"

func main() {
	a := append([]int(nil), 1, 2, 3)
	b := append(a, 4)
	c := append(a, 5)
	if &a[0] == &b[0] {
		fmt.Print(b, " ", c)
		a[0] = 9
	} else {
		c[0] = 9
		fmt.Print(b, " ", c)
	}
	fmt.Println("", a)
}
