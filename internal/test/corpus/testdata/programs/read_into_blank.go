// construct: assignment of a variable to the blank identifier, or its declaration, beside another
// outcomes: exact
// outcome: "1 1 1\n"
// why: the compiler does not read the variable, so nothing races.

package main

import "fmt"

func main() {
	x, a, r, s := 0, [2]int{}, 1, 0
	done := make(chan bool)
	go func() {
		_, r = x, r+0
		s, _ = r, a
		_, t := x, s
		s = t
		var _, u = x, s
		var _, w any = a, u
		var (
			k, _ int = s, x
		)
		s = k + w.(int) - u
		done <- true
	}()
	x = 1
	a[0] = 1
	<-done
	fmt.Println(x, r, s)
}
