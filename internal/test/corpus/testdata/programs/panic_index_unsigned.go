// construct: index and slice bounds, unsigned integers
// outcomes: exact
// outcome: "runtime error: index out of range [18446744073709551615] with length 2 runtime.boundsError\nruntime error: index out of range [-1] runtime.boundsError\nruntime error: index out of range [9223372036854775808] with length 3 runtime.boundsError\nruntime error: index out of range [18446744073709551615] with length 2 runtime.boundsError\nruntime error: slice bounds out of range [:18446744073709551615] with capacity 2 runtime.boundsError\nruntime error: slice bounds out of range [18446744073709551615:1] runtime.boundsError\nruntime error: slice bounds out of range [::18446744073709551615] with capacity 2 runtime.boundsError\nruntime error: slice bounds out of range [18446744073709551615:2] runtime.boundsError\nruntime error: slice bounds out of range [:-1] runtime.boundsError\n"
// why: one goroutine; the runtime prints an unsigned index as such, and the length with it.

package main

import "fmt"

func try(f func()) {
	defer func() {
		r := recover()
		fmt.Printf("%v %T\n", r, r)
	}()
	f()
}

func main() {
	list, text, array := []int{1, 2}, "ab", [3]int{}
	var big, one uint64 = 1<<64 - 1, 1
	var word uintptr = 1 << 63
	minus := -1
	try(func() { _ = list[big] })
	try(func() { _ = list[minus] })
	try(func() { _ = array[word] })
	try(func() { _ = text[big] })
	try(func() { _ = list[:big] })
	try(func() { _ = list[big:one] })
	try(func() { _ = list[0:1:big] })
	try(func() { _ = text[big:] })
	try(func() { _ = list[:minus] })
}
