// construct: order of evaluation
// outcomes: exact
// outcome: "[0 7] 1 2 2\n15 5 5\n"
// why: the compiler calls before it reads variables, fields and elements beside the call, in
// package variables' initialisers, too.

package main

import "fmt"

type stack struct {
	n int
	a [2]int
}

func (s *stack) bump(v int) int {
	s.n++
	return v
}

var (
	number     = 1
	sum        = number + change()
	left, next = two(number, change())
)

func change() int {
	number = 5
	return 10
}

func two(a, b int) (int, int) { return a, b / 2 }

func main() {
	s := &stack{}
	s.a[s.n] = s.bump(7)
	read := s.n
	fmt.Println(s.a, read, s.n, s.bump(2))
	fmt.Println(sum, left, next)
}
