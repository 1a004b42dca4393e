// SPDX-License-Identifier: BSD-3-Clause

// Package assembler makes programs of the instruction set (package ir) from a text, for tests that want every
// instruction to be seen.
//
//	type cell { item int; next *cell }
//	type Stack { top *cell }
//
//	func New() *Stack
//	    s = new Stack
//	    return s
//
//	func Push(s *Stack, item int)
//	    c = new cell
//	    i = field c item
//	    store i item
//	    top = field s top
//	    next = field c next
//	again:
//	    old = atomicload top
//	    store next old
//	    done = atomiccas top old c
//	    if done end again
//	end:
//	    return
//
// Each line is one instruction, `result = operation operands`; registers have the names that they are given and the type
// that the operation gives them. Numbers, true, false and nil are constants. A line of the text is the position of its
// instruction: the store into i stands at "text:11" above. Functions of which only the signature is given, as in
// `func (*sync.Mutex).Lock(m *sync.Mutex)`, are those of the machine.
//
// Parse takes a text and gives a program that package ir has checked; what is wrong with the text is a panic with the
// line, for the text is part of a test. The package knows a small part of the instructions, and executes nothing.
package assembler

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pangolin/internal/ir"
)

// Program is a program with its functions and types by name.
type Program struct {
	*ir.Program
	types  map[string]*ir.Type
	labels map[string]int // by function and label
}

// Func is the function of a name; a panic if there is none.
func (p *Program) Func(name string) *ir.Func {
	for _, f := range p.Funcs {
		if f.Name == name {
			return f
		}
	}
	panic("assembler: no function " + name)
}

// Type is the type of a name: "cell", "*cell", "int".
func (p *Program) Type(name string) *ir.Type { return p.typ(name) }

// Field is the offset in words of a field of a struct: Field("cell", "next") is 1 above.
func (p *Program) Field(typ, field string) int {
	for _, f := range p.Type(typ).Fields {
		if f.Name == field {
			return f.Offset
		}
	}
	panic(fmt.Sprintf("assembler: %s has no field %s", typ, field))
}

// Label is the instruction of a function behind a label: Label("Push", "again") is the atomicload above.
func (p *Program) Label(function, label string) int {
	pc, ok := p.labels[function+" "+label]
	if !ok {
		panic(fmt.Sprintf("assembler: %s has no label %s", function, label))
	}
	return pc
}

// Parse makes the program of a text.
func Parse(text string) *Program {
	p := &Program{&ir.Program{Types: []*ir.Type{nil}, Strings: []string{""}, Files: []string{"text"}}, map[string]*ir.Type{}, map[string]int{}}
	for _, name := range slices.Sorted(maps.Keys(basic)) {
		p.add(&ir.Type{Name: name, Class: basic[name], Size: 1, Named: true})
	}
	message := p.add(&ir.Type{Name: "runtime.Error", Class: ir.StringClass, Size: 1, Named: true})
	p.Errors = ir.Errors{Runtime: message, Bounds: message, Plain: message, Assertion: message, Nil: message}
	mutex := p.add(&ir.Type{Name: "sync.Mutex", Class: ir.Struct, PkgPath: "sync", Named: true, Size: 1})
	mutex.Fields = []ir.Field{{Name: "state", Type: p.typ("int")}}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i], _, _ = strings.Cut(lines[i], "//")
		lines[i] = strings.TrimSpace(lines[i])
		if name, ok := strings.CutPrefix(lines[i], "type "); ok { // types may mention later ones
			name, _, _ = strings.Cut(name, " ")
			p.add(&ir.Type{Name: name, Class: ir.Struct, Named: true})
		}
	}
	p.declare(lines)
	for _, f := range p.Funcs {
		p.body(f, lines)
	}
	if err := p.Check(); err != nil {
		panic("assembler: " + err.Error())
	}
	return p
}

// basic are the types of one word.
var basic = map[string]ir.Class{"bool": ir.Bool, "int": ir.Int, "int8": ir.Int8, "uint8": ir.Uint8, "uint32": ir.Uint32, "uint64": ir.Uint64, "float64": ir.Float64, "func()": ir.FuncClass}

func (p *Program) add(t *ir.Type) *ir.Type {
	t.ID = len(p.Types)
	p.Types = append(p.Types, t)
	p.types[t.Name] = t
	return t
}

// typ is a type by its name, which is made if it is one of pointers, slices or arrays.
func (p *Program) typ(name string) *ir.Type {
	if t := p.types[name]; t != nil {
		return t
	}
	switch {
	case strings.HasPrefix(name, "*"):
		return p.add(&ir.Type{Name: name, Class: ir.PointerClass, Elem: p.typ(name[1:]), Size: 1})
	case strings.HasPrefix(name, "[]"):
		return p.add(&ir.Type{Name: name, Class: ir.Slice, Elem: p.typ(name[2:]), Size: ir.SliceWords})
	case strings.HasPrefix(name, "["):
		n, elem, _ := strings.Cut(name[1:], "]")
		t := &ir.Type{Name: name, Class: ir.Array, Elem: p.typ(elem), Len: number(n)}
		t.Size = t.Len * t.Elem.Size
		return p.add(t)
	}
	panic("assembler: no type " + name)
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic("assembler: " + err.Error())
	}
	return n
}

// declare reads the fields of types, and the signatures of functions.
func (p *Program) declare(lines []string) {
	for n, line := range lines {
		head, rest, _ := strings.Cut(line, " ")
		switch head {
		case "type":
			name, fields, _ := strings.Cut(rest, " ")
			t := p.types[name]
			for f := range strings.SplitSeq(strings.Trim(fields, "{ }"), ";") {
				if name, typ, ok := strings.Cut(strings.TrimSpace(f), " "); ok {
					t.Fields = append(t.Fields, ir.Field{Name: name, Type: p.typ(typ), Offset: t.Size})
					t.Size += p.typ(typ).Size
				}
			}
		case "func":
			open := strings.Index(rest, "(")
			if open == 0 { // func (*T).Name(...)
				open = 1 + strings.Index(rest[1:], "(")
			}
			end := open + strings.Index(rest[open:], ")")
			f := &ir.Func{ID: len(p.Funcs), Name: rest[:open], Short: rest[:open], DeferReg: ir.NoReg, Recover: -1, External: true, Declared: ir.Pos{Line: int32(n + 1)}}
			for _, param := range words(rest[open+1 : end]) {
				name, typ, _ := strings.Cut(param, " ")
				f.Params = append(f.Params, p.typ(typ))
				f.Names = append(f.Names, ir.Name{Name: name, Reg: ir.Reg(f.NumRegs), Type: p.typ(typ)})
				f.NumRegs += p.typ(typ).Size
			}
			for _, typ := range words(strings.Trim(rest[end+1:], " ()")) {
				f.Results = append(f.Results, p.typ(typ))
			}
			p.Funcs = append(p.Funcs, f)
		}
	}
}

// words are what is between commas.
func words(list string) (out []string) {
	for w := range strings.SplitSeq(list, ",") {
		if w = strings.TrimSpace(w); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// writer makes the code of one function.
type writer struct {
	*Program
	f     *ir.Func
	line  int
	jumps []jump
}

// jump is a target that is set when all labels are known.
type jump struct {
	pc    int
	other bool // the one that is taken if the condition is false
	label string
}

// body reads the instructions of a function: the lines behind its signature.
func (p *Program) body(f *ir.Func, lines []string) {
	w := &writer{Program: p, f: f}
	for i := int(f.Declared.Line); i < len(lines); i++ {
		line := lines[i]
		if strings.HasPrefix(line, "func ") || strings.HasPrefix(line, "type ") {
			break
		}
		w.line = i + 1
		if label, ok := strings.CutSuffix(line, ":"); ok {
			if n := len(f.Code); n > 0 && !ends(f.Code[n-1].Op) {
				w.instruction("jump " + label)
			}
			w.labels[f.Name+" "+label] = len(f.Code)
		} else if line != "" {
			w.instruction(line)
		}
	}
	f.External = len(f.Code) == 0
	for _, n := range f.Names {
		f.Kinds = append(f.Kinds, n.Type.Layout()...)
	}
	if f.DeferReg != ir.NoReg {
		f.DeferReg = ir.Reg(f.NumRegs)
		f.NumRegs++
		f.Kinds = append(f.Kinds, ir.Pointer)
	}
	for _, j := range w.jumps {
		pc, ok := w.labels[f.Name+" "+j.label]
		switch {
		case !ok:
			panic(fmt.Sprintf("assembler: no label %s in %s", j.label, f.Name))
		case j.other:
			f.Code[j.pc].X = int32(pc)
		default:
			f.Code[j.pc].N = int32(pc)
		}
	}
	w.blocks()
}

// blocks cuts the code behind jumps and in front of their targets.
func (w *writer) blocks() {
	cut := map[int]bool{}
	for pc, in := range w.f.Code {
		switch in.Op {
		case ir.OpJump:
			cut[int(in.N)], cut[pc+1] = true, true
		case ir.OpIf:
			cut[int(in.N)], cut[int(in.X)], cut[pc+1] = true, true, true
		case ir.OpReturn, ir.OpPanic:
			cut[pc+1] = true
		}
	}
	start := 0
	for pc := 1; pc <= len(w.f.Code); pc++ {
		if cut[pc] || pc == len(w.f.Code) {
			w.f.Blocks = append(w.f.Blocks, ir.Block{Start: start, End: pc})
			start = pc
		}
	}
}

// ends says whether an operation ends a block.
func ends(op ir.Op) bool {
	return op == ir.OpJump || op == ir.OpIf || op == ir.OpReturn || op == ir.OpPanic
}

func (w *writer) fail(format string, args ...any) {
	panic(fmt.Sprintf("assembler: line %d: ", w.line) + fmt.Sprintf(format, args...))
}

// emit adds an instruction.
func (w *writer) emit(in ir.Instr) {
	w.f.Code = append(w.f.Code, in)
	w.f.Pos = append(w.f.Pos, ir.Pos{Line: int32(w.line)})
}

// register is the register of a name, which is new if it is not known.
func (w *writer) register(name string, t *ir.Type) ir.Reg {
	for _, n := range w.f.Names {
		if n.Name == name {
			if n.Type != t {
				w.fail("%s is a %s and a %s", name, n.Type.Name, t.Name)
			}
			return n.Reg
		}
	}
	r := ir.Reg(w.f.NumRegs)
	w.f.Names = append(w.f.Names, ir.Name{Name: name, Reg: r, Type: t})
	w.f.NumRegs += t.Size
	return r
}

// operand is a register or a constant with its type; that of a constant is what it is wanted for.
func (w *writer) operand(text string, want *ir.Type) (ir.Reg, *ir.Type) {
	for _, n := range w.f.Names {
		if n.Name == text {
			return n.Reg, n.Type
		}
	}
	kind, word := ir.Scalar, uint64(0)
	switch text {
	case "nil":
		kind = ir.Pointer
		if want != nil && want.Class == ir.FuncClass {
			kind = ir.Code
		}
	case "true":
		word, want = 1, w.typ("bool")
	case "false":
		want = w.typ("bool")
	default:
		x, err := strconv.ParseInt(text, 0, 64)
		if err != nil {
			w.fail("no register and no number: %s", text)
		}
		if word = uint64(x); want == nil {
			want = w.typ("int")
		}
	}
	for i := range w.Consts {
		if w.Consts[i] == word && w.ConstKinds[i] == kind {
			return ir.Const(i), want
		}
	}
	w.Consts, w.ConstKinds = append(w.Consts, word), append(w.ConstKinds, kind)
	return ir.Const(len(w.Consts) - 1), want
}

// list adds a list of values.
func (w *writer) list(names []string, types []*ir.Type) int32 {
	w.Lists = append(w.Lists, w.args(names, types))
	return int32(len(w.Lists) - 1)
}

func (w *writer) args(names []string, types []*ir.Type) (out []ir.Arg) {
	for i, name := range names {
		var want *ir.Type
		if i < len(types) {
			want = types[i]
		}
		r, t := w.operand(name, want)
		out = append(out, ir.Arg{Reg: r, Type: t})
	}
	return out
}

// instruction reads one line.
func (w *writer) instruction(line string) {
	result, text, assigns := strings.Cut(line, " = ")
	if !assigns {
		result, text = "", line
	}
	f := strings.Fields(text)
	if w.control(f) || w.calls(result, f) {
		return
	}
	in, t := w.plain(f)
	if result != "" {
		in.Dst = w.register(result, t)
	}
	w.emit(in)
}

// control reads jumps, branches and ends.
func (w *writer) control(f []string) bool {
	switch f[0] {
	case "jump":
		w.jumps = append(w.jumps, jump{len(w.f.Code), false, f[1]})
		w.emit(ir.Instr{Op: ir.OpJump})
	case "if": // if condition then else
		a, _ := w.operand(f[1], nil)
		w.jumps = append(w.jumps, jump{len(w.f.Code), false, f[2]}, jump{len(w.f.Code), true, f[3]})
		w.emit(ir.Instr{Op: ir.OpIf, A: a})
	case "return":
		w.emit(ir.Instr{Op: ir.OpReturn, X: w.list(f[1:], w.f.Results)})
	case "panic": // with a nil interface
		w.Consts, w.ConstKinds = append(w.Consts, 0, 0), append(w.ConstKinds, ir.IfaceType, ir.IfaceData)
		w.emit(ir.Instr{Op: ir.OpPanic, A: ir.Const(len(w.Consts) - 2)})
	case "rundefers":
		w.emit(ir.Instr{Op: ir.OpRunDefers})
	default:
		return false
	}
	return true
}

// calls reads calls of functions (call f args) and of function values (invoke x args), and what makes these.
func (w *writer) calls(result string, f []string) bool {
	switch f[0] {
	case "call", "defer":
		fn := w.Func(f[1])
		c := &ir.Call{Kind: ir.CallStatic, Func: fn, Args: w.args(f[2:], fn.Params), Result: fn.Results, ID: len(w.Calls)}
		w.Calls = append(w.Calls, c)
		in := ir.Instr{Op: ir.OpCall, X: int32(c.ID), Dst: ir.NoReg}
		switch {
		case f[0] == "defer":
			in.Op, in.A, c.Record = ir.OpDefer, ir.NoReg, w.record(c)
			w.f.DeferReg = 0 // which it is is known behind the last instruction
		case result != "":
			in.Dst = w.results(result, fn.Results)
		}
		w.emit(in)
	case "invoke":
		x, _ := w.operand(f[1], nil)
		c := &ir.Call{Kind: ir.CallClosure, Fn: x, Args: w.args(f[2:], nil), ID: len(w.Calls)}
		w.Calls = append(w.Calls, c)
		w.emit(ir.Instr{Op: ir.OpCall, X: int32(c.ID), Dst: ir.NoReg})
	case "closure": // of a function whose last parameters are the free variables
		fn := w.Func(f[1])
		bound := len(f) - 2
		if len(fn.Free) == 0 {
			fn.Free, fn.Params = fn.Params[len(fn.Params)-bound:], fn.Params[:len(fn.Params)-bound]
		}
		list := w.list(f[2:], fn.Free)
		record := &ir.Type{Name: fmt.Sprintf("closure %s %d", fn.Name, len(w.Types)), Class: ir.Record, Size: 1, Fields: []ir.Field{{Name: "func", Type: w.typ("func()")}}}
		for _, a := range w.Lists[list] {
			record.Fields = append(record.Fields, ir.Field{Name: "free", Type: a.Type, Offset: record.Size})
			record.Size += a.Type.Size
		}
		w.emit(ir.Instr{Op: ir.OpMakeClosure, Dst: w.register(result, w.typ("func()")), N: int32(fn.ID), X: list, T: w.add(record)})
	default:
		return false
	}
	return true
}

// record is the layout of a deferred call: the next one, the number of the call, arguments.
func (w *writer) record(c *ir.Call) *ir.Type {
	t := &ir.Type{Name: fmt.Sprintf("deferred call %d", c.ID), Class: ir.Record, Size: 2}
	t.Fields = []ir.Field{{Name: "next", Type: nil}, {Name: "call", Type: w.typ("int"), Offset: 1}}
	for _, a := range c.Args {
		t.Fields = append(t.Fields, ir.Field{Name: "argument", Type: a.Type, Offset: t.Size})
		t.Size += a.Type.Size
	}
	w.add(t)
	t.Fields[0].Type = w.typ("*" + t.Name)
	return t
}

// results gives the results of a call consecutive registers: "x, ok".
func (w *writer) results(names string, types []*ir.Type) ir.Reg {
	first := ir.NoReg
	for i, name := range words(names) {
		if r := w.register(name, types[i]); i == 0 {
			first = r
		}
	}
	return first
}

// ops are the operations by name.
var ops = func() map[string]ir.Op {
	m := map[string]ir.Op{}
	for op := ir.OpNop; op.String() != "invalid"; op++ {
		m[op.String()] = op
	}
	return m
}()

// plain reads an instruction that computes something or accesses memory, and gives the type of its result.
func (w *writer) plain(f []string) (ir.Instr, *ir.Type) {
	op, ok := ops[f[0]]
	if !ok {
		w.fail("no instruction %s", f[0])
	}
	in := ir.Instr{Op: op}
	switch op {
	case ir.OpNew:
		in.T = w.typ(f[1])
		return in, w.typ("*" + f[1])
	case ir.OpConvert:
		to := w.typ(f[1])
		a, from := w.operand(f[2], nil)
		in.A, in.Num, in.N = a, ir.NumOf(from), int32(ir.NumOf(to))
		return in, to
	case ir.OpMakeSlice: // makeslice T length capacity
		in.T = w.typ(f[1])
		in.A, _ = w.operand(f[2], nil)
		in.B, _ = w.operand(f[3], nil)
		return in, w.typ("[]" + f[1])
	case ir.OpField:
		a, t := w.operand(f[1], nil)
		i := slices.IndexFunc(t.Elem.Fields, func(x ir.Field) bool { return x.Name == f[2] })
		if i < 0 {
			w.fail("%s has no field %s", t.Elem.Name, f[2])
		}
		x := &t.Elem.Fields[i]
		in.A, in.N, in.X, in.T = a, int32(x.Offset), int32(i), t.Elem
		return in, w.typ("*" + x.Type.Name)
	}
	var t *ir.Type
	for i, text := range f[1:] {
		var r ir.Reg
		want := t
		if i > 0 && want != nil && want.Class == ir.PointerClass {
			want = want.Elem
		}
		switch r, want = w.operand(text, want); i {
		case 0:
			in.A, t = r, want
		case 1:
			in.B = r
			if t == nil { // nil == x
				t = want
			}
		case 2:
			in.C = r
		}
	}
	return w.typed(in, t)
}

// typed gives an instruction whose first operand is a t its format, and the type of its result.
func (w *writer) typed(in ir.Instr, t *ir.Type) (ir.Instr, *ir.Type) {
	switch in.Op {
	case ir.OpMove:
		in.N = int32(t.Size)
		return in, t
	case ir.OpEq, ir.OpNe, ir.OpLt, ir.OpLe:
		in.Num = ir.NumOf(t)
		return in, w.typ("bool")
	case ir.OpEqual:
		in.T = t
		return in, w.typ("bool")
	case ir.OpNot:
		return in, w.typ("bool")
	case ir.OpLoad, ir.OpStore:
		in.T = t.Elem
		return in, t.Elem
	case ir.OpAtomicLoad, ir.OpAtomicStore, ir.OpAtomicSwap, ir.OpAtomicAnd, ir.OpAtomicOr, ir.OpAtomicAdd:
		in.Num = ir.NumOf(t.Elem)
		return in, t.Elem
	case ir.OpAtomicCAS:
		return in, w.typ("bool")
	case ir.OpElem:
		in.T = t.Elem
		return in, w.typ("*" + t.Elem.Name)
	case ir.OpArrayElem:
		in.T, in.N = t.Elem.Elem, int32(t.Elem.Len)
		return in, w.typ("*" + t.Elem.Elem.Name)
	case ir.OpCap:
		in.T = t.Elem
		return in, w.typ("int")
	}
	in.Num = ir.NumOf(t)
	return in, t
}
