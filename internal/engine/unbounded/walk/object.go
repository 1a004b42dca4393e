// SPDX-License-Identifier: BSD-3-Clause

package walk

import (
	"pangolin/internal/certificate"
	"pangolin/internal/engine/unbounded/shape"
)

// start puts any items into the registers of a new object: each kind of register begins with k, with j, or with
// another value.
func (w *walker) start() {
	o := w.v.Property.Map.Object
	if o == nil {
		return
	}
	of := map[certificate.Value]uint64{}
	for i := range o.Registers {
		r := &o.Registers[i]
		if r.Holds == certificate.Number {
			continue
		}
		if of[r.Holds] == 0 {
			of[r.Holds], _ = w.argument(r.Holds)
		}
		at := w.m.Words(w.root+uint64(r.Word), 1)
		if r.Cell != 0 {
			at = w.m.Words(at[0]+uint64(r.Offset), 1)
		}
		at[0] = of[r.Holds]
	}
}

// argument is a random argument, and the bit that stands for it among the choices of a call: 0 if it is k, j or
// false.
func (w *walker) argument(v certificate.Value) (x uint64, bit shape.Class) {
	random := func(first, last uint64) uint64 { return first + uint64(w.random.IntN(int(last-first)+1)) }
	switch v {
	case certificate.OfJ:
		x = random(firstJ, lastJ)
		if x == j {
			return x, 0
		}
	case certificate.OfK:
		if x = random(k-1, k+1); x == k {
			return x, 0
		}
	default:
		if x = random(0, 1); x == 0 {
			return x, 0
		}
	}
	return x, 1
}
