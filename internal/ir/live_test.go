// SPDX-License-Identifier: BSD-3-Clause

package ir

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Before the body of a loop that counts down, and behind it, the number is needed.
func TestLive_OfALoop(t *testing.T) {
	p := sample()
	l := NewLive(p, p.Funcs[0])
	if got := l.Before(2); !slices.Equal(got, []Reg{0, 1}) {
		t.Errorf("before the branch: %v", got)
	}
	if got := l.NoneBefore(); slices.Contains(got, true) {
		t.Errorf("nothing is live: %v", got)
	}
}

// Where nothing is live, Before gives nothing: in functions of random instructions on few registers, of which many are dead.
func TestLive_NoneBeforeIsWhereBeforeGivesNone(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	none, some := 0, 0
	for range 3000 {
		f := &Func{Recover: -1, DeferReg: NoReg, NumRegs: 3}
		blocks := 1 + rng.IntN(5)
		for range blocks {
			start := len(f.Code)
			for range rng.IntN(5) {
				switch rng.IntN(3) {
				case 0:
					f.Code = append(f.Code, Instr{Op: OpZero, Dst: Reg(rng.IntN(3)), N: 1})
				default:
					f.Code = append(f.Code, Instr{Op: OpMove, Dst: Reg(rng.IntN(3)), A: Reg(rng.IntN(3)), N: 1})
				}
			}
			switch to := func() int32 { return int32(rng.IntN(blocks)) }; rng.IntN(3) {
			case 0:
				f.Code = append(f.Code, Instr{Op: OpJump, N: to()}) // the block's number, until all are there
			case 1:
				f.Code = append(f.Code, Instr{Op: OpIf, A: Reg(rng.IntN(3)), N: to(), X: to()})
			default:
				f.Code = append(f.Code, Instr{Op: OpReturn, X: 0})
			}
			f.Blocks = append(f.Blocks, Block{Start: start, End: len(f.Code)})
		}
		for i := range f.Code {
			switch in := &f.Code[i]; in.Op {
			case OpIf:
				in.X = int32(f.Blocks[in.X].Start)
				fallthrough
			case OpJump:
				in.N = int32(f.Blocks[in.N].Start)
			}
		}
		p := &Program{Funcs: []*Func{f}, Lists: [][]Arg{nil}}
		l := NewLive(p, f)
		for pc, got := range l.NoneBefore() {
			if want := len(l.Before(pc)) == 0; got != want {
				t.Fatalf("instruction %d of %v: %v, want %v", pc, f.Code, got, want)
			}
			if got {
				none++
			} else {
				some++
			}
		}
	}
	if none == 0 || some == 0 {
		t.Errorf("%d without, %d with live registers", none, some)
	}
}
