// construct: data race on an append without lock
// outcomes: subset
// outcome: race

package main

import (
	"fmt"
	"sync"
)

func main() {
	var s []int
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			s = append(s, i)
		}()
	}
	wg.Wait()
	fmt.Println(len(s) <= 2)
}
