// SPDX-License-Identifier: BSD-3-Clause

package ages

import (
	"math"
	"slices"

	"pangolin/internal/ir"
	"pangolin/oracle"
)

// mostSteps is how many instructions a step may have, mostCalls how many calls are nested, and mostWords how large a cell is that a thread knows alone.
const (
	mostSteps = 20_000
	mostCalls = 40
	mostWords = 16
)

// mostNumber is the greatest number that certificates tell from others.
const mostNumber = 1 << 20

// runs says how far an execution has come.
type runs struct {
	accessed    bool // the step's access was made
	constructor bool // it is the constructor that is executed
}

// construct executes the constructor, and refuses it unless it makes a collection of one word that is nil.
func (c *checker) construct() (*thread, error) {
	t := &thread{op: -1, memory: memory{gaps: []gap{{}}}, calls: []call{{c.s.New, 0, map[ir.Reg]word{}}}}
	return t, c.execute(t, runs{constructor: true})
}

// constructed refuses what the constructor returns unless it is such a collection.
func (c *checker) constructed(t *thread, results []word) error {
	if len(results) != 1 || results[0].sort != private || results[0].m != 0 {
		return c.reject(t, "the constructor returns no new object")
	}
	words, typ := t.private[results[0].n], c.s.New.Results[0].Elem
	if typ == nil || len(words) != 1 || typ.Size != 1 || !addresses(typ.Layout()[0]) || words[0] != (word{}) {
		return c.reject(t, "a new collection is not one word that is nil")
	}
	return nil
}

// addresses says whether a word holds addresses of cells.
func addresses(k ir.Kind) bool { return k == ir.Pointer || k == ir.Unsafe }

// begin begins a call, and goes up to its first access.
func (c *checker) begin(first, op int) (*thread, error) {
	t := &thread{op: op, first: first, memory: anything(first, len(c.x.Kinds)), is: c.either()}
	item := word{sort: itemOther}
	if t.is {
		item.sort = itemK
	}
	t.calls = []call{{c.s.Operations[op].Func, 0, map[ir.Reg]word{0: {sort: root}, 1: item}}}
	t.note(t.is, c.held(first))
	return t, c.execute(t, runs{accessed: true})
}

// execute executes instructions up to an access that is the step's second one, or if accessed its first one.
func (c *checker) execute(t *thread, at runs) error {
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
			if a.sort != private { // others do not see what is done with these
				if at.accessed {
					return nil
				}
				if at.constructor {
					return c.reject(t, "the constructor accesses what others may see")
				}
				at.accessed = true
			}
		}
		if in.Op == ir.OpReturn && len(t.calls) == 1 {
			results, err := c.values(t, f, c.s.Prog.Lists[in.X])
			if err != nil {
				return err
			}
			if at.constructor {
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

// returns ends a call. What it says of another value than k is right or wrong where that value is followed.
func (c *checker) returns(t *thread, results []word) error {
	b := &c.s.Operations[t.op].Binding
	if t.is {
		if len(results) != 1 || results[0].sort != number {
			return c.reject(t, "%s may return anything", b.Name)
		}
		done := (results[0].n != 0) == (b.Results[0] == oracle.SlotOK)
		var right bool
		switch {
		case b.Role == oracle.Contains:
			right = done && t.present || !done && t.absent
		case done:
			right = t.changed
		default:
			right = !t.changed && (b.Role == oracle.Add && t.present || b.Role == oracle.Remove && t.absent)
		}
		if !right {
			return c.reject(t, "%s may return what is wrong", b.Name)
		}
	}
	*t = thread{op: -1, first: t.first, wrote: t.wrote}
	return nil
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
	case x == 0, c.s.Prog.ConstKinds[i] == ir.Scalar && max(x, -x) <= mostNumber && x > math.MinInt64:
		return word{n: int(x)}, nil
	}
	return word{sort: unknown}, nil
}

// values are those of a list of arguments, word by word.
func (c *checker) values(t *thread, f *call, list []ir.Arg) (out []word, err error) {
	for _, a := range list {
		for i := range a.Type.Size {
			w, err := c.value(t, f, a.Reg.Word(i))
			if err != nil {
				return nil, err
			}
			out = append(out, w)
		}
	}
	return out, nil
}

// instruction executes one.
func (c *checker) instruction(t *thread, f *call, in *ir.Instr) error {
	switch in.Op {
	case ir.OpNop:
	case ir.OpJump:
		f.pc = int(in.N)
		return nil
	case ir.OpZero:
		for i := range int(in.N) {
			f.regs[in.Dst.Word(i)] = word{}
		}
	case ir.OpMove:
		var words []word
		for i := range int(in.N) {
			w, err := c.value(t, f, in.A.Word(i))
			if err != nil {
				return err
			}
			words = append(words, w)
		}
		for i, w := range words {
			f.regs[in.Dst.Word(i)] = w
		}
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
		return c.calls(t, f, c.s.Prog.Calls[in.X])
	case ir.OpReturn:
		results, err := c.values(t, f, c.s.Prog.Lists[in.X])
		if err != nil {
			return err
		}
		t.calls = t.calls[:len(t.calls)-1]
		f = &t.calls[len(t.calls)-1]
		if dst := f.fn.Code[f.pc].Dst; dst != ir.NoReg {
			for i, w := range results {
				f.regs[dst.Word(i)] = w
			}
		}
	case ir.OpPanic:
		return c.reject(t, "it may panic")
	case ir.OpNot, ir.OpEq, ir.OpNe, ir.OpLt, ir.OpLe, ir.OpAdd, ir.OpSub, ir.OpConvert:
		if err := c.arithmetic(t, f, in); err != nil {
			return err
		}
	default:
		if err := c.access(t, f, in); err != nil {
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
	return false, c.reject(t, "an item or an address is a condition")
}

// calls begins a call within a call.
func (c *checker) calls(t *thread, f *call, by *ir.Call) error {
	if by.Kind == ir.CallStatic && by.Func.Name == "runtime.Gosched" {
		f.pc++
		return nil
	}
	if by.Kind != ir.CallStatic || by.Func.External || len(t.calls) == mostCalls {
		return c.reject(t, "a call that is not modelled")
	}
	args, err := c.values(t, f, by.Args)
	if err != nil {
		return err
	}
	regs := map[ir.Reg]word{}
	for i, w := range args {
		regs[ir.Reg(i)] = w
	}
	t.calls = append(t.calls, call{by.Func, 0, regs})
	return nil
}

// arithmetic executes an instruction on numbers. Constants are words, which are what they stand for only as integers: the least one without a
// sign that has 64 bits is no negative number, and 1.5 is no integer.
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
	out := word{sort: unknown}
	switch in.Op {
	case ir.OpConvert:
		same := in.Num == ir.I64 && ir.Num(in.N) == ir.I64
		switch {
		case same, whole(in.Num) && whole(ir.Num(in.N)) && a.sort == number && a.n >= 0 && a.n < 128:
			out = a
		case a.sort != number && a.sort != unknown:
			return c.reject(t, "an item or an address is converted")
		}
	case ir.OpNot:
		yes, err := c.truth(t, a)
		if err != nil {
			return err
		}
		out = flag(!yes)
	case ir.OpAdd, ir.OpSub:
		if !numeric(a) || !numeric(b) {
			return c.reject(t, "an item or an address is computed with")
		}
		if in.Num == ir.I64 && small(a) && small(b) {
			out = word{n: a.n + b.n}
			if in.Op == ir.OpSub {
				out.n = a.n - b.n
			}
			if !small(out) {
				out = word{sort: unknown}
			}
		}
	case ir.OpEq, ir.OpNe:
		yes, err := c.equal(t, in.Num, a, b)
		if err != nil {
			return err
		}
		out = flag(yes == (in.Op == ir.OpEq))
	default:
		if !numeric(a) || !numeric(b) {
			return c.reject(t, "items or addresses are compared by their order")
		}
		yes := false
		if a.sort == number && b.sort == number && (in.Num.Signed() || whole(in.Num) && a.n >= 0 && b.n >= 0) {
			yes = a.n < b.n || in.Op == ir.OpLe && a.n == b.n
		} else {
			yes = c.either()
		}
		out = flag(yes)
	}
	f.regs[in.Dst] = out
	return nil
}

func flag(yes bool) word {
	if yes {
		return word{n: 1}
	}
	return word{}
}

func numeric(w word) bool { return w.sort == number || w.sort == unknown }

// small says whether a word is a number that certificates tell from others.
func small(w word) bool { return w.sort == number && w.n <= mostNumber && w.n >= -mostNumber }

// whole says whether a format is one of integers: words of others are not the numbers that they stand for.
func whole(f ir.Num) bool {
	return slices.Contains([]ir.Num{ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64}, f)
}

// equal chooses whether two words are equal in a format.
func (c *checker) equal(t *thread, format ir.Num, a, b word) (bool, error) {
	switch bits := format == ir.Word || whole(format); {
	case a.isItem() || b.isItem():
		if !a.isItem() || !b.isItem() || format != ir.I64 && format != ir.Word {
			return false, c.reject(t, "an item is compared with what is none")
		}
		if a.sort == itemOther && b.sort == itemOther {
			return c.either(), nil
		}
		return a.sort == b.sort, nil
	case a.sort == unknown || b.sort == unknown || !bits:
		return c.either(), nil
	case a.sort == number && b.sort == number:
		return a.n == b.n, nil
	case a.sort == number && a.n != 0 || b.sort == number && b.n != 0:
		return false, c.reject(t, "an address is compared with a number")
	}
	// Two linked cells that are named are two; no cell that a thread alone knows is linked in; and each word has its own address.
	return a == b, nil
}
