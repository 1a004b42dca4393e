// SPDX-License-Identifier: BSD-3-Clause

package generator

import (
	"testing"

	"pangolin/internal/test/level"
)

func TestSequential_Compiles(t *testing.T) {
	level.SkipShort(t, "type-checks large programs")
	c := checker()
	for seed := range uint64(some(160)) {
		source := Sequential(seed)
		if err := c.Check(source); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func TestSequential_IsDeterministic(t *testing.T) {
	for seed := range uint64(some(64)) {
		if first, again := Sequential(seed), Sequential(seed); first != again {
			t.Errorf("seed %d gives two programs", seed)
		}
	}
}
