// SPDX-License-Identifier: BSD-3-Clause

package ir

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// drawn is a function with the given blocks, each of one instruction, and where they lead;
// recovered is the block at which it goes on after a recovered panic, or -1.
func drawn(recovered int, succs ...[]int) *Func {
	f := &Func{Recover: recovered, DeferReg: NoReg}
	for b, to := range succs {
		in := Instr{Op: OpReturn}
		switch len(to) {
		case 1:
			in = Instr{Op: OpJump, N: int32(to[0])}
		case 2:
			in = Instr{Op: OpIf, N: int32(to[0]), X: int32(to[1])}
		}
		f.Code = append(f.Code, in)
		f.Blocks = append(f.Blocks, Block{Start: b, End: b + 1})
	}
	return f
}

func TestFlow_OfHandDrawnFunctions(t *testing.T) {
	tests := []struct {
		name       string
		f          *Func
		dominators string
		loops      string
	}{
		{"if", drawn(-1, []int{1, 2}, []int{3}, []int{3}, nil), "[-1 0 0 0]", "[]"},
		{"loop", drawn(-1, []int{1}, []int{2, 3}, []int{1}, nil), "[-1 0 1 1]", "[{1 [1 2] [2]}]"},
		{"nested", drawn(-1, []int{1}, []int{2, 5}, []int{3, 4}, []int{2}, []int{1}, nil), "[-1 0 1 2 2 1]",
			"[{1 [1 2 3 4] [4]} {2 [2 3] [3]}]"},
		{"two ends", drawn(-1, []int{1}, []int{2, 3}, []int{1}, []int{1, 4}, nil), "[-1 0 1 1 3]", "[{1 [1 2 3] [2 3]}]"},
		{"itself", drawn(-1, []int{0, 1}, nil), "[-1 0]", "[{0 [0] [0]}]"},
		{"dead code", drawn(-1, []int{2}, []int{2}, nil), "[-1 -1 0]", "[]"},
		{"two ways in", drawn(-1, []int{1, 2}, []int{2}, []int{1, 3}, nil), "[-1 0 0 2]", "[]"},
		{"recover", drawn(2, []int{1}, []int{3}, []int{3}, nil), "[-1 0 -1 -1]", "[]"},
	}
	for _, tc := range tests {
		w := NewFlow(tc.f)
		if got := fmt.Sprint(w.idom); got != tc.dominators {
			t.Errorf("%s: dominators %s, want %s", tc.name, got, tc.dominators)
		}
		if got := fmt.Sprint(w.Loops()); got != tc.loops {
			t.Errorf("%s: loops %s, want %s", tc.name, got, tc.loops)
		}
	}
}

func TestFlow_ListsTheLoopsAroundABlock(t *testing.T) {
	w := NewFlow(drawn(-1, []int{1}, []int{2, 5}, []int{3, 4}, []int{2}, []int{1}, nil))
	for b, want := range []string{"[]", "[1]", "[2 1]", "[2 1]", "[1]", "[]"} {
		got := []int{}
		for _, l := range w.Around(b) {
			got = append(got, l.Header)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("block %d is in the loops of %v, want %s", b, got, want)
		}
	}
}

// A block dominates another iff that cannot be reached without it.
func TestDominates_IsWhatRemovingBlocksShows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range 300 {
		n := 1 + r.IntN(9)
		succs := make([][]int, n)
		for b := range succs {
			for range r.IntN(3) {
				succs[b] = append(succs[b], r.IntN(n))
			}
		}
		recovered := r.IntN(2*n) - n
		f := drawn(max(recovered, -1), succs...)
		w := NewFlow(f)
		for a := range n {
			without := reached(f, succs, a)
			for b := range n {
				want := reached(f, succs, -1)[b] && reached(f, succs, -1)[a] && (a == b || !without[b])
				if got := w.Dominates(a, b); got != want {
					t.Fatalf("%v, recover %d: %d dominates %d: %v", succs, f.Recover, a, b, got)
				}
			}
		}
	}
}

// reached are the blocks that can be reached if one is taken away.
func reached(f *Func, succs [][]int, removed int) []bool {
	seen := make([]bool, len(succs))
	work := []int{0}
	if f.Recover >= 0 {
		work = append(work, f.Recover)
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = slices.Delete(work, len(work)-1, len(work))
		if b != removed && !seen[b] {
			seen[b] = true
			work = append(work, succs[b]...)
		}
	}
	return seen
}
