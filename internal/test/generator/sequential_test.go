package generator

import "testing"

func TestSequential_Compiles(t *testing.T) {
	if testing.Short() {
		t.Skip("type-checks large programs")
	}
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
