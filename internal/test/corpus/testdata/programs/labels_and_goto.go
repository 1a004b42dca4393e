// construct: labeled break and continue, goto, switch with fallthrough
// outcomes: exact
// outcome: "[0 2 10 12] 3 two three\n"
// why: one goroutine computes, main waits. j=1 is skipped by continue, i=2 ends the outer loop; goto
//	counts to three; case 2 falls through.

package main

import "fmt"

func compute() (got []int, n int, s string) {
outer:
	for i := range 3 {
		for j := range 4 {
			switch {
			case i == 2:
				break outer
			case j == 1:
				continue
			case j == 3:
				continue outer
			}
			got = append(got, 10*i+j)
		}
	}
again:
	if n < 3 {
		n++
		goto again
	}
	switch n - 1 {
	case 2:
		s = "two "
		fallthrough
	case 3:
		s += "three"
	default:
		s = "?"
	}
	return
}

func main() {
	done := make(chan bool)
	go func() {
		fmt.Println(compute())
		close(done)
	}()
	<-done
}
