// construct: method values and method expressions in goroutines
// outcomes: exact
// outcome: "1 5 5\n"
// why: a method value with a value receiver copies it at once; with a pointer receiver it sees the
//	change, which is made before the goroutines start.

package main

import "fmt"

type num struct{ n int }

func (v num) get() int   { return v.n }
func (p *num) read() int { return p.n }

func main() {
	c := make(chan int)
	v := num{1}
	byValue, byPointer, expr := v.get, v.read, (*num).read
	v.n = 5
	run := func(f func() int) int {
		go func() { c <- f() }()
		return <-c
	}
	fmt.Println(run(byValue), run(byPointer), run(func() int { return expr(&v) }))
}
