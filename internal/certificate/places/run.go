// SPDX-License-Identifier: BSD-3-Clause

package places

import (
	"slices"

	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/oracle"
)

// mostSteps is how many instructions a step may have, and mostCalls how many calls are nested.
const (
	mostSteps = 20_000
	mostCalls = 40
)

// construct executes the constructor, and refuses a collection that is not as the head says.
func (c *checker) construct() (*thread, error) {
	t := &thread{op: -1, added: map[int]bool{}, calls: []call{{c.s.New, 0, map[ir.Reg]word{}}}}
	t.puts = [2]map[string]bool{{}, {}}
	if err := c.run(t, true); err != nil {
		return nil, err
	}
	return t, nil
}

// collection compares what the constructor returns with the head.
func (c *checker) collection(t *thread, results []word) error {
	h := &c.x.Head
	if len(results) != 1 || results[0].sort != "own" || results[0].m != 0 {
		return c.reject(t, "the constructor returns no new object")
	}
	words := t.cells[results[0].n]
	layout := c.s.New.Results[0].Elem.Layout()
	counters := []int{}
	for off := range words {
		inSlice := off >= h.Slice && off < h.Slice+ir.SliceWords
		switch w := words[off]; {
		case off == h.Slice && w == word{sort: "slice"}, off > h.Slice && inSlice && w == word{n: h.Places}:
		case inSlice || w != word{}:
			return c.reject(t, "word %d of a new collection is %s", off, w)
		case layout[off] == ir.Scalar:
			counters = append(counters, off)
		}
	}
	if h.Slice < 0 || h.Slice+ir.SliceWords > len(words) || !slices.Equal(counters, h.Counters) || h.Places < 1 {
		return c.reject(t, "the head says something else than the constructor of where the slice and the counters are")
	}
	return nil
}

// begin begins a call, and goes up to its first access.
func (c *checker) begin(t *thread) error {
	t.op = c.choose(len(c.s.Operations))
	o := &c.s.Operations[t.op]
	regs := map[ir.Reg]word{0: {sort: "word"}}
	if o.Binding.Role == oracle.Put {
		t.of = []string{"first", "second", "other"}[c.choose(3)]
		regs[1] = word{sort: "item", name: t.of}
		if n := number(t.of); n >= 0 {
			if t.puts[n]["called"] {
				return errElse
			}
			t.puts[n]["called"] = true
			if t.puts[1-n]["returned"] {
				t.before = []string{"second", "first"}[n]
			}
		}
	}
	t.calls = []call{{o.Func, 0, regs}}
	return c.execute(t, true, false)
}

// number is the number of a Put that is followed; -1: it is another one.
func number(put string) int { return slices.Index([]string{"first", "second"}, put) }

// run makes one access and goes on up to the next one.
func (c *checker) run(t *thread, constructor bool) error { return c.execute(t, false, constructor) }

// execute executes instructions up to an access that is the step's second one, or if accessed its first one.
func (c *checker) execute(t *thread, accessed, constructor bool) error {
	for range mostSteps {
		f := &t.calls[len(t.calls)-1]
		if f.pc < 0 || f.pc >= len(f.fn.Code) {
			return c.reject(t, "there is no instruction")
		}
		in := &f.fn.Code[f.pc]
		if in.Op >= ir.OpAtomicLoad && in.Op <= ir.OpAtomicOr {
			if accessed {
				return nil
			}
			if constructor {
				return c.reject(t, "the constructor accesses what others may see")
			}
			accessed = true
		}
		if in.Op == ir.OpReturn && len(t.calls) == 1 {
			results, err := c.values(t, f, c.s.Prog.Lists[in.X])
			if err != nil {
				return err
			}
			if constructor {
				return c.collection(t, results)
			}
			return c.returns(t, results)
		}
		if err := c.instruction(t, f, in, constructor); err != nil {
			return err
		}
	}
	return c.reject(t, "a step does not end")
}

// returns ends a call.
func (c *checker) returns(t *thread, results []word) error {
	o := &c.s.Operations[t.op]
	if o.Binding.Role == oracle.Put {
		if !t.stored {
			return c.reject(t, "%s may return without its item in a place", o.Name)
		}
		if n := number(t.of); n >= 0 {
			t.puts[n]["returned"] = true
		}
	} else if t.got == "" || results[0] != (word{sort: "item", name: t.got}) {
		return c.reject(t, "%s may return what it has not taken", o.Name)
	}
	*t = thread{common: t.common, op: -1, added: map[int]bool{}}
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
	switch x := int64(c.s.Prog.Consts[^r]); {
	case x == 0:
		return word{}, nil
	case c.s.Prog.ConstKinds[^r] == ir.Scalar && x == int64(int32(x)):
		return word{n: int(x)}, nil
	}
	return word{sort: "?"}, nil
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
func (c *checker) instruction(t *thread, f *call, in *ir.Instr, constructor bool) error {
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
		yes := w.n != 0
		if w.sort != "" {
			yes = c.choose(2) == 1
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
		for i, w := range results {
			f.regs[f.fn.Code[f.pc].Dst.Word(i)] = w
		}
	case ir.OpPanic:
		return c.reject(t, "it may panic")
	case ir.OpNot, ir.OpEq, ir.OpNe, ir.OpLt, ir.OpLe, ir.OpAdd, ir.OpSub, ir.OpConvert:
		if err := c.arithmetic(t, f, in); err != nil {
			return err
		}
	default:
		if err := c.access(t, f, in, constructor); err != nil {
			return err
		}
	}
	f.pc++
	return nil
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

// arithmetic executes an instruction on numbers.
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
	put := func(w word) error {
		f.regs[in.Dst] = w
		return nil
	}
	flag := func(yes bool) error {
		if yes {
			return put(word{n: 1})
		}
		return put(word{})
	}
	ints := in.Num == ir.I64
	switch {
	case in.Op == ir.OpConvert:
		switch same := ints && ir.Num(in.N) == ir.I64; {
		case same, whole(in.Num) && whole(ir.Num(in.N)) && a.sort == "" && a.n >= 0 && a.n < 128:
			return put(a)
		case a.sort == "item":
			return c.reject(t, "an item is converted")
		}
		return put(word{sort: "?"})
	case a.sort == "item" || b.sort == "item":
		return c.reject(t, "an item is looked at")
	case in.Op == ir.OpNot:
		if a.sort != "" {
			return flag(c.choose(2) == 1)
		}
		return flag(a.n == 0)
	case addresses(a) || addresses(b):
		if in.Op != ir.OpEq && in.Op != ir.OpNe || a != (word{}) && b != (word{}) {
			return c.reject(t, "two addresses are compared")
		}
		return flag(in.Op == ir.OpNe) // an address is not nil
	case in.Op == ir.OpAdd || in.Op == ir.OpSub:
		w := word{sort: "?"}
		if ints {
			if in.Op == ir.OpAdd && a.sort == "" {
				a, b = b, a
			}
			if b.sort == "" {
				by := b.n
				if in.Op == ir.OpSub {
					by = -by
				}
				w = c.moved(t, a, by)
			}
		}
		return put(w)
	}
	return flag(c.compare(t, in, a, b))
}

// whole says whether a format is one of integers: words of others are not the numbers that they stand for.
func whole(f ir.Num) bool {
	return slices.Contains([]ir.Num{ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64}, f)
}

func addresses(w word) bool {
	return slices.Contains([]string{"at", "word", "slice", "place", "own"}, w.sort)
}

// moved is a number plus by.
func (c *checker) moved(t *thread, a word, by int) word {
	switch {
	case a.sort == "" && a.n+by == int(int32(a.n+by)):
		return word{n: a.n + by}
	case a.sort != "where":
		return word{sort: "?"}
	case by == 0:
		return a
	case a.plus && by == -1:
		return word{sort: "where", name: a.name, limit: less} // a counter had it before 1 was added
	case by != 1 && by != -1:
		return word{sort: "?"}
	}
	w := c.zone(t, a)
	if by == 1 {
		if w.name == "above" && w.limit == 0 {
			return word{sort: "?"} // it may become too large
		}
		list := c.near.more[w.name]
		w.name = list[c.choose(len(list))]
		w.limit = max(0, w.limit-1)
		return w
	}
	if w.name == "negative" {
		return word{sort: "?"}
	}
	list := c.near.fewer[w.name]
	w.name = list[c.choose(len(list))]
	if w.limit > 0 {
		w.limit = less
	}
	return w
}

// zone chooses where a number is: the word has a zone and no plus.
func (c *checker) zone(t *thread, w word) word {
	switch {
	case w.sort == "":
		list := c.near.of(w.n)
		limit := 0
		if w.n == 0 { // no counter is negative
			if limit = atMost; t.positive {
				limit = less
			}
		}
		return word{sort: "where", name: list[c.choose(len(list))], limit: limit}
	case w.plus:
		list := c.near.more[w.name]
		return word{sort: "where", name: list[c.choose(len(list))], limit: atMost}
	}
	return w
}

// compare is the result of a comparison. It notes what that says of the numbers.
func (c *checker) compare(t *thread, in *ir.Instr, a, b word) bool {
	sign := 0
	switch known := a.sort != "?" && b.sort != "?"; {
	case known && a.sort == "" && b.sort == "" && (in.Num == ir.Word || in.Num.Signed() || whole(in.Num) && min(a.n, b.n) >= 0):
		sign = min(1, max(-1, a.n-b.n))
	case known && in.Num == ir.I64:
		x, y := c.zone(t, a), c.zone(t, b)
		signs := c.near.signs[[2]string{x.name, y.name}]
		sign = signs[c.choose(len(signs))]
		x.limit, y.limit = limited(x.limit, y.limit, sign), limited(y.limit, x.limit, -sign)
		for _, n := range []struct {
			r       ir.Reg
			was, is word
		}{{in.A, a, x}, {in.B, b, y}} {
			t.positive = t.positive || n.was == word{} && n.is.limit == less
			if n.r >= 0 {
				t.calls[len(t.calls)-1].regs[n.r] = n.is
			}
		}
	default:
		return c.choose(2) == 1
	}
	switch in.Op {
	case ir.OpEq:
		return sign == 0
	case ir.OpNe:
		return sign != 0
	case ir.OpLt:
		return sign < 0
	}
	return sign <= 0
}

// limited is what is known beside counters of a number, once it was compared with another one of which other is known: sign < 0: it is less.
func limited(own, other, sign int) int {
	switch {
	case sign < 0 && other > 0:
		return less
	case sign == 0:
		return max(own, other)
	}
	return own
}

// access executes an instruction that makes or accesses memory.
func (c *checker) access(t *thread, f *call, in *ir.Instr, constructor bool) error {
	if in.Op == ir.OpNew {
		f.regs[in.Dst] = word{sort: "own", n: len(t.cells)}
		t.cells = append(t.cells, make([]word, in.T.Size))
		return nil
	}
	a, err := c.value(t, f, in.A)
	if err != nil {
		return err
	}
	if a == (word{}) && in.Op != ir.OpMakeSlice {
		return c.reject(t, "a nil pointer may be followed")
	}
	switch in.Op {
	case ir.OpSliceArr:
		whole := in.T.Class == ir.Array && in.T.Len == c.x.Head.Places && in.T.Elem.Size == 1 && constructor
		if !whole || a.sort != "own" || a.m != 0 || slices.ContainsFunc(t.cells[a.n], func(w word) bool { return w != word{} }) {
			return c.reject(t, "a slice is made that is not the collection's")
		}
		for _, end := range []ir.Reg{in.B, in.C, ir.Reg(in.N)} {
			if end == ir.NoReg {
				continue
			}
			w, err := c.value(t, f, end)
			if err != nil || w != (word{n: in.T.Len}) && (end != in.B || w != word{}) {
				return c.reject(t, "a part of an array is sliced")
			}
		}
		if k := in.T.Elem.Layout()[0]; k != ir.Pointer && k != ir.Unsafe {
			return c.reject(t, "a slice is made of something else than pointers")
		}
		n := word{n: in.T.Len}
		f.regs[in.Dst], f.regs[in.Dst.Word(1)], f.regs[in.Dst.Word(2)] = word{sort: "slice"}, n, n
		t.cells[a.n] = nil // nothing may access it otherwise
		return nil
	case ir.OpMakeSlice:
		b, err := c.value(t, f, in.B)
		layout := in.T.Layout()
		if err != nil || !constructor || a.sort != "" || a != b || a.n != c.x.Head.Places || len(layout) != 1 || layout[0] != ir.Pointer && layout[0] != ir.Unsafe {
			return c.reject(t, "a slice is made that is not the collection's")
		}
		f.regs[in.Dst], f.regs[in.Dst.Word(1)], f.regs[in.Dst.Word(2)] = word{sort: "slice"}, a, a
		return nil
	case ir.OpField:
		switch a.sort {
		case "word":
			a.n += int(in.N)
		case "own":
			a.m += int(in.N)
		default:
			if a.sort != "place" || in.N != 0 {
				return c.reject(t, "a field of something else than the collection or a cell of the thread")
			}
		}
		f.regs[in.Dst] = a
		return nil
	case ir.OpElem:
		i, err := c.value(t, f, in.B)
		if err != nil {
			return err
		}
		if a.sort != "slice" || i.sort != "" && i.sort != "where" {
			return c.reject(t, "an element of another slice, or with an index of which nothing is known")
		}
		i = c.zone(t, i)
		if i.name == "negative" || i.limit != less {
			return c.reject(t, "an index may be outside of the slice")
		}
		if in.B >= 0 {
			f.regs[in.B] = i
		}
		f.regs[in.Dst] = word{sort: "place", name: i.name}
		return nil
	case ir.OpLoad:
		return c.load1(t, f, in, a)
	case ir.OpStore:
		if a.sort != "own" || a.m+in.T.Size > len(t.cells[a.n]) {
			return c.reject(t, "a write that is not atomic, of what others may see")
		}
		for i := range in.T.Size {
			w, err := c.value(t, f, in.B.Word(i))
			if err != nil {
				return err
			}
			if slices.Contains([]string{"own", "word", "place"}, w.sort) {
				return c.reject(t, "a cell leads to another one")
			}
			t.cells[a.n][a.m+i] = w
		}
		return nil
	case ir.OpAtomicLoad, ir.OpAtomicStore, ir.OpAtomicSwap, ir.OpAtomicCAS, ir.OpAtomicAdd:
		if a.sort == "word" {
			return c.counter(t, f, in, slices.Index(c.x.Head.Counters, a.n))
		}
		if a.sort == "place" {
			return c.place(t, f, in, a.name)
		}
	}
	return c.reject(t, "instruction %s is not modelled here", in.Op)
}

// load1 executes a read that is not atomic.
func (c *checker) load1(t *thread, f *call, in *ir.Instr, a word) error {
	h := &c.x.Head
	var words []word
	switch {
	case a.sort == "own" && a.m+in.T.Size <= len(t.cells[a.n]):
		words = t.cells[a.n][a.m : a.m+in.T.Size]
	case a.sort == "at" && in.T.Size == 1:
		words = []word{{sort: "item", name: a.name}}
	case a.sort == "word" && c.made && a.n >= h.Slice && a.n+in.T.Size <= h.Slice+ir.SliceWords:
		words = []word{{sort: "slice"}, {n: h.Places}, {n: h.Places}}[a.n-h.Slice:][:in.T.Size]
	default:
		return c.reject(t, "a read that is not atomic, of what others may change")
	}
	for i, w := range words {
		f.regs[in.Dst.Word(i)] = w
	}
	return nil
}

// counter executes an access to a counter.
func (c *checker) counter(t *thread, f *call, in *ir.Instr, i int) error {
	if i < 0 {
		return c.reject(t, "an atomic access to something else than a counter or a place")
	}
	was := t.counters[i]
	if in.Op == ir.OpAtomicLoad {
		f.regs[in.Dst] = word{sort: "where", name: was, limit: atMost}
		return nil
	}
	by := word{}
	if in.Op == ir.OpAtomicAdd {
		var err error
		if by, err = c.value(t, f, in.B); err != nil {
			return err
		}
	}
	if by != (word{n: 1}) || in.Num != ir.I64 || t.added[i] || !c.puts(t) {
		return c.reject(t, "a counter is changed otherwise than by a Put that adds 1 once")
	}
	t.added[i] = true
	if n := slices.Index([]string{"lower", "higher"}, was); n >= 0 {
		t.claimed[i][n] = t.of
	}
	list := c.near.more[was]
	t.counters[i] = list[c.choose(len(list))]
	f.regs[in.Dst] = word{sort: "where", name: was, plus: true}
	return nil
}

func (c *checker) puts(t *thread) bool { return role(&c.s.Operations[t.op]) == oracle.Put }

func role(o *subject.Operation) oracle.Role { return o.Binding.Role }

// place executes an access to the place in a zone.
func (c *checker) place(t *thread, f *call, in *ir.Instr, zone string) error {
	n := slices.Index([]string{"lower", "higher"}, zone) // -1: it is not followed
	held := ""
	if n >= 0 {
		held = t.held[n]
	} else if c.choose(2) == 1 {
		held = "other"
	}
	seen := word{}
	if held != "" {
		seen = word{sort: "at", name: held}
	}
	from := in.B
	switch in.Op {
	case ir.OpAtomicLoad:
		f.regs[in.Dst] = seen
		return nil
	case ir.OpAtomicAdd:
		return c.reject(t, "a place is added to")
	case ir.OpAtomicCAS:
		expected, err := c.value(t, f, in.B)
		if err != nil {
			return err
		}
		if expected != (word{}) {
			return c.reject(t, "two addresses are compared")
		}
		if held != "" {
			f.regs[in.Dst] = word{}
			return nil
		}
		from = in.C
	}
	now, err := c.value(t, f, from)
	if err != nil {
		return err
	}
	if held != "" {
		switch {
		case in.Op == ir.OpAtomicSwap && !c.puts(t) && t.got == "":
			if err := c.takes(t, held); err != nil {
				return err
			}
			t.got = held
		case in.Op == ir.OpAtomicSwap:
			return c.reject(t, "a Put may take an item, or a Take a second one")
		case held != "other":
			return c.reject(t, "an item may be overwritten")
		}
	}
	left := ""
	if now != (word{}) {
		if left, err = c.fill(t, now); err != nil {
			return err
		}
		if k := number(left); k >= 0 {
			if k != n {
				return errElse // the item is in another place than that which is followed
			}
			if held != "" {
				return c.reject(t, "two items may be put into one place")
			}
			t.puts[k]["stored"] = true
		} else if n >= 0 && t.puts[n]["stored"] {
			return c.reject(t, "two items may be put into one place")
		}
	}
	if n >= 0 {
		t.held[n] = left
	}
	switch in.Op {
	case ir.OpAtomicSwap:
		f.regs[in.Dst] = seen
	case ir.OpAtomicCAS:
		f.regs[in.Dst] = word{n: 1}
	}
	return nil
}

// takes notes that an item is taken, and refuses if it may not be.
func (c *checker) takes(t *thread, held string) error {
	n := number(held)
	if n < 0 {
		return nil
	}
	if !t.puts[n]["stored"] || t.puts[n]["taken"] {
		return c.reject(t, "an item may be taken that is not there, or twice")
	}
	if t.before == []string{"second", "first"}[n] && !t.puts[1-n]["taken"] {
		return c.reject(t, "an item may be taken before one that was put in earlier")
	}
	t.puts[n]["taken"] = true
	return nil
}

// fill says whose item a new cell has that is put into a place; from then on others may see it.
func (c *checker) fill(t *thread, now word) (string, error) {
	if now.sort != "own" || now.m != 0 || len(t.cells[now.n]) != 1 || t.cells[now.n][0].sort != "item" {
		return "", c.reject(t, "a place is given something else than nil or a new cell with an item")
	}
	of := t.cells[now.n][0].name
	if !c.puts(t) || t.stored || of != t.of {
		return "", c.reject(t, "a place may be given another item than its Put's, or one twice")
	}
	t.stored = true
	for _, f := range t.calls {
		for r, w := range f.regs {
			if w.sort == "own" && w.n == now.n {
				f.regs[r] = word{sort: "at", name: of}
			}
		}
	}
	return of, nil
}
