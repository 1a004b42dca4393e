// SPDX-License-Identifier: BSD-3-Clause

package state

import (
	"cmp"
	"slices"
)

// Threads with equal keys may be told apart by the company of what they share: of 32 goroutines, each of which receives from a channel of its own, the
// keys are equal, and so are the channels; but each channel has a sender, and the senders have different keys. Colours are given to threads and
// to what they share, and refined by each other until no more threads are told apart (Weisfeiler and Leman 1968, in one dimension).
//
//	receivers 1, 2    <-ch            equal keys
//	senders 3, 4      ch <- 5, 6      different keys: so are the colours of their channels, and then of the receivers
//
// A colour depends on keys and on who shares what, and not on how threads or objects are numbered. So equal states give their threads equal colours, and
// an order by colours is as canonical as one by keys. Colours are hashed: threads whose colours are equal by accident are tied as before.

// tiedForColours is the number of threads with one key from which on their colours are made: of fewer, all orders are tried at little cost.
const tiedForColours = 4

// colour sorts threads with equal keys by their colours, if there are many of them.
func (s *ties) colour() {
	e := &s.m.enc
	first := s.m.symmetricFrom()
	if !s.many(first) {
		return
	}
	colours := make([]uint64, len(s.perm))
	for i, t := range s.perm {
		colours[t] = uint64(i + 1)
		if i > first && slices.Equal(e.keys[t], e.keys[s.perm[i-1]]) {
			colours[t] = colours[s.perm[i-1]]
		}
	}
	shared := make(map[uint32]uint64)
	for told := different(colours); ; {
		clear(shared)
		for t := range s.perm {
			for k, id := range e.private(t) {
				if e.owner[id] == severalOwners {
					shared[id] += mixed(colours[t], uint64(k)) // a sum, because the sharers have no order
				}
			}
		}
		next := slices.Clone(colours)
		for t := range s.perm {
			for k, id := range e.private(t) {
				if e.owner[id] == severalOwners {
					next[t] = mixed(next[t], mixed(uint64(k), shared[id]))
				}
			}
		}
		n := different(next)
		if n <= told {
			break
		}
		told, colours = n, next
	}
	s.colours = colours
	for i := first; i < len(s.perm); {
		end := i + 1
		for end < len(s.perm) && slices.Equal(e.keys[s.perm[i]], e.keys[s.perm[end]]) {
			end++
		}
		slices.SortStableFunc(s.perm[i:end], func(a, b int) int { return cmp.Compare(colours[a], colours[b]) })
		i = end
	}
}

// many reports whether tiedForColours threads or more have one key.
func (s *ties) many(first int) bool {
	n := 1
	for i := first + 1; i < len(s.perm); i++ {
		if !slices.Equal(s.m.enc.keys[s.perm[i]], s.m.enc.keys[s.perm[i-1]]) {
			n = 0
		}
		if n++; n >= tiedForColours {
			return true
		}
	}
	return false
}

// alike reports whether the threads at two positions have one key, and one colour.
func (s *ties) alike(i, j int) bool {
	a, b := s.perm[i], s.perm[j]
	return (s.colours == nil || s.colours[a] == s.colours[b]) && slices.Equal(s.m.enc.keys[a], s.m.enc.keys[b])
}

// different is the number of different colours.
func different(colours []uint64) int {
	sorted := slices.Clone(colours)
	slices.Sort(sorted)
	return len(slices.Compact(sorted))
}

// mixed hashes two words to one.
func mixed(a, b uint64) uint64 {
	h := (a ^ 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	h ^= h >> 29
	h = (h ^ b) * 0x94d049bb133111eb
	return h ^ h>>32
}
