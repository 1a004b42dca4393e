// construct: structs and arrays that are zero, compared with others
// outcomes: exact
// outcome: "false true false true\nfalse true false true\nfalse true\nfalse true false\ntrue false\n"
// why: there is one goroutine. A zero value that nobody has changed is a constant to a compiler.

package main

import "fmt"

type pair struct{ a, b int }

type mixed struct {
	e    any
	s    string
	f    float64
	deep [2]pair
}

func same[T comparable](x, y T) bool { return x == y }

func main() {
	var a [2]int
	fmt.Println(a == [2]int{0, 2}, a != [2]int{0, 2}, [2]int{0, 2} == a, a == [2]int{})
	var p pair
	fmt.Println(p == pair{0, 2}, p != pair{0, 2}, pair{b: 1} == p, p == pair{})
	var m mixed
	fmt.Println(m == mixed{deep: [2]pair{{}, {b: 1}}}, m == mixed{})
	var e any
	var q *pair
	fmt.Println(e == any(0), e == nil, e == any(q))
	fmt.Println(same(p, pair{}), same(m, mixed{f: 1}))
}
