// construct: data race on a map
// outcomes: subset
// outcome: race

package main

import "sync"

func main() {
	m := map[int]int{}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { m[1] = 1; wg.Done() }()
	go func() { m[2] = 2; wg.Done() }()
	wg.Wait()
}
