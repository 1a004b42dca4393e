// Labels, goto, switch, defer in loops, panics, closures.
package main

import (
	"errors"
	"runtime"
)

func search(grid [][]int, want int) (i, j int) {
rows:
	for i = range grid {
		for j = range grid[i] {
			switch {
			case grid[i][j] == want:
				break rows
			case grid[i][j] < 0:
				continue rows
			}
		}
	}
	return
}

func retry(n int) int {
again:
	if n < 10 {
		n *= 2
		goto again
	}
	switch n {
	case 16:
		fallthrough
	case 12:
		return 1
	}
	return n
}

func safely(f func()) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case runtime.Error:
			err = x
		case error:
			err = errors.Join(x)
		default:
			panic(x)
		}
	}()
	f()
	return nil
}

func counter() (inc func() int, get func() int) {
	n := 0
	return func() int { n++; return n }, func() int { return n }
}

func deferred() (s string) {
	for _, c := range []string{"a", "b"} {
		defer func() { s += c }()
	}
	defer recover()
	defer println("x", 1)
	defer panic(errors.New("again"))
	return "r"
}

type tree struct {
	left, right *tree
	value       int
}

func (t *tree) walk(yield func(int) bool) bool {
	return t == nil || t.left.walk(yield) && yield(t.value) && t.right.walk(yield)
}

func (t *tree) all(yield func(int) bool) { t.walk(yield) }

func main() {
	println(search([][]int{{1}, {2, 3}}, 3))
	println(retry(3), safely(func() { var p *tree; p.value = 1 }).Error())
	inc, get := counter()
	inc()
	println(get(), safely(func() { deferred() }) == nil)
	t := &tree{value: 2, left: &tree{value: 1}}
outer:
	for x := range t.all {
		for y := range t.all {
			if y > x {
				continue outer
			}
			if x == 5 {
				break outer
			}
		}
	}
	func() {
		for i := range 3 {
			defer func() { println(i) }()
			go func(x int) { println(x) }(i)
		}
	}()
	var f func()
	println(safely(f) != nil)
}
