// construct: pointers to variables of no size, struct with such pointers, array of no elements
// outcomes: exact
// open: pointers to variables of no size
// outcome: "false false false true\n"
// outcome: "false false true true\n"
// outcome: "false true false true\n"
// outcome: "true false false true\n"
// outcome: "true true true true\n"
// why: of three variables of no size all, two or none have one address: equality is transitive. A variable with a size
//	never has the address of another.

package main

import "fmt"

type pair struct {
	n int
	p *[0]int
}

func main() {
	a, b, c := new([0]int), new([0]int), new([0]int)
	x, y := new(int), new(int)
	fmt.Println(a == b, pair{1, b} == pair{1, c}, a == c, x != y)
}
