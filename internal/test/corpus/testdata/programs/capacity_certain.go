// construct: appends whose room is certain, or of which nobody else has the array
// outcomes: exact
// outcome: "[2 4 9 7] [2 4 9] [1 2 7] [5 6] 6\n"
// why: behind odd[:2] there are two elements that were appended before, so that the append writes there. A slice that
//	was clipped has no room, made with a capacity it has exactly that, and nobody has kept the list that grows.

package main

import (
	"fmt"
	"slices"
)

type list struct{ items []int }

func (l *list) add(x int) { l.items = append(l.items, x) }

func main() {
	odd := append([]int(nil), 2, 4, 5, 7)
	even := append(odd[:2], 9)
	one := append([]int(nil), 1, 2)
	two := append(slices.Clip(one), 7)
	made := make([]int, 1, 2)
	made[0] = 5
	whole := append(made, 6)
	var l list
	for i := range 6 {
		l.add(i)
	}
	fmt.Println(odd, even, two, whole[:2], len(l.items))
}
