// SPDX-License-Identifier: BSD-3-Clause

package lts

// Partition by sketches, before signatures (signature.go). A signature is a set that may be large
// behind many inert steps. Its sketch is three words, and the sketch of a union follows from the
// sketches of its parts, so a round takes linear time however large the sets are. States with
// different sketches have different signatures, so they are not equivalent. The converse may fail,
// so the result is only a partition to go on from.

// sketch summarises a set of words: bits that its elements set, which tell small sets apart, and
// the greatest elements in two different orders, which tell large sets apart.
type sketch struct{ bits, high, other uint64 }

func (k *sketch) add(word uint64) {
	h := mix(word)
	k.join(sketch{1<<(h>>58) | 1<<(h>>52&63), h, mix(h)})
}

func (k *sketch) join(o sketch) {
	k.bits |= o.bits
	k.high, k.other = max(k.high, o.high), max(k.other, o.other)
}

func (k *sketch) hash() uint32 { return uint32(mix(mix(k.bits^mix(k.high)) ^ k.other)) }

const (
	// sketchRounds is the greatest number of rounds.
	sketchRounds = 16
	// sketchGain: another round follows only if one has made a new block for every 16 that there
	// were.
	sketchGain = 16
)

// splitBySketches splits blocks as long as each round gains enough. The system must be one for
// signatures.
func (s *System) splitBySketches(strong bool, block []int32) {
	of := make([]sketch, s.States())
	var groups table
	for round, before := uint64(0), 0; round < sketchRounds; round++ {
		groups.clear()
		for i, b := range block {
			k := sketch{}
			for _, e := range s.Edges(State(i)) {
				if e.Label == Tau && !strong && block[e.To] == b {
					k.join(of[e.To])
				} else {
					k.add(uint64(uint32(e.Label))<<32 ^ uint64(block[e.To]) ^ mix(round))
				}
			}
			of[i] = k
		}
		for i, b := range block {
			block[i] = int32(groups.number(uint64(b)<<32 | uint64(of[i].hash())))
		}
		if count := len(groups.keys); count <= before+before/sketchGain {
			return
		} else {
			before = count
		}
	}
}

// table numbers words in the order in which they are met.
type table struct {
	keys  []uint64
	slots []int32 // hash table: a number plus one; 0: free
}

func (t *table) clear() {
	t.keys = t.keys[:0]
	clear(t.slots)
}

func (t *table) number(key uint64) int {
	if 2*len(t.keys) >= len(t.slots) {
		t.slots = make([]int32, max(1024, 2*len(t.slots)))
		for k, key := range t.keys {
			t.slots[t.slot(key)] = int32(k) + 1
		}
	}
	at := t.slot(key)
	if t.slots[at] == 0 {
		t.keys = append(t.keys, key)
		t.slots[at] = int32(len(t.keys))
	}
	return int(t.slots[at]) - 1
}

// slot is the place of a key, or the free one where it would go.
func (t *table) slot(key uint64) uint64 {
	at := mix(key)
	for range t.slots {
		at &= uint64(len(t.slots) - 1)
		if k := t.slots[at]; k == 0 || t.keys[k-1] == key {
			return at
		}
		at++
	}
	panic("lts: a table of words without room")
}
