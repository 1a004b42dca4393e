// construct: return of a named result
// outcomes: exact
// outcome: "7 [1] 5 8\n"
// why: of the results _ and m the second is returned as itself, and the first has a variable all the same

package main

import (
	"fmt"
	"sync"
)

type cell struct{ n int }

var mu sync.Mutex

func found(n int) (_ *cell, m []int) {
	c, m := &cell{n}, []int{1}
	return c, m
}

func locked(n int) (_ int, m int, _ error) {
	mu.Lock()
	defer mu.Unlock()
	m = n + 3
	return n, m, nil
}

func main() {
	c, m := found(7)
	n, k, _ := locked(5)
	fmt.Println(c.n, m, n, k)
}
