// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"strings"
	"testing"

	"pangolin/internal/ir"
	"pangolin/internal/subject"
)

// What single instructions may do in each phase. Registers 0 to 7 are pointers, 8 and 9 numbers, 10 a function, 11 and 12 an interface value.

// bench is a checker with a function that has one instruction, and types to use in it.
type bench struct {
	*checker
	d                           declared
	number, pair, pointer, lock *ir.Type
	table                       *ir.Type // a map from numbers to pointers
	channel                     *ir.Type // of pointers
	fn                          *ir.Func
}

func newBench(fixed ...string) *bench {
	b := &bench{}
	b.number = b.d.basic("int", ir.Int)                                         // type 1
	b.pair = b.d.structure("p.pair", "a", b.number, "b", b.d.pointer(b.number)) // type 3
	b.pointer = b.d.pointer(b.pair)                                             // type 4
	b.lock = b.d.structure("sync.Mutex", "state", b.number)                     // type 5
	b.lock.PkgPath = "sync"
	b.table = b.d.add(ir.Type{Name: "map[int]*pair", Class: ir.Map, Key: b.number, Elem: b.pointer, Size: 1}) // type 6
	b.channel = &ir.Type{Name: "chan *pair", Class: ir.Chan, Elem: b.pointer, Size: 1}                        // none of the program's list: it is known by its elements
	kinds := make([]ir.Kind, 13)
	for r := range 8 {
		kinds[r] = ir.Pointer
	}
	kinds[10], kinds[11], kinds[12] = ir.Code, ir.IfaceType, ir.IfaceData
	b.fn = &ir.Func{Name: "p.f", Short: "f", NumRegs: len(kinds), Kinds: kinds, DeferReg: ir.NoReg, Recover: -1}
	p := &ir.Program{Types: b.d.list, Funcs: []*ir.Func{b.fn}, Globals: []*ir.Global{{Name: "p.fixed", Type: b.pair, ReadOnly: true}, {Name: "p.other", Type: b.pair}},
		Consts: []uint64{0, ir.GlobalPointer(0), ir.GlobalPointer(1), ir.FuncWord(b.fn)}, ConstKinds: []ir.Kind{ir.Pointer, ir.Pointer, ir.Pointer, ir.Code}}
	x := &Certificate{}
	x.Head.Lock, x.Head.Fixed = "path +0", fixed
	b.checker = newChecker(&subject.Subject{Prog: p}, x)
	b.calls = []called{{fn: b.fn}}
	b.panics = newPanics(p, 1)
	if err := b.head(); err != nil {
		panic(err)
	}
	return b
}

// the constants
var (
	null    = ir.Const(0)
	initial = ir.Const(1) // a package variable that only initialisers write
	other   = ir.Const(2) // another one
)

// after executes an instruction in a state with the values in registers 0, 1 ..., and what own memory holds.
func (b *bench) after(t *testing.T, ph phase, holds string, in ir.Instr, regs ...string) ([]*state, error) {
	t.Helper()
	s := &state{phase: ph, regs: make([]value, b.fn.NumRegs)}
	s.holds, _ = parseHolds(holds)
	for r, text := range regs {
		v, ok := parser{b.p, b.types}.value(text, b.fn.Kinds[r])
		if !ok {
			t.Fatalf("%q is no value", text)
		}
		s.regs[r] = v
	}
	b.fn.Code = []ir.Instr{in}
	return b.step(spot{0, 0}, s)
}

// rule is what an instruction does in one case. then is what registers and own memory hold behind it: "r5=s h=f p" (p: something was published), "no" if it is refused, "panics" if there is nothing behind it.
type rule struct {
	ph    phase
	holds string
	in    ir.Instr
	regs  string // of registers 0, 1 ..., with commas between them
	then  string
}

func (b *bench) follow(t *testing.T, rules []rule) {
	t.Helper()
	for i, r := range rules {
		out, err := b.after(t, r.ph, r.holds, r.in, strings.Split(r.regs, "|")...)
		got := ""
		switch {
		case refuses(err):
			got = "no"
		case err != nil:
			t.Fatal(err)
		case len(out) == 0:
			got = "panics"
		default:
			if r.in.Dst > 0 {
				got = "=" + out[0].regs[r.in.Dst].String()
			}
			got += " h=" + out[0].holds.String()
			if out[0].published {
				got += " p"
			}
			got = strings.TrimSpace(got)
		}
		if got != r.then {
			t.Errorf("rule %d: %v of %q in the phase %v: %s, not %s (%v)", i, r.in.Op, r.regs, r.ph, got, r.then, err)
		}
	}
}

func TestLoad(t *testing.T) {
	b := newBench("is 3+1")
	whole := ir.Instr{Op: ir.OpLoad, Dst: 5, A: 0, T: b.pointer}
	word := ir.Instr{Op: ir.OpLoad, Dst: 5, A: 0, T: b.d.list[2]}
	b.follow(t, []rule{
		{before, "", whole, "", "panics"},
		{before, "", whole, "o", "=o h="},
		{after, "s", whole, "o", "=os h=s"},
		{after, "fs", whole, "o", "=ofs h=fs"},
		{before, "", whole, "s", "no"},
		{after, "", whole, "s", "no"},
		{after, "", whole, "os", "no"},
		{after, "", whole, "f", "no"},
		{reading, "", whole, "s", "=s h="},
		{writing, "f", whole, "s", "=s h=f"},
		{writing, "", whole, "f", "=f h="},
		{reading, "f", whole, "ofs", "=ofs h=f"},
		{reading, "", whole, "s path 6+0", "=s h="},
		{before, "", word, "s is 3+1", "=s h="},
		{before, "", word, "f is 3+1", "=f h="},
		{before, "", word, "s path 6+1 is 3+1", "=s path 6,1+0 h="},
		{writing, "", word, "s path 6+1 is 3+1", "=s path 6,1+0 h="},
		{before, "", word, "s path 1,2,3,4+1 is 3+1", "=s h="},
		{before, "", word, "s path 6+1", "no"},
		{before, "", word, "s elem 2", "no"},
	})
	global := whole
	global.A = initial
	b.follow(t, []rule{{before, "", global, "", "=f h="}, {after, "", global, "", "=f h="}})
	global.A = other
	b.follow(t, []rule{{writing, "", global, "", "no"}})
	b.fn.Harness = true
	b.follow(t, []rule{{before, "", global, "", "no"}, {before, "", whole, "f", "no"}, {before, "", whole, "s", "no"}, {before, "", whole, "fs", "no"}})
	b.vars[1] = true
	b.follow(t, []rule{{before, "", global, "", "=f h="}, {after, "", whole, "f", "no"}})
	b.fn.Harness = false
	b.follow(t, []rule{{before, "", global, "", "no"}, {making, "", global, "", "=f h="}, {making, "f", whole, "o", "=of h=f"}, {making, "", whole, "fs", "=fs h="}})
}

// A whole struct is loaded with a path for each word of a fixed class, and no word of a lock is.
func TestLoad_OfStructs(t *testing.T) {
	b := newBench("is 3+1")
	b.fn.Kinds[5], b.fn.Kinds[6] = ir.Scalar, ir.Pointer
	out, err := b.after(t, reading, "", ir.Instr{Op: ir.OpLoad, Dst: 5, A: 0, T: b.pair}, "s path 2+4")
	if err != nil || out[0].regs[5].String() != "" || out[0].regs[6].String() != "s path 2,5+0" {
		t.Error(out, err)
	}
	for _, ph := range []phase{before, reading, writing, after} {
		if _, err := b.after(t, ph, "", ir.Instr{Op: ir.OpLoad, Dst: 5, A: 0, T: b.lock}, "s path +0"); !refuses(err) {
			t.Errorf("the words of a lock are read in the phase %v: %v", ph, err)
		}
	}
	if _, err := b.after(t, before, "", ir.Instr{Op: ir.OpLoad, Dst: 5, A: 0, T: b.lock}, "o"); err != nil {
		t.Error(err)
	}
}

func TestStore(t *testing.T) {
	b := newBench()
	store := ir.Instr{Op: ir.OpStore, A: 0, B: 1, T: b.pointer}
	b.follow(t, []rule{
		{before, "", store, "|o", "panics"},
		{before, "", store, "o|o", "h="},
		{before, "", store, "o|s", "h=s"},
		{after, "f", store, "o|s path +0", "h=fs"},
		{before, "", store, "s|s", "no"},
		{reading, "", store, "s|s", "no"},
		{reading, "", store, "s|", "no"},
		{after, "", store, "s|s", "no"},
		{after, "", store, "os|s", "no"},
		{writing, "", store, "s|s", "h="},
		{writing, "f", store, "s|s", "h=f"},
		{writing, "f", store, "s|o", "h= p"},
		{writing, "f", store, "os|s", "h=fs"},
		{writing, "f", store, "os|o", "h= p"},
		{writing, "", store, "f|s", "no"},
		{writing, "", store, "of|s", "no"},
		{writing, "", store, "f|", "no"},
	})
	if len(b.written) != 1 || !b.written[class{some, b.types.group[b.pointer.ID], 0}] {
		t.Error(b.written)
	}
	global := store
	global.A = initial
	b.follow(t, []rule{{writing, "", global, "|s", "no"}})
	b.fn.Harness = true
	b.follow(t, []rule{{before, "s", global, "|o", "h= p"}, {before, "", store, "f|s", "h="}, {before, "", store, "s|s", "no"}})
	b.fn.Harness = false
	b.follow(t, []rule{{writing, "", ir.Instr{Op: ir.OpStore, A: 0, B: 8, T: b.lock}, "s path +0", "no"}, {writing, "", ir.Instr{Op: ir.OpStore, A: 0, B: 8, T: b.lock}, "o", "h="},
		{writing, "", ir.Instr{Op: ir.OpStore, A: 0, B: 8, T: b.number}, "s is 5+0", "no"}})
	out, err := b.after(t, writing, "", store, "s", "o", "o is 3+1", "of", "f")
	if err != nil {
		t.Fatal(err)
	}
	for r, want := range []string{"s", "s", "s is 3+1", "fs", "f"} {
		if got := out[0].regs[r].String(); got != want {
			t.Errorf("register %d is %q behind a publication, not %q", r, got, want)
		}
	}
}

func TestAddresses(t *testing.T) {
	b := newBench()
	field := ir.Instr{Op: ir.OpField, Dst: 5, A: 0, N: 1, X: 1, T: b.pair}
	element := ir.Instr{Op: ir.OpElem, Dst: 5, A: 0, B: 8, T: b.number}
	global := field
	global.A = initial
	cast := ir.Instr{Op: ir.OpCast, Dst: 5, A: 0, T: b.pair}
	b.follow(t, []rule{
		{before, "", field, "", "= h="},
		{before, "", field, "o", "=o is 3+1 h="},
		{before, "", field, "s path 6+2 is 3+0", "=s path 6+3 is 3+1 h="},
		{before, "", global, "", "=f global 0+1 h="},
		{before, "", element, "", "panics"},
		{before, "", element, "s path 6+0", "=s elem 1 h="},
		{before, "", ir.Instr{Op: ir.OpElem, Dst: 5, A: 0, B: 8, T: b.pair}, "o", "=o is 3+0 h="},
		{before, "", ir.Instr{Op: ir.OpArrayElem, Dst: 5, A: 0, B: 8, N: 2, T: b.number}, "s path 6+1 is 3+1", "=s h="},
		{before, "", ir.Instr{Op: ir.OpNew, Dst: 5, T: b.number}, "", "=o elem 1 h="},
		{before, "", ir.Instr{Op: ir.OpNew, Dst: 5, T: b.pair}, "", "=o h="},
		{before, "", cast, "o", "no"},
	})
	b.fn.Standard = true
	b.follow(t, []rule{{before, "", cast, "o is 3+1", "=o h="}, {before, "", cast, "s", "no"}, {before, "", cast, "f", "no"}, {before, "", cast, "", "= h="}})
	b.fn.Name = "(*strings.Builder).copyCheck"
	b.follow(t, []rule{{before, "", cast, "s path +2 is 3+1", "=s h="}})
}

func TestSlices(t *testing.T) {
	b := newBench()
	b.fn.Kinds[6], b.fn.Kinds[7] = ir.Scalar, ir.Scalar // 5 to 7 are a slice, and so are 0 to 2, and 2 to 4, of which only the first word matters
	grow := ir.Instr{Op: ir.OpAppend, Dst: 5, A: 0, B: 2, C: ir.NoReg, T: b.pointer}
	text := grow
	text.Ok = true
	copies := ir.Instr{Op: ir.OpCopy, Dst: 8, A: 0, B: 2, T: b.pointer}
	clears := ir.Instr{Op: ir.OpClear, A: 0, T: b.pointer}
	part := ir.Instr{Op: ir.OpSlice, Dst: 5, A: 0, B: ir.NoReg, C: 8, N: int32(ir.NoReg), T: b.pointer}
	from, none := part, part
	from.B, none.N = 8, int32(null)
	b.follow(t, []rule{
		{before, "", grow, "||o", "=o h="},
		{after, "", grow, "||s", "no"},
		{reading, "", grow, "||s", "=o h=s"},
		{before, "f", grow, "o||o", "=o h=f"},
		{before, "", grow, "s||", "=s h="},
		{before, "", grow, "s||o", "no"},
		{reading, "", grow, "s||o", "no"},
		{writing, "", grow, "s||s", "=os h=s"},
		{writing, "", grow, "s||o", "=os h=s p"},
		{writing, "", grow, "o||s", "=o h=s"},
		{writing, "", grow, "f||s", "no"},
		{writing, "", text, "s||", "=os h=s"},
		{reading, "", text, "s||", "no"},
		{reading, "", text, "||", "=o h="},
		{reading, "", copies, "o||s", "= h=s"},
		{after, "", copies, "o||s", "no"},
		{reading, "", copies, "s||o", "no"},
		{writing, "", copies, "s||o", "= h= p"},
		{after, "", copies, "||s", "= h="},
		{after, "", copies, "s||", "= h="},
		{writing, "", clears, "s", "h="},
		{reading, "", clears, "s", "no"},
		{before, "", clears, "o", "h="},
		{before, "", clears, "", "h="},
		{before, "", part, "s path 6+0", "=s path 6+0 h="},
		{before, "", from, "s path 6+0", "=s h="},
		{before, "", none, "s path 6+0", "= h="},
	})
}

func TestMaps(t *testing.T) {
	b := newBench()
	get := ir.Instr{Op: ir.OpMapGet, Dst: 5, A: 0, B: 8, T: b.table}
	set := ir.Instr{Op: ir.OpMapSet, A: 0, B: 8, C: 1, T: b.table}
	remove := ir.Instr{Op: ir.OpMapDel, A: 0, B: 8, T: b.table}
	length := ir.Instr{Op: ir.OpMapLen, Dst: 9, A: 0, T: b.table}
	ranges := ir.Instr{Op: ir.OpMapRange, Dst: 5, A: 0, T: b.table}
	rules := []rule{
		{before, "", get, "", "= h="},
		{before, "s", get, "o", "=os h=s"},
		{reading, "", get, "s", "=s h="},
		{writing, "", set, "|o", "panics"},
		{before, "", set, "o|s", "h=s"},
		{reading, "", set, "s|s", "no"},
		{writing, "", set, "s|s", "h="},
		{writing, "", set, "s|o", "h= p"},
		{writing, "", set, "f|s", "no"},
		{reading, "", remove, "s", "no"},
		{writing, "", remove, "s", "h="},
		{before, "", remove, "", "h="},
		{reading, "", length, "s", "= h="},
		{before, "", length, "", "= h="},
		{before, "", ranges, "s path 6+0", "=s path 6+0 h="},
	}
	b.follow(t, append(rules, rule{before, "", get, "s", "no"}, rule{after, "", length, "s", "no"}))
	b = newBench("map 6")
	b.follow(t, append(rules, rule{before, "", get, "s", "=s h="}, rule{after, "", length, "s", "= h="}))
	if err := b.apart(); !refuses(err) {
		t.Error("a map is fixed, and written")
	}
}

func TestAtomics(t *testing.T) {
	b := newBench("is 3+1")
	b.follow(t, []rule{
		{before, "", ir.Instr{Op: ir.OpAtomicLoad, Dst: 5, A: 0}, "s", "no"},
		{before, "", ir.Instr{Op: ir.OpAtomicLoad, Dst: 5, A: 0}, "s path 2+1 is 3+1", "=s path 2,1+0 h="},
		{before, "", ir.Instr{Op: ir.OpAtomicLoad, Dst: 5, A: 0}, "", "panics"},
		{reading, "", ir.Instr{Op: ir.OpAtomicLoad, Dst: 5, A: 0}, "s", "=s h="},
		{writing, "", ir.Instr{Op: ir.OpAtomicStore, A: 0, B: 1}, "s|o", "h= p"},
		{reading, "", ir.Instr{Op: ir.OpAtomicStore, A: 0, B: 1}, "s|s", "no"},
		{writing, "f", ir.Instr{Op: ir.OpAtomicSwap, Dst: 5, A: 0, B: 1}, "o|s", "=of h=fs"},
		{writing, "f", ir.Instr{Op: ir.OpAtomicSwap, Dst: 5, A: 0, B: 1}, "os|o", "=fs h= p"},
		{writing, "", ir.Instr{Op: ir.OpAtomicCAS, Dst: 9, A: 0, B: 1, C: 2}, "s|o|s", "= h="},
		{writing, "", ir.Instr{Op: ir.OpAtomicCAS, Dst: 9, A: 0, B: 1, C: 2}, "s|s|o", "= h= p"},
		{reading, "", ir.Instr{Op: ir.OpAtomicAdd, Num: ir.I64, Dst: 9, A: 0, B: 8}, "s", "no"},
		{writing, "", ir.Instr{Op: ir.OpAtomicAdd, Num: ir.I64, Dst: 9, A: 0, B: 8}, "s is 5+0", "no"},
	})
	// Of the address of an atomic word, alone, it is not known what it is.
	if _, err := b.after(t, writing, "", ir.Instr{Op: ir.OpAtomicAdd, Num: ir.I64, Dst: 9, A: 0, B: 8}, "s"); err != nil || !refuses(b.apart()) {
		t.Error("an unknown word is written, and none is fixed any more", err)
	}
}

func TestFunctionsAndInterfaces(t *testing.T) {
	b := newBench()
	b.p.Lists = [][]ir.Arg{{{Reg: 0, Type: b.pointer}, {Reg: 1, Type: b.pointer}}}
	b.fn.Free = []*ir.Type{b.pointer, b.pointer}
	out, err := b.after(t, before, "", ir.Instr{Op: ir.OpMakeClosure, Dst: 10, N: 0, X: 0}, "s path +0", "o")
	if err != nil || out[0].regs[10].String() != "ofs func 0(s path +0;o)" || out[0].holds != shared {
		t.Error(out, err)
	}
	box := ir.Instr{Op: ir.OpMakeIface, Dst: 11, A: 0, T: b.pointer}
	if out, err := b.after(t, before, "", box, "s path +0 is 3+1"); err != nil || out[0].regs[12].String() != "s path +0 is 3+1" {
		t.Error(out, err)
	}
	two := b.d.structure("p.two", "x", b.pointer, "y", b.pointer)
	b.p.Types = b.d.list
	b.types = newTypes(b.p)
	box.T = two
	if out, err := b.after(t, before, "", box, "s path +0", "f"); err != nil || out[0].regs[12].String() != "fs" {
		t.Error(out, err)
	}
	data := only(shared | foreign)
	if words := data.unboxed(two); len(words) != 2 || words[0].String() != "fs" || words[1].String() != "fs" {
		t.Error(words)
	}
	if words := data.unboxed(b.number); len(words) != 1 || words[0].set != 0 {
		t.Error(words)
	}
}

// A lock is one at the right place, in the right phase.
func TestLocking(t *testing.T) {
	b := newBench()
	place, _ := parser{b.p, b.types}.value("s path +0", ir.Pointer)
	for name, op := range locks {
		for ph := before; ph <= making; ph++ {
			for _, text := range []string{"s path +0", "s path +0 is 3+1", "s path +1", "s path 0+0", "s", "o", ""} {
				v, _ := parser{b.p, b.types}.value(text, ir.Pointer)
				for _, careful := range []bool{false, true} {
					b.careful = careful
					outs, err := b.external(spot{0, 0}, &state{phase: ph}, target{&ir.Func{Name: name, Params: []*ir.Type{b.pointer}}, []value{v}})
					to, allowed := op[ph]
					if ph == making { // it may do that with locks of its own, which is no phase of it
						to, allowed = making, true
					}
					want := allowed && (v.path == place.path && !careful || ph == making)
					if (err == nil) != want || want && (len(outs) != 1 || outs[0].state.phase != to) {
						t.Errorf("%s of %q in the phase %v, where a panic is recovered (%v): %v", name, text, ph, careful, err)
					}
				}
			}
		}
	}
}

// Of functions without code only those may be called that are known.
func TestExternal(t *testing.T) {
	b := newBench()
	for _, c := range []struct {
		name    string
		params  []*ir.Type
		harness bool
		want    bool
	}{
		{"math.Sqrt", []*ir.Type{b.number}, false, true}, {"math.Sqrt", []*ir.Type{b.pointer}, false, false}, {"mathematics.F", []*ir.Type{b.number}, false, false}, {"math.example/p.F", []*ir.Type{b.number}, false, false}, {"math.example.F", []*ir.Type{b.number}, false, false}, {"runtime.KeepAlive", []*ir.Type{b.pointer}, false, true},
		{"runtime.Goexit", nil, false, false}, {"(*sync.Mutex).TryLock", []*ir.Type{b.pointer}, false, false}, {"p.pangolinThread", nil, true, true}, {"p.pangolinThread", nil, false, false}, {"pangolin/mark.Thread", nil, false, false},
		{"pangolin/mark.Choose", []*ir.Type{b.number}, false, true}, {"p.assembly", nil, false, false},
	} {
		_, err := b.external(spot{0, 0}, &state{}, target{&ir.Func{Name: c.name, Params: c.params, Harness: c.harness}, make([]value, len(c.params))})
		if (err == nil) != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for ph := before; ph <= making; ph++ {
		if _, err := b.clock(spot{0, 0}, &state{phase: ph}, target{fn: &ir.Func{Name: "time.Now"}}); (err == nil) != (ph == writing || ph == writingPlus || ph == making) {
			t.Errorf("the clock in the phase %v: %v", ph, err)
		}
	}
}

// What is not known is refused.
func TestStep_RefusesAllOther(t *testing.T) {
	for _, op := range []ir.Op{ir.OpUnsupported, ir.OpGo, ir.OpDeferList, ir.OpPrint, ir.OpGhost, ir.OpAnnounce, ir.OpSlots, ir.OpSlotsOf, ir.OpThreads, 255} {
		b := newBench()
		if _, err := b.after(t, writing, "", ir.Instr{Op: op}); !refuses(err) {
			t.Errorf("%v: %v", op, err)
		}
	}
}

// A word of which it is not known what it is may be read without the lock if nobody writes any that it may be.
func TestLoad_OfUnknownWords(t *testing.T) {
	word := ir.Instr{Op: ir.OpLoad, Dst: 8, A: 0}
	for _, c := range []struct {
		fixed []string
		then  string
	}{{nil, "no"}, {[]string{"elem 1"}, "no"}, {[]string{"is 3+0", "is 5+0"}, "no"}, {[]string{"elem 1", "is 3+0"}, "no"}, {[]string{"elem 1", "is 3+0", "is 5+0"}, "= h="}} {
		b := newBench(c.fixed...)
		word.T = b.number
		b.follow(t, []rule{{before, "", word, "s", c.then}, {after, "", word, "fs", c.then}, {reading, "", word, "s", "= h="}})
	}
	b := newBench("elem 1", "is 3+0", "is 5+0")
	if _, err := b.after(t, writing, "", ir.Instr{Op: ir.OpStore, A: 0, B: 8, T: b.number}, "s"); err != nil || !refuses(b.apart()) {
		t.Error("an unknown word is written, and others that it may be are fixed:", err)
	}
}
