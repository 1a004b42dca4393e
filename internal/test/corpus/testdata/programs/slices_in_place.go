// construct: slices.Insert, slices.Replace and slices.Delete in place, of slices that overlap
// outcomes: exact
// outcome: "[0 7 8 1 2 3] [0 7 8 1]\n[0 8 1 7 8 1]\n[0 8 1 0 8 7]\n[0 1 0 8 0 8 7]\n[9 9 1 0 8 0 8]\n[9 0 8 0]\n4 [\"\" \"a\"]\n"
// why: there is one goroutine. Whether what is inserted lies in the same array is asked of
//	addresses in the library.

package main

import (
	"fmt"
	"slices"
)

func main() {
	s := make([]int, 4, 10)
	for i := range s {
		s[i] = i
	}
	fmt.Println(slices.Insert(s, 1, 7, 8), s)
	fmt.Println(slices.Insert(s, 1, s[2:]...))
	fmt.Println(slices.Insert(s[:4], 3, s[:2]...))
	fmt.Println(slices.Replace(s[:6], 1, 3, s[2:5]...))
	fmt.Println(slices.Replace(s[:6], 0, 1, 9, 9))
	fmt.Println(slices.Delete(s[:6], 1, 3))
	none := slices.Insert(make([]struct{}, 2, 5), 1, struct{}{}, struct{}{})
	fmt.Println(len(none), fmt.Sprintf("%q", slices.Insert(make([]string, 1, 4), 1, "a")))
}
