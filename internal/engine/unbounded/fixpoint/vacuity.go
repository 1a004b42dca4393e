// SPDX-License-Identifier: BSD-3-Clause

package fixpoint

import (
	"fmt"
	"slices"

	"pangolin/internal/certificate"
	"pangolin/internal/engine/unbounded/content"
	"pangolin/internal/engine/unbounded/transfer"
	"pangolin/internal/ir"
	"pangolin/oracle"
)

// Vacuous lists what never happens in any view, and of which a proof therefore says nothing: instructions that are
// not reached, compare-and-swaps that only succeed or only fail, effects that apply to no view, operations that never
// take effect, and results that are never returned.
func (v *Invariant) Vacuous() []string {
	out := v.unreached()
	for _, f := range v.Effects {
		if !f.Applied {
			out = append(out, "the effect of the write at "+v.Text(Cause{Func: f.Sites[0].Func, PC: f.Sites[0].PC})+" on another thread")
		}
	}
	if v.Property.Map.Offers.Type != 0 && !v.Property.Met {
		out = append(out, "a put and a take that take effect together")
	}
	for i := range v.Program.Operations {
		o := &v.Program.Operations[i]
		if object := v.Property.Map.Object; object != nil {
			out = append(out, v.unseen(i, &object.Rules[i])...)
			continue
		}
		if o.Role != oracle.Contains && !v.Property.Changed[i] {
			out = append(out, o.Name+" taking effect")
		}
		for _, done := range []bool{true, false} {
			if (done || o.OK >= 0) && !v.Property.Returned[content.Outcome{Op: i, Done: done}] {
				out = append(out, fmt.Sprintf("%s returning, done %t", o.Name, done))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// unseen lists what the operation of an object never does in any view: taking effect, if its rule assigns a register,
// and returning without effect, if the rule allows that.
func (v *Invariant) unseen(op int, rule *certificate.Rule) (out []string) {
	name := v.Program.Operations[op].Name
	if rule.Assigns >= 0 && !v.Property.Returned[content.Outcome{Op: op, Done: true}] {
		out = append(out, name+" taking effect")
	}
	if rule.Returns >= 0 && (rule.Assigns < 0 || len(rule.Guards) > 0) && !v.Property.Returned[content.Outcome{Op: op}] {
		out = append(out, name+" returning without effect")
	}
	return out
}

// unreached lists lines with an instruction that is not reached, and compare-and-swaps with one outcome. The code
// behind a recovered panic does not count, nor does that of Go's libraries.
func (v *Invariant) unreached() []string {
	var out []string
	p := v.Program.Prog
	for _, f := range p.Funcs {
		if len(f.Code) == 0 || f == p.Init || f.Library() {
			continue
		}
		bits := v.Covered[f]
		if bits == nil {
			if v.called(f) {
				out = append(out, "function "+f.Short)
			}
			continue
		}
		for b := range f.Blocks {
			if f.Blocks[b].Start == f.Recover {
				continue
			}
			for pc := f.Blocks[b].Start; pc < f.Blocks[b].End; pc++ {
				at := p.Position(f.Pos[pc])
				switch {
				case bits[pc]&transfer.Reached == 0:
					out = append(out, at)
				case f.Code[pc].Op != ir.OpAtomicCAS:
				case bits[pc]&transfer.Succeeded == 0:
					out = append(out, "success of the compare-and-swap at "+at)
				case bits[pc]&transfer.Failed == 0:
					out = append(out, "failure of the compare-and-swap at "+at)
				}
			}
		}
	}
	return out
}

// called says whether static calls lead from the constructor or an operation to a function.
func (v *Invariant) called(f *ir.Func) bool {
	seen := map[*ir.Func]bool{}
	var visit func(g *ir.Func)
	visit = func(g *ir.Func) {
		if seen[g] {
			return
		}
		seen[g] = true
		for i := range g.Code {
			if in := &g.Code[i]; in.Op == ir.OpCall || in.Op == ir.OpDefer {
				if c := v.Program.Prog.Calls[in.X]; c.Kind == ir.CallStatic {
					visit(c.Func)
				}
			}
		}
	}
	visit(v.Program.New)
	for _, g := range v.Program.Funcs {
		visit(g)
	}
	return seen[f]
}
