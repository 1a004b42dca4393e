// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"slices"

	"pangolin/internal/ir"
)

// mostSteps is how many instructions a step may have, and mostCalls how many calls are nested.
const (
	mostSteps = 20_000
	mostCalls = 40
)

// begin begins a call, and goes up to its first access.
func (c *checker) begin(op int) (*thread, error) {
	t := &thread{op: op, since: -1, own: none}
	t.shared = c.fresh(&t.bounds)
	regs := map[ir.Reg]word{0: {sort: root}}
	if c.puts(t) {
		for i := range c.ops[op].width {
			regs[ir.Reg(1+i)] = word{sort: itemOwn, m: i}
		}
		t.since = t.fresh()
		t.learnSame(term{t.since, 0}, t.at(c.returned()), 0)
	}
	t.calls = []call{{c.ops[op].method, 0, regs}}
	c.sees(t)
	return t, c.execute(t, true)
}

// constructing says whether the thread executes the constructor.
func (t *thread) constructing() bool { return t.op < 0 }

// execute executes instructions up to an access that is the step's second one, or if accessed its first one. An access to private cells is none: others do not
// see what is done with these, and a word of one that is shown is either never written, or read by nobody else.
func (c *checker) execute(t *thread, accessed bool) error {
	for range mostSteps {
		f := &t.calls[len(t.calls)-1]
		if f.pc < 0 || f.pc >= len(f.fn.Code) {
			return c.reject(t, "there is no instruction")
		}
		in := &f.fn.Code[f.pc]
		if in.Op >= ir.OpAtomicLoad && in.Op <= ir.OpAtomicOr {
			a, err := c.value(t, f, in.A)
			if err != nil {
				return err
			}
			if a.sort != private {
				if accessed {
					return nil
				}
				accessed = true
			}
		}
		if in.Op == ir.OpReturn && len(t.calls) == 1 {
			results, err := c.values(t, f, c.s.Prog.Lists[in.X])
			if err != nil {
				return err
			}
			if t.constructing() {
				return c.constructed(t, results)
			}
			return c.returns(t, results)
		}
		if err := c.instruction(t, f, in); err != nil {
			return err
		}
	}
	return c.reject(t, "a step does not end")
}

// returns ends a call. Its return counts as a part of the step of its last access: a call that is taken to return earlier may precede more others, so
// more is asked for, not less.
func (c *checker) returns(t *thread, results []word) error {
	t.over = true
	if c.puts(t) {
		return c.putReturns(t)
	}
	c.sees(t)
	o, name := &c.ops[t.op], c.s.Operations[t.op].Name
	if len(results) < o.item+o.width || len(results) <= o.ok {
		return c.reject(t, "it returns something else than %s", name)
	}
	item := results[o.item : o.item+o.width]
	zero := !slices.ContainsFunc(item, func(w word) bool { return w != word{} })
	done := !o.orNil || !zero
	if o.ok >= 0 {
		w := results[o.ok]
		if w.sort != number {
			return c.reject(t, "it is not known whether %s says that it has taken an item", name)
		}
		done = (w.n != 0) != o.not
	}
	if !done {
		if t.did.sort != nothing || !t.empty || !zero {
			return c.reject(t, "%s may say that the queue is empty, and has taken an item, or at no moment all items were taken whose Puts had returned", name)
		}
		return nil
	}
	for i, w := range item {
		right := t.did.sort == tookCell && w.sort == itemCell && t.certainlySame(term{w.n, 0}, term{t.did.n, 0}, 0) || t.did.sort == tookOffer && w.sort == itemOffer && w.n == t.did.n
		if !right || w.m != i {
			return c.reject(t, "%s may return what it has not taken", name)
		}
	}
	return nil
}

// putReturns ends a Put.
func (c *checker) putReturns(t *thread) error {
	if t.own.cell >= 0 && !t.own.met {
		return c.reject(t, "%s may return while its offer is in a slot", c.s.Operations[t.op].Name)
	}
	switch t.did.sort {
	case linked:
		last := term{t.did.n, 0}
		if returned := t.at(c.returned()); c.either() {
			t.learn(last, returned, 0)
			if err := t.sure(); err != nil {
				return err
			}
		} else {
			t.learn(returned, last, -1)
			if err := t.sure(); err != nil {
				return err
			}
			t.shared[c.returned()] = last.v
		}
		return c.keeps(t)
	case handed:
		return nil
	}
	return c.reject(t, "%s may return without having put its item in", c.s.Operations[t.op].Name)
}

// sees notes that at this moment all items are taken whose Puts have returned, if that is certain.
func (c *checker) sees(t *thread) {
	if !c.puts(t) && t.certain(t.at(c.returned()), t.at(0), 0) {
		t.empty = true
	}
}

// value is that of an operand.
func (c *checker) value(t *thread, f *call, r ir.Reg) (word, error) {
	if r >= 0 {
		w, has := f.regs[r]
		if !has {
			return w, c.reject(t, "it reads register %d, which is not kept", r)
		}
		return w, nil
	}
	i := int(^r)
	if i >= len(c.s.Prog.Consts) {
		return word{}, c.reject(t, "an operand is missing")
	}
	switch x := int64(c.s.Prog.Consts[i]); {
	case x == 0:
		return word{}, nil
	case c.s.Prog.ConstKinds[i] != ir.Scalar:
		return word{}, c.reject(t, "it uses a package variable, a string, a function or a type")
	case x <= mostNumber && x >= -mostNumber:
		return word{n: int(x)}, nil
	}
	return word{sort: unknown}, nil
}

// values are those of a list of arguments, word by word.
func (c *checker) values(t *thread, f *call, list []ir.Arg) (out []word, err error) {
	for _, a := range list {
		words, err := c.several(t, f, a.Reg, a.Type.Size)
		if err != nil {
			return nil, err
		}
		out = append(out, words...)
	}
	return out, nil
}

// several are the values of so many registers from one on.
func (c *checker) several(t *thread, f *call, from ir.Reg, n int) (out []word, err error) {
	for i := range n {
		w, err := c.value(t, f, from.Word(i))
		if err != nil {
			return nil, err
		}
		out = append(out, w)
	}
	return out, nil
}

// put gives values to registers from one on.
func (f *call) put(to ir.Reg, words []word) {
	for i, w := range words {
		f.regs[to.Word(i)] = w
	}
}

// instruction executes one.
func (c *checker) instruction(t *thread, f *call, in *ir.Instr) error {
	switch in.Op {
	case ir.OpNop:
	case ir.OpJump:
		f.pc = int(in.N)
		return nil
	case ir.OpZero:
		f.put(in.Dst, make([]word, max(0, in.N)))
	case ir.OpMove:
		words, err := c.several(t, f, in.A, int(in.N))
		if err != nil {
			return err
		}
		f.put(in.Dst, words)
	case ir.OpIf:
		w, err := c.value(t, f, in.A)
		if err != nil {
			return err
		}
		yes, err := c.truth(t, w)
		if err != nil {
			return err
		}
		f.pc = int(in.X)
		if yes {
			f.pc = int(in.N)
		}
		return nil
	case ir.OpCall:
		return c.calls(t, f, in)
	case ir.OpReturn:
		results, err := c.values(t, f, c.s.Prog.Lists[in.X])
		if err != nil {
			return err
		}
		t.calls = t.calls[:len(t.calls)-1]
		f = &t.calls[len(t.calls)-1]
		if dst := f.fn.Code[f.pc].Dst; dst != ir.NoReg {
			f.put(dst, results)
		}
	case ir.OpPanic:
		return c.reject(t, "it may panic")
	case ir.OpNot, ir.OpEq, ir.OpNe, ir.OpLt, ir.OpLe, ir.OpAdd, ir.OpSub, ir.OpConvert:
		if err := c.arithmetic(t, f, in); err != nil {
			return err
		}
	default:
		if err := c.memory(t, f, in); err != nil {
			return err
		}
	}
	f.pc++
	return nil
}

// truth is whether a word is true.
func (c *checker) truth(t *thread, w word) (bool, error) {
	switch w.sort {
	case number:
		return w.n != 0, nil
	case unknown:
		return c.either(), nil
	}
	return false, c.reject(t, "an item, a position or an address is a condition")
}

// calls begins a call within a call.
func (c *checker) calls(t *thread, f *call, in *ir.Instr) error {
	by := c.s.Prog.Calls[in.X]
	if by.Kind != ir.CallStatic {
		return c.reject(t, "a call of a function value or of an interface's method")
	}
	args, err := c.values(t, f, by.Args)
	if err != nil {
		return err
	}
	switch {
	case by.Func.External && by.Func.Name == "runtime.Gosched":
		f.pc++
		return nil
	case by.Func.External && by.Func.Name == "pangolin/mark.Choose":
		if len(args) != 1 || args[0].sort != number || args[0].n < 1 || args[0].n > mostElements || in.Dst == ir.NoReg {
			return c.reject(t, "mark.Choose among a number that is not known, or not 1 to %d", mostElements)
		}
		f.regs[in.Dst] = word{n: c.choose(args[0].n)}
		f.pc++
		return nil
	case by.Func.External || len(t.calls) == mostCalls:
		return c.reject(t, "a call of %s is not modelled, or calls are nested too deeply", by.Func.Short)
	}
	regs := map[ir.Reg]word{}
	for i, w := range args {
		regs[ir.Reg(i)] = w
	}
	t.calls = append(t.calls, call{by.Func, 0, regs})
	return nil
}

// arithmetic executes an instruction on numbers. Constants are words, which are what they stand for only as integers: the least one without a sign that has
// 64 bits is no negative number, and 1.5 is no integer. Positions are followed as integers of 64 bits with a sign, and in no other format.
func (c *checker) arithmetic(t *thread, f *call, in *ir.Instr) error {
	a, err := c.value(t, f, in.A)
	if err != nil {
		return err
	}
	b := word{}
	if in.Op != ir.OpNot && in.Op != ir.OpConvert {
		if b, err = c.value(t, f, in.B); err != nil {
			return err
		}
	}
	var out word
	switch in.Op {
	case ir.OpConvert:
		out, err = c.converted(t, in, a)
	case ir.OpNot:
		var yes bool
		yes, err = c.truth(t, a)
		out = flag(!yes)
	case ir.OpAdd, ir.OpSub:
		if !a.isNumber() || !b.isNumber() {
			return c.reject(t, "an item or an address is computed with")
		}
		if out = (word{sort: unknown}); in.Num == ir.I64 {
			out = sum(a, b, in.Op == ir.OpSub)
		}
	case ir.OpEq, ir.OpNe:
		var yes bool
		yes, err = c.equal(t, in.Num, a, b)
		out = flag(yes == (in.Op == ir.OpEq))
	default:
		var yes bool
		yes, err = c.less(t, in, a, b)
		out = flag(yes)
	}
	f.regs[in.Dst] = out
	return err
}

// converted is a number in another format.
func (c *checker) converted(t *thread, in *ir.Instr, a word) (word, error) {
	to := ir.Num(in.N)
	switch {
	case in.Num == ir.I64 && to == ir.I64 && !a.isAddress():
		return a, nil
	case !a.isNumber():
		return a, c.reject(t, "an item or an address is converted")
	case whole(in.Num) && whole(to) && a.sort == number && a.n >= 0 && a.n < 128:
		return a, nil
	}
	return word{sort: unknown}, nil
}

// sum is what two numbers of 64 bits with a sign are together, or by how much the first one is greater.
func sum(a, b word, minus bool) word {
	if a.sort == number && b.sort == variable && !minus {
		a, b = b, a
	}
	if a.sort == unknown || b.sort != number {
		return word{sort: unknown}
	}
	by := b.n
	if minus {
		by = -by
	}
	most := mostNumber
	at := &a.n
	if a.sort == variable {
		at, most = &a.k, mostPlus
	}
	if *at += by; *at > most || *at < -most {
		return word{sort: unknown}
	}
	return a
}

func flag(yes bool) word {
	if yes {
		return word{n: 1}
	}
	return word{}
}

// whole says whether a format is one of integers: words of others are not the numbers that they stand for.
func whole(f ir.Num) bool { return f >= ir.I8 && f <= ir.U64 }

// less chooses whether a number is less than another one, or for OpLe at most as much, and notes what that says.
func (c *checker) less(t *thread, in *ir.Instr, a, b word) (bool, error) {
	switch {
	case !a.isNumber() || !b.isNumber():
		return false, c.reject(t, "items or addresses are compared by their order")
	case a.sort == number && b.sort == number && (in.Num.Signed() || whole(in.Num) && a.n >= 0 && b.n >= 0):
		return a.n < b.n || in.Op == ir.OpLe && a.n == b.n, nil
	case a.sort != variable || b.sort != variable || in.Num != ir.I64:
		return c.either(), nil
	}
	strict := 0
	if in.Op == ir.OpLt {
		strict = 1
	}
	yes := c.either()
	if yes {
		t.learn(a.position(), b.position(), -strict)
	} else {
		t.learn(b.position(), a.position(), strict-1)
	}
	return yes, t.sure()
}

// equal chooses whether two words are equal in a format, and notes what that says.
func (c *checker) equal(t *thread, format ir.Num, a, b word) (bool, error) {
	bits := format == ir.Word || whole(format)
	switch {
	case a.isItem() || b.isItem():
		return false, c.reject(t, "an item is compared")
	case !bits:
		return c.either(), nil
	case a.isNumber() && b.isNumber():
		if a.sort == number && b.sort == number {
			return a.n == b.n, nil
		}
		if a.sort == variable && b.sort == variable && format == ir.I64 {
			return c.samePosition(t, a.position(), b.position())
		}
		return c.either(), nil
	case a == word{} || b == word{}:
		return false, nil // an address is not nil
	case a.isNumber() || b.isNumber():
		return false, c.reject(t, "an address is compared with a number")
	}
	return c.sameAddress(t, a, b)
}

// samePosition chooses whether two positions or numbers are the same, and if not which one is less.
func (c *checker) samePosition(t *thread, a, b term) (bool, error) {
	which := c.choose(3)
	switch which {
	case 0:
		t.learnSame(a, b, 0)
	case 1:
		t.learn(a, b, -1)
	case 2:
		t.learn(b, a, -1)
	}
	return which == 0, t.sure()
}

// sameAddress chooses whether two addresses are the same. Where the two have different sorts they are: a private cell of the thread is not in the chain, and is no offer of
// another thread; what words of the collection have always led to, and its slots, are not made by calls. A cell that was offered may be in the chain by now.
func (c *checker) sameAddress(t *thread, a, b word) (bool, error) {
	if a.sort > b.sort {
		a, b = b, a
	}
	switch {
	case a.sort == cell && b.sort == offer, a.sort == offer && b.sort == offer && a.n != b.n:
		if a.m != b.m {
			return false, nil // two words of cells are two, whether the cells are or not
		}
		return c.either(), nil
	case a.sort == cell && b.sort == cell:
		if a.m != b.m {
			return false, nil
		}
		return c.samePosition(t, term{a.n, 0}, term{b.n, 0})
	}
	return a == b, nil
}
