// construct: goroutine numbers in stack traces
// outcomes: exact
// outcome: "3 true\n"
// why: goroutines have numbers of their own, which do not change and are used once; main's does not change either.

package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

// number is the goroutine's, by the first line of its stack trace.
func number() int {
	var buf [64]byte
	text := string(buf[:runtime.Stack(buf[:], false)])
	n, err := strconv.Atoi(strings.Fields(text)[1])
	if err != nil {
		panic(err)
	}
	return n
}

func same() string { return strings.Fields(string(debug.Stack()))[1] }

func main() {
	seen := map[int]bool{number(): true}
	c := make(chan int)
	for range 2 {
		go func() { c <- number() }()
		seen[<-c] = true // the first one may have ended when the second begins
	}
	fmt.Println(len(seen), strconv.Itoa(number()) == same())
}
