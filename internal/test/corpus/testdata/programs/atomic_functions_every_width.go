// construct: atomic functions on int32 int64 uint32 uint64 uintptr and unsafe.Pointer
// outcomes: exact
// outcome: "-1 -2 4294967295 18446744073709551615 7 1 2\n"
// why: one goroutine only, plain arithmetic.

package main

import (
	"fmt"
	"sync/atomic"
	"unsafe"
)

func main() {
	var a int32
	var b int64
	var c uint32
	var d uint64
	var e uintptr
	x, y := 1, 2
	p := unsafe.Pointer(&x)
	atomic.AddInt32(&a, -1)
	atomic.AddInt64(&b, -2)
	atomic.AddUint32(&c, ^uint32(0))
	atomic.AddUint64(&d, ^uint64(0))
	atomic.StoreUintptr(&e, 3)
	atomic.AddUintptr(&e, 4)
	old := atomic.SwapPointer(&p, unsafe.Pointer(&y))
	if atomic.CompareAndSwapPointer(&p, unsafe.Pointer(&x), nil) {
		panic("swapped the wrong pointer")
	}
	fmt.Println(a, b, c, d, atomic.LoadUintptr(&e), *(*int)(old), *(*int)(atomic.LoadPointer(&p)))
}
