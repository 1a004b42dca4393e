package hashfunc_test

import (
	"testing"

	"pangolin/collections/hashfunc"
)

func TestDefault_IsTheIdentityForInt(t *testing.T) {
	if h := hashfunc.Default[int](); h(42) != 42 {
		t.Errorf("hash of 42 is %d", h(42))
	}
}

func TestDefault_HashesEqualValuesAlike(t *testing.T) {
	h := hashfunc.Default[string]()
	if h("a"+"b") != h("ab") {
		t.Error("equal strings, different hashes")
	}
}

func TestChosen_IsAFunctionIntoItsRange(t *testing.T) {
	h := hashfunc.Chosen(3, 2)
	for x := range 9 {
		if h(x) > 1 {
			t.Errorf("hash of %d is %d", x, h(x))
		}
		if h(x) != h(x%3) {
			t.Errorf("hash of %d and %d differ", x, x%3)
		}
	}
}
