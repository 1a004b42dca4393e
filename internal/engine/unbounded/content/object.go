// SPDX-License-Identifier: BSD-3-Clause

package content

import (
	"errors"
	"fmt"
	"strings"

	"pangolin/internal/certificate"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/ir"
)

// Objects of registers. Their content is what their registers hold, by a map that has been learned with what
// the operations do (certificate.Object). Each call takes effect at one moment, by one of three ways:
//
//   - with a write of its own to the word of a register;
//   - not at all: it returns what a register held at some moment at which it would have changed nothing;
//   - through a descriptor that it puts into a register, at any moment until somebody replaces that by a value. Until
//     then the register holds what it held, for nobody's result may depend on it. Whether the effect changes the
//     register depends on other registers, at a moment of which whoever replaces it has to know.
//
// Of values only is known whether they are k, or j. What is demanded is that for all k and j the classes of the values
// before and after a step may be those of the rule; doc/proofs.md says why that suffices.

// tri is no, yes, or not certain.
type tri uint8

const (
	no tri = iota
	maybe
	yes
)

// classes of an argument or register, by whether it is the value in question.
func itemOf(v certificate.Value, equal bool) shape.Word {
	switch {
	case v == certificate.OfJ && equal:
		return shape.Data(shape.EqualJ)
	case v == certificate.OfJ:
		return shape.Data(shape.OtherJ)
	case v == certificate.OfK && equal:
		return shape.Data(shape.Equal)
	case v == certificate.OfK:
		return shape.Data(shape.Above)
	case equal:
		return shape.Const(0)
	}
	return shape.Const(1)
}

// holds says whether a word is a value that a register of this kind may hold, as far as values are told apart.
func holds(v certificate.Value, w shape.Word) bool {
	if v == certificate.Number {
		return w.IsConst()
	}
	return w == itemOf(v, true) || w == itemOf(v, false)
}

// equal compares two values of one register.
func equal(a, b shape.Word) tri {
	switch {
	case a != b:
		return no
	case a.IsData() && !a.Class().Certain():
		return maybe
	}
	return yes
}

// Exact says that the rules of an object can be judged by classes: an operation compares one register with k and
// one with j at most, and of those with the values of the register that it changes that one only; and one register at most
// has descriptors, in which an operation that returns a register returns that one.
func Exact(o *certificate.Object) error {
	slots := 0
	for i := range o.Registers {
		d := o.Registers[i].Descriptor
		if d == nil {
			continue
		}
		slots++
		if r := &o.Rules[d.Op]; slots > 1 || o.Registers[i].Holds == certificate.Number || r.Assigns != i || r.Returns >= 0 && r.Returns != i || len(d.Args) != len(r.Args) {
			return errors.New("descriptors of a kind that is not known")
		}
	}
	for i := range o.Rules {
		if err := exact(o, &o.Rules[i]); err != nil {
			return err
		}
	}
	return nil
}

func exact(o *certificate.Object, r *certificate.Rule) error {
	compared := map[certificate.Value]int{}
	if r.Assigns >= 0 && o.Registers[r.Assigns].Holds != certificate.Number {
		compared[o.Registers[r.Assigns].Holds] = r.Assigns
	}
	for _, g := range r.Guards {
		v := o.Registers[g.Register].Holds
		if v == certificate.Number {
			continue
		}
		if other, known := compared[v]; known && other != g.Register {
			return errors.New("an operation compares two registers with values of one kind")
		}
		compared[v] = g.Register
	}
	if r.Returns >= 0 && o.Registers[r.Returns].Holds == certificate.Number {
		return errors.New("an operation returns a truth value")
	}
	return nil
}

// Choices is in how many ways the arguments of an operation compare with k and j: of an object, a class is the
// number of one of them, with a bit for each argument that is not 0 if it differs (a truth value: if it is true).
func (p *Property) Choices(op int) int { return 1 << len(p.Map.Object.Rules[op].Args) }

// Arguments are the words of one of them.
func (p *Property) Arguments(op int, choice shape.Class) []shape.Word {
	if p.Map.Object == nil {
		if p.Ops[op].Param {
			return []shape.Word{shape.Data(choice)}
		}
		return nil
	}
	var out []shape.Word
	for i, v := range p.Map.Object.Rules[op].Args {
		out = append(out, itemOf(v, choice>>i&1 == 0))
	}
	return out
}

// Starts are the memories of a new object: what its registers hold is k, or j, or is not.
func (p *Property) Starts(h *shape.Heap) ([]shape.Heap, error) {
	list := []shape.Heap{h.Clone()}
	if p.Map.Object == nil {
		return list, nil
	}
	for _, v := range []certificate.Value{certificate.OfK, certificate.OfJ} {
		var first shape.Word
		var places []shape.Word
		for i := range p.Map.Object.Registers {
			r := &p.Map.Object.Registers[i]
			if r.Holds != v {
				continue
			}
			at := shape.Ref(0, r.Word)
			if r.Cell != 0 {
				w := h.Get(0, r.Word)
				if !w.IsRef() || w.Off() != 0 || h.IsSummary(w) || int(h.Nodes[w.Node()].Type) != r.Cell ||
					r.Descriptor != nil && h.Get(w.Node(), r.Descriptor.Link) != shape.Nil {
					return nil, errUnread
				}
				at = shape.Ref(w.Node(), r.Offset)
			}
			w := h.Get(at.Node(), at.Off())
			if !w.IsConst() || len(places) > 0 && w != first {
				return nil, errors.New("the registers of a new object do not hold one value that is known")
			}
			first, places = w, append(places, at)
		}
		if len(places) == 0 {
			continue
		}
		var next []shape.Heap
		for _, is := range []bool{true, false} {
			for _, h := range list {
				h = h.Clone()
				for _, at := range places {
					h.Put(at.Node(), at.Off(), itemOf(v, is))
				}
				next = append(next, h)
			}
		}
		list = next
	}
	return list, nil
}

// Places are the words of cells, by type and offset, that hold the values of registers.
func (p *Property) Places() (types, offsets []int) {
	if p.Map.Object == nil {
		return nil, nil
	}
	for _, r := range p.Map.Object.Registers {
		if r.Cell != 0 && r.Holds != certificate.Number {
			types, offsets = append(types, r.Cell), append(offsets, r.Offset)
		}
	}
	return types, offsets
}

var errUnread = errors.New("it cannot be told what a register holds")

// reading is what was read of a register.
type reading struct {
	value      shape.Word
	cell       int // the node of its cell; -1: it has none
	descriptor int // the node of the descriptor; -1: there is none
}

// read reads a register.
func (p *Property) read(h *shape.Heap, r *certificate.Register) (reading, error) {
	w := h.Get(0, r.Word)
	out := reading{value: w, cell: -1, descriptor: -1}
	if r.Cell != 0 {
		if !w.IsRef() || w.Off() != 0 || h.IsSummary(w) || int(h.Nodes[w.Node()].Type) != r.Cell {
			return out, errUnread
		}
		out.cell = w.Node()
		out.value = h.Get(out.cell, r.Offset)
	}
	if d := r.Descriptor; d != nil {
		switch w := h.Get(out.cell, d.Link); {
		case w == shape.Nil:
		case !w.IsRef() || w.Off() != 0 || h.IsSummary(w) || int(h.Nodes[w.Node()].Type) != d.Type:
			return out, errUnread
		default:
			out.descriptor = w.Node()
			out.value = h.Get(out.descriptor, d.Value)
		}
	}
	if !holds(r.Holds, out.value) {
		return out, errUnread
	}
	return out, nil
}

// guards says whether the guards of a rule hold for some arguments. Only guards about registers count for which about
// is true.
func (p *Property) guards(h *shape.Heap, rule *certificate.Rule, args []shape.Word, about func(register int) bool) (tri, error) {
	all := yes
	for _, g := range rule.Guards {
		if !about(g.Register) {
			continue
		}
		x, err := p.read(h, &p.Map.Object.Registers[g.Register])
		if err != nil {
			return no, err
		}
		want := shape.Const(uint64(g.Number))
		if g.Arg >= 0 {
			want = args[g.Arg]
		}
		if !holds(p.Map.Object.Registers[g.Register].Holds, want) {
			return no, errUnread
		}
		all = min(all, equal(x.value, want))
	}
	return all, nil
}

func every(int) bool { return true }

// pending is the register that may hold descriptors; -1 and nil: no register may.
func (p *Property) pending() (index int, r *certificate.Register) {
	for i := range p.Map.Object.Registers {
		if r := &p.Map.Object.Registers[i]; r.Descriptor != nil {
			return i, r
		}
	}
	return -1, nil
}

// described are the arguments that the descriptor in node n has.
func described(h *shape.Heap, d *certificate.Descriptor, n int) []shape.Word {
	out := make([]shape.Word, len(d.Args))
	for i, off := range d.Args {
		out[i] = h.Get(n, off)
	}
	return out
}

// Observe adds to the flags of a view what is so at this moment, for objects of registers. written says that the
// register with descriptors has just been written.
func (p *Property) Observe(v *shape.View, written bool) {
	if p.Map.Object == nil {
		return
	}
	if written {
		v.Flags &^= shape.GuardTrue | shape.GuardFalse
	}
	slot, r := p.pending()
	busy := false
	if r != nil {
		x, err := p.read(&v.Heap, r)
		if err != nil {
			return
		}
		if busy = x.descriptor >= 0; busy {
			rule := &p.Map.Object.Rules[r.Descriptor.Op]
			g, err := p.guards(&v.Heap, rule, described(&v.Heap, r.Descriptor, x.descriptor), func(i int) bool { return i != slot })
			if err == nil && g != no {
				v.Flags |= shape.GuardTrue
			}
			if err == nil && g != yes {
				v.Flags |= shape.GuardFalse
			}
		}
	}
	rule := &p.Map.Object.Rules[v.Op]
	if rule.Returns < 0 || v.Flags&(shape.Linearized|shape.Announced) != 0 || busy && rule.Uses(slot) {
		return
	}
	if x, err := p.read(&v.Heap, &p.Map.Object.Registers[rule.Returns]); err == nil && equal(x.value, x.value) == yes && p.idle(&v.Heap, rule, p.Arguments(int(v.Op), v.Param)) {
		v.Flags |= shape.SawRight
	}
}

// idle says whether an operation, if it took effect now, would certainly change nothing.
func (p *Property) idle(h *shape.Heap, rule *certificate.Rule, args []shape.Word) bool {
	if rule.Assigns < 0 {
		return true
	}
	if g, err := p.guards(h, rule, args, every); err != nil || g == no {
		return err == nil
	}
	x, err := p.read(h, &p.Map.Object.Registers[rule.Assigns])
	return err == nil && equal(x.value, args[rule.From]) == yes
}

// Written says whether a write of n words at an address changes the register that may hold descriptors.
func (p *Property) Written(at shape.Word, n int) bool {
	if p.Map.Object == nil {
		return false
	}
	_, r := p.pending()
	return r != nil && at.IsRef() && at.Node() == 0 && at.Off() <= r.Word && r.Word < at.Off()+n
}

// stepObject judges a write.
func (p *Property) stepObject(w *Write, v *shape.View) error {
	o := p.Map.Object
	if w.At.Node() != 0 {
		t := int(w.Before.Nodes[w.At.Node()].Type)
		for i := range o.Registers {
			if r := &o.Registers[i]; t == r.Cell || r.Descriptor != nil && t == r.Descriptor.Type {
				return errors.New("what a register leads to is written while others may see it")
			}
		}
		return nil
	}
	for i := range o.Registers {
		r := &o.Registers[i]
		if r.Word < w.At.Off() || r.Word >= w.At.Off()+w.N {
			continue
		}
		if w.N > 1 {
			return errors.New("a register is written together with something else")
		}
		return p.assigned(w, v, i)
	}
	return nil
}

// assigned judges a write to the word of register i.
func (p *Property) assigned(w *Write, v *shape.View, i int) error {
	r := &p.Map.Object.Registers[i]
	old, err := p.read(w.Before, r)
	if err != nil {
		return err
	}
	now, err := p.read(w.After, r)
	if err != nil {
		return err
	}
	if r.Descriptor != nil && old.cell != now.cell {
		defer func() { v.Flags &^= shape.GuardTrue | shape.GuardFalse }()
	}
	switch {
	case old.descriptor < 0 && now.descriptor < 0:
		return p.takesEffect(w, v, i, [2]shape.Word{old.value, now.value})
	case old.descriptor < 0:
		return p.announces(w, v, i, [2]reading{old, now})
	case now.descriptor >= 0 && old.cell == now.cell:
		return nil
	case now.descriptor >= 0:
		return errors.New("a descriptor is replaced by another one")
	}
	return p.completes(w, v, i, [2]reading{old, now})
}

// takesEffect judges a write to register i by which the writer's own operation takes effect. values are those of the
// register before and after the write.
func (p *Property) takesEffect(w *Write, v *shape.View, i int, values [2]shape.Word) error {
	name, rule := p.Ops[v.Op].Name, &p.Map.Object.Rules[v.Op]
	if v.Flags&(shape.Linearized|shape.Announced) != 0 {
		return fmt.Errorf("%s changes a register a second time", name)
	}
	if slot, r := p.pending(); r != nil && rule.Uses(slot) {
		if x, err := p.read(w.Before, r); err != nil || x.descriptor >= 0 {
			return fmt.Errorf("%s takes effect while another operation does that uses the same register", name)
		}
	}
	args := p.Arguments(int(v.Op), v.Param)
	g, err := p.guards(w.Before, rule, args, every)
	if err != nil {
		return err
	}
	changes := g != no && rule.Assigns == i && values[1] == args[rule.From]
	keeps := (g != yes || rule.Assigns < 0) && values[0] == values[1]
	if !changes && !keeps {
		return fmt.Errorf("%s changes %s as it should not", name, p.register(w.Before, i))
	}
	v.Taken = shape.Nil
	if rule.Returns >= 0 {
		x, err := p.read(w.Before, &p.Map.Object.Registers[rule.Returns])
		if err != nil {
			return err
		}
		v.Taken = x.value
	}
	v.Flags = v.Flags&^shape.SawRight | shape.Linearized
	p.Changed[int(v.Op)] = true
	return nil
}

// announces judges a write that replaces the value of register i by a descriptor.
func (p *Property) announces(w *Write, v *shape.View, i int, x [2]reading) error {
	d := p.Map.Object.Registers[i].Descriptor
	name, rule := p.Ops[v.Op].Name, &p.Map.Object.Rules[d.Op]
	switch {
	case int(v.Op) != d.Op:
		return fmt.Errorf("%s puts a descriptor into %s", name, p.register(w.Before, i))
	case v.Flags&(shape.Linearized|shape.Announced) != 0:
		return fmt.Errorf("%s puts a descriptor into %s a second time", name, p.register(w.Before, i))
	case x[1].cell < len(w.Before.Nodes) && w.Before.Nodes[x[1].cell].Shared: // otherwise nobody else knew it
		return fmt.Errorf("%s puts a descriptor into %s that others have seen", name, p.register(w.Before, i))
	case x[0].value != x[1].value:
		return fmt.Errorf("%s puts a descriptor into %s that says that it held another value", name, p.register(w.Before, i))
	}
	args := p.Arguments(d.Op, v.Param)
	for k, have := range described(w.After, d, x[1].descriptor) {
		if have != args[k] {
			return fmt.Errorf("%s puts a descriptor into %s with other arguments than its own", name, p.register(w.Before, i))
		}
	}
	v.Taken = shape.Nil
	if rule.Returns >= 0 {
		v.Taken = x[1].value
	}
	v.Mine = shape.Ref(x[1].cell, 0)
	v.Flags = v.Flags&^shape.SawRight | shape.Announced
	p.Changed[int(v.Op)] = true
	return nil
}

// completes judges a write that puts a value in the place of a descriptor: the operation of the descriptor has taken
// effect at some moment since that was put there.
func (p *Property) completes(w *Write, v *shape.View, i int, x [2]reading) error {
	d := p.Map.Object.Registers[i].Descriptor
	rule := &p.Map.Object.Rules[d.Op]
	args := described(w.Before, d, x[0].descriptor)
	own, err := p.guards(w.Before, rule, args, func(r int) bool { return r == i })
	if err != nil {
		return err
	}
	changes := own != no && v.Flags&shape.GuardTrue != 0 && x[1].value == args[rule.From]
	keeps := (own != yes || v.Flags&shape.GuardFalse != 0) && x[1].value == x[0].value
	if !changes && !keeps {
		return fmt.Errorf("what replaces a descriptor in %s was right at no moment since that was put there", p.register(w.Before, i))
	}
	return nil
}

// returnObject judges what an operation returns.
func (p *Property) returnObject(v *shape.View, results []shape.Word) error {
	name, rule := p.Ops[v.Op].Name, &p.Map.Object.Rules[v.Op]
	done := v.Flags&(shape.Linearized|shape.Announced) != 0
	p.Returned[Outcome{int(v.Op), done}] = true
	if v.Flags&shape.Announced != 0 {
		_, r := p.pending()
		if w := v.Get(0, r.Word); !w.IsRef() || w.Node() == v.Mine.Node() {
			return fmt.Errorf("%s returns, and its descriptor may still be there", name)
		}
	}
	switch {
	case rule.Returns < 0 && !done:
		return fmt.Errorf("%s returns, and has not taken effect", name)
	case rule.Returns < 0:
		return nil
	case done && results[0] != v.Taken:
		return fmt.Errorf("%s returns another value than there was when it took effect", name)
	case done:
		return nil
	case !holds(p.Map.Object.Registers[rule.Returns].Holds, results[0]):
		return fmt.Errorf("it cannot be told what %s returns", name)
	case equal(results[0], results[0]) == yes && v.Flags&shape.SawRight == 0:
		return fmt.Errorf("%s returns a value that at no moment since its call was right for certain", name)
	}
	return nil
}

// register names register i, by its field.
func (p *Property) register(h *shape.Heap, i int) string {
	return p.d.Prog.Types[h.Nodes[0].Type].FieldPath(p.Map.Object.Registers[i].Word)[1:]
}

// Describe says what the map reads, and of an object what its operations do.
func (p *Property) Describe(collection *ir.Type) string {
	o := p.Map.Object
	if o == nil {
		return p.Map.Describe(p.d.Prog, collection)
	}
	name := func(i int) string { return collection.FieldPath(o.Registers[i].Word)[1:] }
	var names, rules []string
	for i := range o.Registers {
		names = append(names, name(i))
	}
	for i := range o.Rules {
		rules = append(rules, p.Ops[i].Name+describeRule(&o.Rules[i], name))
	}
	return "the registers " + strings.Join(names, " and ") + ", where " + strings.Join(rules, "; ")
}

// describeRule writes (a, b): cell = b if flag = 1 and cell = a, and cell is returned.
func describeRule(r *certificate.Rule, name func(register int) string) string {
	const arguments = "abcdefgh"
	var args, guards, parts []string
	for i := range r.Args {
		args = append(args, arguments[i:i+1])
	}
	for _, g := range r.Guards {
		want := fmt.Sprint(g.Number)
		if g.Arg >= 0 {
			want = args[g.Arg]
		}
		guards = append(guards, name(g.Register)+" = "+want)
	}
	if r.Assigns >= 0 {
		text := name(r.Assigns) + " becomes " + args[r.From]
		if len(guards) > 0 {
			text += " if " + strings.Join(guards, " and ")
		}
		parts = append(parts, text)
	}
	if r.Returns >= 0 {
		parts = append(parts, "what "+name(r.Returns)+" held is returned")
	}
	return "(" + strings.Join(args, ", ") + "): " + strings.Join(parts, ", ")
}
