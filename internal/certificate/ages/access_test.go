// SPDX-License-Identifier: BSD-3-Clause

package ages

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pangolin/internal/certificate/file"
	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/internal/test/proving"
)

// stepping is a checker with a thread that knows of one cell, which is with k, and of what kind; and the registers of a call.
func stepping(kind int) (*checker, *thread, *call) {
	c := (&scene{ends: true, below: slices.Repeat([]set{1<<(realKinds+1) - 1}, realKinds)}).checker()
	t := &thread{is: true, first: kind, memory: memory{cells: []cell{{true, kind, false}}, gaps: []gap{{0, only(kind)}, {0, only(None)}}}}
	t.calls = []call{{&ir.Func{}, 0, map[ir.Reg]word{}}}
	return c, t, &t.calls[0]
}

// refuses says whether an error is the refusal of a certificate.
func refuses(err error) bool {
	var r *file.Rejection
	return errors.As(err, &r)
}

// The head is given a new cell that has an item, a state that is known, and a link to what the head has held.
func TestHead_RefusesOtherCells(t *testing.T) {
	item, state, top := word{sort: itemK}, word{n: 1}, word{sort: linked}
	for i, c := range []struct {
		words []word
		to    word
		right bool
	}{
		{[]word{item, state, top}, word{sort: private}, true},
		{[]word{{sort: itemOther}, {n: 7}, top}, word{sort: private}, true},
		{[]word{{n: 5}, state, top}, word{sort: private}, false},
		{[]word{{sort: unknown}, state, top}, word{sort: private}, false},
		{[]word{item, {sort: unknown}, top}, word{sort: private}, false},
		{[]word{item, {sort: itemOther}, top}, word{sort: private}, false},
		{[]word{item, {n: 7}, top}, word{sort: private}, false}, // there is no kind for it
		{[]word{item, state, {}}, word{sort: private}, false},
		{[]word{item, state, {sort: linked, m: 1}}, word{sort: private}, false},
		{[]word{item, state, {sort: unknown}}, word{sort: private}, false},
		{[]word{item, state, {sort: private}}, word{sort: private}, false},
		{[]word{item, state}, word{sort: private}, false},
		{[]word{item, state, top, {}}, word{sort: private}, false},
		{[]word{item, state, top}, word{sort: private, m: 1}, false},
		{[]word{item, state, top}, word{sort: linked}, false},
		{[]word{item, state, top}, word{}, false},
		{[]word{item, state, top}, word{sort: unknown}, false},
		{[]word{item, state, top}, word{sort: root}, false},
	} {
		k, th, f := stepping(2)
		th.empty, th.private = true, [][]word{c.words}
		f.regs[1], f.regs[2] = top, c.to
		if err := k.head(th, f, &ir.Instr{Op: ir.OpAtomicCAS, Dst: 3, B: 1, C: 2}); (err == nil) != c.right || err != nil && !refuses(err) {
			t.Errorf("%d: %v", i, err)
		}
	}
	for _, in := range []ir.Instr{{Op: ir.OpAtomicStore, B: 1}, {Op: ir.OpAtomicSwap, Dst: 3, B: 1}, {Op: ir.OpAtomicAdd, Dst: 3, B: 1}} {
		k, th, f := stepping(2)
		f.regs[1], f.regs[0] = top, word{sort: root}
		in.A = 0
		if err := k.access(th, f, &in); !refuses(err) {
			t.Errorf("%v of the head: %v", in.Op, err)
		}
	}
}

// A state is given a number that is known, and where the cell does not count any more it stays as it is.
func TestState_RefusesOtherNumbers(t *testing.T) {
	for i, c := range []struct {
		kind  int
		is    bool
		value word
		right bool
	}{
		{2, true, word{n: 0}, true}, {2, true, word{n: realDead}, true}, {2, true, word{n: 7}, false}, {2, true, word{sort: unknown}, false}, {2, true, word{sort: itemK}, false},
		{None, true, word{n: realDead}, true}, {None, true, word{n: 1}, false}, {None, true, word{sort: unknown}, false},
		{None, false, word{n: 1}, true}, {None, false, word{sort: unknown}, false}, {None, false, word{sort: itemOther}, false},
	} {
		for _, op := range []ir.Op{ir.OpAtomicStore, ir.OpAtomicCAS} {
			k, th, f := stepping(2)
			th.cells[0] = cell{c.is, c.kind, false}
			th.first, th.gaps[0].below = c.kind, only(c.kind)
			in := ir.Instr{Op: op, Dst: 3, B: 1, C: 2}
			f.regs[1], f.regs[2] = c.value, c.value
			if op == ir.OpAtomicCAS { // it is what is expected
				f.regs[1] = word{n: map[bool]int{false: realDead, true: 1}[c.kind != None]}
			}
			err := k.executions(func() (*thread, error) {
				t := th.clone()
				return t, k.state(t, &t.calls[0], &in, 0)
			}, func(*thread) error { return nil })
			if (err == nil) != c.right || err != nil && !refuses(err) {
				t.Errorf("%d, %v: %v", i, op, err)
			}
		}
	}
}

// results are those that a choice has.
func results(t *testing.T, run func(*checker, *thread) (bool, error)) (out [2]bool, refused bool) {
	t.Helper()
	k, th, _ := stepping(2)
	err := k.executions(func() (*thread, error) {
		yes, err := run(k, th)
		out[flag(yes).n] = out[flag(yes).n] || err == nil
		return th, err
	}, func(*thread) error { return nil })
	return out, err != nil
}

// Two words are equal, or not, or both may be.
func TestEqual_KnowsWhatMayBe(t *testing.T) {
	no, yes, open, none := [2]bool{true, false}, [2]bool{false, true}, [2]bool{true, true}, [2]bool{}
	k, other, any := word{sort: itemK}, word{sort: itemOther}, word{sort: unknown}
	for i, c := range []struct {
		format ir.Num
		a, b   word
		want   [2]bool
	}{
		{ir.I64, k, k, yes}, {ir.I64, k, other, no}, {ir.I64, other, other, open}, {ir.Word, other, other, open},
		{ir.I32, k, k, none}, {ir.F64, k, other, none}, {ir.I64, k, word{n: 1}, none}, {ir.I64, word{n: 1}, other, none}, {ir.I64, k, any, none}, {ir.Word, k, word{sort: linked}, none},
		{ir.I64, any, any, open}, {ir.I64, any, word{n: 1}, open}, {ir.Word, any, word{sort: linked}, open},
		{ir.I32, word{n: 1}, word{n: 1}, yes}, {ir.U8, word{n: 1}, word{n: 2}, no}, {ir.F64, word{n: 1}, word{n: 1}, open}, {ir.F32, word{}, word{n: 1 << 31}, open}, {ir.C128, word{}, word{}, open},
		{ir.Word, word{}, word{sort: linked}, no}, {ir.Word, word{sort: private}, word{}, no}, {ir.Word, word{n: 1}, word{sort: linked}, none},
		{ir.Word, word{sort: linked}, word{sort: linked}, yes}, {ir.Word, word{sort: linked}, word{sort: linked, n: 1}, no}, {ir.Word, word{sort: linked}, word{sort: linked, m: 1}, no},
		{ir.Word, word{sort: linked}, word{sort: private}, no}, {ir.Word, word{sort: private, n: 1}, word{sort: private, n: 1}, yes}, {ir.Word, word{sort: root}, word{sort: root}, yes}, {ir.Word, word{sort: root}, word{sort: linked}, no},
	} {
		for _, pair := range [][2]word{{c.a, c.b}, {c.b, c.a}} {
			got, refused := results(t, func(k *checker, th *thread) (bool, error) { return k.equal(th, c.format, pair[0], pair[1]) })
			if got != c.want || refused != (c.want == none) {
				t.Errorf("%d: %v and %v: %v, %t", i, pair[0], pair[1], got, refused)
			}
		}
	}
}

// A compare-and-swap of the head succeeds where it is what was expected, and fails otherwise: that is among what the checker tries.
func TestHead_ComparesWithWhatIsThere(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range cases(t) / 4 {
		s := newScene(r)
		old, is := word{}, len(s.list) == 0
		if n := len(s.named[writing]); n > 0 && r.IntN(4) > 0 {
			old = word{sort: linked, n: r.IntN(n)}
			is = s.named[writing][old.n] == 0
		}
		m := s.view(writing, r.IntN(2) == 0)
		threads, ok := s.steps(m, func(c *checker, th *thread) error {
			th.private = [][]word{{{sort: itemOther}, {}, old}}
			f := &th.calls[0]
			f.regs[1], f.regs[2] = old, word{sort: private}
			return c.head(th, f, &ir.Instr{Op: ir.OpAtomicCAS, Dst: 3, B: 1, C: 2})
		})
		same := s.view(writing, false)
		if !ok || !slices.ContainsFunc(threads, func(th *thread) bool {
			return th.calls[0].regs[3] == flag(is) && (is || covers(&th.memory, &same) && th.wrote == nil)
		}) {
			t.Fatalf("%v: a compare-and-swap from %v", s, old)
		}
	}
}

// What a call returns is judged by what it has changed, and by what was so since it was called.
func TestReturns_JudgesResults(t *testing.T) {
	s := proving.Load(t, own, "Boxed") // Add, Remove, Contains
	c := &checker{s: s, x: realCertificate()}
	right := map[noted]string{} // by what was noted: the results that are right, "+" or "-" for each operation
	for _, n := range []noted{{}, {present: true}, {absent: true}, {present: true, absent: true}, {changed: true}, {changed: true, present: true, absent: true}} {
		for op := range s.Operations {
			for result := range 2 {
				t := &thread{op: op, is: true, noted: n, memory: memory{gaps: []gap{{}}}}
				if c.returns(t, []word{{n: result}}) == nil {
					right[n] += s.Operations[op].Name + []string{"-", "+"}[result] + " "
				}
			}
		}
	}
	for n, want := range map[noted]string{
		{}: "", {present: true}: "Add- Contains+ ", {absent: true}: "Remove- Contains- ", {present: true, absent: true}: "Add- Remove- Contains- Contains+ ",
		{changed: true}: "Add+ Remove+ ", {changed: true, present: true, absent: true}: "Add+ Remove+ Contains- Contains+ ",
	} {
		if right[n] != want {
			t.Errorf("%+v: right are %q", n, right[n])
		}
	}
	for _, w := range []word{{sort: unknown}, {sort: itemK}, {sort: linked}} {
		if err := c.returns(&thread{is: true, noted: noted{true, true, true}}, []word{w}); !refuses(err) {
			t.Errorf("%v is returned: %v", w, err)
		}
	}
}

// Other subjects are refused.
func TestFits_RefusesOtherSubjects(t *testing.T) {
	s := proving.Load(t, own, "Boxed")
	for what, change := range map[string]func(*subject.Subject){
		"a queue":          func(s *subject.Subject) { s.About.Kind = "queue" },
		"another oracle":   func(s *subject.Subject) { s.About.Oracle = "map" },
		"itself":           func(s *subject.Subject) { s.Self = true },
		"another protocol": func(s *subject.Subject) { s.About.Protocol = "blocking" },
		"another role":     func(s *subject.Subject) { s.Operations[0].Binding.Role = "len" },
		"another result":   func(s *subject.Subject) { s.Operations[0].Binding.Results = nil },
		"another argument": func(s *subject.Subject) { s.Operations[0].Binding.Params = nil },
	} {
		other := *s
		other.Operations = slices.Clone(s.Operations)
		change(&other)
		if err := (&checker{s: &other}).fits(); !refuses(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := (&checker{s: s}).fits(); err != nil {
		t.Error(err)
	}
}

// typeOf is a struct of words with these kinds.
func typeOf(kinds ...ir.Kind) *ir.Type {
	t := &ir.Type{Class: ir.Struct, Size: len(kinds)}
	for i, k := range kinds {
		class := ir.Int
		if k == ir.Pointer {
			class = ir.PointerClass
		}
		t.Fields = append(t.Fields, ir.Field{Offset: i, Type: &ir.Type{Class: class, Size: 1}})
	}
	return t
}

// Memory that others see is read and written by a few instructions alone, and what is not modelled is refused.
func TestInstruction_RefusesAllOthers(t *testing.T) {
	one, two := typeOf(ir.Scalar), typeOf(ir.Scalar, ir.Scalar)
	item, state, link, own, head := word{sort: linked}, word{sort: linked, m: 1}, word{sort: linked, m: 2}, word{sort: private}, word{sort: root}
	for i, c := range []struct {
		in    ir.Instr
		a     word
		right bool
	}{
		{ir.Instr{Op: ir.OpLoad, T: one}, item, true},
		{ir.Instr{Op: ir.OpLoad, T: two}, item, false},
		{ir.Instr{Op: ir.OpLoad, T: one}, state, false},
		{ir.Instr{Op: ir.OpLoad, T: one}, link, false},
		{ir.Instr{Op: ir.OpLoad, T: one}, head, false},
		{ir.Instr{Op: ir.OpLoad, T: one}, word{}, false},
		{ir.Instr{Op: ir.OpLoad, T: one}, word{sort: unknown}, false},
		{ir.Instr{Op: ir.OpLoad, T: two}, own, true},
		{ir.Instr{Op: ir.OpLoad, T: two}, word{sort: private, m: 2}, false},
		{ir.Instr{Op: ir.OpStore, T: one}, item, false},
		{ir.Instr{Op: ir.OpStore, T: one}, state, false},
		{ir.Instr{Op: ir.OpStore, T: one}, link, false},
		{ir.Instr{Op: ir.OpStore, T: one}, head, false},
		{ir.Instr{Op: ir.OpStore, T: one}, word{sort: unknown}, false},
		{ir.Instr{Op: ir.OpStore, T: one}, own, true},
		{ir.Instr{Op: ir.OpStore, T: two}, word{sort: private, m: 2}, false},
		{ir.Instr{Op: ir.OpAtomicLoad}, item, false},
		{ir.Instr{Op: ir.OpAtomicLoad}, state, true},
		{ir.Instr{Op: ir.OpAtomicLoad}, link, true},
		{ir.Instr{Op: ir.OpAtomicLoad}, head, true},
		{ir.Instr{Op: ir.OpAtomicLoad}, own, true},
		{ir.Instr{Op: ir.OpAtomicLoad}, word{}, false},
		{ir.Instr{Op: ir.OpAtomicStore}, item, false},
		{ir.Instr{Op: ir.OpAtomicStore}, head, false},
		{ir.Instr{Op: ir.OpAtomicCAS}, item, false},
		{ir.Instr{Op: ir.OpAtomicSwap}, state, false},
		{ir.Instr{Op: ir.OpAtomicSwap}, link, false},
		{ir.Instr{Op: ir.OpAtomicAdd, Num: ir.I64}, state, false},
		{ir.Instr{Op: ir.OpAtomicAnd}, state, false},
		{ir.Instr{Op: ir.OpAtomicOr}, state, false},
		{ir.Instr{Op: ir.OpField, N: 1}, item, true},
		{ir.Instr{Op: ir.OpField, N: 3}, item, false},
		{ir.Instr{Op: ir.OpField, N: 2}, state, false},
		{ir.Instr{Op: ir.OpField, N: 0}, head, true},
		{ir.Instr{Op: ir.OpField, N: 1}, head, false},
		{ir.Instr{Op: ir.OpField, N: 2}, own, true},
		{ir.Instr{Op: ir.OpField, N: 3}, own, false},
		{ir.Instr{Op: ir.OpField, N: 1}, word{n: 5}, false},
		{ir.Instr{Op: ir.OpField, N: 1}, word{}, false},
		{ir.Instr{Op: ir.OpNew, T: one}, word{}, true},
		{ir.Instr{Op: ir.OpNew, T: typeOf()}, word{}, false},
		{ir.Instr{Op: ir.OpNew, T: typeOf(make([]ir.Kind, 99)...)}, word{}, false},
		{ir.Instr{Op: ir.OpNew, T: typeOf(ir.Scalar, ir.Scalar, ir.Pointer)}, word{}, true},
		{ir.Instr{Op: ir.OpNew, T: typeOf(ir.Scalar, ir.Pointer, ir.Scalar)}, word{}, false},
		{ir.Instr{Op: ir.OpNew, T: typeOf(ir.Pointer, ir.Scalar, ir.Pointer)}, word{}, false},
		{ir.Instr{Op: ir.OpNew, T: typeOf(ir.Scalar, ir.Scalar, ir.Scalar)}, word{}, false},
		{ir.Instr{Op: ir.OpPanic}, word{}, false},
		{ir.Instr{Op: ir.OpMul, Num: ir.I64}, word{n: 1}, false},
		{ir.Instr{Op: ir.OpCast, T: one}, item, false},
		{ir.Instr{Op: ir.OpAddress}, item, false},
		{ir.Instr{Op: ir.OpGo}, item, false},
		{ir.Instr{Op: ir.OpDefer}, item, false},
		{ir.Instr{Op: ir.OpMakeSlice, T: one}, word{n: 1}, false},
		{ir.Instr{Op: ir.OpUnsupported}, word{n: 1}, false},
		{ir.Instr{Op: ir.OpAdd, Num: ir.I64}, word{n: 1}, true},
		{ir.Instr{Op: ir.OpAdd, Num: ir.I64}, word{sort: itemK}, false},
		{ir.Instr{Op: ir.OpAdd, Num: ir.I64}, item, false},
		{ir.Instr{Op: ir.OpLt, Num: ir.I64}, word{sort: itemOther}, false},
		{ir.Instr{Op: ir.OpLt, Num: ir.I64}, item, false},
		{ir.Instr{Op: ir.OpNot}, word{sort: itemOther}, false},
		{ir.Instr{Op: ir.OpIf}, word{sort: itemOther}, false},
		{ir.Instr{Op: ir.OpIf}, item, false},
		{ir.Instr{Op: ir.OpConvert, Num: ir.I64, N: int32(ir.I64)}, word{sort: itemK}, true},
		{ir.Instr{Op: ir.OpConvert, Num: ir.I64, N: int32(ir.I32)}, word{sort: itemK}, false},
		{ir.Instr{Op: ir.OpConvert, Num: ir.I64, N: int32(ir.F64)}, word{sort: itemOther}, false},
		{ir.Instr{Op: ir.OpMove, N: 1}, word{sort: itemK}, true},
		{ir.Instr{Op: ir.OpMove, N: 2}, word{sort: itemK}, true},
		{ir.Instr{Op: ir.OpMove, N: 3}, word{sort: itemK}, false}, // the third has no value
	} {
		k, th, f := stepping(2)
		th.private = [][]word{make([]word, 3)}
		f.regs[5], f.regs[6] = c.a, word{}
		c.in.A, c.in.B, c.in.C, c.in.Dst = 5, 6, 6, 1
		err := k.executions(func() (*thread, error) {
			t := th.clone()
			return t, k.instruction(t, &t.calls[0], &c.in)
		}, func(*thread) error { return nil })
		if (err == nil) != c.right || err != nil && !refuses(err) {
			t.Errorf("%d: %v of %v: %v", i, c.in.Op, c.a, err)
		}
	}
}

// A register that has no value is not read, a step ends, and calls are not nested without end.
func TestExecute_HasLimits(t *testing.T) {
	loop := &ir.Func{Name: "loop", Code: []ir.Instr{{Op: ir.OpJump, N: 0}}}
	deep := &ir.Func{Name: "deep", Code: []ir.Instr{{Op: ir.OpCall, X: 0}}}
	leaves := &ir.Func{Name: "leaves", Code: []ir.Instr{{Op: ir.OpNop}}}
	reads := &ir.Func{Name: "reads", Code: []ir.Instr{{Op: ir.OpIf, A: 7}}}
	open := &ir.Func{Name: "open", Code: []ir.Instr{{Op: ir.OpIf, A: 1, N: 0, X: 0}}}
	k, _, _ := stepping(2)
	k.s.Prog = &ir.Program{Calls: []*ir.Call{{Kind: ir.CallStatic, Func: deep}}}
	for _, f := range []*ir.Func{loop, deep, leaves, reads, open} {
		err := k.executions(func() (*thread, error) {
			_, th, _ := stepping(2)
			th.calls = []call{{f, 0, map[ir.Reg]word{1: {sort: unknown}}}}
			return th, k.execute(th, runs{})
		}, func(*thread) error { return nil })
		if !refuses(err) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}
