// SPDX-License-Identifier: BSD-3-Clause

package lemma

import (
	"regexp"
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/internal/vm/state"
)

// Names of registers. A variable that a loop changes, and a parameter, have their names in the instructions. A
// variable that is set once has lost its name: it is named after the left side of the line that sets it, and the
// address of a field after the pointer that it is computed from. If a name is missing or wrong a lemma reads
// differently, but it says the same.

// Reader reads the states of one collection: it names registers and what they lead to. It is for one goroutine.
type Reader struct {
	prog  *ir.Program
	lines *subject.Lines
	known map[namedAt]origin
	// What is asked for again and again: names put together, and the fields of types.
	names   map[[3]string]string
	layouts map[*ir.Type][]leaf
	keys    map[*ir.Type][]keys
	calls   []Call
	items   int // that the collection holds at a time, at most
	defined map[*ir.Func]definitions
}

// leaf is a word of an object.
type leaf struct {
	// path is the path of the field as facts write it; whole ends in the ".v" of an atomic type
	path, whole  string
	wrap         string // which word of a slice it is: "" (the pointer), "len(" or "cap("
	kind         ir.Kind
	class        ir.Class
	lock, atomic bool
}

// namedAt is a register at an instruction of a function.
type namedAt struct {
	fn, pc int
	reg    ir.Reg
}

// origin is the variable that a register was computed from: the register points off words behind what the variable
// holds, to the field path.
type origin struct {
	name, path string
	off        int
}

// NewReader makes a reader for a collection. calls are those that threads may make; items is how many items it holds
// at a time, at most.
func NewReader(s *subject.Subject, calls []Call, items int) *Reader {
	return &Reader{calls: calls, items: items, prog: s.Prog, lines: s.Lines, known: map[namedAt]origin{},
		names: map[[3]string]string{}, layouts: map[*ir.Type][]leaf{}, keys: map[*ir.Type][]keys{}, defined: map[*ir.Func]definitions{}}
}

// joined is the name a+b+c. Each name is made once and remembered.
func (n *Reader) joined(a, b, c string) string {
	key := [3]string{a, b, c}
	x, ok := n.names[key]
	if !ok {
		x = a + b + c
		n.names[key] = x
	}
	return x
}

// sliceWord is how the name of word off of a type is wrapped if it belongs to a slice: "" (the pointer), "len(" or
// "cap(".
func sliceWord(t *ir.Type, off int) string {
	if leaf, k := t.LeafAt(off); leaf != nil && leaf.Class == ir.Slice {
		return [3]string{"", "len(", "cap("}[k]
	}
	return ""
}

// wrapped is the name of a word of the variable name.
func (l *leaf) wrapped(name string) string {
	if l.wrap == "" {
		return name
	}
	return l.wrap + name + ")"
}

// within is the name of a word of the object to which a pointer leads: "pred.next", or "(*p)" if the object has no
// fields.
func (n *Reader) within(pointer string, l leaf) string {
	base, addressed := strings.CutPrefix(pointer, "&")
	if l.path == "" && !addressed {
		base = n.joined("(*", base, ")")
	}
	if l.wrap == "" {
		return n.joined(base, l.path, "")
	}
	return n.joined(l.wrap, n.joined(base, l.path, ""), ")")
}

// layout describes the words of the objects of a type, of which these are the kinds.
func (n *Reader) layout(t *ir.Type, kinds []ir.Kind) []leaf {
	list, ok := n.layouts[t]
	if ok {
		return list
	}
	for off, kind := range kinds {
		at, _ := t.LeafAt(off)
		x := leaf{whole: t.FieldPath(off), wrap: sliceWord(t, off), kind: kind, lock: at.Name == "sync.Mutex" || at.Name == "sync.RWMutex", atomic: at.PkgPath == "sync/atomic"}
		var value bool // of the types of sync/atomic
		x.path, value = strings.CutSuffix(x.whole, ".v")
		if s := state.ScalarAt(t, off); s != nil {
			x.class = s.Class
		}
		if x.wrap != "" {
			x.class = ir.Int
		}
		if at.Name == "atomic.Bool" || value && x.class == ir.Uint32 {
			x.class = ir.Bool
		}
		list = append(list, x)
	}
	n.layouts[t] = list
	return list
}

// keysOf lists the pairs of number fields of a type that may be compared one after the other. Atomic fields and truth
// values do not count, and if there are more than three other numbers the list is empty. The layout of the type must
// have been asked for.
func (n *Reader) keysOf(t *ir.Type) []keys {
	list, ok := n.keys[t]
	if ok {
		return list
	}
	var numbers []int
	for off, l := range n.layouts[t] {
		if l.kind == ir.Scalar && !l.lock && !l.atomic && l.class != ir.Bool {
			numbers = append(numbers, off)
		}
	}
	if len(numbers) <= 3 {
		for _, high := range numbers {
			for _, low := range numbers {
				if high != low {
					list = append(list, keys{t, high, low})
				}
			}
		}
	}
	n.keys[t] = list
	return list
}

// variable is a term for the variable to which register r of call f belongs; false if it has none.
func (n *Reader) variable(f *state.Frame, r ir.Reg, kind ir.Kind, regs []uint64) (term, bool) {
	fn := f.Code.Func
	if name, off := fn.NameOf(r); name != nil {
		l := leaf{wrap: sliceWord(name.Type, off)}
		x := term{name: l.wrapped(name.Name + name.Type.FieldPath(off)), word: regs[r], kind: kind}
		if s := state.ScalarAt(name.Type, off); s != nil {
			x.class = s.Class
		}
		if l.wrap != "" {
			x.class = ir.Int
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

// origin follows register r of a function back from instruction pc to the variable that it was computed from.
func (n *Reader) origin(fn *ir.Func, pc int, r ir.Reg) origin {
	if v, at := fn.NameOf(r); v != nil {
		l := leaf{wrap: sliceWord(v.Type, at)}
		return origin{name: l.wrapped(v.Name + v.Type.FieldPath(at))}
	}
	for i := min(pc, len(fn.Code)) - 1; i >= 0; i-- {
		in := &fn.Code[i]
		switch {
		case in.Op == ir.OpCall && r >= in.Dst && int(r-in.Dst) < len(n.prog.Calls[in.X].Result):
			return origin{name: n.assigned(fn, i, int(r-in.Dst))}
		case in.Op == ir.OpAppend && r >= in.Dst && r < in.Dst+3:
			l := leaf{wrap: [3]string{"", "len(", "cap("}[r-in.Dst]}
			name := n.assigned(fn, i, 0)
			if name == "" {
				name = "append"
			}
			return origin{name: l.wrapped(name)}
		case in.Dst != r || in.Op == ir.OpCall:
		case in.Op == ir.OpField:
			x := n.origin(fn, i, in.A)
			if in.T != nil && int(in.X) < len(in.T.Fields) {
				x.path += "." + in.T.Fields[in.X].Name
			}
			return origin{x.name, x.path, x.off + int(in.N)}
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
			return origin{name: name}
		default:
			return origin{}
		}
	}
	return origin{}
}

// assignment matches the beginning of a line that assigns to variables.
var assignment = regexp.MustCompile(`^(?:for |if )?(\w+(?:, \w+)*) :?= `)

// assigned is the variable to which the line of instruction pc assigns its result with index k; "" if there is none.
func (n *Reader) assigned(fn *ir.Func, pc, k int) string {
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
