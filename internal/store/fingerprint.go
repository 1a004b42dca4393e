// SPDX-License-Identifier: BSD-3-Clause

package store

import (
	"unsafe"

	"github.com/zeebo/xxh3"
)

// view returns the bytes of words without copying them.
func view(words []uint64) []byte {
	if len(words) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*8)
}

func hash64(state []uint64) uint64 { return xxh3.Hash(view(state)) }

// hash128 returns the lower half of the fingerprint and puts the upper one into rest.
func hash128(state []uint64, rest *[1]uint64) uint64 {
	h := xxh3.Hash128(view(state))
	rest[0] = h.Hi
	return h.Lo
}
