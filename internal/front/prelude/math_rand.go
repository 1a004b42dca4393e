//go:build prelude

//pangolin:for math/rand

package prelude

//pangolin:model math/rand.Intn
func randIntn(n int) int { return random(n, "Intn") }

//pangolin:model math/rand.Int31n
func randInt31n(n int32) int32 { return int32(random(int(n), "Int31n")) }

//pangolin:model math/rand.Int63n
func randInt63n(n int64) int64 { return int64(random(int(n), "Int63n")) }

//pangolin:model math/rand.Perm
func randPerm(n int) []int { return perm(n) }

//pangolin:model math/rand.Shuffle
func randShuffle(n int, swap func(i, j int)) { shuffle(n, swap) }

//pangolin:model math/rand.Seed
func randSeed(int64) {}

//pangolin:model math/rand.Int
func randInt() int {
	unsupported("rand.Int (every number would be explored; give a bound of at most 16, or use rand.New with a fixed source)")
	return 0
}

//pangolin:model math/rand.Int31
func randInt31() int32 {
	unsupported("rand.Int31 (every number would be explored; give a bound of at most 16, or use rand.New with a fixed source)")
	return 0
}

//pangolin:model math/rand.Int63
func randInt63() int64 {
	unsupported("rand.Int63 (every number would be explored; give a bound of at most 16, or use rand.New with a fixed source)")
	return 0
}

//pangolin:model math/rand.Uint32
func randUint32() uint32 {
	unsupported("rand.Uint32 (every number would be explored; give a bound of at most 16, or use rand.New with a fixed source)")
	return 0
}

//pangolin:model math/rand.Uint64
func randUint64() uint64 {
	unsupported("rand.Uint64 (every number would be explored; give a bound of at most 16, or use rand.New with a fixed source)")
	return 0
}

//pangolin:model math/rand.Float64
func randFloat64() float64 { return fraction() }

//pangolin:model math/rand.Float32
func randFloat32() float32 { return float32(fraction()) }

// SPDX-License-Identifier: BSD-3-Clause
