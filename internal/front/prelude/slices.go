//go:build prelude

//pangolin:for slices

package prelude

import "unsafe"

// slicesOverlaps compares places instead of addresses, which have no order here: two slices of
// one array overlap if the first element of one is an element of the other.
type slicesOverlaps[E any] struct{}

//pangolin:model slices.overlaps
func (slicesOverlaps[E]) call(a, b []E) bool {
	if len(a) == 0 || len(b) == 0 || unsafe.Sizeof(a[0]) == 0 {
		return false
	}
	for i := range a {
		if &a[i] == &b[0] {
			return true
		}
	}
	for i := range b {
		if &b[i] == &a[0] {
			return true
		}
	}
	return false
}

// SPDX-License-Identifier: BSD-3-Clause
