// construct: mark.Choose without alternatives
// outcomes: exact
// outcome: "0\n" panic "mark.Choose: n must be at least 1"
// why: one alternative is always taken; none is a panic.

package main

import (
	"fmt"

	"pangolin/mark"
)

func main() {
	fmt.Println(mark.Choose(1))
	mark.Choose(0)
}
