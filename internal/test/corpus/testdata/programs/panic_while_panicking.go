// construct: panic in a deferred function
// outcomes: exact
// outcome: "deferred\n" panic "first\n\tpanic: second"
// why: one goroutine only; the report lists both panics.

package main

import "fmt"

func main() {
	defer fmt.Println("deferred")
	defer func() { panic("second") }()
	panic("first")
}
