// construct: data race, plain read and write
// outcomes: subset
// outcome: race

package main

import "fmt"

func main() {
	x := 0
	done := make(chan bool)
	go func() {
		x = 1
		done <- true
	}()
	y := x
	<-done
	fmt.Println(y)
}
