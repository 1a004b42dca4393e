// SPDX-License-Identifier: BSD-3-Clause

package main

import "fmt"

type small uint8

// between has comparisons, connectives and results.
func between(x, from, to int) bool {
	if x < from || x > to {
		return false
	}
	return x >= from && x <= to
}

// sum has a loop, statements and constants.
func sum(list []int) (n int) {
	for i := 0; i < len(list); i++ {
		if list[i] == 7 {
			continue
		}
		if list[i] == 9 {
			break
		}
		n += list[i] - 1
	}
	defer func() { n++ }()
	return n
}

// flags has bits of a type of its own.
func flags(a, b small) small {
	c := a | b
	c &^= 1
	return c &^ 8
}

// word has a tagless switch and a pointer.
func word(n int) *string {
	var s string
	switch {
	case n == 0:
		s = "none"
	case n > 1:
		s = "many"
	}
	return &s
}

func say(s *string) string {
	if s == nil {
		return "nil"
	}
	return *s
}

func main() {
	for x := range 6 {
		fmt.Print(between(x, 2, 4), " ")
	}
	fmt.Println(sum([]int{3, 7, 2, 9, 100}), sum(nil), flags(4, 2), flags(9, 16))
	for n := range 4 {
		fmt.Print(say(word(n)), " ")
	}
}
