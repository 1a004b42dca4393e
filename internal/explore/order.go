// SPDX-License-Identifier: BSD-3-Clause

package explore

// permute puts the moves of a state in an order that depends on the moves, the state's words and the seed alone, so that a search which goes on
// from a checkpoint goes on in the same order. With the seed 0 they stay in theirs.
func permute(moves []Move, state []uint64, seed uint64) {
	if seed == 0 {
		return
	}
	random := mixed(seed)
	for _, w := range state {
		random = mixed(random ^ w)
	}
	for i := len(moves) - 1; i > 0; i-- {
		random = mixed(random)
		k := random % uint64(i+1)
		moves[i], moves[k] = moves[k], moves[i]
	}
}

// mixed is a step of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014, figure 15).
func mixed(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
