// construct: delete of a key that a map does not have, and of one that it has, beside a read
// outcomes: exact
// outcome: stderr "0\n"
// outcome: stderr "1\n"
// outcome: race
// why: deleting writes the map, whether the key is there or not, and clear does, too; reading it races
//	with each of the three, with frozen reads or without.

package main

func main() {
	m := map[int]int{1: 1}
	e := map[int]int{}
	c := map[struct{}]struct{}{}
	go func() { delete(e, 3) }()
	go func() { delete(m, 1) }()
	go func() { clear(c) }()
	println(len(m) + len(e) + len(c))
}
