// construct: range over func with defer and return inside the body
// outcomes: exact
// outcome: "found 2\nafter\ndeferred in body\n"
// why: one goroutine only; a defer inside the loop body runs when the enclosing function ends.

package main

import "fmt"

func find(seq func(func(int) bool)) int {
	for v := range seq {
		if v == 1 {
			defer fmt.Println("deferred in body")
		}
		if v == 2 {
			fmt.Println("found", v)
			return v
		}
	}
	return 0
}

func main() {
	find(func(yield func(int) bool) {
		defer fmt.Println("after")
		for i := 1; i < 5 && yield(i); i++ {
		}
	})
}
