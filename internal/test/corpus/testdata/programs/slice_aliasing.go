// construct: slices that share an array, append within capacity
// outcomes: exact
// outcome: "[1 8 9] [1 8] 3\n"
// why: the goroutine appends to and changes the shared array; main waits before it looks.

package main

import "fmt"

func main() {
	a := make([]int, 2, 3)
	a[0], a[1] = 1, 2
	done := make(chan []int)
	go func(s []int) {
		s = append(s, 9)
		s[1] = 8
		done <- s
	}(a)
	b := <-done
	fmt.Println(b, a, len(a[:3]))
}
