// construct: map iteration order
// outcomes: exact
// outcome: "abc\n"
// outcome: "acb\n"
// outcome: "bac\n"
// outcome: "bca\n"
// outcome: "cab\n"
// outcome: "cba\n"
// why: the order is unspecified: 3! orders. (The native map shows only some of them.)

package main

import "fmt"

func main() {
	m := map[string]bool{"a": true, "b": true, "c": true}
	s := ""
	for k := range m {
		s += k
	}
	fmt.Println(s)
}
