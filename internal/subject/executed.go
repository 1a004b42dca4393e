// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"context"
	"go/types"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/front"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// Functions are functions of one more file of a package: one that makes an object, and others whose parameters are the object and an int, and whose
// result is an int.
type Functions struct {
	File string
	Text []byte
	New  string
	Ops  []string
}

// Executed is what the functions do to an object one after another, executed by the machine: the oracle self of an object that is no collection.
func Executed(ctx context.Context, p *front.Listed, f *Functions) (oracle.Spec, error) {
	prog, err := p.Load(ctx, front.Request{Roots: append([]string{f.New}, f.Ops...),
		Harness: func(*types.Package) (string, []byte, error) { return f.File, f.Text, nil }})
	if err != nil {
		return nil, err
	}
	prog.Clock.Jumps, prog.Clock.Late = 1, true
	if _, err := vm.Settle(prog); err != nil {
		return nil, err
	}
	s := &Subject{Prog: prog, New: prog.Roots[0], texts: &texts{}, Lines: linesOf(p, f.File, f.Text)}
	for i, name := range f.Ops {
		s.Operations = append(s.Operations, Operation{Name: name, Func: prog.Roots[i+1],
			Tuple:  func(words []uint64) history.Tuple { return history.Ints(int64(words[0])) },
			Client: client.Op{Params: []oracle.Param{oracle.ParamItem}}})
	}
	return NewSelf(ctx, s, WaitsAlone)
}
