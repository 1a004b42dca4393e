// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"fmt"
	"strings"

	"pangolin/internal/ir"
)

// mostAlike is how many states one instruction of a block may lead to.
const mostAlike = 256

// block executes the instructions of a block from a claimed state.
func (c *checker) block(s *claimed) error {
	f := c.calls[s.at.call].fn
	end, _ := blockEnd(f, s.at.pc)
	live := []*state{s.clone()}
	for at := s.at; at.pc < end && len(live) > 0; at.pc++ {
		var next []*state
		for _, st := range live {
			if c.steps--; c.steps < 0 {
				return c.reject(at, "the certificate needs more steps than one of its size may")
			}
			c.holding(at.call, st.holds)
			recovers, err := c.unwinds(at, st)
			if err != nil {
				return err
			}
			c.careful, c.extent = recovers || c.under[at.call], recovers || c.inner[at.call]
			out, err := c.step(at, st)
			if err != nil {
				return err
			}
			next = append(next, out...)
		}
		var ok bool
		if live, ok = distinct(next); !ok {
			return c.reject(at, "it may go on in more than %d ways", mostAlike)
		}
	}
	return nil
}

// distinct is a list of states without those that others cover; false if there are too many.
func distinct(list []*state) (out []*state, ok bool) {
	if len(list) > 4*mostAlike {
		return nil, false
	}
next:
	for _, s := range list {
		for i, t := range out {
			if t.covers(s) {
				continue next
			}
			if s.covers(t) {
				out[i] = s
				continue next
			}
		}
		out = append(out, s)
	}
	return out, len(out) <= mostAlike
}

// value is that of an operand.
func (c *checker) value(at spot, s *state, r ir.Reg) (value, error) {
	if r >= 0 {
		if int(r) >= len(s.regs) {
			return value{}, c.reject(at, "an operand is missing")
		}
		return s.regs[r], nil
	}
	i := int(^r)
	if r == ir.NoReg || i >= len(c.p.Consts) {
		return value{}, c.reject(at, "an operand is missing")
	}
	w := c.p.Consts[i]
	if w == 0 {
		return value{}, nil
	}
	switch c.p.ConstKinds[i] {
	case ir.Pointer:
		g := c.p.GlobalAt(r)
		if g < 0 {
			return value{}, c.reject(at, "a constant is an address of nothing that is known")
		}
		return value{set: foreign, hint: hint{isGlobal, g, int(w & (1<<32 - 1))}}, nil
	case ir.Code:
		id := w &^ ir.FuncTag
		if w&ir.FuncTag == 0 || id >= uint64(len(c.p.Funcs)) {
			return value{}, c.reject(at, "a constant is no function")
		}
		return value{set: foreign, fn: &function{id: int(id)}}, nil
	case ir.Unsafe, ir.IfaceData:
		return only(foreign), nil
	}
	return value{}, nil
}

// several are the values of so many registers from one on.
func (c *checker) several(at spot, s *state, from ir.Reg, n int) ([]value, error) {
	out := make([]value, n)
	for i := range out {
		var err error
		if out[i], err = c.value(at, s, from.Word(i)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// list are the values of a list of arguments, word by word.
func (c *checker) list(at spot, s *state, args []ir.Arg) (out []value, err error) {
	for _, a := range args {
		words, err := c.several(at, s, a.Reg, a.Type.Size)
		if err != nil {
			return nil, err
		}
		out = append(out, words...)
	}
	return out, nil
}

// put gives values to registers from one on, if there are such.
func (c *checker) put(at spot, s *state, to ir.Reg, words ...value) error {
	if to == ir.NoReg {
		return nil
	}
	kinds := c.calls[at.call].fn.Kinds
	for i, w := range words {
		r := to.Word(i)
		if r < 0 || int(r) >= len(s.regs) {
			return c.reject(at, "there is no register %d", r)
		}
		s.regs[r] = w.fitted(kinds[r])
	}
	return nil
}

// one is the successor of an instruction that has one.
func one(s *state, err error) ([]*state, error) {
	if err != nil {
		return nil, err
	}
	return []*state{s}, nil
}

// step executes one instruction. There is no state behind it if it panics, or ends the block: then what follows has been looked for.
func (c *checker) step(at spot, s *state) ([]*state, error) {
	in := &c.calls[at.call].fn.Code[at.pc]
	switch in.Op {
	case ir.OpNop:
		return one(s, nil)
	case ir.OpMove:
		words, err := c.several(at, s, in.A, int(in.N))
		if err != nil {
			return nil, err
		}
		return one(s, c.put(at, s, in.Dst, words...))
	case ir.OpZero:
		return one(s, c.put(at, s, in.Dst, make([]value, max(0, in.N))...))
	case ir.OpJump:
		return nil, c.covered(at, int(in.N), s)
	case ir.OpIf:
		if err := c.covered(at, int(in.N), s); err != nil {
			return nil, err
		}
		return nil, c.covered(at, int(in.X), s)
	case ir.OpReturn:
		results, err := c.list(at, s, c.p.Lists[in.X])
		if err != nil {
			return nil, err
		}
		return nil, c.returns(at, s, results)
	case ir.OpPanic:
		v, err := c.value(at, s, in.A.Word(1))
		c.panicked(v.set)
		return nil, err
	case ir.OpRecover:
		c.asked()
		return one(s, c.put(at, s, in.Dst, value{}, only(c.thrown)))
	case ir.OpCall, ir.OpDefer, ir.OpRunDefers:
		return c.calling(at, s, in)
	case ir.OpMakeClosure, ir.OpMakeIface, ir.OpAssert, ir.OpIndex:
		return one(s, c.making(at, s, in))
	}
	switch {
	case in.Op >= ir.OpAdd && in.Op <= ir.OpConvert, in.Op >= ir.OpConcat && in.Op <= ir.OpStrSlice, in.Op == ir.OpRuneToStr, in.Op == ir.OpStrNext, in.Op == ir.OpCap, in.Op == ir.OpAddress:
		return one(s, c.numbers(at, s, in))
	case in.Op >= ir.OpMakeChan && in.Op <= ir.OpSelect:
		return c.channel(at, s, in)
	case in.Op >= ir.OpStrToBytes && in.Op <= ir.OpRunesToStr:
		return one(s, c.strings(at, s, in))
	case in.Op >= ir.OpNew && in.Op <= ir.OpCast:
		return c.memory(at, s, in)
	case in.Op >= ir.OpAtomicLoad && in.Op <= ir.OpAtomicOr:
		return c.atomic(at, s, in)
	case in.Op >= ir.OpMakeMap && in.Op <= ir.OpMapNext:
		return c.maps(at, s, in)
	}
	return nil, c.reject(at, "the instruction %s is not modelled", in.Op)
}

// numbers executes an instruction whose results are numbers and strings.
func (c *checker) numbers(at spot, s *state, in *ir.Instr) (err error) {
	c.p.Operands(in, func(r ir.Reg, n int, role ir.Role) {
		if role == ir.Def && err == nil {
			err = c.put(at, s, r, make([]value, n)...)
		}
	})
	return err
}

// returns is an error unless the certificate has an end for what is returned.
func (c *checker) returns(at spot, s *state, results []value) error {
	is := &c.calls[at.call]
	if len(s.deferred) > 0 {
		return c.reject(at, "it returns before its deferred calls were made")
	}
	kinds := layoutOf(is.fn.Results)
	if len(kinds) != len(results) {
		return c.reject(at, "it returns %d words, and declares %d", len(results), len(kinds))
	}
	for i := range results {
		results[i] = results[i].fitted(kinds[i])
	}
	for _, e := range is.ends {
		if e.phase == s.phase && e.published == s.published && s.holds&^e.holds == 0 && coverAll(e.results, results) {
			return nil
		}
	}
	if c.miss != nil {
		c.miss(lack{at: at, end: &end{s.phase, s.holds, s.published, results}})
		return nil
	}
	return c.reject(at, "%s: no end of call %d covers its return with %v, phase %v, %q in its own memory, published %v", is.fn.Short, at.call, results, s.phase, s.holds, s.published)
}

// making executes an instruction that makes a value of others.
func (c *checker) making(at spot, s *state, in *ir.Instr) error {
	if in.Op == ir.OpMakeIface || in.Op == ir.OpAssert && !c.calls[at.call].fn.Harness { // which calls no method of what it takes out
		if err := c.noLocks(at, in.T); err != nil {
			return err
		}
	}
	switch in.Op {
	case ir.OpMakeClosure:
		captured, err := c.list(at, s, c.p.Lists[in.X])
		if err != nil {
			return err
		}
		f := c.p.Funcs[in.N]
		if err := c.noLocks(at, f.Free...); err != nil {
			return err
		}
		kinds := layoutOf(f.Free)
		if len(kinds) != len(captured) {
			return c.reject(at, "%s captures %d words, not %d", f.Short, len(kinds), len(captured))
		}
		v := value{set: foreign, fn: &function{f.ID, captured}}
		for i := range captured {
			captured[i] = captured[i].fitted(kinds[i]).shallow(mostNested - 1)
			s.holds |= captured[i].set &^ own
			v.set |= captured[i].set
		}
		return c.put(at, s, in.Dst, v)
	case ir.OpMakeIface:
		words, err := c.several(at, s, in.A, in.T.Size)
		if err != nil {
			return err
		}
		return c.put(at, s, in.Dst, value{}, boxed(words))
	case ir.OpAssert:
		v, err := c.value(at, s, in.A.Word(1))
		if err != nil {
			return err
		}
		words := v.unboxed(in.T)
		if in.Ok {
			words = append(words, value{})
		}
		return c.put(at, s, in.Dst, words...)
	}
	words, err := c.several(at, s, in.A, in.T.Size*int(in.N))
	if err != nil {
		return err
	}
	out := make([]value, in.T.Size)
	for w := range out {
		var list []value
		for i := w; i < len(words); i += in.T.Size {
			list = append(list, words[i])
		}
		out[w] = join(list)
	}
	return c.put(at, s, in.Dst, out...)
}

// boxed is the data of an interface value: the one word that is put in, or a reference to a copy that nobody writes.
func boxed(words []value) value {
	if len(words) == 1 {
		return words[0]
	}
	out := value{}
	for _, w := range words {
		out.set |= w.set
	}
	return out
}

// unboxed are the words of a value of type t that an interface value with this data has.
func (v value) unboxed(t *ir.Type) []value {
	if t.IsInterface() {
		return []value{{}, v}
	}
	kinds := t.Layout()
	out := make([]value, len(kinds))
	for i, k := range kinds {
		if len(kinds) == 1 {
			out[i] = v.fitted(k)
		} else {
			out[i] = only(v.set).fitted(k)
		}
	}
	return out
}

// shallow is the value without functions that are nested deeper.
func (v value) shallow(depth int) value {
	if v.fn == nil {
		return v
	}
	if depth == 0 {
		v.fn = nil
		return v
	}
	f := &function{id: v.fn.id}
	for _, w := range v.fn.captured {
		f.captured = append(f.captured, w.shallow(depth-1))
	}
	v.fn = f
	return v
}

// say says in what a state differs from those that are claimed in front of an instruction.
func (c *checker) say(call, pc int, s *state) string {
	var out []string
	for _, i := range c.at[spot{call, pc}] {
		t := &c.states[i]
		switch {
		case t.phase != s.phase || t.published != s.published || len(t.deferred) != len(s.deferred):
			continue
		case s.holds&^t.holds != 0:
			out = append(out, fmt.Sprintf("state %d: own memory holds %q", i, s.holds))
		default:
			for r := range s.regs {
				if !t.regs[r].covers(&s.regs[r]) {
					out = append(out, fmt.Sprintf("state %d: register %d is %q, not %q", i, r, s.regs[r], t.regs[r]))
					break
				}
			}
		}
	}
	text := fmt.Sprintf("phase %v, published %v, %d deferred", s.phase, s.published, len(s.deferred))
	if len(out) > 3 {
		out = out[:3]
	}
	return strings.Join(append([]string{text}, out...), "; ")
}
