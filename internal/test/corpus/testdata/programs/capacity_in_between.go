// construct: an append that has no room, and two smaller ones to the same slice that have
// outcomes: exact
// open: capacity
// outcome: "6 11 11\n"
// outcome: "6 10 11\n"
// outcome: "11 11 11\n"
// why: x has room for 5, 6 to 8, or 9 elements and more. Of 5, all three appends make arrays of their own; of 6 to 8 (gc: 8), the two that
//	append one element write the same place; of 9, all three do.

package main

import "fmt"

func main() {
	x := append(make([]int, 0, 4), 1, 2, 3, 4)
	x = append(x, 5)
	y := append(x, 6, 7, 8, 9)
	z := append(x, 10)
	w := append(x, 11)
	fmt.Println(y[5], z[5], w[5])
}
