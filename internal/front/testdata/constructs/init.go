// Package variables and init functions.
package main

import "errors"

var (
	a = b + 1
	b = f()
	_ = g("blank")

	table   = map[string][]int{"x": {1, 2}, "y": nil}
	unused  = expensive()
	errOne  = errors.New("one")
	config  = struct{ on, off bool }{on: a > 0 && b < 5}
	lookups = [...]func() int{f, func() int { return a }}
)

func f() int { return 2 }

func g(s string) int { println(s); return 0 }

func expensive() []int { return make([]int, 1000) }

func init() { table["z"] = []int{a} }

func init() { println("second") }

func main() { println(a, len(table), config.on, lookups[1](), errOne.Error()) }
