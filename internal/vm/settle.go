// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// Package initialisation that cannot be executed. Where an initialiser reaches something that is not supported, it is left out, and all that it
// might have changed is unknown: the package variables that it assigns, and those that lead to memory that it, or what it calls, may write.
// Every instruction that mentions an unknown variable becomes unsupported, in the initialisers behind it as well; so nothing is ever computed
// from one, and what never mentions one is as it would be. doc/soundness.md has the argument.

// Unknown is a statement of package initialisation that is not executed.
type Unknown struct {
	Variables []string // that it would have changed, or that lead to what it would have, in the program's order
	Fault     *state.Fault
	// Methods are those that the statement may call by reflection and nobody else calls, so that what they change is not known: "Scan of *config.Level". It is taken that they change no variable.
	Methods []string
}

// clockName is the variable of the clock.
const clockName = preludePath + "clock"

// settleQuota bounds the instructions of package initialisation, where what takes more is left out.
const settleQuota = 50_000_000

// mostUnknown bounds the statements that are left out: initialisation begins again behind each.
const mostUnknown = 100

// Settle leaves out the statements of package initialisation that are not supported, and makes what reads the variables that are unknown for that
// unsupported. It changes the program, which nobody else may use meanwhile.
func Settle(prog *ir.Program) ([]Unknown, error) {
	if prog.Init == nil {
		return nil, nil
	}
	s, err := newSettler(prog)
	if err != nil {
		return nil, err
	}
	return s.settle(), nil
}

func newSettler(prog *ir.Program) (*settler, error) {
	bare := *prog
	bare.Init = nil
	img, err := NewImage(&bare)
	if err != nil {
		return nil, err
	}
	s := &settler{prog: prog, img: img, initialisers: map[*ir.Func]int{prog.Init: 0}, code: map[*ir.Func][]ir.Instr{}, unknown: map[int]place{}, goes: -1}
	for i := range prog.Init.Code {
		if in := &prog.Init.Code[i]; in.Op == ir.OpCall {
			s.initialisers[prog.Calls[in.X].Func] = i
		}
	}
	return s, nil
}

func (s *settler) settle() []Unknown {
	for again := true; again && len(s.left) <= mostUnknown; {
		again = s.pass()
	}
	if len(s.left) == 0 || len(s.left) > mostUnknown || s.failed {
		return nil
	}
	return s.apply()
}

// settler has the statements that are left out so far, and the program's functions as they are with that.
type settler struct {
	prog         *ir.Program
	img          *Image
	initialisers map[*ir.Func]int // of packages, in their order
	left         []*leftOut
	code         map[*ir.Func][]ir.Instr // of functions that differ from the program's
	unknown      map[int]place           // package variables by index: from which place of initialisation on
	more         bool                    // the running pass has found more that is unknown
	failed       bool                    // something that cannot be executed cannot be left out either
	mentioned    [][]mention             // see mentions
	initial      map[*ir.Func]bool       // functions that initialisation may have made values
	goes         int                     // the message by which statements that start goroutines are left out, or -1
}

// place is one of initialisation: an instruction of a package's initialiser.
type place struct{ initialiser, pc int }

func (p place) before(q place) bool {
	return p.initialiser < q.initialiser || p.initialiser == q.initialiser && p.pc < q.pc
}

// leftOut is a statement that is not executed: instructions from begin to end of a package's initialiser.
type leftOut struct {
	f          *ir.Func
	begin, end int
	fault      *state.Fault
	handed     map[*ir.Func]bool // what code that is not known may call besides what it says itself
	effects    *ir.Effects
	variables  map[int]bool
	// within are the objects that it gets at in the pass, those included that it finds by variables that are unknown.
	within map[uint32]bool
}

// pass executes initialisation once, without the statements that are left out. It returns true if more is unknown than before: then it has to be
// executed again, as functions that have been called may mention what is unknown only now.
func (s *settler) pass() bool {
	s.more = false
	for _, l := range s.left {
		l.within = nil
	}
	m := s.img.NewMachine(Options{NoSymmetry: true})
	m.Tracking = false
	m.Spawn()
	t := m.Thread[0]
	m.Push(t, s.img.Codes[s.prog.Init.ID], nil, state.FrameBottom)
	m.chooser, m.fuel, m.quota = &undecided{}, plenty, settleQuota
	for {
		m.exec(t)
		if len(t.Frames) < 2 {
			s.end(m)
			return s.more
		}
		fr := &t.Frames[1]
		if l := s.at(fr.Code.Func, int(fr.PC)); l != nil && len(t.Frames) == 2 {
			if len(m.Thread) > 1 {
				s.noGoroutines()
				return true
			}
			s.spread(m, l)
			fr.PC, m.Failure = int32(l.end), nil
			continue
		}
		fault := m.Failure
		if fault == nil && m.quota == 0 {
			fault = &state.Fault{Message: fmt.Sprintf("it takes more than %d instructions", settleQuota)}
		}
		if fault == nil || fault.Kind != state.FaultUnsupported {
			return s.more
		}
		m.Locate(fault, t)
		return s.leave(fr.Code.Func, int(fr.PC), fault)
	}
}

// at is the statement that is left out and begins at an instruction.
func (s *settler) at(f *ir.Func, pc int) *leftOut {
	for _, l := range s.left {
		if l.f == f && l.begin == pc {
			return l
		}
	}
	return nil
}

// leave leaves out the statement that has an instruction. It fails if that cannot be told from those around it, or does not lead to its end.
func (s *settler) leave(f *ir.Func, pc int, fault *state.Fault) bool {
	begin, end := statement(s.prog, f, pc)
	s.failed = begin < 0 || s.at(f, begin) != nil || slices.ContainsFunc(f.Code[begin:end], func(in ir.Instr) bool {
		return in.Op == ir.OpReturn || in.Op == ir.OpPanic
	})
	if s.failed {
		return false
	}
	for pc := begin; pc < end && s.code[f] != nil; pc++ {
		s.code[f][pc] = f.Code[pc] // what is left out mentions what it wants
	}
	if s.initial == nil {
		s.initial = s.prog.InitialValues()
	}
	effects := s.prog.NewEffects(f.Code[begin:end], nil, whatIsKnown, s.initial)
	s.left = append(s.left, &leftOut{f: f, begin: begin, end: end, fault: fault, handed: map[*ir.Func]bool{}, effects: effects, variables: map[int]bool{}})
	s.change(f, begin, fault.Message)
	return true
}

// statement finds the least part of an initialiser around an instruction that hands nothing on but by memory: where it begins and ends no register
// is needed any more, and no jump leads over either place.
func statement(p *ir.Program, f *ir.Func, pc int) (begin, end int) {
	none := ir.NewLive(p, f).NoneBefore()
	crossed := make([]bool, len(f.Code)+1)
	over := func(from, to int) {
		for i := min(from, to) + 1; i < max(from, to); i++ {
			crossed[i] = true
		}
		if to <= from {
			crossed[to], crossed[from] = true, true
		}
	}
	for i := range f.Code {
		switch in := &f.Code[i]; in.Op {
		case ir.OpJump:
			over(i, int(in.N))
		case ir.OpIf:
			over(i, int(in.N))
			over(i, int(in.X))
		}
	}
	whole := func(i int) bool { return !crossed[i] && none[i] }
	begin, end = pc, pc+1
	for begin >= 0 && !whole(begin) {
		begin--
	}
	for end < len(f.Code) && !whole(end) {
		end++
	}
	if end == len(f.Code) {
		return -1, -1
	}
	return begin, end
}

// noGoroutines leaves out what starts goroutines as well: they might be anywhere, with anything, when a statement is left out.
func (s *settler) noGoroutines() {
	s.prog.Messages = append(s.prog.Messages, "it starts a goroutine, and another initialiser is not executed")
	s.img.Prog.Messages = s.prog.Messages
	s.goes = len(s.prog.Messages) - 1
	for _, f := range s.prog.Funcs {
		for pc := range f.Code {
			if code := s.codeOf(f); f.Code[pc].Op == ir.OpGo && code[pc].Op == ir.OpGo {
				s.own(f)[pc] = ir.Instr{Op: ir.OpUnsupported, X: int32(s.goes)}
			}
		}
	}
}

// boxing are the functions without code that write through pointers and slices in interfaces.
var boxing = map[string]bool{preludePath + "assignAs": true, preludePath + "sliceSwap": true}

// whatIsKnown is what is known of a function without code.
func whatIsKnown(f *ir.Func) ir.Meaning {
	switch {
	case f.Name == preludePath+"atomicBegin", f.Name == "(*os.File).Fd": // its number is not known, but to ask for it changes nothing
		return ir.Harmless
	case meaning(f.Name) == nil, slices.Contains(reflectWrites, f.Name):
		return ir.NotKnown
	case boxing[f.Name]:
		return ir.ThroughBoxes
	}
	return ir.Known
}

// spread makes unknown what a statement might change in the state in front of it.
func (s *settler) spread(m *Machine, l *leftOut) {
	s.enter(m, l)
	changed := s.changed(m, l)
	for g := range s.prog.Globals {
		if l.effects.Changed[g] || s.leads(m, g, changed) {
			s.forget(g, l)
		}
	}
}

// end looks once more at statements that start goroutines, when all is initialised: these may still be running.
func (s *settler) end(m *Machine) {
	for _, l := range s.left {
		if l.effects.Goes {
			s.spread(m, l)
		}
	}
}

// enter finds what a statement gets at, and lets code that is not known call the functions, and methods of values in interfaces, in it.
func (s *settler) enter(m *Machine, l *leftOut) {
	for {
		before := len(l.handed)
		l.within = reachable(m, s.roots(l))
		if !l.effects.Open {
			return
		}
		for id := range l.within {
			for _, f := range m.callable(&m.Objs[id]) {
				l.handed[f] = true
			}
		}
		if len(l.handed) == before {
			return
		}
		handed := slices.SortedFunc(maps.Keys(l.handed), func(f, g *ir.Func) int { return f.ID - g.ID })
		l.effects = s.prog.NewEffects(l.f.Code[l.begin:l.end], handed, whatIsKnown, s.initial)
	}
}

// roots are the variables that a statement mentions, and all that a statement before it got at, where one of these is unknown because of that one.
func (s *settler) roots(l *leftOut) (ids []uint32) {
	for g := range l.effects.Globals {
		ids = append(ids, uint32(g+1))
	}
	for _, other := range s.left {
		if other != l && shares(other.variables, l.effects.Globals) {
			ids = slices.AppendSeq(ids, maps.Keys(other.within))
		}
	}
	return ids
}

func shares(a, b map[int]bool) bool {
	for g := range a {
		if b[g] {
			return true
		}
	}
	return false
}

// callable are the functions that the words of an object are, and the methods of the values in its interfaces.
func (m *Machine) callable(o *state.Object) (out []*ir.Func) {
	prog, size := m.img.Prog, o.Info.Type.Size
	for i := range o.Words() {
		switch w := m.Mem[o.At+i]; o.Info.Layout[i%size] {
		case ir.Code:
			if w&ir.FuncTag != 0 { // what is a closure has an object of its own, with its function in it
				out = append(out, prog.Funcs[w&^ir.FuncTag])
			}
		case ir.IfaceType, ir.Unsafe:
			if w&ir.TypeTag != 0 {
				out = prog.Types[w&^ir.TypeTag].AppendMethods(out)
			}
		}
	}
	return out
}

// changed are the objects that a statement may write, by their types: those that the variables which it mentions lead to, and variables that it
// writes by their names.
func (s *settler) changed(m *Machine, l *leftOut) map[uint32]bool {
	out := map[uint32]bool{}
	for g := range l.effects.Changed {
		out[uint32(g+1)] = true
	}
	var refs []uint32
	may := func(id uint32) bool {
		o := &m.Objs[id]
		return l.effects.May(o.Info.Type, o.Flags&state.IsChan != 0)
	}
	for id := range l.within {
		if int(id) > len(s.prog.Globals) && may(id) {
			out[id] = true
		}
		refs = m.References(refs[:0], &m.Objs[id])
		for _, r := range refs {
			if may(r) { // a variable too, if there is a pointer to it
				out[r] = true
			}
		}
	}
	return out
}

// leads says whether a variable is one of some objects, or leads to one.
func (s *settler) leads(m *Machine, g int, objects map[uint32]bool) bool {
	if len(objects) == 0 {
		return false
	}
	for id := range reachable(m, []uint32{uint32(g + 1)}) {
		if objects[id] {
			return true
		}
	}
	return false
}

// reachable are the objects that some lead to, those included.
func reachable(m *Machine, work []uint32) map[uint32]bool {
	seen := map[uint32]bool{}
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[id] || m.Objs[id].Info == nil { // garbage that an earlier statement got at
			continue
		}
		seen[id] = true
		work = m.References(work, &m.Objs[id])
	}
	return seen
}

// forget makes a variable unknown for a statement: what mentions it is not supported.
func (s *settler) forget(g int, l *leftOut) {
	switch s.prog.Globals[g].Name {
	case rtypesName: // nothing reads what it holds
		return
	case clockName:
		if s.prog.Clock.StandsStill() {
			return
		}
	}
	l.variables[g] = true
	from := place{s.initialisers[l.f], l.end}
	known, ok := s.unknown[g]
	if ok && !from.before(known) {
		return
	}
	s.unknown[g], s.more = from, true
	why := fmt.Sprintf("the package variable %s is unknown, because an initialiser (%s) is not executed: %s", s.prog.Globals[g].Name, l.fault.At, l.fault.Message)
	for _, m := range s.mentions()[g] {
		at, initialises := s.initialisers[m.f]
		if initialises && (place{at, m.pc}.before(from) || s.inLeft(m.f, m.pc)) {
			continue
		}
		s.change(m.f, m.pc, why)
	}
}

// mention is an instruction with the address of a package variable.
type mention struct {
	f  *ir.Func
	pc int
}

// mentions lists the mentions of each package variable in the program's own code, by its index. It is made when it is first needed: most programs leave nothing out.
func (s *settler) mentions() [][]mention {
	if s.mentioned != nil {
		return s.mentioned
	}
	s.mentioned = make([][]mention, len(s.prog.Globals))
	var list []int
	for _, f := range s.prog.Funcs {
		for pc := range f.Code {
			list = s.prog.Mentioned(list[:0], &f.Code[pc])
			for _, g := range list {
				s.mentioned[g] = append(s.mentioned[g], mention{f, pc})
			}
		}
	}
	return s.mentioned
}

// inLeft says that an instruction belongs to a statement that is left out.
func (s *settler) inLeft(f *ir.Func, pc int) bool {
	return slices.ContainsFunc(s.left, func(l *leftOut) bool { return l.f == f && pc >= l.begin && pc < l.end })
}

// codeOf is a function's code as it is now.
func (s *settler) codeOf(f *ir.Func) []ir.Instr {
	if code := s.code[f]; code != nil {
		return code
	}
	return f.Code
}

// own is a function's code, to be changed.
func (s *settler) own(f *ir.Func) []ir.Instr {
	if s.code[f] == nil {
		s.code[f] = slices.Clone(f.Code)
		s.img.Codes[f.ID].Instrs = s.code[f]
	}
	return s.code[f]
}

// change makes an instruction unsupported.
func (s *settler) change(f *ir.Func, pc int, why string) {
	code := s.own(f)
	// Both programs have the message under the same number.
	s.prog.Messages = append(s.prog.Messages, why)
	s.img.Prog.Messages = s.prog.Messages
	code[pc] = ir.Instr{Op: ir.OpUnsupported, X: int32(len(s.prog.Messages) - 1)}
}

// apply gives the program's functions the code without what is left out, and lists that.
func (s *settler) apply() []Unknown {
	for f, code := range s.code {
		for pc := range code {
			if in := &code[pc]; in.Op == ir.OpUnsupported && int(in.X) == s.goes {
				*in = f.Code[pc] // operations may start goroutines
			}
		}
		f.Code = code
	}
	var out []Unknown
	for _, l := range s.left {
		for pc := l.begin; pc < l.end; pc++ {
			switch in := &l.f.Code[pc]; in.Op {
			case ir.OpJump:
			case ir.OpIf:
				*in = ir.Instr{Op: ir.OpJump, N: in.N}
			default:
				*in = ir.Instr{Op: ir.OpNop}
			}
		}
		u := Unknown{Fault: l.fault}
		u.Methods = slices.DeleteFunc(uncalled(s.prog), func(m string) bool { // formatting is known, but for methods Format
			return !l.effects.Open && !strings.HasPrefix(m, "Format of ")
		})
		for _, g := range slices.Sorted(maps.Keys(l.variables)) {
			u.Variables = append(u.Variables, s.prog.Globals[g].Name)
		}
		out = append(out, u)
	}
	return out
}

// uncalled lists the exported methods, but the standard library's, of types of which the program makes interface values, that nothing in it calls: they are not compiled.
func uncalled(p *ir.Program) (list []string) {
	for _, t := range p.Types {
		if t == nil || t.Standard {
			continue
		}
		for _, key := range t.Exported {
			if name, _, _ := strings.Cut(key, "("); t.Methods[key] == nil {
				list = append(list, name+" of "+t.Name)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
