// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"context"
	"errors"
	"slices"

	"pangolin/internal/front"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Drive describes a collection whose code gc compiles: nothing is compiled for the machine. The code itself as an oracle is up to who
// executes it; Spec is nil then.
func (o *Order) Drive(ctx context.Context) (*Subject, error) {
	if o.Listed.Tested {
		return nil, errors.New("the engine schedules does not take test files (-tests) as part of a package")
	}
	pkg, err := o.Listed.Types(ctx)
	if err != nil {
		return nil, err
	}
	h := &driver{overrides: o.Overrides}
	if _, _, err := h.source(pkg); err != nil {
		return nil, err
	}
	s := h.driven(o.Listed)
	for i := range h.found.Operations {
		op := &h.found.Operations[i]
		c := op.Client()
		if o.Ops != nil {
			c = o.Ops[i]
		}
		c.Notation = op.Notation(s.texts.find)
		s.Operations = append(s.Operations, Operation{Name: op.Name, Tuple: op.Tuple, Client: c, Unending: op.Unending, Binding: op.Op})
		s.Compiled.Ops = append(s.Compiled.Ops, CompiledOp{h.roots[i+1], len(op.Params), op.Words()})
	}
	for _, v := range h.found.Invariants {
		s.Invariants = append(s.Invariants, Invariant{Invariant: v})
	}
	s.Source.Patterns, s.Compiled.Waiting = o.Patterns, o.waiting()
	if kind, ok := h.found.Oracle.Kind(); ok {
		s.Spec, err = oracle.New(kind, h.found.Protocol, h.found.Ops())
	} else if !s.Self {
		s.Spec, err = o.userOracle(ctx, h)
	}
	return s, err
}

// driven is the subject without its operations.
func (h *driver) driven(p *front.Listed) *Subject {
	c := h.found
	s := &Subject{Self: c.Oracle.IsSelf(), Instance: c.Instance, texts: &texts{}, Lines: linesOf(p, h.file, h.text), LeftOut: []verdict.LeftOut{},
		Assumptions: slices.Concat(c.Environment, c.Assumptions),
		About:       verdict.Subject{Collection: p.Name + "." + c.Type, Kind: string(c.Kind), Protocol: c.Protocol.String(), Oracle: c.Oracle.String()},
		Compiled:    &Compiled{Dir: p.Directory(), Package: p.Path, Name: p.Name, File: h.file, Text: h.text, New: h.roots[0]}}
	s.Source = h.sourceOf(p)
	for _, m := range c.Skipped {
		s.LeftOut = append(s.LeftOut, verdict.LeftOut{Operation: m.Name, Why: m.Why})
	}
	return s
}
