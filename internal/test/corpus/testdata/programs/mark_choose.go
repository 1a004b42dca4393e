// construct: mark.Choose
// outcomes: exact
// outcome: "0 0\n"
// outcome: "0 1\n"
// outcome: "1 0\n"
// outcome: "1 1\n"
// outcome: "2 0\n"
// outcome: "2 1\n"
// why: every combination of three and two alternatives.

package main

import (
	"fmt"

	"pangolin/mark"
)

func main() {
	a := mark.Choose(3)
	b := mark.Choose(2)
	fmt.Println(a, b)
}
