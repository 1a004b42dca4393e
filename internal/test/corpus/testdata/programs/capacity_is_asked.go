// construct: cap of what append has made, asked before and after
// outcomes: exact
// open: capacity
// outcome: "3 true true\n"
// outcome: "4 true true\n"
// why: the capacity of three ints is three (what is sure, and what gc's heap gives) or that of the buffer that gc keeps on the
//	stack, four. It is the same whenever it is asked, and decides whether append stays where it is.

package main

import "fmt"

func main() {
	a := append([]int(nil), 1, 2, 3)
	n := cap(a)
	b := append(a, 4)
	fmt.Println(n, (&a[0] == &b[0]) == (n > 3), cap(a) == n && cap(a[1:]) == n-1 && cap(a[:2:2]) == 2)
}
