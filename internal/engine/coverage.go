// SPDX-License-Identifier: BSD-3-Clause

package engine

import (
	"slices"

	"pangolin/internal/ir"
)

// Coverage has bits for each instruction of the functions that a method of proof has executed.
type Coverage map[*ir.Func][]uint8

// The bits of Coverage.
const (
	Executed = 1 << iota
	Succeeds // a compare-and-swap
	Fails
)

// Note adds bits of an instruction.
func (c Coverage) Note(f *ir.Func, pc int, bits uint8) {
	if c[f] == nil {
		c[f] = make([]uint8, len(f.Code))
	}
	c[f][pc] |= bits
}

// Unreached lists the lines with an instruction that was not executed, compare-and-swaps with one outcome, and functions that were not called. What
// Go's libraries do does not count.
func (c Coverage) Unreached(p *ir.Program) []string {
	out := []string{}
	for _, f := range p.Funcs {
		bits := c[f]
		switch {
		case f.Library():
			continue
		case bits == nil:
			if len(f.Code) > 0 && f != p.Init {
				out = append(out, "function "+f.Short)
			}
			continue
		}
		for pc := range f.Code {
			at := p.Position(f.Pos[pc])
			switch cas := bits[pc]&(Succeeds|Fails) != 0; {
			case bits[pc] == 0:
				out = append(out, at)
			case cas && bits[pc]&Succeeds == 0:
				out = append(out, "success of the compare-and-swap at "+at)
			case cas && bits[pc]&Fails == 0:
				out = append(out, "failure of the compare-and-swap at "+at)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
