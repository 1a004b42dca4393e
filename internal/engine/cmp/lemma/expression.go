// SPDX-License-Identifier: BSD-3-Clause

package lemma

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"pangolin/history"
	"pangolin/internal/ir"
	"pangolin/internal/vm/number"
	"pangolin/internal/vm/state"
)

// Terms that the code and the oracle have names for. An expression that the code has evaluated is evaluated once more
// in the present memory: "old((r.first + 1) % len(r.buf)) == (r.first + 1) % len(r.buf)" says that the thread still
// has the index that it would compute now, and "!(r.count == 0)" that the condition by which it has decided still
// holds. In this way facts speak of elements, indexes, remainders and counters. Of the content there are the number
// of items, and what the operations would return if they were called now: "Contains(x)", "second(Dequeue())".

// mostExpressions is how many expressions of one call in progress become terms: those that were evaluated last in the
// text of the function.
const mostExpressions = 40

// definitions give for each register of a function the index of the one instruction that sets it; -1 if there is
// none, or several.
type definitions []int32

// definitionsOf finds the definitions of a function.
func (n *Reader) definitionsOf(fn *ir.Func) definitions {
	if d, ok := n.defined[fn]; ok {
		return d
	}
	d, times := make(definitions, fn.NumRegs), make([]int, fn.NumRegs)
	for pc := range fn.Code {
		n.prog.Operands(&fn.Code[pc], func(r ir.Reg, words int, role ir.Role) {
			for i := range words {
				if role == ir.Def && int(r)+i < len(d) {
					d[int(r)+i], times[int(r)+i] = int32(pc), times[int(r)+i]+1
				}
			}
		})
	}
	for r := range d {
		if times[r] != 1 || r < fn.ParamWords() {
			d[r] = -1
		}
	}
	n.defined[fn] = d
	return d
}

// value is what an expression evaluates to.
type value struct {
	word   uint64
	kind   ir.Kind
	class  ir.Class
	text   string   // the expression; if the value is an address, what lies there: "r.buf[0]" for &r.buf[0]
	at     *ir.Type // the type of what lies at the address; nil: the value is no such address
	ground bool     // memory was read for it
}

// evaluator evaluates expressions of a call in progress.
type evaluator struct {
	c       *State
	frame   *state.Frame
	fn      *ir.Func
	defined definitions
	regs    []uint64
	live    map[ir.Reg]bool
	given   []uint64          // the arguments of the operation, if they are known though their registers are not live
	known   map[ir.Reg]*value // results so far; nil: it cannot be evaluated
}

// expressions adds the expressions that the code of call k in progress has evaluated, with the values that they have
// now.
func (c *State) expressions(k int) {
	t := c.m.Thread[0]
	f := &t.Frames[k]
	fn := f.Code.Func
	if fn.Library() || fn.Harness {
		return
	}
	e := &evaluator{c: c, frame: f, fn: fn, defined: c.names.definitionsOf(fn), regs: t.Regs[f.Base:], live: map[ir.Reg]bool{}, known: map[ir.Reg]*value{}}
	for _, l := range c.m.LiveIn(f, k == len(t.Frames)-1) {
		e.live[ir.Reg(l.Reg)] = true
	}
	if outermost(t) == k {
		e.given = c.given(fn)
	}
	e.kept()
	left := mostExpressions
	for pc := int(f.PC); pc >= 0 && left > 0; pc-- {
		in := &fn.Code[min(pc, len(fn.Code)-1)]
		if in.Dst < 0 || in.Dst == ir.NoReg || int(in.Dst) >= len(e.defined) || e.defined[in.Dst] != int32(pc) || !evaluated(in.Op) {
			continue
		}
		words := 1
		switch in.Op {
		case ir.OpLoad:
			words = in.T.Size
		case ir.OpSlice, ir.OpSliceArr, ir.OpAppend:
			words = ir.SliceWords
		}
		for i := range min(words, mostWords) {
			left -= e.now(in.Dst + ir.Reg(i))
		}
	}
}

// unnamed adds registers of call k in progress that hold an address and have no variable, under the name of what they
// were computed from: "old(&r.buf[i])".
func (c *State) unnamed(k int) {
	t := c.m.Thread[0]
	f := &t.Frames[k]
	if f.Code.Func.Library() || f.Code.Func.Harness {
		return
	}
	regs := t.Regs[f.Base:]
	e := &evaluator{c: c, frame: f, fn: f.Code.Func, defined: c.names.definitionsOf(f.Code.Func)}
	for _, l := range c.m.LiveIn(f, k == len(t.Frames)-1) {
		r := ir.Reg(l.Reg)
		if l.Kind != ir.Pointer || int(r) >= len(e.defined) || e.defined[r] < 0 {
			continue
		}
		op := e.fn.Code[e.defined[r]].Op
		if op != ir.OpElem && op != ir.OpArrayElem && op != ir.OpSlice {
			continue
		}
		if _, ok := c.names.variable(f, r, l.Kind, regs); ok {
			continue
		}
		if op == ir.OpSlice {
			if name := "old(" + e.written(r) + "[:])"; c.term(name) < 0 {
				c.add(term{name: name, word: regs[r], kind: l.Kind})
			}
			continue
		}
		t := e.fn.Code[e.defined[r]].T
		if name := "old(&" + e.written(r) + ")"; c.term(name) < 0 {
			c.add(term{name: name, word: regs[r], kind: l.Kind})
			e.words(&value{word: regs[r], kind: ir.Pointer, at: t, text: "(*" + name + ")"})
		}
	}
}

// written is the expression of register r as the source may have written it; "_" stands for what is not known.
func (e *evaluator) written(r ir.Reg) string {
	if name, off := e.fn.NameOf(r); r >= 0 && name != nil {
		return name.Name + name.Type.FieldPath(off)
	}
	if x := e.constantOf(r); x != nil {
		return x.text
	}
	if r < 0 || int(r) >= len(e.defined) || e.defined[r] < 0 {
		return "_"
	}
	in := &e.fn.Code[e.defined[r]]
	if operators[in.Op] != "" {
		return bracketed(e.written(in.A)) + operators[in.Op] + bracketed(e.written(in.B))
	}
	switch in.Op {
	case ir.OpField:
		return e.written(in.A) + "." + in.T.Fields[in.X].Name
	case ir.OpElem, ir.OpArrayElem:
		return e.written(in.A) + "[" + e.written(in.B) + "]"
	case ir.OpLoad, ir.OpAtomicLoad, ir.OpMove, ir.OpSlice:
		return e.written(in.A)
	}
	if name := e.c.names.assigned(e.fn, int(e.defined[r]), int(r-in.Dst)); name != "" {
		return name
	}
	return "_"
}

// outermost is the index of the operation's call: the first one that is not of the harness.
func outermost(t *state.Thread) int {
	return slices.IndexFunc(t.Frames, func(f state.Frame) bool { return !f.Code.Func.Harness })
}

// given are the words of the arguments of the operation that the thread is in, the collection first; nil if they are
// not known.
func (c *State) given(fn *ir.Func) []uint64 {
	if c.scene.Call < 0 {
		return nil
	}
	args := c.names.calls[c.scene.Call].Args
	if fn.ParamWords() != 1+args.Len() {
		return nil
	}
	words := []uint64{c.m.Root(0)}
	for i := range args.Len() {
		words = append(words, uint64(args.At(i).Int))
	}
	return words
}

// evaluated says that an operation computes the same value from the same operands and memory, and changes nothing.
func evaluated(op ir.Op) bool {
	switch op {
	case ir.OpLoad, ir.OpAtomicLoad, ir.OpElem, ir.OpArrayElem, ir.OpField, ir.OpNot, ir.OpSlice, ir.OpSliceArr, ir.OpAppend:
		return true
	}
	return op >= ir.OpAdd && op <= ir.OpShr || op >= ir.OpEq && op <= ir.OpLe
}

// kept adds registers that hold what was computed from memory earlier, as "old(expression)".
func (e *evaluator) kept() {
	for _, r := range slices.Sorted(maps.Keys(e.live)) {
		if int(r) >= len(e.defined) || e.defined[r] < 0 || !evaluated(e.fn.Code[e.defined[r]].Op) || e.fn.Code[e.defined[r]].Op == ir.OpField {
			continue
		}
		if v := e.value(r); v != nil && v.ground {
			e.c.expression(value{word: e.regs[r], kind: v.kind, class: v.class, at: v.at, text: v.text}, "old(")
		}
	}
}

// now adds the expression of register r with its present value. It gives the number of terms that were added, 0 or 1.
func (e *evaluator) now(r ir.Reg) int {
	v := e.value(r)
	if v == nil || !v.ground && v.at == nil {
		return 0
	}
	e.c.expression(*v, "")
	if v.at != nil {
		e.words(v)
	}
	return 1
}

// words adds the words at an address; of a lock it notes whether the thread holds it.
func (e *evaluator) words(v *value) {
	if v.at.PkgPath == "sync" && e.c.m.Thread[0].Holds(v.word, true) && !slices.ContainsFunc(e.c.locks, func(x term) bool { return x.name == v.text }) {
		e.c.locks = append(e.c.locks, term{name: v.text})
	}
	for i := range min(v.at.Size, mostWords) {
		if x := e.load(v, v.at, i); x != nil {
			e.c.expression(*x, "")
		}
	}
}

// expression adds a value as a term; wrapped is "" or "old(".
func (c *State) expression(v value, wrapped string) {
	name := v.text
	if v.at != nil {
		name = "&" + name
	}
	if wrapped != "" {
		name = wrapped + name + ")"
	}
	if c.term(name) < 0 {
		c.add(term{name: name, word: v.word, kind: v.kind, class: v.class, depth: c.Depth})
	}
}

// value evaluates the expression of register r. It is nil if the register has none, or if evaluating it would panic.
func (e *evaluator) value(r ir.Reg) *value {
	if r < 0 {
		return e.constantOf(r)
	}
	v, ok := e.known[r]
	if !ok {
		e.known[r] = nil // an expression that depends on itself has no value
		v = e.compute(r)
		e.known[r] = v
	}
	return v
}

// constantOf is the number for which a constant register stands; nil if r is none.
func (e *evaluator) constantOf(r ir.Reg) *value {
	p := e.c.names.prog
	if r >= 0 || r == ir.NoReg || p.ConstKinds[^r] != ir.Scalar {
		return nil
	}
	w := p.Consts[^r]
	return &value{word: w, kind: ir.Scalar, class: ir.Int, text: strconv.FormatInt(int64(w), 10)}
}

func (e *evaluator) compute(r ir.Reg) *value {
	pc := int32(-1)
	if int(r) < len(e.defined) {
		pc = e.defined[r]
	}
	if pc < 0 || !evaluated(e.fn.Code[pc].Op) {
		return e.variable(r)
	}
	in := &e.fn.Code[pc]
	switch in.Op {
	case ir.OpField:
		p := e.value(in.A)
		if p == nil || p.word == 0 || int(in.X) >= len(in.T.Fields) {
			return nil
		}
		return &value{word: p.word + uint64(in.N), kind: ir.Pointer, text: p.text + "." + in.T.Fields[in.X].Name, at: in.T.Fields[in.X].Type, ground: p.ground}
	case ir.OpElem, ir.OpArrayElem:
		return e.element(in)
	case ir.OpLoad:
		return e.load(e.value(in.A), in.T, int(r-in.Dst))
	case ir.OpAtomicLoad:
		return e.load(e.value(in.A), nil, 0)
	case ir.OpSlice, ir.OpSliceArr:
		return e.sliced(in, int(r-in.Dst))
	case ir.OpAppend:
		return e.appended(in, int(r-in.Dst))
	}
	return e.arith(in)
}

// variable is the value of a register that several instructions set, or of a parameter; nil if it is not known here.
func (e *evaluator) variable(r ir.Reg) *value {
	name, off := e.fn.NameOf(r)
	v := &value{kind: e.fn.Kinds[r], class: ir.Int}
	switch {
	case e.live[r]:
		v.word = e.regs[r]
	case int(r) < len(e.given):
		v.word = e.given[r]
	default:
		return nil
	}
	if name == nil {
		x, ok := e.c.names.variable(e.frame, r, v.kind, e.regs)
		if !ok || !e.live[r] {
			return nil
		}
		return &value{word: x.word, kind: v.kind, class: counted(x.class), text: x.name}
	}
	l := leaf{wrap: sliceWord(name.Type, off)}
	v.text = l.wrapped(name.Name + name.Type.FieldPath(off))
	if l.wrap != "" {
		return v
	}
	if s := state.ScalarAt(name.Type, off); s != nil {
		v.class = counted(s.Class)
	}
	return v
}

// counted makes all integer types one, for the code converts between them.
func counted(c ir.Class) ir.Class {
	if c >= ir.Int && c <= ir.Uintptr {
		return ir.Int
	}
	return c
}

// element is the address of an element; nil if the index is out of range.
func (e *evaluator) element(in *ir.Instr) *value {
	p, i := e.value(in.A), e.value(in.B)
	n := uint64(in.N)
	if in.Op == ir.OpElem {
		l := e.value(in.A.Word(1))
		if l == nil {
			return nil
		}
		n = l.word
	}
	if p == nil || i == nil || p.word == 0 || i.word >= n {
		return nil
	}
	return &value{word: p.word + i.word*uint64(in.T.Size), kind: ir.Pointer, text: p.text + "[" + i.text + "]", at: in.T, ground: p.ground || i.ground}
}

// load is word i of a value of type t at address p. If t is nil the value is one word of an atomic type.
func (e *evaluator) load(p *value, t *ir.Type, i int) *value {
	if p == nil || p.word == 0 || p.kind != ir.Pointer {
		return nil
	}
	o := &e.c.m.Objs[state.ObjectID(p.word)]
	off := state.Offset(p.word) + i
	if off >= o.Words() || len(o.Info.Layout) == 0 {
		return nil
	}
	if inner, _ := leafOf(t, i); inner != nil && inner.PkgPath == "sync" {
		return nil
	}
	size := max(1, o.Info.Type.Size)
	leaf := state.ScalarAt(o.Info.Type, off%size)
	v := &value{word: e.c.m.Words(p.word+uint64(i), 1)[0], kind: o.Info.Layout[off%len(o.Info.Layout)], text: p.text, ground: true}
	if leaf != nil {
		v.class = counted(leaf.Class)
	}
	inner, k := leafOf(t, i)
	if inner != nil && inner.Class == ir.Slice && k > 0 {
		v.class = ir.Int
	}
	switch {
	case p.at == nil: // a variable holds the address
		v.text = "(*" + v.text + ")"
		if t != nil {
			v.text += t.FieldPath(i)
		}
	case inner != nil && inner.Class == ir.Slice:
		v.text = [3]string{v.text + t.FieldPath(i), "len(" + v.text + t.FieldPath(i) + ")", "cap(" + v.text + t.FieldPath(i) + ")"}[k]
	case t != nil:
		v.text += strings.TrimSuffix(t.FieldPath(i), ".v")
	default:
		v.text = strings.TrimSuffix(v.text, ".v")
	}
	return v
}

func leafOf(t *ir.Type, i int) (*ir.Type, int) {
	if t == nil {
		return nil, 0
	}
	return t.LeafAt(i)
}

// sliced is word k (0 pointer, 1 length) of a slice expression.
func (e *evaluator) sliced(in *ir.Instr, k int) *value {
	length := func() *value { return e.value(in.A.Word(1)) }
	if in.Op == ir.OpSliceArr {
		length = func() *value { return &value{word: uint64(in.T.Len), kind: ir.Scalar, class: ir.Int} }
	}
	low, high := &value{kind: ir.Scalar}, (*value)(nil)
	if in.B != ir.NoReg {
		low = e.value(in.B)
	}
	if high = length(); in.C != ir.NoReg {
		high = e.value(in.C)
	}
	if low == nil || high == nil || low.word > high.word || k == 2 {
		return nil
	}
	base, text := e.value(in.A), "_"
	if base != nil {
		text = base.text
	}
	part := func(r ir.Reg, v *value) string {
		if r == ir.NoReg {
			return ""
		}
		return v.text
	}
	text += "[" + part(in.B, low) + ":" + part(in.C, high) + "]"
	if k == 1 {
		return &value{word: high.word - low.word, kind: ir.Scalar, class: ir.Int, text: "len(" + text + ")", ground: true}
	}
	size := uint64(1)
	if in.Op == ir.OpSlice {
		size = uint64(in.T.Size)
	}
	if base == nil || base.word == 0 || in.Op == ir.OpSliceArr {
		return nil
	}
	return &value{word: base.word + low.word*size, kind: ir.Pointer, text: text, ground: true}
}

// appended is word k of the result of append: 0 is the pointer if the capacity suffices, 1 the length.
func (e *evaluator) appended(in *ir.Instr, k int) *value {
	if in.Ok || k == 2 {
		return nil
	}
	p, n, more := e.value(in.A), e.value(in.A.Word(1)), e.value(in.B.Word(1))
	if n == nil || more == nil {
		return nil
	}
	text := "append(" + strings.TrimSuffix(strings.TrimPrefix(n.text, "len("), ")") + ", _...)"
	if k == 1 {
		return &value{word: n.word + more.word, kind: ir.Scalar, class: ir.Int, text: "len(" + text + ")", ground: true}
	}
	if room := e.value(in.A.Word(2)); p == nil || room == nil || n.word+more.word > room.word {
		return nil
	}
	return &value{word: p.word, kind: ir.Pointer, text: text, ground: true}
}

// operators are Go's operators by operation, with spaces around.
var operators = map[ir.Op]string{ir.OpAdd: " + ", ir.OpSub: " - ", ir.OpMul: " * ", ir.OpDiv: " / ", ir.OpRem: " % ", ir.OpAnd: " & ", ir.OpOr: " | ",
	ir.OpXor: " ^ ", ir.OpAndNot: " &^ ", ir.OpShl: " << ", ir.OpShr: " >> ", ir.OpEq: " == ", ir.OpNe: " != ", ir.OpLt: " < ", ir.OpLe: " <= "}

// arith evaluates arithmetic and comparisons of integers.
func (e *evaluator) arith(in *ir.Instr) *value {
	a := e.value(in.A)
	if a == nil || in.Num >= ir.F32 || a.at != nil {
		return nil
	}
	if in.Op == ir.OpNot {
		return &value{word: a.word ^ 1, kind: ir.Scalar, class: ir.Bool, text: "!" + bracketed(a.text), ground: a.ground}
	}
	b := e.value(in.B)
	if b == nil || b.at != nil || operators[in.Op] == "" {
		return nil
	}
	v := &value{kind: ir.Scalar, class: ir.Int, text: bracketed(a.text) + operators[in.Op] + bracketed(b.text), ground: a.ground || b.ground}
	ok := true
	truth := func(x bool) {
		v.class = ir.Bool
		if x {
			v.word = 1
		}
	}
	switch in.Op {
	case ir.OpEq:
		truth(a.word == b.word)
	case ir.OpNe:
		truth(a.word != b.word)
	case ir.OpLt, ir.OpLe:
		less := a.word < b.word
		if in.Num.Signed() {
			less = int64(a.word) < int64(b.word)
		}
		truth(less || in.Op == ir.OpLe && a.word == b.word)
	case ir.OpShl, ir.OpShr:
		v.word = number.Shift(in.Op, in.Num, a.word, b.word)
	default:
		v.word, ok = number.Arith(in.Op, in.Num, a.word, b.word)
	}
	if !ok {
		return nil
	}
	return v
}

func bracketed(text string) string {
	if strings.Contains(text, " ") {
		return "(" + text + ")"
	}
	return text
}

// ofContent adds what is known of the content: the number of items, and what operations would return now. Only
// operations without arguments count, and those that take the same arguments as the call in progress. The same is
// added of the content that this call would leave behind.
func (c *State) ofContent() {
	q := c.scene.Content
	if q == nil || c.scene.Call < 0 || outermost(c.m.Thread[0]) < 0 {
		return
	}
	if _, within := q.Items(); !within {
		return
	}
	c.contentTerms(q, "", "")
	if _, next := q.Changes(c.scene.Call); next != nil && !c.scene.Done {
		if _, within := next.Items(); within {
			c.contentTerms(next, "after(", ")")
		}
	}
}

// contentTerms adds the terms about content q. before and behind are put around their names.
func (c *State) contentTerms(q Content, before, behind string) {
	items, _ := q.Items()
	c.add(term{name: before + "items()" + behind, word: uint64(items), kind: ir.Scalar, class: ir.Int, depth: c.Depth})
	mine := &c.names.calls[c.scene.Call]
	c.drained(q, before, behind)
	for i := range c.names.calls {
		call := &c.names.calls[i]
		if n := call.Args.Len(); n == 0 || call.Args == mine.Args && slices.Equal(call.Op.Client.Params, mine.Op.Client.Params) {
			if r, certain := q.Returns(i); certain {
				c.results(before+call.Op.Name+"("+c.parameters(n)+")"+behind, r)
			}
		}
	}
}

// parameters lists the names of the first n parameters of the operation that the thread is in, without the receiver.
func (c *State) parameters(n int) string {
	t := c.m.Thread[0]
	fn := t.Frames[outermost(t)].Code.Func
	var list []string
	for i := range n {
		name, _ := fn.NameOf(ir.Reg(1 + i))
		if name == nil {
			return "_"
		}
		list = append(list, name.Name)
	}
	return strings.Join(list, ", ")
}

// results adds each number and truth value of the result r of a call as a term.
func (c *State) results(call string, r history.Tuple) {
	for i := range r.Len() {
		name := call
		if r.Len() > 1 {
			name = [history.MaxArity]string{"first", "second", "third", "fourth"}[i] + "(" + call + ")"
		}
		x := term{name: name, word: uint64(r.At(i).Int), kind: ir.Scalar, class: ir.Int, depth: c.Depth}
		switch r.At(i).Kind {
		case history.Bool:
			x.class = ir.Bool
		case history.Int:
		default:
			continue
		}
		c.add(x)
	}
}
