// construct: sync.Once, panic counts as done
// outcomes: exact
// outcome: "recovered first\nsecond\n"
// why: one goroutine only; Do considers the panicking call as having returned.

package main

import (
	"fmt"
	"sync"
)

func main() {
	var once sync.Once
	func() {
		defer func() { fmt.Println("recovered", recover()) }()
		once.Do(func() { panic("first") })
	}()
	once.Do(func() { fmt.Println("never") })
	fmt.Println("second")
}
