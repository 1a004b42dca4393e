// construct: map with mutex, comma ok
// outcomes: exact
// outcome: "first b, map[k:a]\n"
// outcome: "first a, map[k:b]\n"
// why: whoever finds the key absent is first; the later one overwrites its value.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	m := map[string]string{}
	first := ""
	var wg sync.WaitGroup
	wg.Add(2)
	for _, who := range []string{"a", "b"} {
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			if _, ok := m["k"]; !ok {
				first = who
			}
			m["k"] = who
		}()
	}
	wg.Wait()
	fmt.Printf("first %s, %v\n", first, m)
}
