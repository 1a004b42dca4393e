// construct: defer, arguments evaluated at the defer statement
// outcomes: exact
// outcome: "2 1 0 end 3\n"
// why: one goroutine only; deferred calls run in reverse order with the arguments of their time,
//	while the closure sees the variable's last value. The closure was deferred first, so it is last.

package main

import "fmt"

func main() {
	n := 0
	defer func() { fmt.Println("end", n) }()
	for n < 3 {
		defer fmt.Print(n, " ")
		n++
	}
}
