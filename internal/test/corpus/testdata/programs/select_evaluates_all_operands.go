// construct: select, evaluation of operands in source order
// outcomes: exact
// outcome: "a b value chosen\n"
// why: channel and value expressions of all cases are evaluated once, in source order, whichever
//	case is chosen; only the second can proceed.

package main

import "fmt"

func main() {
	full := make(chan int)
	free := make(chan int, 1)
	say := func(s string, c chan int) chan int { fmt.Print(s, " "); return c }
	select {
	case <-say("a", full):
		fmt.Println("wrong")
	case say("b", free) <- func() int { fmt.Print("value "); return 1 }():
		fmt.Println("chosen")
	}
}
