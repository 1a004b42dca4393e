// SPDX-License-Identifier: BSD-3-Clause

package ir

// kinds checks that the words an instruction moves about keep their kinds.
func (c *checker) kinds(in *Instr) {
	switch in.Op {
	case OpMove:
		for i := range int(in.N) {
			c.same(in.Dst.Word(i), c.kind(in.A.Word(i)))
		}
	case OpLoad, OpIndex:
		c.holds(in.Dst, in.T)
	case OpStore:
		c.holds(in.B, in.T)
	case OpEqual:
		c.holds(in.A, in.T)
		c.holds(in.B, in.T)
	case OpMakeIface:
		c.holds(in.A, in.T)
		c.words(in.Dst, IfaceType, IfaceData)
	case OpAssert:
		c.holds(in.Dst, in.T)
		c.words(in.A, IfaceType, IfaceData)
	case OpPanic:
		c.words(in.A, IfaceType, IfaceData)
	case OpNew, OpField, OpArrayElem, OpCast, OpMakeMap, OpMakeChan, OpElem, OpArrayPtr:
		c.words(in.Dst, Pointer)
	case OpMakeSlice, OpSlice, OpSliceArr, OpAppend, OpStrToBytes, OpStrToRunes:
		c.words(in.Dst, Pointer, Scalar, Scalar)
	case OpConcat, OpStrSlice, OpBytesToStr, OpRunesToStr, OpRuneToStr:
		c.words(in.Dst, String)
	case OpMakeClosure:
		c.words(in.Dst, Code)
		c.closure(in)
	case OpMapGet, OpMapSet, OpSend, OpRecv:
		c.elements(in)
	case OpCall, OpGo, OpDefer:
		c.call(in)
	case OpReturn:
		c.results(in)
	case OpCap:
		c.words(in.A, Pointer, Scalar, Scalar)
		c.words(in.Dst, Scalar)
	case OpIf, OpNot:
		c.words(in.A, Scalar)
	case OpAddress:
		c.words(in.Dst, Scalar)
	default:
		if in.Op >= OpAdd && in.Op <= OpConvert {
			c.numbers(in)
		}
	}
}

// same checks that a word holds kind k. Pointers and unsafe pointers may be
// moved into one another.
func (c *checker) same(r Reg, k Kind) {
	got := c.kind(r)
	if got == k || got == Unsafe && k == Pointer || got == Pointer && k == Unsafe {
		return
	}
	c.wrong("register %d holds kind %d, not %d", r, got, k)
}

func (c *checker) words(r Reg, kinds ...Kind) {
	for i, k := range kinds {
		c.same(r.Word(i), k)
	}
}

// holds checks that the words from r on have the kinds of type t.
func (c *checker) holds(r Reg, t *Type) {
	if t.Size > 0 {
		c.words(r, t.Layout()...)
	}
}

func (c *checker) numbers(in *Instr) {
	want := Scalar
	if in.Num == Str {
		want = String
	}
	if in.Num == Word { // words of any kind may be compared, if both have the same
		if in.Op == OpEq || in.Op == OpNe {
			c.same(in.A, c.kind(in.B))
		}
		return
	}
	c.same(in.A, want)
	c.words(in.Dst, Scalar)
}

func (c *checker) closure(in *Instr) {
	f, args := c.p.Funcs[in.N], c.p.Lists[in.X]
	if len(args) != len(f.Free) {
		c.wrong("%d free variables for %s, which has %d", len(args), f.Name, len(f.Free))
		return
	}
	for i, a := range args {
		c.passes(a, f.Free[i])
	}
}

func (c *checker) elements(in *Instr) {
	switch in.Op {
	case OpMapGet:
		c.holds(in.B, in.T.Key)
		c.holds(in.Dst, in.T.Elem)
	case OpMapSet:
		c.holds(in.B, in.T.Key)
		c.holds(in.C, in.T.Elem)
	case OpSend:
		c.holds(in.B, in.T.Elem)
	case OpRecv:
		c.holds(in.Dst, in.T.Elem)
	}
}

// call checks arguments and results against the callee's declaration.
func (c *checker) call(in *Instr) {
	call := c.p.Calls[in.X]
	for _, a := range call.Args {
		c.holds(a.Reg, a.Type)
	}
	if in.Op == OpDefer && call.Record == nil {
		c.wrong("a deferred call without a record")
	}
	if in.Op == OpCall {
		r := in.Dst
		for _, t := range call.Result {
			c.holds(r, t)
			if t.Size > 0 {
				r = r.Word(t.Size)
			}
		}
	}
	if call.Kind != CallStatic {
		return
	}
	if len(call.Args) != len(call.Func.Params) {
		c.wrong("%d arguments for %s, which has %d parameters", len(call.Args), call.Func.Name, len(call.Func.Params))
		return
	}
	for i, a := range call.Args {
		c.passes(a, call.Func.Params[i])
	}
}

func (c *checker) results(in *Instr) {
	list := c.p.Lists[in.X]
	if len(list) != len(c.f.Results) {
		c.wrong("%d results, declared are %d", len(list), len(c.f.Results))
		return
	}
	for i, a := range list {
		c.passes(a, c.f.Results[i])
	}
}

// passes checks an argument against what it is passed to: word by word, as
// identical layouts are all that matters.
func (c *checker) passes(a Arg, t *Type) {
	if a.Type.Size != t.Size {
		c.wrong("%d words of %s for %s", a.Type.Size, a.Type.Name, t.Name)
		return
	}
	c.holds(a.Reg, t)
}
