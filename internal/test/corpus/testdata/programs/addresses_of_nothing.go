// construct: %p of pointers to variables of no size
// outcomes: exact
// open: pointers to variables of no size
// outcome: "true true\n"
// outcome: "true false\n"
// why: two such variables may have one address; then the pointers are equal, and else the texts differ.

package main

import "fmt"

type token struct{}

func main() {
	a, b := new(token), new(token)
	p, q := fmt.Sprintf("%p", a), fmt.Sprintf("%p", b)
	fmt.Println((a == b) == (p == q), a == b)
}
