// construct: recover, defer order, named result
// outcomes: exact
// outcome: "[recovered 1 last first]\n"
// why: one goroutine at a time: deferred functions run last in first out, recover stops the panic.

package main

import "fmt"

func main() {
	c := make(chan []string)
	go func() {
		var log []string
		defer func() { c <- log }()
		defer func() { log = append(log, "first") }()
		defer func() { log = append(log, "last") }()
		defer func() { log = append(log, fmt.Sprint("recovered ", recover())) }()
		panic(1)
	}()
	fmt.Println(<-c)
}
