// construct: atomic.Int32, atomic.Int64, atomic.Uint32, atomic.Uint64, atomic.Uintptr, atomic.Bool
// outcomes: exact
// outcome: "-2147483648 9223372036854775807 4294967295 0 5 true false\n"
// why: one goroutine only; every addition wraps at its width, CompareAndSwap compares, Swap returns
//	the old value.

package main

import (
	"fmt"
	"sync/atomic"
)

func main() {
	var i32 atomic.Int32
	var i64 atomic.Int64
	var u32 atomic.Uint32
	var u64 atomic.Uint64
	var up atomic.Uintptr
	var b atomic.Bool
	i32.Store(2147483647)
	i32.Add(1)
	i64.Store(-9223372036854775808)
	i64.Add(-1)
	u32.Add(^uint32(0))
	u64.Store(^uint64(0))
	u64.Add(1)
	up.CompareAndSwap(0, 5)
	up.CompareAndSwap(0, 6)
	was := b.Swap(true)
	fmt.Println(i32.Load(), i64.Load(), u32.Load(), u64.Load(), up.Load(), b.Load(), was)
}
