// construct: empty select, deadlock
// outcomes: exact
// outcome: deadlock
// waits: select (no cases)
// why: nothing can ever happen after the goroutine's end.

package main

func main() {
	go func() {}()
	select {}
}
