// SPDX-License-Identifier: BSD-3-Clause

package fixpoint

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/engine/unbounded/content"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/ir"
	"pangolin/internal/test/assembler"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
	"pangolin/oracle"
)

// Collections with random faults in their instructions. Of what is proved, random executions by a few threads are judged here by trying all
// orders of the calls. Shared with the prover are the instructions; the machine (internal/vm) executes them.

// lockedStack is a stack with a lock, and lockedQueue a queue with a first cell that holds nothing.
const lockedStack = `
type cell { item int; next *cell }
type Stack { mu sync.Mutex; top *cell }

func (*sync.Mutex).Lock(m *sync.Mutex)
func (*sync.Mutex).Unlock(m *sync.Mutex)

func New() *Stack
    s = new Stack
    return s

func Push(s *Stack, item int)
    c = new cell
    i = field c item
    store i item
    next = field c next
    m = field s mu
    call (*sync.Mutex).Lock m
    top = field s top
    old = load top
    store next old
    store top c
    call (*sync.Mutex).Unlock m
    return

func Pop(s *Stack) int, bool
    m = field s mu
    call (*sync.Mutex).Lock m
    top = field s top
    old = load top
    empty = eq old nil
    if empty none some
none:
    call (*sync.Mutex).Unlock m
    return 0 false
some:
    next = field old next
    n = load next
    store top n
    i = field old item
    x = load i
    call (*sync.Mutex).Unlock m
    return x true
`

const lockedQueue = `
type cell { item int; next *cell }
type Queue { mu sync.Mutex; head *cell; tail *cell }

func (*sync.Mutex).Lock(m *sync.Mutex)
func (*sync.Mutex).Unlock(m *sync.Mutex)

func New() *Queue
    q = new Queue
    d = new cell
    h = field q head
    store h d
    t = field q tail
    store t d
    return q

func Push(q *Queue, item int)
    c = new cell
    i = field c item
    store i item
    m = field q mu
    call (*sync.Mutex).Lock m
    tail = field q tail
    last = load tail
    next = field last next
    atomicstore next c
    store tail c
    call (*sync.Mutex).Unlock m
    return

func Pop(q *Queue) int, bool
    m = field q mu
    call (*sync.Mutex).Lock m
    head = field q head
    first = load head
    next = field first next
    n = atomicload next
    empty = eq n nil
    if empty none some
none:
    call (*sync.Mutex).Unlock m
    return 0 false
some:
    store head n
    i = field n item
    x = load i
    call (*sync.Mutex).Unlock m
    return x true
`

// originals are the programs without faults.
var originals = []struct {
	name, text string
	kind       oracle.Kind
	content    content.Map
}{
	{"stack", assembler.Treiber, oracle.Stack, content.Map{}},
	{"stack with a lock", lockedStack, oracle.Stack, content.Map{Word: 1}},
	{"queue with a lock", lockedQueue, oracle.Queue, content.Map{Word: 1, Skip: 1}},
}

// spoil changes an instruction of Push or Pop: an operand, a target, the operation, or its place.
func spoil(r *rand.Rand, p *assembler.Program) string {
	f := p.Func([]string{"Push", "Pop"}[r.IntN(2)])
	pc := r.IntN(len(f.Code))
	in := &f.Code[pc]
	before := p.Instr(f, pc)
	switch r.IntN(6) {
	case 0: // another register of the same type
		operand := []*ir.Reg{&in.A, &in.B, &in.C}[r.IntN(3)]
		name, _ := f.NameOf(*operand)
		if name == nil {
			return ""
		}
		var like []ir.Reg
		for _, n := range f.Names {
			if n.Type == name.Type {
				like = append(like, n.Reg)
			}
		}
		*operand = like[r.IntN(len(like))]
	case 1: // a constant in place of a register
		operand := []*ir.Reg{&in.B, &in.C}[r.IntN(2)]
		name, _ := f.NameOf(*operand)
		for i, kind := range p.ConstKinds {
			if name != nil && kind == name.Type.Layout()[0] && r.IntN(2) == 0 {
				*operand = ir.Const(i)
			}
		}
	case 2:
		if in.Op == ir.OpIf {
			in.N, in.X = in.X, in.N
		}
	case 3: // another target
		if in.Op == ir.OpIf || in.Op == ir.OpJump {
			in.N = int32(f.Blocks[r.IntN(len(f.Blocks))].Start)
		}
	case 4: // another operation, or none
		switch in.Op {
		case ir.OpEq:
			in.Op = ir.OpNe
		case ir.OpStore, ir.OpAtomicStore, ir.OpCall:
			in.Op = ir.OpNop
		case ir.OpAtomicLoad:
			in.Op, in.T = ir.OpLoad, p.Type("*cell")
		case ir.OpLoad:
			if in.T.Size == 1 {
				in.Op = ir.OpAtomicLoad
			}
		}
	case 5: // two that follow each other
		if pc+1 < len(f.Code) && !ends(in.Op) && !ends(f.Code[pc+1].Op) {
			f.Code[pc], f.Code[pc+1] = f.Code[pc+1], f.Code[pc]
		}
	}
	if after := p.Instr(f, pc); after != before {
		return fmt.Sprintf("%s %d: %s becomes %s", f.Name, pc, before, after)
	}
	return ""
}

func ends(op ir.Op) bool {
	return op == ir.OpJump || op == ir.OpIf || op == ir.OpReturn || op == ir.OpPanic
}

// operation is a call of an execution, with the moments of its beginning and end.
type operation struct {
	take       bool
	item       uint64 // that is put, or is taken; 0: there was none
	began, end int    // end 0: it has not returned
	done       bool
}

// explained says whether some order of the calls explains what they have returned: held is what the collection holds, the first to be
// taken first. Calls that have not returned may have taken effect or not.
func explained(list []*operation, held []uint64, stack bool) bool {
	left := 1 << 30 // no call may come before another one that has ended by then
	returned := false
	for _, x := range list {
		if !x.done && x.end > 0 {
			left, returned = min(left, x.end), true
		}
	}
	if !returned {
		return true
	}
	for _, x := range list {
		if x.done || x.began > left {
			continue
		}
		var next []uint64
		switch {
		case !x.take && stack:
			next = append([]uint64{x.item}, held...)
		case !x.take:
			next = append(slices.Clone(held), x.item)
		case len(held) == 0 && (x.end == 0 || x.item == 0):
		case len(held) > 0 && (x.end == 0 || x.item == held[0]):
			next = held[1:]
		default:
			continue
		}
		x.done = true
		if explained(list, next, stack) {
			x.done = false
			return true
		}
		x.done = false
	}
	return false
}

// wrong executes a program by a few threads at random, and says what goes wrong; "" if nothing does.
func wrong(r *rand.Rand, p *Program, img *vm.Image) string {
	m := img.NewMachine(vm.Options{NoFusing: true, NoSymmetry: true})
	m.Spawn()
	m.Call(0, p.New, nil)
	m.RunAlone(0, nil)
	root := m.Results(0)[0]
	m.SetRoots(root)
	threads := 2 + r.IntN(2)
	for range threads - 1 {
		m.Spawn()
	}
	var all []*operation
	last := make([]*operation, threads)
	calls := 2 + r.IntN(5)
	for now := 1; now < 120; now++ {
		i := r.IntN(threads)
		if r.IntN(3) > 0 && last[0] != nil { // often the same again
			i = r.IntN(min(2, threads))
		}
		switch {
		case m.Idle(i) && len(all) < calls:
			x := &operation{take: r.IntN(2) == 0, item: uint64(1<<40 + len(all)), began: now}
			all, last[i] = append(all, x), x
			if x.take {
				m.Call(i, p.Funcs[1], []uint64{root})
			} else {
				m.Call(i, p.Funcs[0], []uint64{root, x.item})
			}
		case m.Idle(i) || !m.Enabled(i):
			continue
		default:
			if m.RunExactly(i, 1, nil) == 0 {
				continue
			}
		}
		if m.Fault() != nil {
			return ""
		}
		if text := m.Panicked(i); text != "" {
			return "a panic: " + text
		}
		if end := m.Ended(); end.Kind != state.Running {
			return fmt.Sprintf("the end of the program: %+v", end)
		}
		race, some := m.Race()
		if some {
			return fmt.Sprintf("a race: %+v", race)
		}
		if x := last[i]; m.Idle(i) && x != nil && x.end == 0 {
			if x.end = now; x.take {
				res := m.Results(i)
				if x.item = res[0]; (res[0] == 0) != (res[1] == 0) {
					return fmt.Sprintf("a take returns %d", res)
				}
			}
			if !explained(all, nil, p.Kind == oracle.Stack) {
				text := "no order explains"
				for _, x := range all {
					text += fmt.Sprintf(" %+v", *x)
				}
				return text
			}
		}
	}
	return ""
}

func TestCompute_ProvesNoFaultThatAnExecutionShows(t *testing.T) {
	mutants, runs := 300, 60
	if level.More() {
		mutants, runs = 6000, 400
	}
	r := rand.New(rand.NewPCG(11, 1))
	count := map[string]int{}
	for n := range mutants {
		o := &originals[n%len(originals)]
		a := assembler.Parse(o.text)
		changes := spoil(r, a)
		if r.IntN(3) == 0 {
			changes += " " + spoil(r, a)
		}
		if strings.TrimSpace(changes) == "" || a.Check() != nil {
			continue
		}
		p := &Program{Prog: a.Program, New: a.Func("New"), Kind: o.kind, Funcs: []*ir.Func{a.Func("Push"), a.Func("Pop")}}
		p.Operations = []content.Operation{{Name: "Push", Role: oracle.Put, Param: true, Item: -1, OK: -1}, {Name: "Pop", Role: oracle.Take, Item: 0, OK: 1}}
		task := &Task{Program: p, Domain: shape.NewDomain(a.Program, false), Map: o.content}
		inv, _, err := Compute(t.Context(), task, Options{MaxViews: 600})
		if err != nil {
			limit := (*LimitError)(nil)
			if errors.As(err, &limit) {
				count["too many views"]++
				continue
			}
			t.Fatal(err)
		}
		img, err := vm.NewImage(a.Program)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for range runs {
			if text = wrong(r, p, img); text != "" {
				break
			}
		}
		count[fmt.Sprintf("proved %t, wrong %t", inv != nil, text != "")]++
		if inv != nil && text != "" {
			t.Errorf("%s, %s: proved, and %s", o.name, changes, text)
		}
	}
	t.Log(count)
	if count["proved true, wrong false"] < mutants/30 || count["proved false, wrong true"] < mutants/20 {
		t.Errorf("%v: that compares little", count)
	}
}
