//go:build prelude

//pangolin:for math/rand/v2

package prelude

//pangolin:model math/rand/v2.IntN
func randIntN(n int) int { return random(n, "IntN") }

//pangolin:model math/rand/v2.Int32N
func randInt32N(n int32) int32 { return int32(random(int(n), "Int32N")) }

//pangolin:model math/rand/v2.Int64N
func randInt64N(n int64) int64 { return int64(random(int(n), "Int64N")) }

//pangolin:model math/rand/v2.UintN
func randUintN(n uint) uint { return uint(random(int(n), "UintN")) }

//pangolin:model math/rand/v2.Uint32N
func randUint32N(n uint32) uint32 { return uint32(random(int(n), "Uint32N")) }

//pangolin:model math/rand/v2.Uint64N
func randUint64N(n uint64) uint64 { return uint64(random(int(n), "Uint64N")) }

type randN[I interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}] struct{}

//pangolin:model math/rand/v2.N
func (randN[I]) call(n I) I { return I(random(int(n), "N")) }

//pangolin:model math/rand/v2.Perm
func randPermV2(n int) []int { return perm(n) }

//pangolin:model math/rand/v2.Shuffle
func randShuffleV2(n int, swap func(i, j int)) { shuffle(n, swap) }

//pangolin:model math/rand/v2.Int
func randIntV2() int {
	unsupported("rand.Int (every number would be explored; give a bound of at most 16, or use rand.New with a fixed source)")
	return 0
}

//pangolin:model math/rand/v2.Int32
func randInt32V2() int32 {
	unsupported("rand.Int32 (every number would be explored; give a bound of at most 16, or use rand.New with a fixed source)")
	return 0
}

//pangolin:model math/rand/v2.Int64
func randInt64V2() int64 {
	unsupported("rand.Int64 (every number would be explored; give a bound of at most 16, or use rand.New with a fixed source)")
	return 0
}

//pangolin:model math/rand/v2.Uint32
func randUint32V2() uint32 {
	unsupported("rand.Uint32 (every number would be explored; give a bound of at most 16, or use rand.New with a fixed source)")
	return 0
}

//pangolin:model math/rand/v2.Uint64
func randUint64V2() uint64 {
	unsupported("rand.Uint64 (every number would be explored; give a bound of at most 16, or use rand.New with a fixed source)")
	return 0
}

//pangolin:model math/rand/v2.Float64
func randFloat64V2() float64 { return fraction() }

//pangolin:model math/rand/v2.Float32
func randFloat32V2() float32 { return float32(fraction()) }

// SPDX-License-Identifier: BSD-3-Clause
