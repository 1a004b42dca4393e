// construct: the order of two addresses
// outcomes: exact
// open: addresses
// outcome: "true true\n"
// outcome: "false true\n"
// why: which of two objects has the lower address is open, but it does not change, and maps are printed in that order.

package main

import (
	"fmt"
	"strings"
)

func main() {
	a, b := new(int), new(int)
	p, q := fmt.Sprintf("%p", a), fmt.Sprintf("%p", b)
	text := fmt.Sprint(map[*int]bool{a: true, b: true})
	fmt.Println(p < q, (strings.Index(text, p) < strings.Index(text, q)) == (p < q))
}
