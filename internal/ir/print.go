// SPDX-License-Identifier: BSD-3-Clause

package ir

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Print writes a listing of the program: globals, then functions in order.
func (p *Program) Print(w io.Writer) {
	for i, g := range p.Globals {
		note := ""
		if g.ReadOnly {
			note = " readonly"
		}
		fmt.Fprintf(w, "global %d %s %s%s\n", i, g.Name, g.Type.Name, note)
	}
	for _, f := range p.Funcs {
		p.PrintFunc(w, f)
	}
}

// PrintFunc writes a listing of one function.
//
// The form is one instruction a line, "12  r3 = add.i64 r1, 7  ; file.go:9":
// registers rN, several of them rN:count, constants by value, positions only
// where they change.
func (p *Program) PrintFunc(w io.Writer, f *Func) {
	l := lister{p: p, f: f}
	fmt.Fprintf(w, "func %s%s%s\n", f.Name, l.signature(), l.attributes())
	var last Pos
	for bi, b := range f.Blocks {
		fmt.Fprintf(w, "b%d: %s\n", bi, b.Comment)
		for pc := b.Start; pc < b.End && pc < len(f.Code); pc++ {
			line := fmt.Sprintf("%4d  %s", pc, l.instr(&f.Code[pc]))
			if pos := f.Pos[pc]; pos.Line != last.Line || pos.File != last.File {
				line = fmt.Sprintf("%-60s ; %s", line, p.Position(pos))
				last = pos
			}
			fmt.Fprintln(w, strings.TrimRight(line, " "))
		}
	}
}

// Instr prints one instruction of a function.
func (p *Program) Instr(f *Func, pc int) string {
	l := lister{p: p, f: f}
	return l.instr(&f.Code[pc])
}

type lister struct {
	p *Program
	f *Func
}

func (l lister) signature() string {
	s := "(" + typeNames(l.f.Params) + ")"
	if len(l.f.Free) > 0 {
		s += " [" + typeNames(l.f.Free) + "]"
	}
	if len(l.f.Results) > 0 {
		s += " (" + typeNames(l.f.Results) + ")"
	}
	return s
}

func typeNames(types []*Type) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.Name
	}
	return strings.Join(names, ", ")
}

func (l lister) attributes() string {
	s := ""
	if l.f.External {
		return " external"
	}
	if l.f.Wrapper {
		s += " wrapper"
	}
	if l.f.DeferReg != NoReg {
		s += fmt.Sprintf(" defers=r%d", l.f.DeferReg)
	}
	if l.f.Recover >= 0 {
		s += fmt.Sprintf(" recover=%d", l.f.Recover)
	}
	return s
}

// instr prints results, operation, operands and what else the operation needs.
func (l lister) instr(in *Instr) string {
	var defs, uses []string
	l.p.Operands(in, func(r Reg, n int, role Role) {
		s := l.operand(r, n)
		if role != Use {
			defs = append(defs, s)
		}
		if role != Def {
			uses = append(uses, s)
		}
	})
	s := ""
	if len(defs) > 0 {
		s = strings.Join(defs, ", ") + " = "
	}
	s += in.Op.String() + l.format(in)
	if detail := l.detail(in); detail != "" {
		s += " " + detail
	}
	if len(uses) > 0 {
		s += " " + strings.Join(uses, ", ")
	}
	return s
}

// format prints the number formats and the comma-ok flag.
func (l lister) format(in *Instr) string {
	s := ""
	if in.Num != Word {
		s = "." + in.Num.String()
	}
	switch in.Op {
	case OpConvert, OpShl, OpShr:
		s += "." + Num(in.N).String()
	}
	if in.Ok {
		s += ",ok"
	}
	return s
}

func (l lister) detail(in *Instr) string {
	switch in.Op {
	case OpJump:
		return "@" + strconv.Itoa(int(in.N))
	case OpIf:
		return fmt.Sprintf("@%d @%d", in.N, in.X)
	case OpCall, OpGo, OpDefer:
		return l.callee(l.p.Calls[in.X])
	case OpMakeClosure:
		return l.p.Funcs[in.N].Name
	case OpUnsupported:
		return strconv.Quote(l.p.Messages[in.X])
	case OpSelect:
		return l.selects(l.p.Selects[in.X])
	case OpField:
		return fmt.Sprintf("%s.%s +%d", in.T.Name, in.T.Fields[in.X].Name, in.N)
	case OpArrayElem, OpIndex, OpArrayPtr:
		return fmt.Sprintf("[%d]%s", in.N, in.T.Name)
	}
	if in.T != nil {
		return in.T.Name
	}
	return ""
}

func (l lister) callee(c *Call) string {
	switch c.Kind {
	case CallStatic:
		return c.Func.Name
	case CallClosure:
		return "closure"
	default:
		return "method " + strconv.Quote(c.Method)
	}
}

func (l lister) selects(s *Select) string {
	text := "nonblocking"
	if s.Blocking {
		text = "blocking"
	}
	for _, c := range s.Cases {
		if c.Send {
			text += fmt.Sprintf(" [%s <- %s]", l.operand(c.Chan, 1), l.operand(c.Val, c.Elem.Size))
		} else {
			text += fmt.Sprintf(" [%s <- receive %s]", l.operand(c.Val, c.Elem.Size), l.operand(c.Chan, 1))
		}
	}
	return text
}

func (l lister) operand(r Reg, n int) string {
	switch {
	case r == NoReg || n == 0:
		return "_"
	case r >= 0 && n == 1:
		return fmt.Sprintf("r%d", r)
	case r >= 0:
		return fmt.Sprintf("r%d:%d", r, n)
	}
	words := make([]string, n)
	for i := range words {
		words[i] = l.p.constant(int(^r) + i)
	}
	if n == 1 {
		return words[0]
	}
	return "{" + strings.Join(words, " ") + "}"
}

// constant prints a constant word by what it means.
func (p *Program) constant(i int) string {
	if i >= len(p.Consts) {
		return "?"
	}
	w := p.Consts[i]
	switch p.ConstKinds[i] {
	case String:
		return strconv.Quote(p.Strings[w])
	case Code:
		if w != 0 {
			return p.Funcs[w&^FuncTag].Name
		}
	case Pointer:
		if w != 0 {
			return "&" + p.Globals[w>>32-1].Name
		}
	case IfaceType:
		if w != 0 {
			return p.Types[w&^TypeTag].Name
		}
	case Scalar:
		return scalarText(w)
	}
	if w == 0 {
		return "nil"
	}
	return fmt.Sprintf("%#x", w)
}

// scalarText prints small numbers in decimal and what looks like the bits of
// a float as such.
func scalarText(w uint64) string {
	if i := int64(w); i > -1<<40 && i < 1<<40 {
		return strconv.FormatInt(i, 10)
	}
	if f := math.Float64frombits(w); f == math.Trunc(f*1024)/1024 {
		return fmt.Sprintf("%#x(%g)", w, f)
	}
	return fmt.Sprintf("%#x", w)
}
