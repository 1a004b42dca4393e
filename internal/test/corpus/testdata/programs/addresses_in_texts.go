// construct: %p and pointers inside of printed values
// outcomes: exact
// outcome: "true true\ntrue true\n2 true\n"
// why: an object's address is the same whoever asks for it and whenever; two objects that live have two addresses.

package main

import (
	"fmt"
	"strings"
	"sync"
)

type node struct{ next *node }

func main() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	seen := map[string]bool{}
	var all []*node
	for range 2 {
		wg.Go(func() {
			x := &node{next: &node{}}
			p, v := fmt.Sprintf("%p", x), fmt.Sprint(x)
			mu.Lock()
			all = append(all, x)
			seen[p] = true
			mu.Unlock()
			mu.Lock()
			fmt.Println(p == fmt.Sprintf("%p", x), v == fmt.Sprint(x))
			mu.Unlock()
		})
	}
	wg.Wait()
	shown := fmt.Sprintf("%+v", all[0])
	fmt.Println(len(seen), strings.Contains(shown, fmt.Sprintf("%p", all[0].next)))
}
