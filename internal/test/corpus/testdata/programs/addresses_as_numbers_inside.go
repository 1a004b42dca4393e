// construct: unsafe.Pointer to uintptr, places in one object
// outcomes: exact
// open: addresses
// outcome: "0 3 12 8 16 24 true true 0\n"
// why: the distance of two places of one object is that of Go's layout, an object begins at a multiple of 8 or 16 bytes, and nil is 0.

package main

import (
	"fmt"
	"unsafe"
)

type row struct {
	flag bool
	key  int
	name string
}

func at[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

func main() {
	bytes, numbers, r := new([8]byte), new([4]int32), new([2]row)
	fmt.Println(at(&bytes[0])-at(bytes), at(&bytes[3])-at(bytes), at(&numbers[3])-at(&numbers[0]),
		at(&r[0].key)-at(&r[0]), at(&r[0].name)-at(r), at(&r[1].flag)-at(&r[0].key),
		at(r)%8 == 0, at(bytes)%8 == 0, at[int](nil))
}
