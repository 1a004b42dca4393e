// SPDX-License-Identifier: BSD-3-Clause

package lemma

import (
	"context"
	"math/rand/v2"
	"testing"

	"pangolin/internal/client"
	"pangolin/internal/collection"
	"pangolin/internal/explore"
	"pangolin/internal/find"
	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
)

// computing is the language with what the code computes.
var computing = Language{Depth: 2, Code: true}

// load compiles one of the right subjects of package cmp.
func load(t *testing.T, typ string) *subject.Subject {
	t.Helper()
	q := find.Query{Dir: "../testdata/subjects", Packages: []string{"./right"}, Type: typ,
		Overrides: func([]string) (collection.Overrides, error) { return collection.Overrides{Type: typ}, nil },
		Note:      func(string, ...any) {}}
	found, _, err := q.Find(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	s, err := (&subject.Order{Listed: found[0].Listed, Patterns: found[0].Patterns, Overrides: found[0].Overrides}).Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// execution is one thread that makes one call after the other.
type execution struct {
	s     *subject.Subject
	m     *vm.Machine
	steps []client.Step
}

func begin(t *testing.T, s *subject.Subject) *execution {
	t.Helper()
	img, err := s.Image()
	if err != nil {
		t.Fatal(err)
	}
	one := client.Range{From: 1, To: 1}
	space, err := client.NewSpace(client.Scope{Threads: one, Steps: one, Values: 2}, s.ClientOps())
	if err != nil {
		t.Fatal(err)
	}
	x := &execution{s: s, m: img.NewMachine(vm.Options{NoSymmetry: true, HeapBytes: 1 << 20, Frames: 100, LocalSteps: 10_000, Threads: 2})}
	x.steps = append(x.steps, space.Steps(0)...)
	x.m.Reset()
	x.m.Spawn()
	x.m.Call(0, s.New, nil)
	x.m.RunAlone(0, &explore.Choices{})
	x.m.SetRoots(x.m.Results(0)[0])
	x.m.Load(x.m.Save(nil))
	return x
}

// TestExpressions_ComeToWhatTheMachineComputes executes calls of random choice one instruction at a time. What an expression comes to
// if it is evaluated anew is what the machine has just computed, unless what it is made of has changed since.
func TestExpressions_ComeToWhatTheMachineComputes(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 4))
	compared := map[ir.Op]int{}
	for i, typ := range []string{"Ring", "Heap", "SPSC", "CopySet", "Buckets", "CopyStack", "ArrayStack"} {
		if level.Out(i, 2) {
			continue
		}
		s := load(t, typ)
		x, reader := begin(t, s), NewReader(s, nil, 2)
		for range 60 {
			step := x.steps[random.IntN(len(x.steps))]
			x.m.Call(0, s.Operations[step.Op].Func, subject.ArgumentWords(nil, x.m.Root(0), step.Args))
			for count := 0; !x.m.Idle(0) && x.m.Enabled(0); count++ {
				if count > 2000 {
					t.Fatalf("%s: %s does not return", typ, s.Operations[step.Op].Name)
				}
				if !x.compare(t, reader, compared) {
					break
				}
			}
			if !x.m.Idle(0) { // it waits, or has ended
				x = begin(t, s)
			}
		}
	}
	for _, op := range []ir.Op{ir.OpLoad, ir.OpElem, ir.OpRem, ir.OpAdd, ir.OpField, ir.OpEq} {
		if compared[op] < 5 {
			t.Errorf("%s was compared %d times: %v", op, compared[op], compared)
		}
	}
	t.Log(compared)
}

// compare executes an instruction, and evaluates it if it is an expression of the code. It is false if the thread does not go on.
func (x *execution) compare(t *testing.T, reader *Reader, compared map[ir.Op]int) bool {
	t.Helper()
	m := x.m
	k := len(m.Thread[0].Frames) - 1
	if k < 0 {
		return false
	}
	f := m.Thread[0].Frames[k]
	code := f.Code.Func.Code
	if len(code) == 0 || m.RunExactly(0, 1, nil) == 0 {
		m.Step(0, nil)
		return m.Fault() == nil
	}
	in := &code[min(int(f.PC), len(code)-1)]
	if !evaluated(in.Op) || in.Dst < 0 || m.Idle(0) || len(m.Thread[0].Frames)-1 != k || m.Thread[0].Frames[k].PC != f.PC+1 {
		return true
	}
	e := allLive(&State{m: m, scene: Scene{Machine: m, Call: -1}, names: reader, Language: computing}, k)
	if e.defined[in.Dst] != f.PC || !e.current(in) {
		return true
	}
	for w := range e.width(in) {
		v := e.value(in.Dst + ir.Reg(w))
		if v == nil {
			continue
		}
		compared[in.Op]++
		if got := e.regs[int(in.Dst)+w]; got != v.word {
			t.Fatalf("%s at %s: evaluated %#x, computed %#x (%s)", v.text, m.At(0), v.word, got, x.s.Prog.Instr(e.fn, int(f.PC)))
		}
	}
	return true
}

// allLive evaluates call k in progress, all registers of which hold what they were set to.
func allLive(c *State, k int) *evaluator {
	t := c.m.Thread[0]
	f := &t.Frames[k]
	e := &evaluator{c: c, frame: f, fn: f.Code.Func, defined: c.names.definitionsOf(f.Code.Func), regs: t.Regs[f.Base:], live: map[ir.Reg]bool{}, known: map[ir.Reg]*value{}}
	for r := range f.Code.Func.NumRegs {
		e.live[ir.Reg(r)] = true
	}
	return e
}

// current says that what an instruction reads is what it would be now.
func (e *evaluator) current(in *ir.Instr) bool {
	same := true
	e.c.names.prog.Operands(in, func(r ir.Reg, n int, role ir.Role) {
		for i := range n {
			if v := e.value(r.Word(i)); r >= 0 && role == ir.Use && v != nil && v.word != e.regs[int(r)+i] {
				same = false
			}
		}
	})
	return same
}

func (e *evaluator) width(in *ir.Instr) int {
	switch in.Op {
	case ir.OpLoad:
		return in.T.Size
	case ir.OpSlice, ir.OpSliceArr, ir.OpAppend:
		return ir.SliceWords
	}
	return 1
}

// TestSequenceFacts compares slices.
func TestSequenceFacts(t *testing.T) {
	seq := func(name string, x ...uint64) sequence { return sequence{term{name: name}, x} }
	c := &State{Language: computing, out: map[Fact]bool{}, sequenced: []sequence{seq("a", 1, 2, 3), seq("b", 1, 2), seq("c", 2, 3), seq("d", 3, 1, 2), seq("e"), seq("f", 1, 2)}}
	for i := range c.sequenced {
		c.sequenceFacts(&c.sequenced[i])
	}
	for text, want := range map[string]bool{
		"hasPrefix(a, b)": true, "hasPrefix(a, c)": false, "hasPrefix(b, a)": false, "hasPrefix(a, e)": true, "hasPrefix(e, a)": false,
		"hasSuffix(a, c)": true, "hasSuffix(a, b)": false, "slices.Equal(b, f)": true, "slices.Equal(a, d)": false, "permuted(a, d)": true,
		"permuted(a, b)": false, "containsAll(a, d)": true, "containsAll(b, a)": false, "slices.IsSorted(a)": true, "slices.IsSorted(d)": false,
	} {
		found := false
		for f := range c.out {
			found = found || f.String() == text
		}
		if found != want {
			t.Errorf("%s: %v, want %v", text, found, want)
		}
	}
}

// TestOwnOr has a thread that has appended to a slice: in place, or in memory of its own.
func TestOwnOr(t *testing.T) {
	for _, x := range []struct {
		word    uint64
		private bool
		want    bool
	}{{7 << 32, false, true}, {8 << 32, true, true}, {8 << 32, false, false}} {
		c := &State{Language: computing, out: map[Fact]bool{}}
		c.pair(&term{name: "append", word: x.word, kind: ir.Pointer, private: x.private}, &term{name: "s.items", word: 7 << 32, kind: ir.Pointer, depth: 1})
		if c.out[Fact{ownOrSame, "append", ", ", "s.items"}] != x.want {
			t.Errorf("%+v: %v", x, c.out)
		}
	}
}

// TestLemmas_KeepWhatAlwaysHolds has two threads at one place: what holds of one of them alone is no lemma.
func TestLemmas_KeepWhatAlwaysHolds(t *testing.T) {
	state := func(x, y uint64) *State {
		number := func(name string, word uint64) term {
			return term{name: name, word: word, kind: ir.Scalar, class: ir.Int}
		}
		return &State{terms: []term{number("x", x), number("y", y)}}
	}
	l := Lemmas{}
	l.Note("site", "file.go:1", "writes next", state(1, 2))
	if got := l["site"].String(); got != "x != y && x < y" {
		t.Errorf("of one thread there holds %s", got)
	}
	before := l.Clone()
	l.Note("site", "file.go:1", "writes next", state(3, 2))
	if got := l["site"].String(); got != "x != y" || before.Count() != 2 || l.Count() != 1 {
		t.Errorf("of two threads there holds %s, and %d facts of the copy", got, before.Count())
	}
	if !l["site"].Allows(state(5, 4)) || l["site"].Allows(state(5, 5)) || before["site"].Allows(state(5, 4)) {
		t.Error("x != y is not what restrains")
	}
}

// TestFact_ReadsAsGo writes facts of each form.
func TestFact_ReadsAsGo(t *testing.T) {
	for want, f := range map[string]Fact{
		"curr != nil":                            {"", "curr", " != nil", ""},
		"!pred.marked":                           {"!", "pred.marked", "", ""},
		"mine(pred.mu)":                          {"mine(", "pred.mu", "", ""},
		"curr.key < x":                           {"", "curr.key", " < ", "x"},
		"hasPrefix(a, b)":                        {beginsWith, "a", ", ", "b"},
		"(p.a < q.a || p.a == q.a && p.b < q.b)": {"", "p.a" + behindWhich + "p.b", " < ", "q.a" + behindWhich + "q.b"},
	} {
		if got := f.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
