// construct: goroutine left blocked at the end of main
// outcomes: exact
// outcome: "end\n"
// why: the program ends when main returns, whatever the others wait for.

package main

import "fmt"

func main() {
	c := make(chan int)
	go func() { c <- 1 }()
	go func() { <-c; <-c }()
	fmt.Println("end")
}
