// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"testing"

	"pangolin/internal/test/level"
)

func TestAppend_GivesTheRuntimesCapacities(t *testing.T) {
	level.SkipShort(t, "compiles a program natively")
	want, got := native(t, growing), executed(t, compiled(t, growing))
	sameLines(t, got.stdout, want.stdout)
}

const growing = `package main

import "fmt"

type three struct{ a, b, c int8 }
type odd struct {
	a int32
	b int64
	c bool
}
type tail struct {
	a int8
	z struct{}
}

// escape keeps slices on the heap: those on a stack begin with another capacity.
var escape []any

func grow[T any](name string) {
	var s []T
	escape = append(escape, &s)
	caps := []int{}
	for range 3000 {
		c := cap(s)
		s = append(s, *new(T))
		if cap(s) != c {
			caps = append(caps, cap(s))
		}
	}
	fmt.Println(name, caps)
	for n := 1; n < 60; n += 3 {
		a, b := append([]T(nil), make([]T, n)...), append(make([]T, n), make([]T, 3)...)
		escape = append(escape, a, b)
		fmt.Print(cap(a), " ", cap(b), " ")
	}
	fmt.Println()
}

func main() {
	grow[int8]("int8")
	grow[int16]("int16")
	grow[int32]("int32")
	grow[int]("int")
	grow[string]("string")
	grow[[]int]("slice")
	grow[any]("any")
	grow[*int]("pointer")
	grow[three]("three")
	grow[odd]("odd")
	grow[tail]("tail")
	grow[[5]int16]("array")
	grow[[5]string]("strings")
	grow[complex64]("complex64")
	grow[struct{}]("empty")
	grow[[100]int]("large")
	grow[[100]*int]("large pointers")
}
`
