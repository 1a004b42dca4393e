package cmp

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/ir"
	"pangolin/internal/test/level"
)

// computing is the language with what the code computes.
var computing = language{depth: 2, code: true}

// TestExpressions_ComeToWhatTheMachineComputes executes views of random choice one instruction at a time. What an expression comes to
// if it is evaluated anew is what the machine has just computed, unless what it is made of has changed since.
func TestExpressions_ComeToWhatTheMachineComputes(t *testing.T) {
	level.SkipShort(t, "proves")
	random := rand.New(rand.NewPCG(13, 4))
	compared := map[ir.Op]int{}
	for i, typ := range []string{"Ring", "Heap", "SPSC", "CopySet", "Buckets", "CopyStack", "ArrayStack"} {
		if level.Out(i, 2) {
			continue
		}
		p := proof(t, "testdata/subjects/right", typ, 2)
		m := p.m
		for range 600 {
			p.load(int32(random.IntN(len(p.t.views))))
			if m.Idle(0) || !m.Enabled(0) {
				continue
			}
			for range 40 {
				th := m.Thread[0]
				k := len(th.Frames) - 1
				f := th.Frames[k]
				in := &f.Code.Func.Code[min(int(f.PC), len(f.Code.Func.Code)-1)]
				if !evaluated(in.Op) || in.Dst < 0 || m.RunExactly(0, 1, nil) == 0 || m.Idle(0) {
					break
				}
				if len(m.Thread[0].Frames)-1 != k || int(m.Thread[0].Frames[k].PC) != int(f.PC)+1 {
					break
				}
				c := &facter{m: m, model: p.model, names: p.model.names, language: computing}
				e := allLive(c, k)
				if e.defined[in.Dst] != f.PC || !e.current(in) {
					continue
				}
				for w := range e.width(in) {
					v := e.value(in.Dst + ir.Reg(w))
					if v == nil {
						continue
					}
					compared[in.Op]++
					if got := e.regs[int(in.Dst)+w]; got != v.word {
						t.Fatalf("%s: %s at %s: evaluated %#x, computed %#x (%s, regs %x %x)", typ, v.text, m.At(0), v.word, got, p.model.subject.Prog.Instr(e.fn, int(f.PC)), e.regs[max(in.A, 0)], e.regs[max(0, in.B)])
					}
				}
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

// allLive evaluates call k in progress, all registers of which hold what they were set to.
func allLive(c *facter, k int) *evaluator {
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

// TestContentTerms has the content [1 0] of a queue, of which a thread is about to take the first.
func TestContentTerms(t *testing.T) {
	p := proof(t, "testdata/subjects/right", "Ring", 2)
	for q, path := range p.model.paths {
		var texts []string
		for _, c := range path {
			texts = append(texts, p.model.calls[c].text)
		}
		if !slices.Equal(texts, []string{"Enqueue(1)", "Enqueue(0)"}) {
			continue
		}
		for v := range p.t.views {
			content := p.load(int32(v))
			g := ghost(p.m.Tag(0))
			if _, done := g.result(); content != q || p.m.Idle(0) || done || p.model.calls[g.call()].text != "Dequeue()" {
				continue
			}
			c := &facter{m: p.m, model: p.model, content: q, names: p.model.names, language: computing}
			c.ofContent()
			var got []string
			for _, x := range c.terms {
				got = append(got, fmt.Sprint(x.name, "=", x.word))
			}
			want := []string{"items()=2", "drain(Dequeue)[0]=1", "drain(Dequeue)[len-1]=0", "first(Dequeue())=1", "second(Dequeue())=1",
				"after(items())=1", "after(drain(Dequeue))[0]=0", "after(drain(Dequeue))[len-1]=0", "first(after(Dequeue()))=0", "second(after(Dequeue()))=1"}
			if !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
			return
		}
	}
	t.Error("no thread is about to take the first of two")
}

// TestSequenceFacts compares slices.
func TestSequenceFacts(t *testing.T) {
	seq := func(name string, x ...uint64) sequence { return sequence{term{name: name}, x} }
	c := &facter{language: computing, out: map[fact]bool{}, sequenced: []sequence{seq("a", 1, 2, 3), seq("b", 1, 2), seq("c", 2, 3), seq("d", 3, 1, 2), seq("e"), seq("f", 1, 2)}}
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
		c := &facter{language: computing, out: map[fact]bool{}}
		c.pair(&term{name: "append", word: x.word, kind: ir.Pointer, private: x.private}, &term{name: "s.items", word: 7 << 32, kind: ir.Pointer, depth: 1})
		if c.out[fact{ownOrSame, "append", ", ", "s.items"}] != x.want {
			t.Errorf("%+v: %v", x, c.out)
		}
	}
}

// newKinds are pieces of facts of each kind that the language with what the code computes adds.
var newKinds = []string{" % ", "len(", "items()", "after(", "drain(", "slices.Contains(", "hasPrefix(", "slices.Equal(", "ownOr(", "old(", "[0]", "first("}

// TestLemmas_FalseOnesOfEachKindAreDropped plants false facts of each kind that is about elements, what the code computes and the
// content, and no others.
func TestLemmas_FalseOnesOfEachKindAreDropped(t *testing.T) {
	level.SkipShort(t, "mines lemmas")
	planted := map[string]int{}
	for i, typ := range []string{"Buckets", "SPSC", "CopyStack", "ArrayStack", "CopySet", "Ring", "Deque", "Heap"} {
		if i > 1 && !level.More() {
			continue // -level more takes all
		}
		p := proof(t, "testdata/subjects/right", typ, 2)
		p.language = computing
		want, _, err := p.mine(repository)
		if err != nil {
			t.Fatal(err)
		}
		claims, n := p.planted(want)
		for site, x := range claims {
			for f := range x.holds {
				for _, kind := range newKinds {
					if !want[site].holds[f] && strings.Contains(f.String(), kind) {
						planted[kind]++
					}
				}
			}
		}
		left := p.houdini(t, claims)
		for site, x := range left {
			for f := range x.holds {
				if !want[site].holds[f] {
					t.Errorf("%s: at %s there is left %s", typ, x.at, f)
				}
			}
		}
		t.Logf("%s: %d false lemmas", typ, n)
	}
	for _, kind := range newKinds {
		if planted[kind] == 0 {
			t.Errorf("no false fact with %q was planted", kind)
		}
	}
	t.Log(planted)
}
