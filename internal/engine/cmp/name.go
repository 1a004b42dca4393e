package cmp

import (
	"regexp"
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/internal/vm/state"
)

// Names of registers. What loops change and what is given has its name in the instructions; what
// is set once has lost it, and is named after the line that sets it. An address of a field is
// named after what it leads from. A name that is none, or that is wrong, changes how a lemma reads, and
// not what it says.

// namer names registers.
type namer struct {
	prog  *ir.Program
	lines *subject.Lines
	known map[namedAt]named
}

type namedAt struct {
	fn, pc int
	reg    ir.Reg
}

// named is a variable, and how many words behind what it holds a register points.
type named struct {
	name, path string
	off        int
}

func newNamer(s *subject.Subject) *namer {
	return &namer{prog: s.Prog, lines: s.Lines, known: map[namedAt]named{}}
}

// variable is the variable that a register of a call in progress belongs to, with its value.
func (n *namer) variable(f *state.Frame, r ir.Reg, kind ir.Kind, regs []uint64) (term, bool) {
	fn := f.Code.Func
	if name, off := fn.NameOf(r); name != nil {
		x := term{name: name.Name + name.Type.FieldPath(off), word: regs[r], kind: kind}
		if s := state.ScalarAt(name.Type, off); s != nil {
			x.class = s.Class
		}
		return x, true
	}
	at := namedAt{fn.ID, int(f.PC), r}
	x, ok := n.known[at]
	if !ok {
		x = n.origin(fn, int(f.PC), r)
		n.known[at] = x
	}
	if x.name == "" || x.off > 0 && (kind != ir.Pointer || state.Offset(regs[r]) < x.off) {
		return term{}, false
	}
	return term{name: x.name, word: regs[r] - uint64(x.off), kind: kind}, true
}

// origin follows a register back to what it was made of.
func (n *namer) origin(fn *ir.Func, pc int, r ir.Reg) named {
	if v, at := fn.NameOf(r); v != nil {
		return named{name: v.Name + v.Type.FieldPath(at)}
	}
	for i := min(pc, len(fn.Code)) - 1; i >= 0; i-- {
		in := &fn.Code[i]
		switch {
		case in.Op == ir.OpCall && r >= in.Dst && int(r-in.Dst) < len(n.prog.Calls[in.X].Result):
			return named{name: n.assigned(fn, i, int(r-in.Dst))}
		case in.Dst != r || in.Op == ir.OpCall:
		case in.Op == ir.OpField:
			x := n.origin(fn, i, in.A)
			if in.T != nil && int(in.X) < len(in.T.Fields) {
				x.path += "." + in.T.Fields[in.X].Name
			}
			return named{x.name, x.path, x.off + int(in.N)}
		case in.Op == ir.OpMove && in.N == 1:
			return n.origin(fn, i, in.A)
		case in.Op == ir.OpLoad || in.Op == ir.OpAtomicLoad || in.Op == ir.OpNew:
			name := n.assigned(fn, i, 0)
			if name == "" && in.Op == ir.OpNew && in.T != nil {
				name = "new(" + in.T.Name + ")"
			}
			if x := n.origin(fn, i, in.A); name == "" && in.Op != ir.OpNew && x.name != "" {
				name = "old(" + x.name + strings.TrimSuffix(x.path, ".v") + ")"
			}
			return named{name: name}
		default:
			return named{}
		}
	}
	return named{}
}

// assignment is the beginning of a statement that sets variables.
var assignment = regexp.MustCompile(`^(?:for |if )?(\w+(?:, \w+)*) :?= `)

// assigned is the variable that the line of an instruction sets to its result k.
func (n *namer) assigned(fn *ir.Func, pc, k int) string {
	pos := fn.Pos[pc]
	if int(pos.File) >= len(n.prog.Files) || n.lines == nil {
		return ""
	}
	m := assignment.FindStringSubmatch(n.lines.Line(n.prog.Files[pos.File], int(pos.Line)))
	if m == nil {
		return ""
	}
	if list := strings.Split(m[1], ", "); k < len(list) && list[k] != "_" {
		return list[k]
	}
	return ""
}
