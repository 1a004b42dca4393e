// SPDX-License-Identifier: BSD-3-Clause

package parts

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// What is packed is unpacked, in two goes as well.
func TestPack_KeepsWords(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		words := make([]uint64, random.IntN(20))
		for i := range words {
			words[i] = random.Uint64() >> random.IntN(64) << random.IntN(64)
		}
		words = append(words, 0, 1, 1<<63, 1<<32, ^uint64(0), ^uint64(1<<32-1), 1<<63-1)
		packed := pack(nil, words)
		first := random.IntN(len(words))
		got, rest := unpack(nil, packed, first)
		if len(got) != first {
			t.Fatalf("%d of %d words of %x", len(got), first, words)
		}
		if got, rest = unpack(got, rest, len(rest)); len(rest) > 0 || !slices.Equal(got, words) {
			t.Fatalf("%x, not %x", got, words)
		}
	}
}
