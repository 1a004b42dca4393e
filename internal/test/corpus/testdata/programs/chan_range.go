// construct: range over channel
// outcomes: exact
// outcome: "6\n"
// why: the loop ends at the close, after all three values.

package main

import "fmt"

func main() {
	c := make(chan int)
	go func() {
		defer close(c)
		for i := range 3 {
			c <- i + 1
		}
	}()
	sum := 0
	for v := range c {
		sum += v
	}
	fmt.Println(sum)
}
