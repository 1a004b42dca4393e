// construct: print and println
// outcomes: exact
// outcome: "out\n" stderr "1 true x\nab"
// why: one goroutine only; the builtins write to standard error.

package main

import "fmt"

func main() {
	println(1, true, "x")
	print("a", "b")
	fmt.Println("out")
}
