//go:build prelude

//pangolin:for internal/abi

package prelude

import (
	"internal/abi"
	"unsafe"
)

// The hash trie of internal/sync asks the type of an ordinary map for its functions.

// keyAt and elemAt read a key, or an element, of the type that the map has in an
// interface.
func keyAt(ofMap any, p unsafe.Pointer) any
func elemAt(ofMap any, p unsafe.Pointer) any

// hashOf hashes the value in an interface as if it had its dynamic type.
func hashOf(v any) uint64

// abiTypeOf describes a map's type, as far as it is needed: how keys are hashed and
// elements compared. It is asked about maps only.
//
//pangolin:model internal/abi.TypeOf
func abiTypeOf(a any) *abi.Type {
	t := &abi.MapType{Elem: new(abi.Type)}
	t.Hasher = func(p unsafe.Pointer, _ uintptr) uintptr { return uintptr(hashOf(keyAt(a, p))) }
	t.Elem.Equal = func(p, q unsafe.Pointer) bool { return elemAt(a, p) == elemAt(a, q) }
	return &t.Type
}

// trieSeed is the seed of a hash trie: hashes do not depend on it.
//
//pangolin:model internal/sync.runtime_rand
func trieSeed() uint64 { return 0 }

//pangolin:model (*internal/abi.Type).MapType
func abiMapType(t *abi.Type) *abi.MapType { return (*abi.MapType)(unsafe.Pointer(t)) }

// SPDX-License-Identifier: BSD-3-Clause
