// construct: unsafe.Add, reflect.StringHeader, addresses that are compared
// outcomes: exact
// outcome: "1 2 3 4 5 6 true 7 8 abc 99 3 0 true false true\n"
// why: one goroutine adds to pointers by the sizes that package unsafe gives; the other one only
// why: reads what it is sent.
package main

import (
	"fmt"
	"reflect"
	"unsafe"
)

type inner struct {
	a int8
	b int32
	c [3]int16
}

type outer struct {
	flag bool
	in   [2]inner
	s    string
	p    *int
	next any
}

func at[T any](base unsafe.Pointer, n uintptr) T { return *(*T)(unsafe.Add(base, n)) }

// sum reads a string's bytes as code before unsafe.StringData does.
func sum(s string) (n int, length int) {
	if s == "" {
		return 0, 0
	}
	h := (*reflect.StringHeader)(unsafe.Pointer(&s))
	first := unsafe.Pointer(h.Data)
	for i := range h.Len {
		n += int(*(*byte)(unsafe.Add(first, i)))
	}
	return n, h.Len
}

func same(p, q *int) bool { return uintptr(unsafe.Pointer(p)) == uintptr(unsafe.Pointer(q)) }

func main() {
	x := 8
	o := []outer{{}, {flag: true, s: "abc", p: &x, next: 7}}
	o[1].in[1] = inner{a: 1, b: 2, c: [3]int16{3, 4, 5}}
	o[0].in[0].b = 6
	base := unsafe.Pointer(&o[0])
	second := unsafe.Add(base, unsafe.Sizeof(o[0]))
	in := unsafe.Add(second, unsafe.Offsetof(o[1].in)+unsafe.Sizeof(inner{}))
	three := unsafe.Add(in, unsafe.Offsetof(inner{}.c))
	back := unsafe.Add(second, -int(unsafe.Sizeof(o[0]))+int(unsafe.Offsetof(o[0].in)))
	end := unsafe.Add(base, 2*unsafe.Sizeof(o[0]))
	total, length := sum("!!!")
	done := make(chan string)
	go func() {
		done <- fmt.Sprintln(at[int8](in, 0), at[int32](in, unsafe.Offsetof(inner{}.b)), at[int16](three, 0), at[int16](three, 2), at[int16](three, 4),
			at[int32](back, unsafe.Offsetof(inner{}.b)), at[bool](second, 0), at[any](second, unsafe.Offsetof(o[0].next)),
			*at[*int](second, unsafe.Offsetof(o[0].p)), at[string](second, unsafe.Offsetof(o[0].s)), total, length, len(o)-2,
			same(&x, o[1].p), same(&x, nil), unsafe.Add(end, -int(unsafe.Sizeof(o[0]))) == second)
	}()
	fmt.Print(<-done)
}
