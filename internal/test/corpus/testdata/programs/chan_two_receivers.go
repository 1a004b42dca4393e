// construct: unbuffered channel, two receivers
// outcomes: exact
// outcome: "1 2\n"
// outcome: "2 1\n"
// why: main sends 1 then 2, and either receiver may take the 1.

package main

import (
	"fmt"
	"sync"
)

func main() {
	c := make(chan int)
	var got [2]int
	var wg sync.WaitGroup
	wg.Add(2)
	for i := range got {
		go func() {
			got[i] = <-c
			wg.Done()
		}()
	}
	c <- 1
	c <- 2
	wg.Wait()
	fmt.Println(got[0], got[1])
}
