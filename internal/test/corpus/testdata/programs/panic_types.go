// construct: panic, recover, types of the runtime's errors
// outcomes: exact
// outcome: "panic called with nil argument *runtime.PanicNilError\nruntime error: integer divide by zero runtime.errorString\ninterface conversion: interface {} is []int, not string *runtime.TypeAssertionError\nruntime error: hash of unhashable type []int runtime.errorString\nclose of nil channel runtime.plainError\nruntime error: invalid memory address or nil pointer dereference runtime.errorString\nruntime error: invalid memory address or nil pointer dereference runtime.errorString\ninterface conversion: interface is nil, not main.shape *runtime.TypeAssertionError\ntrue false panic called with nil argument\ntrue true interface conversion: *runtime.PanicNilError is not main.shape: missing method Area\n"
// why: one goroutine; each text and type is the runtime's.

package main

import (
	"errors"
	"fmt"
	"runtime"
)

func try(f func()) {
	defer func() {
		r := recover()
		fmt.Printf("%v %T\n", r, r)
	}()
	f()
}

type shape interface{ Area() int }

func main() {
	zero, none := 0, shape(nil)
	var key any = []int{1}
	try(func() { panic(nil) })
	try(func() { _ = 1 / zero })
	try(func() { _ = key.(string) })
	m := map[any]int{1: 2}
	try(func() { fmt.Println(m[key]) })
	try(func() { var c chan int; close(c) })
	try(func() { f := none.Area; f() })
	try(func() { none.Area() })
	try(func() { _ = none.(shape) })
	defer func() {
		r := recover()
		_, isNil := r.(*runtime.PanicNilError)
		var failed *runtime.TypeAssertionError
		fmt.Println(isNil, errors.As(r.(error), &failed), r)
		defer func() {
			err := recover().(error)
			fmt.Println(errors.As(err, &failed), failed == err, err)
		}()
		_ = r.(shape)
	}()
	panic(nil)
}
