//go:build prelude

//pangolin:for internal/reflectlite

package prelude

import (
	"internal/reflectlite"
	"unsafe"
)

// sliceLen and sliceSwap work on the slice in an interface value.
func sliceLen(slice any) int
func sliceSwap(slice any, i, j int)

// liteValue has the words of a reflectlite.Value. It points to the value.
type liteValue struct {
	typ  *int
	ptr  unsafe.Pointer // *any
	flag uintptr
}

//pangolin:model internal/reflectlite.ValueOf
func valueOf(v any) reflectlite.Value {
	l := &liteValue{ptr: unsafe.Pointer(&v)}
	return *(*reflectlite.Value)(unsafe.Pointer(l))
}

//pangolin:model (internal/reflectlite.Value).Len
func valueLen(v reflectlite.Value) int {
	return sliceLen(*(*any)((*liteValue)(unsafe.Pointer(&v)).ptr))
}

//pangolin:model internal/reflectlite.Swapper
func swapper(slice any) func(i, j int) {
	return func(i, j int) { sliceSwap(slice, i, j) }
}

// SPDX-License-Identifier: BSD-3-Clause
