// construct: deadlock of some goroutines while main goes on
// outcomes: exact
// outcome: "main ends\n"
// why: two goroutines wait for each other for ever, but that is no deadlock of the program.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var a, b sync.Mutex
	a.Lock()
	b.Lock()
	go a.Lock()
	go b.Lock()
	fmt.Println("main ends")
}
