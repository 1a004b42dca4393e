// construct: map iteration with insertion
// outcomes: exact
// outcome: "1\n"
// outcome: "2\n"
// why: an entry added during the iteration may be produced or skipped.

package main

import "fmt"

func main() {
	m := map[int]bool{0: true}
	n := 0
	for range m {
		n++
		m[1] = true
	}
	fmt.Println(n)
}
