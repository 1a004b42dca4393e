// SPDX-License-Identifier: BSD-3-Clause

package fragment

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"pangolin/internal/certificate"
	"pangolin/internal/engine/unbounded/fixpoint"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
)

// An object of registers has no oracle but its own code. What its operations do is learned by calling them: an object is
// made, its operations are called one at a time on the machine, with numbers that are often equal, and the memory is looked at
// before, during and after each call. The result is a certificate.Object: which words are registers, what each operation
// changes if which values are equal, and what descriptors consist of.
//
// It is a conjecture, and nobody has to believe it. The prover shows that the operations do this whatever other threads do, hence
// also when a call is alone; so what has been learned is what the code does.

// How much is tried.
const (
	objects = 24     // objects that are made
	calls   = 60     // calls of operations of each object
	most    = 20_000 // instructions of one call
)

// first is the smallest item that is an argument. There are few items, so that they are often equal, and no code
// computes them by chance. Only 0, which new objects often hold, is an item besides.
const first = 1 << 40

// sample is one call that was observed.
type sample struct {
	args          []uint64
	before, after []uint64 // what the registers held before and after it
	result        uint64
}

// meanwhile is a descriptor that was in a register during a call.
type meanwhile struct {
	op       int
	register int
	args     []uint64
	held     uint64   // what the register held when the call began
	words    []uint64 // of the descriptor
}

// learner is what has been observed of an object.
type learner struct {
	p       *fixpoint.Program
	object  *certificate.Object
	samples [][]sample // by operation
	seen    []meanwhile
	random  *rand.Rand
}

// learned gives the rules of the operations of an object, as far as calls show them.
func learned(p *fixpoint.Program) (*certificate.Object, error) {
	l := &learner{p: p, object: &certificate.Object{}, samples: make([][]sample, len(p.Funcs)), random: rand.New(rand.NewPCG(1, 1))}
	if err := l.registers(); err != nil {
		return nil, err
	}
	for i, f := range p.Funcs {
		args, err := arguments(p.Prog, f)
		if err != nil {
			return nil, fmt.Errorf("operation %s: %w", p.Operations[i].Name, err)
		}
		l.object.Rules = append(l.object.Rules, certificate.Rule{Args: args})
	}
	img, err := vm.NewImage(p.Prog)
	if err != nil {
		return nil, err
	}
	for range objects {
		if err := l.try(img); err != nil {
			return nil, err
		}
	}
	for i := range p.Funcs {
		if err := l.rule(i); err != nil {
			return nil, fmt.Errorf("operation %s: %w", p.Operations[i].Name, err)
		}
	}
	if err := l.descriptors(); err != nil {
		return nil, err
	}
	return l.object, l.split()
}

// arguments says of each argument of an operation whether it is a truth value (a certificate.Number) or an item, by
// the types of the method that the driver calls.
func arguments(p *ir.Program, driver *ir.Func) ([]certificate.Value, error) {
	var method *ir.Func
	for i := range driver.Code {
		if in := &driver.Code[i]; in.Op == ir.OpCall {
			c := p.Calls[in.X]
			if c.Kind == ir.CallStatic && len(c.Func.Params) == len(driver.Params) && c.Func.Params[0] == driver.Params[0] && method == nil {
				method = c.Func
			}
		}
	}
	if method == nil {
		return nil, fmt.Errorf("it cannot be told what its arguments are")
	}
	var out []certificate.Value
	for _, t := range method.Params[1:] {
		switch t.Class {
		case ir.Bool:
			out = append(out, certificate.Number)
		case ir.Int, ir.Int64:
			out = append(out, certificate.OfK)
		default:
			return nil, fmt.Errorf("an argument is a %s", t.Name)
		}
	}
	return out, nil
}

// registers finds the words of the collection that may be registers.
func (l *learner) registers() error {
	root := l.p.New.Results[0].Elem
	for off, kind := range root.Layout() {
		r := certificate.Register{Word: off}
		switch leaf, at := root.LeafAt(off); kind {
		case ir.Scalar:
			if at > 0 || leaf.Class != ir.Bool && leaf.Name != "atomic.Bool" {
				return fmt.Errorf("the word %s is no truth value and leads to no cell", root.FieldPath(off)[1:])
			}
		case ir.Pointer, ir.Unsafe:
			if err := cell(&r, root.PointeeAt(off)); err != nil {
				return fmt.Errorf("the word %s: %w", root.FieldPath(off)[1:], err)
			}
		default:
			return fmt.Errorf("the word %s is no truth value and leads to no cell", root.FieldPath(off)[1:])
		}
		l.object.Registers = append(l.object.Registers, r)
	}
	return nil
}

// cell finds out how a register is read whose value is in a cell of type t.
func cell(r *certificate.Register, t *ir.Type) error {
	if t == nil {
		return fmt.Errorf("it is not known to what it leads")
	}
	r.Cell, r.Holds, r.Offset = t.ID, certificate.OfK, -1
	for off, kind := range t.Layout() {
		to := t.PointeeAt(off)
		switch {
		case kind == ir.Scalar && r.Offset < 0:
			r.Offset = off
		case (kind == ir.Pointer || kind == ir.Unsafe) && to != nil && r.Descriptor == nil:
			for _, k := range to.Layout() {
				if k != ir.Scalar {
					return fmt.Errorf("it leads to a %s, and that to a %s that is not of numbers only", t.Name, to.Name)
				}
			}
			r.Descriptor = &certificate.Descriptor{Link: off, Type: to.ID, Op: -1}
		default:
			return fmt.Errorf("it leads to a %s, which is not a value with, perhaps, a descriptor", t.Name)
		}
	}
	if r.Offset < 0 {
		return fmt.Errorf("it leads to a %s, which holds no value", t.Name)
	}
	return nil
}

// try makes an object, calls its operations at random, and keeps a sample of each call.
func (l *learner) try(img *vm.Image) error {
	m := img.NewMachine(vm.Options{NoFusing: true, NoSymmetry: true})
	m.Spawn()
	m.Call(0, l.p.New, nil)
	m.RunAlone(0, nil)
	if f := m.Fault(); f != nil {
		return f
	}
	if text := m.Panicked(0); text != "" || !m.Idle(0) {
		return fmt.Errorf("the constructor does not return")
	}
	root := m.Results(0)[0]
	m.SetRoots(root)
	for range calls {
		op := l.random.IntN(len(l.p.Funcs))
		s := sample{before: l.read(m, root)}
		if s.before == nil {
			return fmt.Errorf("a descriptor is in a register while no operation is in progress")
		}
		for _, v := range l.object.Rules[op].Args {
			s.args = append(s.args, l.argument(v, s.before))
		}
		m.Call(0, l.p.Funcs[op], append([]uint64{root}, s.args...))
		for left := most; !m.Idle(0); left-- {
			if left == 0 || m.RunExactly(0, 1, nil) == 0 {
				return fmt.Errorf("operation %s does not return when it is alone", l.p.Operations[op].Name)
			}
			if f := m.Fault(); f != nil {
				return f
			}
			l.look(m, root, op, &s)
		}
		if text := m.Panicked(0); text != "" {
			return fmt.Errorf("operation %s panics when it is alone", l.p.Operations[op].Name)
		}
		if res := m.Results(0); len(res) > 0 {
			s.result = res[0]
		}
		if s.after = l.read(m, root); s.after == nil {
			return fmt.Errorf("operation %s leaves a descriptor in a register", l.p.Operations[op].Name)
		}
		l.samples[op] = append(l.samples[op], s)
	}
	return nil
}

// argument is a random argument, often a value that is in a register.
func (l *learner) argument(v certificate.Value, held []uint64) uint64 {
	switch {
	case v == certificate.Number:
		return uint64(l.random.IntN(2))
	case l.random.IntN(2) == 0:
		if i := l.random.IntN(len(held)); l.object.Registers[i].Holds != certificate.Number {
			return held[i]
		}
	}
	return first + uint64(l.random.IntN(5))
}

// cellOf is the cell of a register, and the descriptor to which the cell leads; 0 stands for none.
func cellOf(m *vm.Machine, root uint64, r *certificate.Register) (at, descriptor uint64) {
	if at = m.Words(root+uint64(r.Word), 1)[0]; at != 0 && r.Descriptor != nil {
		descriptor = m.Words(at+uint64(r.Descriptor.Link), 1)[0]
	}
	return at, descriptor
}

// read gives what the registers hold; nil if there is a descriptor, or no cell.
func (l *learner) read(m *vm.Machine, root uint64) []uint64 {
	var out []uint64
	for i := range l.object.Registers {
		r := &l.object.Registers[i]
		if r.Cell == 0 {
			out = append(out, m.Words(root+uint64(r.Word), 1)[0])
			continue
		}
		at, descriptor := cellOf(m, root, r)
		if at == 0 || descriptor != 0 {
			return nil
		}
		out = append(out, m.Words(at+uint64(r.Offset), 1)[0])
	}
	return out
}

// look notes the descriptors that are in registers during a call.
func (l *learner) look(m *vm.Machine, root uint64, op int, s *sample) {
	for i := range l.object.Registers {
		r := &l.object.Registers[i]
		if r.Descriptor == nil {
			continue
		}
		if at, d := cellOf(m, root, r); at != 0 && d != 0 {
			words := m.Words(d, l.p.Prog.Types[r.Descriptor.Type].Size)
			l.seen = append(l.seen, meanwhile{op, i, s.args, s.before[i], slices.Clone(words)})
		}
	}
}
