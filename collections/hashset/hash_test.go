package hashset_test

import (
	"testing"

	"pangolin/collections/hashset"
)

func TestDefaultHash_IsTheIdentityForInt(t *testing.T) {
	if h := hashset.DefaultHash[int](); h(42) != 42 {
		t.Errorf("hash of 42 is %d", h(42))
	}
}

func TestDefaultHash_HashesEqualValuesAlike(t *testing.T) {
	h := hashset.DefaultHash[string]()
	if h("a"+"b") != h("ab") {
		t.Error("equal strings, different hashes")
	}
}

func TestChosen_IsAFunctionIntoItsRange(t *testing.T) {
	h := hashset.Chosen(3, 2)
	for x := range 9 {
		if h(x) > 1 {
			t.Errorf("hash of %d is %d", x, h(x))
		}
		if h(x) != h(x%3) {
			t.Errorf("hash of %d and %d differ", x, x%3)
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
