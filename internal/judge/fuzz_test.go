// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// tape gives the numbers that a history is made of: those of an input, eight bytes each, and behind its end those of a generator.
type tape struct {
	bytes []byte
	rest  *rand.PCG
}

func newTape(bytes []byte) *rand.Rand { return rand.New(&tape{bytes, rand.NewPCG(1, 2)}) }

func (t *tape) Uint64() uint64 {
	if len(t.bytes) < 8 {
		return t.rest.Uint64()
	}
	n := binary.BigEndian.Uint64(t.bytes)
	t.bytes = t.bytes[8:]
	return n
}

// taped is an input as a generator has it.
func taped(seed uint64, n int) (bytes []byte) {
	from := rand.NewPCG(seed, seed)
	for range n {
		bytes = binary.BigEndian.AppendUint64(bytes, from.Uint64())
	}
	return bytes
}

// FuzzJudge_AgreesWithTheDefinition makes histories of each kind, and of transactions, and compares with all orders.
func FuzzJudge_AgreesWithTheDefinition(f *testing.F) {
	for which := range 24 {
		f.Add(uint8(which), taped(uint64(which), 60))
	}
	kinds := []Kind{}
	for _, k := range Kinds() {
		if k != Transactions && k != Object {
			kinds = append(kinds, k)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, bytes []byte) {
		r, n := newTape(bytes), int(which)
		var h *History
		var p Property
		by := defined
		if n%4 == 3 {
			p = []Property{Linear, Sequential, Serializable}[n/4%3]
			h, by = randomTransactions(r, txnShape{n&16 != 0, n&32 != 0, n&64 != 0, n&128 != 0}, 6), serial
		} else {
			kind := kinds[n/4%len(kinds)]
			p = []Property{Linear, Linear, Sequential}[n%4]
			h = random(r, shape{kind, n%4 == 0, r.IntN(2) == 0, p, n%4 == 0 && (kind == Register || kind == Map) && r.IntN(2) == 0}, 7)
		}
		want := by(h, p)
		for _, only := range []bool{false, true} {
			got := Judge(context.Background(), h, Options{Property: p, SearchOnly: only})
			if (got.Status == OK) != want || got.Status == Unknown {
				t.Fatalf("search only %v: %v %s; by definition %v\n%s", only, got.Status, got.Reason, want, h.lines())
			}
			if part := *h; got.Status == Violated {
				if part.Calls = got.Witness; by(&part, p) {
					t.Fatalf("search only %v: the witness has an order\n%s\nof\n%s", only, part.lines(), h.lines())
				}
			}
			_ = h.Draw(got.Witness)
		}
	})
}
