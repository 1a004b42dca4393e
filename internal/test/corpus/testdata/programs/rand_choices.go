// construct: math/rand and math/rand/v2 as choices
// outcomes: exact
// outcome: "0 0\n"
// outcome: "0 1\n"
// outcome: "1 0\n"
// outcome: "1 1\n"
// outcome: "2 0\n"
// outcome: "2 1\n"
// why: IntN(3) and Intn(2) independently give each of their values.

package main

import (
	"fmt"
	v1 "math/rand"
	"math/rand/v2"
)

func main() {
	a := rand.IntN(3)
	fmt.Println(a, v1.Intn(2))
}
