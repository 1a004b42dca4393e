// construct: go statement with a nil function
// outcomes: exact
// outcome: fatal "go of nil func value"
// why: one goroutine only; this is a fatal error, so it is not recovered.

package main

func main() {
	defer func() { recover() }()
	var f func()
	go f()
}
