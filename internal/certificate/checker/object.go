// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"errors"
	"fmt"
	"slices"

	"pangolin/internal/certificate"
	"pangolin/internal/ir"
	"pangolin/internal/subject"
)

// Objects of registers: whether a certificate's rules can be judged, and whether steps and results agree with them. See certificate.Object,
// and doc/proofs.md on why the classes of values suffice.

// itemOf is a value of kind v as a word: k or j if is is set, otherwise a different value. For truth values: false if is is set.
func itemOf(v certificate.Value, is bool) word {
	switch v {
	case certificate.OfK:
		return word{Form: certificate.Item, N: map[bool]certificate.Class{true: certificate.Equal, false: certificate.Above}[is]}
	case certificate.OfJ:
		return word{Form: certificate.Item, N: map[bool]certificate.Class{true: certificate.EqualJ, false: certificate.OtherJ}[is]}
	}
	return truth(!is)
}

// sure reports whether a word stands for exactly one value.
func sure(w word) bool {
	return known(w) || isItem(w) && (w.N == certificate.Equal || w.N == certificate.EqualJ)
}

// register is the present content of a register.
type register struct {
	value    word
	cell     word   // the address of its cell; zero: the collection itself holds the value
	doing    bool   // its cell refers to a descriptor
	args     []word // the arguments in the descriptor
	readable bool   // false: the content is not known for certain
}

// register reads register i from a memory.
func (c *Checker) register(g graph, i int) (x register) {
	r := &c.object.Registers[i]
	x.value = g.get(0, r.Word)
	if r.Cell != 0 {
		if x.cell = x.value; !c.leadsTo(g, x.cell, r.Cell) {
			return x
		}
		x.value = g.get(int(x.cell.N), r.Offset)
		if d := r.Descriptor; d != nil {
			w := g.get(int(x.cell.N), d.Link)
			if x.doing = w != zero; x.doing {
				if !c.leadsTo(g, w, d.Type) {
					return x
				}
				x.value = g.get(int(w.N), d.Value)
				for k, off := range d.Args {
					x.args = append(x.args, g.get(int(w.N), off))
					if !c.fits(c.object.Rules[d.Op].Args[k], x.args[k]) {
						return x
					}
				}
			}
		}
	}
	x.readable = c.fits(r.Holds, x.value)
	return x
}

// leadsTo reports whether a word is the address of a concrete cell of a type.
func (c *Checker) leadsTo(g graph, w word, typ int) bool {
	return w.IsRef() && w.Off == 0 && !g[w.N].chain && g[w.N].typ == typ
}

// fits reports whether a word is one that a register or argument of a kind may be.
func (c *Checker) fits(v certificate.Value, w word) bool {
	return v == certificate.Number && known(w) || v != certificate.Number && (w == itemOf(v, true) || w == itemOf(v, false))
}

// arguments returns the arguments of a call by the number of its choice: bit i is 0 if argument i is k, j or false.
func (c *Checker) arguments(op int, choice word) []word {
	var out []word
	for i, v := range c.object.Rules[op].Args {
		out = append(out, itemOf(v, choice.N>>i&1 == 0))
	}
	return out
}

// outcome tells what may happen to the register that a rule assigns: it gets the argument, or keeps its value.
type outcome struct{ assigns, keeps bool }

// outcome applies to a memory those guards of a rule whose registers are asked for; false if a guard's register cannot be read.
func (c *Checker) outcome(g graph, rule *certificate.Rule, args []word, asked func(register int) bool) (outcome, bool) {
	o := outcome{assigns: true}
	for _, x := range rule.Guards {
		if !asked(x.Register) {
			continue
		}
		want := number(x.Number)
		if x.Arg >= 0 {
			want = args[x.Arg]
		}
		r := c.register(g, x.Register)
		switch {
		case !r.readable || !c.fits(c.object.Registers[x.Register].Holds, want):
			return outcome{}, false
		case r.value != want:
			o = outcome{false, true}
			return o, true
		case !sure(want):
			o.keeps = true
		}
	}
	return o, true
}

// doing is the register that may contain descriptors; -1: there is none.
func (c *Checker) doing() int {
	for i := range c.object.Registers {
		if c.object.Registers[i].Descriptor != nil {
			return i
		}
	}
	return -1
}

// observe adds to the flags of a state what holds at this moment. fresh means that the register with descriptors was just written.
func (c *Checker) observe(s *state, fresh bool) {
	if fresh {
		s.saw &^= allowed | refused
	}
	i, busy := c.doing(), false
	if i >= 0 {
		x := c.register(s.g, i)
		if !x.readable {
			return
		}
		if busy = x.doing; busy {
			o, ok := c.outcome(s.g, &c.object.Rules[c.object.Registers[i].Descriptor.Op], x.args, func(r int) bool { return r != i })
			if ok && o.assigns {
				s.saw |= allowed
			}
			if ok && o.keeps {
				s.saw |= refused
			}
		}
	}
	rule := &c.object.Rules[s.op]
	if rule.Returns < 0 || s.saw&(changed|announced) != 0 || busy && rule.Uses(i) {
		return
	}
	if x := c.register(s.g, rule.Returns); x.readable && sure(x.value) && c.changesNothing(s.g, rule, c.arguments(s.op, s.arg)) {
		s.saw |= sawRight
	}
}

// changesNothing reports whether an operation, if it took effect now, would certainly leave all registers unchanged.
func (c *Checker) changesNothing(g graph, rule *certificate.Rule, args []word) bool {
	if rule.Assigns < 0 {
		return true
	}
	o, ok := c.outcome(g, rule, args, func(int) bool { return true })
	x := c.register(g, rule.Assigns)
	return ok && (!o.assigns || x.readable && sure(x.value) && x.value == args[rule.From])
}

// puts reports whether a write changes the register that may contain descriptors.
func (c *Checker) puts(w *write) bool {
	i := -1
	if c.object != nil {
		i = c.doing()
	}
	return i >= 0 && w.at.IsRef() && w.at.N == 0 && int(w.at.Off) <= c.object.Registers[i].Word && c.object.Registers[i].Word < int(w.at.Off)+len(w.words)
}

// judgeObject checks a write to an object: the rule of the writer's operation, or of one whose descriptor it replaces, must permit it.
func (c *Checker) judgeObject(before graph, s *state, w *write) error {
	for i := range c.object.Registers {
		r := &c.object.Registers[i]
		t := before[w.at.N].typ
		switch {
		case w.at.N != 0 && (t == r.Cell || r.Descriptor != nil && t == r.Descriptor.Type):
			return errors.New("a cell to which a register may refer is written while shared")
		case w.at.N != 0 || r.Word < int(w.at.Off) || r.Word >= int(w.at.Off)+len(w.words):
		case len(w.words) > 1:
			return errors.New("a register is written together with other words")
		default:
			return c.registerWritten(before, s, i)
		}
	}
	return nil
}

// change is a write's change of a register.
type change struct {
	i        int // index of the register
	before   graph
	old, now register
}

func (c *Checker) registerWritten(before graph, s *state, i int) error {
	x := &change{i, before, c.register(before, i), c.register(s.g, i)}
	old, now := &x.old, &x.now
	switch {
	case !old.readable || !now.readable:
		return errors.New("the value of a register is not known for certain")
	case old.doing && now.doing && old.cell == now.cell:
		return nil
	case old.doing && now.doing:
		return errors.New("a descriptor is replaced by another one")
	case now.doing:
		return c.announces(s, x)
	case old.doing:
		err := c.completes(s, x)
		s.saw &^= allowed | refused
		return err
	}
	return c.effect(s, x)
}

// effect checks a write by which the writer's own operation takes effect.
func (c *Checker) effect(s *state, x *change) error {
	rule, name := &c.object.Rules[s.op], c.ops[s.op].name
	if d := c.doing(); d >= 0 && rule.Uses(d) {
		if r := c.register(x.before, d); !r.readable || r.doing {
			return fmt.Errorf("%s takes effect while a descriptor is in a register that it uses", name)
		}
	}
	args := c.arguments(s.op, s.arg)
	o, ok := c.outcome(x.before, rule, args, func(int) bool { return true })
	right := rule.Assigns == x.i && o.assigns && x.now.value == args[rule.From] || (rule.Assigns < 0 || o.keeps) && x.now.value == x.old.value
	switch {
	case s.saw&(changed|announced) != 0:
		return fmt.Errorf("%s takes effect a second time", name)
	case !ok || !right:
		return fmt.Errorf("%s changes a register in another way than its rule permits", name)
	}
	s.taken = zero
	if rule.Returns >= 0 {
		r := c.register(x.before, rule.Returns)
		if !r.readable {
			return errors.New("the value of a register is not known for certain")
		}
		s.taken = r.value
	}
	s.saw = s.saw&^sawRight | changed
	return nil
}

// announces checks a write that puts a descriptor into a register: it must be the writer's own, with the call's arguments, for the first
// time.
func (c *Checker) announces(s *state, x *change) error {
	d, now, name := c.object.Registers[x.i].Descriptor, &x.now, c.ops[s.op].name
	own := s.op == d.Op && s.saw&(changed|announced) == 0 && x.before[now.cell.N].private && x.old.value == now.value
	if own {
		own = slices.Equal(now.args, c.arguments(s.op, s.arg))
	}
	if !own {
		return fmt.Errorf("%s puts a descriptor into a register that is not its own, or not for the first time", name)
	}
	s.taken = zero
	if c.object.Rules[d.Op].Returns >= 0 {
		s.taken = now.value
	}
	s.mine = now.cell
	s.saw = s.saw&^(sawRight|allowed|refused) | announced
	return nil
}

// completes checks a write that replaces a descriptor by a value, which any thread may do.
func (c *Checker) completes(s *state, x *change) error {
	rule := &c.object.Rules[c.object.Registers[x.i].Descriptor.Op]
	o, ok := c.outcome(x.before, rule, x.old.args, func(r int) bool { return r == x.i })
	assigned := o.assigns && s.saw&allowed != 0 && x.now.value == x.old.args[rule.From]
	kept := (o.keeps || s.saw&refused != 0) && x.now.value == x.old.value
	if !ok || !assigned && !kept {
		return errors.New("a descriptor is replaced by a value that was right at no moment since it was put there")
	}
	return nil
}

// objectReturns checks the result of an operation of an object.
func (c *Checker) objectReturns(s *state, results []word) error {
	rule, name := &c.object.Rules[s.op], c.ops[s.op].name
	has := s.saw&(changed|announced) != 0
	if s.saw&announced != 0 {
		if w := s.g.get(0, c.object.Registers[c.doing()].Word); !w.IsRef() || s.g.isChain(w) || w.N == s.mine.N {
			return fmt.Errorf("%s may return before its descriptor is replaced", name)
		}
	}
	right := has
	if rule.Returns >= 0 {
		right = len(results) == 1 && c.fits(c.object.Registers[rule.Returns].Holds, results[0]) &&
			(has && results[0] == s.taken || !has && (!sure(results[0]) || s.saw&sawRight != 0))
	}
	if !right {
		return fmt.Errorf("%s may return a result that is not right", name)
	}
	return nil
}

// starts lists the memories of a new object: one for each choice of what its registers contain (k or not, j or not).
func (c *Checker) starts(g graph) ([]graph, error) {
	list := []graph{g}
	for v := certificate.OfK; v <= certificate.OfJ; v++ {
		var at []word
		for i, r := range c.object.Registers {
			if r.Holds != v {
				continue
			}
			place := ref(0, r.Word)
			if r.Cell != 0 {
				w := g.get(0, r.Word)
				if !c.leadsTo(g, w, r.Cell) || r.Descriptor != nil && g.get(int(w.N), r.Descriptor.Link) != zero {
					return nil, fmt.Errorf("register %d of a new object cannot be read", i)
				}
				place = ref(int(w.N), r.Offset)
			}
			at = append(at, place)
			if w := g.get(int(place.N), int(place.Off)); !known(w) || w != g.get(int(at[0].N), int(at[0].Off)) {
				return nil, fmt.Errorf("the registers of a new object hold several values, or some that are not known")
			}
		}
		if len(at) == 0 {
			continue
		}
		var next []graph
		for _, g := range list {
			for _, is := range []bool{true, false} {
				other := append(graph(nil), g...)
				for _, w := range at {
					other.put(int(w.N), int(w.Off), itemOf(v, is))
				}
				next = append(next, other)
			}
		}
		list = next
	}
	return list, nil
}

// understandObject refuses an object whose rules cannot be judged by classes of values, or do not belong to the collection's operations.
func (c *Checker) understandObject(s *subject.Subject, o *certificate.Object) error {
	if !s.JudgesItself() {
		return errors.New("certificates for objects are only for those judged by their own code (oracle self)")
	}
	c.object = o
	if len(o.Rules) != len(s.Operations) {
		return errors.New("the certificate does not have a rule for each operation")
	}
	for i := range s.Operations {
		c.ops = append(c.ops, operation{name: s.Operations[i].Name, driver: s.Operations[i].Func, item: -1, ok: -1})
	}
	words := map[int]bool{}
	for i := range o.Registers {
		r := &o.Registers[i]
		if words[r.Word] || !c.registerFits(r) {
			return fmt.Errorf("register %d does not fit the collection's memory, or has the word of another register", i)
		}
		words[r.Word] = true
		d := r.Descriptor
		if d == nil {
			continue
		}
		if c.doing() != i || d.Op < 0 || d.Op >= len(o.Rules) {
			return errors.New("more than one register has descriptors, or they are no operation's")
		}
		rule := &o.Rules[d.Op]
		if rule.Assigns != i || rule.Returns >= 0 && rule.Returns != i || len(d.Args) != len(rule.Args) {
			return fmt.Errorf("descriptors of register %d do not have what their operation needs", i)
		}
	}
	for i := range o.Rules {
		if err := c.ruleFits(&o.Rules[i], c.ops[i].driver); err != nil {
			return fmt.Errorf("the rule of %s cannot be judged: %w", c.ops[i].name, err)
		}
	}
	return nil
}

// registerFits reports whether the words of a register, of its cells and of its descriptors exist.
func (c *Checker) registerFits(r *certificate.Register) bool {
	has := func(t, off int) bool {
		return t > 0 && t < len(c.prog.Types) && c.prog.Types[t] != nil && off >= 0 && off < c.prog.Types[t].Size
	}
	d := r.Descriptor
	ok := has(c.maker.Results[0].Elem.ID, r.Word) && r.Holds >= certificate.Number && r.Holds <= certificate.OfJ &&
		(r.Cell == 0 || has(r.Cell, r.Offset)) && (d == nil || r.Cell != 0 && r.Holds != certificate.Number && has(r.Cell, d.Link) && has(d.Type, d.Value))
	if d != nil {
		for _, off := range d.Args {
			ok = ok && has(d.Type, off)
		}
	}
	return ok
}

// ruleFits refuses a rule that cannot be judged by classes: it may depend on only one register whose values are compared with k, and on one
// with j.
func (c *Checker) ruleFits(r *certificate.Rule, driver *ir.Func) error {
	o := c.object
	inside := func(i, n int) bool { return i >= 0 && i < n }
	results := map[bool]int{true: 1}[r.Returns >= 0]
	switch {
	case len(r.Args) != len(driver.Params)-1 || len(r.Args) > 6:
		return errors.New("it has another number of arguments")
	case len(driver.Results) != results || results == 1 && driver.Results[0].Size != 1:
		return errors.New("it has other results")
	case r.Returns >= 0 && (!inside(r.Returns, len(o.Registers)) || o.Registers[r.Returns].Holds == certificate.Number):
		return errors.New("what it returns is no register with an item")
	case r.Assigns >= 0 && (!inside(r.Assigns, len(o.Registers)) || !inside(r.From, len(r.Args)) || r.Args[r.From] != o.Registers[r.Assigns].Holds):
		return errors.New("what it assigns is no argument of that kind")
	}
	for i, v := range r.Args {
		if v < certificate.Number || v > certificate.OfJ || (v == certificate.Number) != c.isTruth(driver, i) {
			return fmt.Errorf("argument %d is of another kind", i)
		}
	}
	looks := map[certificate.Value]int{}
	if r.Assigns >= 0 {
		looks[o.Registers[r.Assigns].Holds] = r.Assigns
	}
	for _, g := range r.Guards {
		if !inside(g.Register, len(o.Registers)) || g.Arg >= len(r.Args) {
			return errors.New("a guard is about no register or argument")
		}
		holds := o.Registers[g.Register].Holds
		if g.Arg >= 0 && r.Args[g.Arg] != holds || g.Arg < 0 && holds != certificate.Number {
			return errors.New("a guard compares values of two kinds")
		}
		if other, met := looks[holds]; met && other != g.Register && holds != certificate.Number {
			return errors.New("it looks at two registers with values of one kind")
		}
		looks[holds] = g.Register
	}
	return nil
}

// isTruth reports whether argument i of an operation is a bool, by the method that the driver calls.
func (c *Checker) isTruth(driver *ir.Func, i int) bool {
	for k := range driver.Code {
		if in := &driver.Code[k]; in.Op == ir.OpCall {
			call := c.prog.Calls[in.X]
			if call.Kind == ir.CallStatic && len(call.Func.Params) == len(driver.Params) && call.Func.Params[0] == driver.Params[0] {
				return call.Func.Params[i+1].Class == ir.Bool
			}
		}
	}
	return false
}
