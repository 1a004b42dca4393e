// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/internal/ir"
)

// Clients call the operations of one object, which its constructor has made before. Two of a type meet in the package's variables:
//
//	var scratch [8]byte
//
//	func (e *Encoder) Encode(v byte) string {
//		e.mu.Lock() // its own
//		defer e.mu.Unlock()
//		scratch[0] = v
//		...
//
// So the code that the constructor and the operations reach is looked through for plain writes to package variables, and to what these lead to. A write is
// none of interest where a lock is held that a package variable leads to as well, or within sync.Once. What leads to a package variable and is put into an object is of interest, too: other
// objects may have it as well. It is a search for what a verdict has to say, and not complete.

// narrowed lists what a verdict assumes because of what the code does: with variables of the package, and with arguments of any type.
func narrowed(prog *ir.Program, c *collection.Collection) (out []string) {
	l := &looker{prog: prog, prefix: c.Package + ".", seen: map[string]bool{}, returns: map[string]int{}, locks: map[string]bool{}, written: map[string]bool{}}
	if !l.needed(c) {
		return nil
	}
	for _, f := range prog.Roots {
		l.function(f, false, nil)
	}
	for i := range c.Operations {
		o := &c.Operations[i]
		for _, p := range o.Call.Params {
			if l.asks && isAny(p) {
				text := fmt.Sprintf("what %s is given as %s is an int, though the code asks for its type", o.Name, types.TypeString(p.Type, func(*types.Package) string { return "" }))
				if !slices.Contains(out, text) {
					out = append(out, text)
				}
			}
		}
	}
	if names := sortedNames(l.written); len(names) > 0 {
		out = append(out, fmt.Sprintf("there is one of it, and it is made once: what several do to each other by %s is not seen", some(names)))
	}
	return out
}

// needed reports whether there is anything to be looked for.
func (l *looker) needed(c *collection.Collection) bool {
	return slices.ContainsFunc(l.prog.Globals, func(g *ir.Global) bool { return l.variable(g) != "" }) ||
		slices.ContainsFunc(c.Operations, func(o collection.Operation) bool { return slices.ContainsFunc(o.Call.Params, isAny) })
}

// variable is the name of a variable of the package; "" if it is of another one, or no programmer has declared it.
func (l *looker) variable(g *ir.Global) string {
	name, ok := strings.CutPrefix(g.Name, l.prefix)
	if !ok || strings.ContainsAny(name, "./$") || strings.HasPrefix(name, "pangolin") {
		return ""
	}
	return name
}

func sortedNames(set map[string]bool) (names []string) {
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// isAny tells a parameter that could be anything and is an int.
func isAny(c *collection.Codec) bool {
	if c == nil || c.Shape != collection.AsDynamic || c.Elem == nil || !types.Identical(c.Elem.Type, types.Typ[types.Int]) {
		return false
	}
	i, ok := c.Type.Underlying().(*types.Interface)
	return ok && i.NumMethods() == 0
}

// looker looks through functions.
type looker struct {
	prog    *ir.Program
	prefix  string          // of the names of the package's variables
	seen    map[string]bool // functions with what was known on entry
	returns map[string]int  // likewise, with the variable to which results lead
	locks   map[string]bool // answers of keepsLocked
	written map[string]bool // variables
	asks    bool            // the code asks for the type of a value of type any
}

// mostLooks bounds how many functions are looked through, each as often as something else is known on entry.
const mostLooks = 20000

// looking is one function that is looked through. Of each register it is known to which package variable what it holds leads: 1 for the first one, 0 for none.
type looking struct {
	*looker
	f     *ir.Func
	leads []int
	given []bool // registers that hold parameters, by interfaces without methods
	once  bool   // functions that it makes are called within sync.Once
	gives int    // where results lead
}

// function looks through a function: whether a package's lock is held when it is called, and where parameters and free variables lead. It says where results lead.
func (l *looker) function(f *ir.Func, locked bool, entry []int) int {
	leads := slices.ContainsFunc(entry, func(g int) bool { return g != 0 })
	if f == nil || f.External || f.Model || len(f.Blocks) == 0 || f.Standard && (!leads || ofSync(f.Name)) {
		return 0
	}
	key := fmt.Sprint(f.ID, locked, entry)
	if l.seen[key] || len(l.seen) > mostLooks {
		return l.returns[key]
	}
	l.seen[key] = true
	w := &looking{looker: l, f: f, leads: make([]int, f.NumRegs), given: make([]bool, f.NumRegs)}
	copy(w.leads, entry)
	w.parameters()
	for changed := true; changed; { // to which variable a register leads does not change once it is known
		before := slices.Clone(w.leads)
		for i := range f.Code {
			w.follow(&f.Code[i])
		}
		if changed = !slices.Equal(before, w.leads); !changed {
			w.blocks(locked) // which follows what calls give
			changed = !slices.Equal(before, w.leads)
		}
	}
	l.returns[key] = w.gives
	return w.gives
}

// ofSync tells functions of packages sync and sync/atomic.
func ofSync(name string) bool {
	name = strings.TrimLeft(name, "(*")
	return strings.HasPrefix(name, "sync.") || strings.HasPrefix(name, "sync/") || strings.HasPrefix(name, "internal/sync.")
}

func (w *looking) parameters() {
	r := 0
	for _, t := range w.f.Params {
		if t.Class == ir.Interface && len(t.IfaceMethods) == 0 && !w.f.Library() {
			w.given[r] = true
		}
		r += t.Size
	}
}

// at is the variable to which a register leads.
func (w *looking) at(r ir.Reg) int {
	if r >= 0 {
		return w.leads[r]
	}
	g := w.prog.GlobalAt(r)
	if g < 0 || w.f.Harness || w.variable(w.prog.Globals[g]) == "" {
		return 0
	}
	return g + 1
}

// lead notes to which variable n registers lead.
func (w *looking) lead(r ir.Reg, n, g int) {
	for i := range n {
		if g != 0 && r >= 0 && int(r)+i < len(w.leads) && w.leads[int(r)+i] == 0 {
			w.leads[int(r)+i] = g
		}
	}
}

// follow finds where the results of an instruction lead.
func (w *looking) follow(in *ir.Instr) {
	switch in.Op {
	case ir.OpMove:
		for i := range int(in.N) {
			w.lead(in.Dst.Word(i), 1, w.at(in.A.Word(i)))
		}
		if in.N > 0 && in.A >= 0 && in.Dst >= 0 && w.given[in.A] {
			w.given[in.Dst] = true
		}
	case ir.OpField, ir.OpElem, ir.OpArrayElem, ir.OpArrayPtr, ir.OpCast, ir.OpAtomicLoad:
		w.lead(in.Dst, 1, w.at(in.A))
	case ir.OpSlice, ir.OpSliceArr, ir.OpAppend, ir.OpMapRange:
		w.lead(in.Dst, 1, w.at(in.A))
	case ir.OpLoad:
		w.lead(in.Dst, in.T.Size, w.at(in.A))
	case ir.OpMapGet:
		w.lead(in.Dst, in.T.Elem.Size, w.at(in.A))
	case ir.OpMapNext:
		w.lead(in.Dst.Word(1), in.T.Key.Size+in.T.Elem.Size, w.at(in.A))
	case ir.OpMakeIface:
		w.lead(in.Dst.Word(1), 1, w.at(in.A))
	case ir.OpAssert:
		w.lead(in.Dst, in.T.Size, w.at(in.A.Word(1)))
	}
}

// blocks follows which locks of the package are held, and looks at what is done meanwhile. Where two ways meet a lock is held if it is on both.
func (w *looking) blocks(locked bool) {
	for i := range w.f.Code {
		in := &w.f.Code[i]
		if c := w.called(in); c != nil && strings.HasSuffix(c.Short, "(*sync.Once).Do") && w.at(w.prog.Calls[in.X].Args[0].Reg) != 0 {
			w.once = true
		}
	}
	starts := map[int]int{}
	for i, b := range w.f.Blocks {
		starts[b.Start] = i
	}
	held := make([]int, len(w.f.Blocks)) // 0: not met, 1: no lock is held, 2: one is
	enter := func(pc int, is bool) bool {
		b, ok := starts[pc]
		now := 1
		if is {
			now = 2
		}
		if !ok || held[b] != 0 && held[b] <= now {
			return false
		}
		held[b] = now
		return true
	}
	enter(w.f.Blocks[0].Start, locked)
	if w.f.Recover >= 0 {
		enter(w.f.Recover, false)
	}
	for changed := true; changed; {
		changed = false
		for i, b := range w.f.Blocks {
			if held[i] == 0 {
				continue
			}
			is, ends := held[i] == 2, false
			for pc := b.Start; pc < b.End; pc++ {
				in := &w.f.Code[pc]
				is = w.step(in, is, locked)
				switch in.Op {
				case ir.OpJump:
					changed, ends = enter(int(in.N), is) || changed, true
				case ir.OpIf:
					changed, ends = enter(int(in.N), is) || changed, true
					changed = enter(int(in.X), is) || changed
				case ir.OpReturn, ir.OpPanic:
					ends = true
				}
			}
			if !ends {
				changed = enter(b.End, is) || changed
			}
		}
	}
	for i, b := range w.f.Blocks {
		is := held[i] == 2
		for pc := b.Start; held[i] != 0 && pc < b.End; pc++ {
			w.look(&w.f.Code[pc], is)
			is = w.step(&w.f.Code[pc], is, locked)
		}
	}
}

// called is the function that an instruction calls; nil if it is none, or not known.
func (w *looking) called(in *ir.Instr) *ir.Func {
	switch in.Op {
	case ir.OpCall, ir.OpDefer, ir.OpGo:
		if c := w.prog.Calls[in.X]; c.Kind == ir.CallStatic {
			return c.Func
		}
	}
	return nil
}

// step says whether a lock of the package is held behind an instruction. outside: one was held when the function was called.
func (w *looking) step(in *ir.Instr, is, outside bool) bool {
	c := w.called(in)
	if in.Op != ir.OpCall || c == nil {
		return is
	}
	args := w.prog.Calls[in.X].Args
	if !ofSync(c.Name) || len(args) == 0 || w.at(args[0].Reg) == 0 {
		return is || w.keepsLocked(c, w.leadTo(args))
	}
	switch c.Name[strings.LastIndex(c.Name, ".")+1:] {
	case "Lock", "TryLock":
		return true
	case "Unlock":
		return outside
	}
	return is
}

// leadTo is where the words of arguments lead.
func (w *looking) leadTo(args []ir.Arg) (list []int) {
	for _, a := range args {
		for i := range a.Type.Size {
			list = append(list, w.at(a.Reg.Word(i)))
		}
	}
	return list
}

// keepsLocked tells functions that lock and do not unlock, given where their parameters lead.
func (w *looking) keepsLocked(f *ir.Func, entry []int) (locks bool) {
	key := fmt.Sprint(f.ID, entry)
	if known, ok := w.locks[key]; ok {
		return known
	}
	defer func() { w.locks[key] = locks }()
	other := &looking{looker: w.looker, f: f, leads: make([]int, f.NumRegs), given: make([]bool, f.NumRegs)}
	copy(other.leads, entry)
	for i := range f.Code {
		in := &f.Code[i]
		other.follow(in)
		c := w.called(in)
		if c == nil || !ofSync(c.Name) {
			continue
		}
		if strings.HasSuffix(c.Name, "Unlock") {
			return false
		}
		locks = locks || strings.HasSuffix(c.Name, ").Lock") && len(w.prog.Calls[in.X].Args) > 0 && other.at(w.prog.Calls[in.X].Args[0].Reg) != 0
	}
	return locks
}

// look looks at an instruction.
func (w *looking) look(in *ir.Instr, locked bool) {
	wrote := 0
	switch in.Op {
	case ir.OpStore, ir.OpMapSet, ir.OpMapDel, ir.OpMapClear, ir.OpCopy, ir.OpClear, ir.OpAppend:
		if wrote = w.at(in.A); wrote == 0 && in.Op == ir.OpStore {
			wrote = w.keeps(in)
		}
	case ir.OpAssert:
		w.assertion(in)
	case ir.OpReturn:
		for _, a := range w.prog.Lists[in.X] {
			for i := range a.Type.Size {
				w.gives = max(w.gives, w.at(a.Reg.Word(i)))
			}
		}
	case ir.OpMakeClosure:
		f := w.prog.Funcs[in.N]
		entry := make([]int, f.ParamWords()+f.FreeWords())
		at := f.ParamWords()
		for _, a := range w.prog.Lists[in.X] {
			for i := range a.Type.Size {
				if at < len(entry) {
					entry[at] = w.at(a.Reg.Word(i))
				}
				at++
			}
		}
		w.function(f, locked || w.once, entry)
	case ir.OpCall, ir.OpDefer, ir.OpGo:
		w.call(in, locked && in.Op != ir.OpGo)
	}
	if wrote != 0 && !locked {
		w.written[w.variable(w.prog.Globals[wrote-1])] = true
	}
}

// keeps is the variable to whose memory an instruction stores a pointer, a slice or a map, in what is none of the package's: several objects may then have it.
func (w *looking) keeps(in *ir.Instr) int {
	switch in.T.Class {
	case ir.PointerClass, ir.Slice, ir.Map:
		return w.at(in.B)
	}
	return 0
}

// call looks through what an instruction may call, and functions that it is given.
func (w *looking) call(in *ir.Instr, locked bool) {
	c := w.prog.Calls[in.X]
	args := w.leadTo(c.Args)
	for _, a := range c.Args {
		for i := range a.Type.Size {
			r := a.Reg.Word(i)
			if r < 0 && r != ir.NoReg && w.prog.ConstKinds[^r] == ir.Code && w.prog.Consts[^r] != 0 {
				w.function(w.prog.Funcs[w.prog.Consts[^r]&^ir.FuncTag], locked || w.once, nil)
			}
		}
	}
	gives := 0
	switch c.Kind {
	case ir.CallStatic:
		gives = w.function(c.Func, locked, args)
	case ir.CallMethod:
		for _, t := range w.prog.Types {
			if t != nil && t.Methods[c.Method] != nil {
				gives = max(gives, w.function(t.Methods[c.Method], locked, append([]int{w.at(c.Fn.Word(1))}, args...)))
			}
		}
	}
	if in.Op == ir.OpCall {
		n := 0
		for _, t := range c.Result {
			n += t.Size
		}
		w.lead(in.Dst, n, gives)
	}
}

// assertion notes that the code asks for the type of what may be anything: of a parameter, or whether what it keeps is of a type that is not declared.
func (w *looking) assertion(in *ir.Instr) {
	source := w.prog.Types[in.N]
	if !in.Ok || source == nil || source.Class != ir.Interface || len(source.IfaceMethods) > 0 || w.f.Library() || w.f.Harness {
		return
	}
	w.asks = w.asks || in.A >= 0 && w.given[in.A] || in.T.Class <= ir.StringClass
}
