// SPDX-License-Identifier: BSD-3-Clause

// Package fragment says whether a collection is one of those that the unbounded engine can prove, and what its operations
// are to do there.
//
// It takes a loaded subject and gives a fixpoint.Program: the compiled operations with their roles (add, remove or contains
// of a set; put or take of a queue or stack), read from their bindings. Of an object of registers it learns the
// operations' rules by calling them (object.go). An error names the kind, operation or protocol that has no proofs.
//
// It does not look at the operations' instructions: what cannot be modelled there is an alarm of package transfer.
package fragment

import (
	"fmt"
	"slices"

	"pangolin/internal/collection"
	"pangolin/internal/engine/unbounded/content"
	"pangolin/internal/engine/unbounded/fixpoint"
	"pangolin/internal/subject"
	"pangolin/oracle"
)

// Of is a subject as the prover sees it. An error says what keeps its operations out of the fragment.
func Of(s *subject.Subject) (*fixpoint.Program, error) {
	kind := oracle.Kind(s.About.Kind)
	if kind == collection.Object && s.Self && s.About.Oracle == collection.SelfOracle.String() {
		return objectOf(s)
	}
	if !slices.Contains([]oracle.Kind{oracle.Set, oracle.Queue, oracle.Stack}, kind) {
		return nil, fmt.Errorf("a collection of kind %s: there are proofs for sets, queues and stacks, and for objects of registers that are judged by their own code", kind)
	}
	if s.Self || s.About.Oracle != s.About.Kind {
		return nil, fmt.Errorf("the oracle %s: there are proofs against the oracle of the collection's kind", s.About.Oracle)
	}
	if s.About.Protocol != (oracle.Protocol{Kind: oracle.Nonblocking}).String() {
		return nil, fmt.Errorf("the protocol %s: there are proofs for operations that wait for nothing but locks", s.About.Protocol)
	}
	p := &fixpoint.Program{Prog: s.Prog, New: s.New, Kind: kind}
	for i := range s.Operations {
		o := &s.Operations[i]
		op, err := operationOf(kind, o)
		if err != nil {
			return nil, err
		}
		p.Funcs = append(p.Funcs, o.Func)
		p.Operations = append(p.Operations, op)
	}
	return p, nil
}

// known are the roles of operations that have proofs, by kind.
var known = map[oracle.Kind][]oracle.Role{
	oracle.Set:   {oracle.Add, oracle.Remove, oracle.Contains},
	oracle.Queue: {oracle.Put, oracle.Take},
	oracle.Stack: {oracle.Put, oracle.Take},
}

// operationOf reads the binding of an operation.
func operationOf(kind oracle.Kind, o *subject.Operation) (content.Operation, error) {
	b := &o.Binding
	op := content.Operation{Name: o.Name, Role: b.Role, Item: -1, OK: -1}
	if !slices.Contains(known[kind], b.Role) {
		return op, fmt.Errorf("operation %s of a %s: what it does is not add, remove or contains of a set, put or take of a queue or stack", o.Name, kind)
	}
	takes := b.Role == oracle.Take
	if want := map[bool]int{true: 0, false: 1}[takes]; len(b.Params) != want {
		return op, fmt.Errorf("operation %s: it has %d arguments", o.Name, len(b.Params))
	}
	op.Param = !takes
	word := 0
	for _, slot := range b.Results {
		switch slot {
		case oracle.SlotItem:
			op.Item = word
		case oracle.SlotOK, oracle.SlotNotOK:
			op.OK, op.Not = word, slot == oracle.SlotNotOK
		default:
			return op, fmt.Errorf("operation %s: a result that means %q", o.Name, slot)
		}
		word++
	}
	switch {
	case takes && (op.Item < 0 || op.OK < 0):
		return op, fmt.Errorf("operation %s: it does not return an item and whether there was one", o.Name)
	case kind == oracle.Set && op.OK < 0:
		return op, fmt.Errorf("operation %s: it does not say whether it was done", o.Name)
	}
	return op, nil
}

// objectOf is an object of registers as the prover sees it: its rules are learned.
func objectOf(s *subject.Subject) (*fixpoint.Program, error) {
	if s.About.Protocol != (oracle.Protocol{Kind: oracle.Nonblocking}).String() {
		return nil, fmt.Errorf("the protocol %s: there are proofs for operations that wait for nothing but locks", s.About.Protocol)
	}
	if !s.JudgesItself() {
		return nil, fmt.Errorf("the oracle is the code of another program: there are proofs for objects that are judged by their own code")
	}
	p := &fixpoint.Program{Prog: s.Prog, New: s.New, Kind: collection.Object}
	for i := range s.Operations {
		o := &s.Operations[i]
		p.Funcs = append(p.Funcs, o.Func)
		p.Operations = append(p.Operations, content.Operation{Name: o.Name, Item: -1, OK: -1})
	}
	var err error
	if p.Object, err = learned(p); err == nil {
		err = content.Exact(p.Object)
	}
	if err != nil {
		return nil, fmt.Errorf("an object of which it is not known what it does: %w", err)
	}
	return p, nil
}
