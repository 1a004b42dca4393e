// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"
	"maps"
	"slices"

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
}

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
	bare := *prog
	bare.Init = nil
	img, err := NewImage(&bare)
	if err != nil {
		return nil, err
	}
	s := &settler{prog: prog, img: img, initialisers: map[*ir.Func]int{prog.Init: 0}, code: map[*ir.Func][]ir.Instr{}, unknown: map[int]place{}}
	for i := range prog.Init.Code {
		if in := &prog.Init.Code[i]; in.Op == ir.OpCall {
			s.initialisers[prog.Calls[in.X].Func] = i
		}
	}
	for again := true; again && len(s.left) <= mostUnknown; {
		again = s.pass()
	}
	if len(s.left) == 0 || len(s.left) > mostUnknown {
		return nil, nil
	}
	return s.apply(), nil
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
	all          *ir.Effects             // of the whole program
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
	effects    *ir.Effects
	variables  map[int]bool
}

// pass executes initialisation once, without the statements that are left out. It returns true if more is unknown than before: then it has to be
// executed again, as functions that have been called may mention what is unknown only now.
func (s *settler) pass() bool {
	s.more = false
	m := s.img.NewMachine(Options{NoSymmetry: true})
	m.Tracking = false
	m.Spawn()
	t := m.Thread[0]
	m.Push(t, s.img.Codes[s.prog.Init.ID], nil, state.FrameBottom)
	m.chooser, m.fuel, m.quota = &undecided{}, plenty, settleQuota
	for {
		m.exec(t)
		if len(t.Frames) < 2 {
			return s.more
		}
		fr := &t.Frames[1]
		if l := s.at(fr.Code.Func, int(fr.PC)); l != nil && len(t.Frames) == 2 {
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

// leave leaves out the statement that has an instruction, if it can be told from those around it.
func (s *settler) leave(f *ir.Func, pc int, fault *state.Fault) bool {
	begin, end := statement(s.prog, f, pc)
	if begin < 0 || s.at(f, begin) != nil {
		return false
	}
	code := slices.Clone(f.Code[begin:end])
	l := &leftOut{f: f, begin: begin, end: end, fault: fault, effects: s.prog.NewEffects(code, isKnown), variables: map[int]bool{}}
	for pc := range code {
		if op := code[pc].Op; op == ir.OpReturn || op == ir.OpPanic {
			return false
		}
	}
	for pc := begin; pc < end && s.code[f] != nil; pc++ {
		s.code[f][pc] = f.Code[pc] // what is left out mentions what it wants
	}
	s.left = append(s.left, l)
	s.change(f, begin, fault.Message)
	return true
}

// statement finds the least part of an initialiser around an instruction that hands nothing on but by memory: where it begins and ends no register
// is needed any more, and no jump leads over either place.
func statement(p *ir.Program, f *ir.Func, pc int) (begin, end int) {
	live := ir.NewLive(p, f)
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
	whole := func(i int) bool { return !crossed[i] && len(live.Before(i)) == 0 }
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

// isKnown says that a function without code has a meaning that writes no more than its arguments lead to.
func isKnown(f *ir.Func) bool { return meaning(f.Name) != nil }

// spread makes unknown what a statement might change in the state in front of it.
func (s *settler) spread(m *Machine, l *leftOut) {
	may := l.effects.May
	if l.effects.Open {
		if s.all == nil {
			s.all = s.prog.AllEffects(isKnown, func(f *ir.Func) bool { _, ok := s.initialisers[f]; return ok })
		}
		may = func(t *ir.Type, channel bool) bool { return l.effects.May(t, channel) || s.all.May(t, channel) }
	}
	changed := s.changed(m, l, may)
	for g := range s.prog.Globals {
		if l.effects.Changed[g] || s.leads(m, g, changed) {
			s.forget(g, l)
		}
	}
}

// changed are the objects that a statement may write: those that the variables lead to which it mentions, by their types.
func (s *settler) changed(m *Machine, l *leftOut, may func(*ir.Type, bool) bool) map[uint32]bool {
	out := map[uint32]bool{}
	for id := range reachable(m, slices.Collect(maps.Keys(l.effects.Globals))) {
		if o := &m.Objs[id]; int(id) > len(s.prog.Globals) && may(o.Info.Type, o.Flags&state.IsChan != 0) {
			out[id] = true
		}
	}
	return out
}

// leads says whether a variable leads to one of some objects.
func (s *settler) leads(m *Machine, g int, objects map[uint32]bool) bool {
	if len(objects) == 0 {
		return false
	}
	for id := range reachable(m, []int{g}) {
		if objects[id] {
			return true
		}
	}
	return false
}

// reachable are the objects that package variables lead to, those of the variables included.
func reachable(m *Machine, globals []int) map[uint32]bool {
	seen := map[uint32]bool{}
	var work []uint32
	for _, g := range globals {
		work = append(work, uint32(g+1))
	}
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[id] {
			continue
		}
		seen[id] = true
		work = m.References(work, &m.Objs[id])
	}
	return seen
}

// forget makes a variable unknown for a statement: what mentions it is not supported.
func (s *settler) forget(g int, l *leftOut) {
	l.variables[g] = true
	from := place{s.initialisers[l.f], l.end}
	known, ok := s.unknown[g]
	if ok && !from.before(known) {
		return
	}
	s.unknown[g], s.more = from, true
	why := fmt.Sprintf("the package variable %s is unknown, because an initialiser (%s) is not executed: %s", s.prog.Globals[g].Name, l.fault.At, l.fault.Message)
	for _, f := range s.prog.Funcs {
		at, initialises := s.initialisers[f]
		for pc := range f.Code {
			if initialises && (place{at, pc}.before(from) || s.inLeft(f, pc)) || !s.prog.Mentions(&f.Code[pc], g) {
				continue
			}
			s.change(f, pc, why)
		}
	}
}

// inLeft says that an instruction belongs to a statement that is left out.
func (s *settler) inLeft(f *ir.Func, pc int) bool {
	return slices.ContainsFunc(s.left, func(l *leftOut) bool { return l.f == f && pc >= l.begin && pc < l.end })
}

// change makes an instruction unsupported.
func (s *settler) change(f *ir.Func, pc int, why string) {
	code := s.code[f]
	if code == nil {
		code = slices.Clone(f.Code)
		s.code[f] = code
		s.img.Codes[f.ID].Instrs = code
	}
	// Both programs have the message under the same number.
	s.prog.Messages = append(s.prog.Messages, why)
	s.img.Prog.Messages = s.prog.Messages
	code[pc] = ir.Instr{Op: ir.OpUnsupported, X: int32(len(s.prog.Messages) - 1)}
}

// apply gives the program's functions the code without what is left out, and lists that.
func (s *settler) apply() []Unknown {
	for f, code := range s.code {
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
		for _, g := range slices.Sorted(maps.Keys(l.variables)) {
			u.Variables = append(u.Variables, s.prog.Globals[g].Name)
		}
		out = append(out, u)
	}
	return out
}
