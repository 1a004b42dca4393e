// construct: sync.Map
// outcomes: exact
// outcome: "false false\n<nil> <nil>\nruntime error: comparing uncomparable type []int runtime.errorString\nruntime error: comparing uncomparable type []int runtime.errorString\nfalse false\n<nil> <nil>\nruntime error: hash of unhashable type []int runtime.errorString\nruntime error: hash of unhashable type []int runtime.errorString\n"
// why: one goroutine; what is absent is compared with nothing.

package main

import (
	"fmt"
	"sync"
)

func try(f func()) {
	defer func() {
		r := recover()
		fmt.Printf("%v %T\n", r, r)
	}()
	f()
}

func main() {
	var m sync.Map
	slice := []int{1}
	m.Store(1, slice)
	m.Store(2, 2)
	try(func() { fmt.Println(m.CompareAndSwap(3, slice, 4), m.CompareAndDelete(3, slice)) })
	try(func() { m.CompareAndSwap(1, slice, 4) })
	try(func() { m.CompareAndDelete(1, slice) })
	try(func() { fmt.Println(m.CompareAndSwap(1, 1, 4), m.CompareAndSwap(2, slice, 4)) })
	try(func() { m.Store(slice, 1) })
	try(func() { new(sync.Map).Load(slice) })
}
