// construct: package variables, init functions, goroutine started by init
// outcomes: exact
// outcome: "3 2 1 7\n"
// why: variables are initialised by dependency, then init functions in order; the goroutine that
//	init starts is waited for.

package main

import "fmt"

var a = b + 1
var b = c + 1
var c = one()
var ch = make(chan int)

func one() int { return 1 }

func init() { go func() { ch <- 7 }() }

func main() { fmt.Println(a, b, c, <-ch) }
