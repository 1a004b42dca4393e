// SPDX-License-Identifier: BSD-3-Clause

// Package layout tells how Go lays out the values of a type in real memory, where a
// program can find out: how much append makes a slice grow, and whether memory of one
// type may be used as another one.
//
// It takes types (package ir) and gives numbers. It does not touch any memory.
package layout

import "pangolin/internal/ir"

// Go leaves the capacity that append gives a slice open. Programs print it, so it is
// here what the gc runtime of Go 1.26 gives (runtime.growslice and its size classes)
// on a 64-bit system.

// Grow is the new capacity of a slice of t that has to hold n elements and has room
// for c.
func Grow(t *ir.Type, c, n uint64) uint64 {
	size, _ := byteSize(t)
	if size == 0 {
		return n
	}
	return roundUp(nextCap(c, n)*size, !holdsPointers(t)) / size
}

// Fit is the capacity of a slice of t that is made, in one go, for n elements: what a conversion from a string gives.
func Fit(t *ir.Type, n uint64) uint64 {
	size, _ := byteSize(t)
	if size == 0 || n == 0 {
		return n
	}
	return roundUp(n*size, !holdsPointers(t)) / size
}

// Buffered is how many elements of type t the buffer has that gc 1.26 keeps on the stack for a slice that append makes.
func Buffered(t *ir.Type) uint64 {
	size, _ := byteSize(t)
	return 32 / max(size, 1)
}

// nextCap doubles small capacities; large ones grow by a quarter.
func nextCap(c, n uint64) uint64 {
	const threshold = 256
	switch {
	case n > 2*c:
		return n
	case c < threshold:
		return 2 * c
	}
	for c < n {
		c += (c + 3*threshold) >> 2
	}
	return c
}

// sizeClasses are the sizes in bytes of the blocks that the runtime's allocator gives.
var sizeClasses = [...]uint16{8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320,
	352, 384, 416, 448, 480, 512, 576, 640, 704, 768, 896, 1024, 1152, 1280, 1408, 1536, 1792, 2048, 2304, 2688, 3072,
	3200, 3456, 4096, 4864, 5376, 6144, 6528, 6784, 6912, 8192, 9472, 9728, 10240, 10880, 12288, 13568, 14336, 16384,
	18432, 19072, 20480, 21760, 24576, 27264, 28672, 32768}

// roundUp is the size of the block that an allocation of so many bytes gets, less the
// header that larger blocks with pointers have.
func roundUp(bytes uint64, plain bool) uint64 {
	const header, headerFrom, page = 8, 512, 8192
	extra := uint64(0)
	if !plain && bytes > headerFrom {
		extra = header
	}
	if bytes > uint64(sizeClasses[len(sizeClasses)-1])-header {
		return (bytes + page - 1) &^ (page - 1)
	}
	for _, c := range sizeClasses {
		if uint64(c) >= bytes+extra {
			return uint64(c) - extra
		}
	}
	return bytes
}

// byteSize is the size and alignment that values of a type really have.
func byteSize(t *ir.Type) (size, align uint64) {
	switch t.Class {
	case ir.Bool, ir.Int8, ir.Uint8:
		return 1, 1
	case ir.Int16, ir.Uint16:
		return 2, 2
	case ir.Int32, ir.Uint32, ir.Float32:
		return 4, 4
	case ir.Complex64:
		return 8, 4
	case ir.Complex128, ir.StringClass, ir.Interface:
		return 16, 8
	case ir.Slice:
		return 24, 8
	case ir.Array:
		size, align = byteSize(t.Elem)
		return size * uint64(t.Len), align
	case ir.Struct:
		return structSize(t)
	}
	return 8, 8
}

func structSize(t *ir.Type) (size, align uint64) {
	align = 1
	last := uint64(1)
	for _, f := range t.Fields {
		n, a := byteSize(f.Type)
		size = (size+a-1)/a*a + n
		align, last = max(align, a), n
	}
	if last == 0 && size > 0 { // a pointer to the last field must not point behind the struct
		size++
	}
	return (size + align - 1) / align * align, align
}

// holdsPointers says whether the runtime's collector would look into values of a type.
func holdsPointers(t *ir.Type) bool {
	for _, k := range t.Layout() {
		if k != ir.Scalar {
			return true
		}
	}
	return false
}
