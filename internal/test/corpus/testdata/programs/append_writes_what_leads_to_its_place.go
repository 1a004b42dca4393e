// construct: order of evaluation
// outcomes: exact
// outcome: "pointer 2 0 0\nsecond of two 3 0 0\nelement 2 0 0\npointer to pointer 2 0 0\ncall 1 0 1\nindex 0 2 0\narray 2 0 0\nall of another 1 0 3\nanother place 1 2 0\ncut 1 1 0\ntype parameter 1 2\n"
// why: where a slice is appended to itself, the compiler takes the address of its place once, before it appends, so that it is no
// other place if the append writes a pointer that leads there. Where all elements of another slice are appended, or the place is not
// that of the slice that is appended to, the address is taken behind the append.

package main

import "fmt"

type cell struct{ list []*cell }

//go:noinline
func grow(c **cell, x *cell) { (*c).list = append((*c).list, x) }

//go:noinline
func growByTwo(c **cell, x, y *cell) { (*c).list = append((*c).list, x, y) }

//go:noinline
func growElement(l []*cell, i int, x *cell) { l[i].list = append(l[i].list, x) }

//go:noinline
func growTwice(c ***cell, x *cell) { (**c).list = append((**c).list, x) }

//go:noinline
func growCalled(c **cell, f func() *cell) { (*c).list = append((*c).list, f()) }

//go:noinline
func growNumbers(lists [][]int, i *int, x int) { lists[*i] = append(lists[*i], x) }

//go:noinline
func growAll(c **cell, x []*cell) { (*c).list = append((*c).list, x...) }

//go:noinline
func growOther(c, d **cell, x *cell) { (*c).list = append((*d).list, x) }

//go:noinline
func growCut(c **cell, x *cell) { (*c).list = append((*c).list[:0], x) }

type box[T any] struct{ list []*box[T] }

//go:noinline
func growBox[T any](c **box[T], x []*box[T]) { (*c).list = append((*c).list, x...) }

// itself makes a cell whose list has the first of n pointers to the cell, with room in front of the others.
func itself(n int) (all []*cell, a *cell) {
	a = &cell{}
	all = make([]*cell, n, 8)
	for i := range all {
		all[i] = a
	}
	a.list = all[:1]
	return all, a
}

func main() {
	b, d := &cell{}, &cell{}
	show := func(name string, a *cell) {
		fmt.Println(name, len(a.list), len(b.list), len(d.list))
		*b, *d = cell{}, cell{}
	}
	all, a := itself(2)
	grow(&all[1], b)
	show("pointer", a)

	all, a = itself(3)
	growByTwo(&all[2], b, d)
	show("second of two", a)

	all, a = itself(2)
	growElement(all, 1, b)
	show("element", a)

	all, a = itself(2)
	place := &all[1]
	growTwice(&place, b)
	show("pointer to pointer", a)

	all, a = itself(2)
	growCalled(&all[1], func() *cell {
		all[1] = d
		d.list = all[2:2:3]
		return b
	})
	show("call", a)

	numbers := []int{0, 1, 0}
	lists := [][]int{nil, numbers[:1], nil}
	growNumbers(lists, &numbers[1], 2)
	fmt.Println("index", len(lists[0]), len(lists[1]), len(lists[2]))

	var array [4]*cell
	array[0], array[1], a.list = a, a, array[:1]
	array[1].list = append(array[1].list, b)
	show("array", a)

	all, a = itself(3)
	growAll(&all[2], []*cell{b, d})
	show("all of another", a)

	all, a = itself(2)
	other := a
	growOther(&all[1], &other, b)
	show("another place", a)

	all, a = itself(2)
	growCut(&all[0], b)
	show("cut", a)

	x, y := &box[int]{}, &box[int]{}
	boxes := []*box[int]{x, x}
	x.list = boxes[:1]
	growBox(&boxes[1], []*box[int]{y})
	fmt.Println("type parameter", len(x.list), len(y.list))
}
