// construct: map iteration with deletion
// outcomes: exact
// outcome: "1 left 1\n"
// outcome: "2 left 2\n"
// why: the first entry reached deletes the other, which must then not be produced.

package main

import "fmt"

func main() {
	m := map[int]int{1: 2, 2: 1}
	for k, other := range m {
		fmt.Print(k, " ")
		delete(m, other)
	}
	for k := range m {
		fmt.Println("left", k)
	}
}
