// SPDX-License-Identifier: BSD-3-Clause

package sections

import "pangolin/internal/ir"

// SliceData is the place of an unsafe.SliceData in code that is neither the standard library's nor the harness's; false if there is none. A slice that is cut at a constant 0 leads nowhere for these proofs, since no element of it can be
// reached and what is appended to it is in memory of its own; its data can be reached by that function all the same. So there are no proofs of programs that call it, and both the prover and the checker look for it.
func SliceData(p *ir.Program) (at ir.Pos, found bool) {
	for _, f := range p.Funcs {
		if f.Library() || f.Harness || f.External {
			continue
		}
		for pc := range f.Code {
			if in := &f.Code[pc]; in.Op == ir.OpMove && in.Ok {
				return f.Pos[pc], true
			}
		}
	}
	return ir.Pos{}, false
}
