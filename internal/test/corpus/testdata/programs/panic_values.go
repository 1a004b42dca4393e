// construct: panic with an error, recover, runtime errors, custom types
// outcomes: exact
// outcome: "boom main.code 3 runtime error: index out of range [5] with length 2\nruntime error: integer divide by zero\nassignment to entry in nil map\nruntime error: invalid memory address or nil pointer dereference\ninterface conversion: interface {} is string, not int\n" panic "main.code(7)"
// why: one goroutine only; the last panic is not recovered.

package main

import (
	"errors"
	"fmt"
)

type code int

func try(f func()) (r any) {
	defer func() { r = recover() }()
	f()
	return nil
}

func main() {
	a := []int{1, 2}
	zero, five := 0, 5
	var m map[int]int
	var p *struct{ x int }
	var s any = "s"
	boom := try(func() { panic(errors.New("boom")) })
	c := try(func() { panic(code(3)) })
	fmt.Println(boom, fmt.Sprintf("%T", c), c, try(func() { fmt.Println(a[five]) }))
	fmt.Println(try(func() { fmt.Println(1 / zero) }))
	fmt.Println(try(func() { m[1] = 1 }))
	fmt.Println(try(func() { fmt.Println(p.x) }))
	fmt.Println(try(func() { fmt.Println(s.(int)) }))
	panic(code(7))
}
