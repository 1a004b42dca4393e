// construct: recover in a nested call does nothing
// outcomes: exact
// outcome: "nested <nil>\nouter boom\n"
// why: one goroutine only; recover works only in the deferred function itself.

package main

import "fmt"

func main() {
	defer func() { fmt.Println("outer", recover()) }()
	defer func() {
		func() { fmt.Println("nested", recover()) }()
	}()
	panic("boom")
}
