// SPDX-License-Identifier: BSD-3-Clause

package history

import "testing"

// A call is hashed as a tuple of its operation and the hash of its arguments:
// exchanging the two levels must not give the same hash.
func TestHash_OfNestedTuplesIsNotSymmetric(t *testing.T) {
	nested := func(op, arg int64) uint64 { return Ints(op, int64(Ints(arg).Hash())).Hash() }
	if nested(0, 1) == nested(1, 0) {
		t.Error("0(1) and 1(0) have one hash")
	}
}
