// construct: two panicking goroutines
// outcomes: exact
// outcome: panic "a"
// outcome: panic "b"
// why: the first panic ends the program; main can only wait.

package main

func main() {
	go func() { panic("a") }()
	go func() { panic("b") }()
	select {}
}
