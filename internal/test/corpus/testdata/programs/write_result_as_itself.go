// construct: return of a named result
// outcomes: exact
// outcome: "1 1\n"
// why: returning a named result as itself does not write it, so the goroutine may read it
// at the same time.

package main

import "fmt"

func one(done chan<- int) (r int, err error) {
	r = 1
	go func() { done <- r }()
	return r, nil
}

func main() {
	done := make(chan int)
	r, _ := one(done)
	fmt.Println(r, <-done)
}
