// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"strings"
	"testing"

	"pangolin/internal/ir"
)

// What the constructor may do, and the harness, and what formatting reads.

// The constructor reads everything, and writes to package variables; it is noted if it has made what it writes there, which then may be found where these lead.
func TestMaking(t *testing.T) {
	b := newBench("is 3+1")
	store := ir.Instr{Op: ir.OpStore, A: 0, B: 1, T: b.pointer}
	global := store
	global.A = other
	b.follow(t, []rule{
		{making, "", store, "o|f", "h=f"},
		{making, "", store, "f|f", "h="},
		{making, "", store, "of|f", "h=f"},
		{making, "", store, "s|", "no"},
		{making, "", global, "|f", "h="},
		{making, "", ir.Instr{Op: ir.OpMakeChan, Dst: 5, A: 8}, "", "=o h="},
		{after, "", ir.Instr{Op: ir.OpMakeChan, Dst: 5, A: 8}, "", "=o h="},
		{making, "", ir.Instr{Op: ir.OpAtomicLoad, Dst: 5, A: other}, "", "=f h="},
		{making, "", ir.Instr{Op: ir.OpCast, Dst: 5, A: 0, T: b.pair}, "o", "no"},
	})
	if !b.written[class{some, b.types.group[b.pointer.ID], 0}] || b.mixed || b.registers {
		t.Error("what is written to package variables is not noted")
	}
	for _, r := range []rule{
		{making, "", store, "f|o", "h="},
		{making, "", store, "of|o", "h="},
		{making, "", store, "of|of", "h=f"},
		{making, "", global, "|of", "h="},
		{making, "", ir.Instr{Op: ir.OpMapSet, A: 0, B: 8, C: 1, T: b.table}, "f|o", "h="},
		{making, "", ir.Instr{Op: ir.OpAtomicStore, A: 0, B: 1}, "f|o", "h="},
	} {
		b.mixed, b.registers = false, false
		if b.follow(t, []rule{r}); !b.mixed || !b.registers {
			t.Errorf("%v of %q: it is not noted that what the constructor makes is found from package variables", r.in.Op, r.regs)
		}
	}
	b.fn.Standard = true
	b.follow(t, []rule{{making, "", ir.Instr{Op: ir.OpCast, Dst: 5, A: 0, T: b.pair}, "of", "=of h="}})
	for _, op := range []ir.Op{ir.OpGo, ir.OpPrint} {
		if _, err := b.after(t, making, "", ir.Instr{Op: op}); !refuses(err) {
			t.Errorf("%v: %v", op, err)
		}
	}
}

// given are values of a list of texts.
func (b *bench) given(t *testing.T, text string) (out []value) {
	t.Helper()
	for _, word := range strings.Split(text, "|") {
		v, ok := parser{b.p, b.types}.value(word, ir.Code)
		if !ok {
			t.Fatalf("%q is no value", word)
		}
		out = append(out, v)
	}
	return out
}

// What functions without code may be given, by phase, and what comes out of them.
func TestExternal_ByPhase(t *testing.T) {
	b := newBench()
	b.fn.Free = []*ir.Type{b.pointer}
	anything := b.d.add(ir.Type{Name: "any", Class: ir.Interface, Size: 2})
	for i, c := range []struct {
		name         string
		ph           phase
		holds, given string
		then         string // "no", or the result, what own memory holds, and whether something was published
	}{
		{"p.assembly", making, "", "f", "of h="},
		{"p.assembly", making, "f", "", "of h=f"},
		{"p.assembly", making, "", "o", "no"},
		{"p.assembly", making, "", "of func 0(o)", "no"},
		{"p.assembly", writing, "", "", "no"},
		{"runtime.SetFinalizer", making, "", "", "no"},
		{"runtime.AddCleanup", making, "", "", "no"},
		{"runtime.AddCleanup[int,int]", making, "", "", "no"},
		{"hash/maphash.Bytes", making, "", "o", "of h="},
		{"(*sync.Mutex).TryLock", making, "", "o", "of h="},
		{"(*sync.RWMutex).Lock", making, "", "o", "of h="},
		{"(*sync.WaitGroup).Wait", making, "", "o", "no"},
		{"pangolin/prelude.formatWith", after, "", "", "o h="},
		{"pangolin/prelude.formatWith", after, "", "o", "o h="},
		{"pangolin/prelude.formatWith", after, "s", "", "o h=s"},
		{"pangolin/prelude.formatWith", after, "s", "o", "no"},
		{"pangolin/prelude.formatWith", after, "", "s", "no"},
		{"pangolin/prelude.formatWith", before, "", "os", "no"},
		{"pangolin/prelude.formatNeeds", reading, "", "s", "os h=s"},
		{"pangolin/prelude.formatNeeds", writing, "f", "os", "ofs h=fs"},
		{"pangolin/prelude.formatNeeds", before, "", "f", "of h=f"},
		{"pangolin/prelude.formatNeeds", making, "f", "o", "of h=f"},
		{"pangolin/prelude.formatMore", writing, "", "", "no"},
	} {
		s := &state{phase: c.ph}
		s.holds, _ = parseHolds(c.holds)
		outs, err := b.external(spot{0, 0}, s, target{&ir.Func{Name: c.name, Params: []*ir.Type{b.pointer}, Results: []*ir.Type{b.pointer}}, b.given(t, c.given)})
		got := "no"
		if err == nil {
			got = outs[0].results[0].String() + " h=" + outs[0].state.holds.String()
			if outs[0].state.phase != c.ph {
				t.Errorf("call %d: the phase is %v", i, outs[0].state.phase)
			}
		}
		if got != c.then {
			t.Errorf("call %d: %s of %q in the phase %v: %s, not %s (%v)", i, c.name, c.given, c.ph, got, c.then, err)
		}
	}
	number := &ir.Func{Name: "p.pangolinObject", Harness: true, Params: []*ir.Type{b.pointer, anything}, Results: []*ir.Type{b.number}}
	for _, c := range []struct {
		ph        phase
		data      string
		published bool
		refused   bool
	}{{after, "o", true, false}, {after, "s", false, false}, {before, "", false, false}, {making, "o", false, true}, {making, "f", false, false}} {
		outs, err := b.external(spot{0, 0}, &state{phase: c.ph, holds: foreign}, target{number, b.given(t, "f||"+c.data)})
		if refuses(err) != c.refused || err == nil && (outs[0].state.published != c.published || outs[0].results[0].set != 0) {
			t.Errorf("the number of %q in the phase %v: %v", c.data, c.ph, err)
		}
	}
	if !b.mixed {
		t.Error("what is published leads to package variables, and that is not noted")
	}
	number.Harness = false
	if _, err := b.external(spot{0, 0}, &state{phase: after}, target{number, b.given(t, "f||o")}); !refuses(err) {
		t.Error("a function that has such a name by chance")
	}
}

// Formatting what others may have is refused if it may be a lock, or, of package variables without the lock, something that is written.
func TestFormatting(t *testing.T) {
	b := newBench()
	guarded := b.d.structure("p.guarded", "n", b.number, "lock", b.lock)
	toGuarded := b.d.pointer(guarded)
	deep := b.d.structure("p.deep", "at", toGuarded)
	b.p.Types = b.d.list
	b.types = newTypes(b.p)
	f := target{&ir.Func{Name: "pangolin/prelude.formatWith"}, b.given(t, "f")}
	format := func(ph phase) error {
		_, err := b.external(spot{0, 0}, &state{phase: ph}, f)
		return err
	}
	for _, c := range []struct {
		dynamic *ir.Type
		refused bool
	}{{b.number, false}, {b.pointer, false}, {deep, false}, {b.d.pointer(deep), false}, {toGuarded, true}, {b.lock, true}, {b.d.slice(guarded), true}} {
		b.p.Types = b.d.list
		b.types = newTypes(b.p)
		c.dynamic.Dynamic = true
		b.contents, b.deep = nil, nil
		if err := format(writing); refuses(err) != c.refused || b.deep != nil {
			t.Errorf("%s: %v", c.dynamic.Name, err)
		}
		c.dynamic.Dynamic = false
	}
	b.pointer.Dynamic, b.contents = true, nil
	if err := format(after); err != nil || b.deep == nil {
		t.Fatal(err)
	}
	b.written[class{field, b.types.group[b.pair.ID], 0}] = true
	if err := b.apart(); err != nil {
		t.Error("nothing of the collection leads to package variables:", err)
	}
	b.mixed = true
	if err := b.apart(); !refuses(err) {
		t.Error("what is formatted without the lock may be written")
	}
}

// Package fmt calls methods Format, which no instruction does: nothing is formatted in a program that has one, in no phase, not even own memory; and no reflect.Value. What looks at types alone calls nothing.
func TestFormatting_IsRefusedWhereItCallsFormat(t *testing.T) {
	for _, c := range []struct {
		method  string
		of      string // the type in interface values
		path    string
		dynamic bool
		refused bool
	}{
		{"Format(fmt.State, int32)", "p.printed", "p", true, true},
		{"Format(string) string", "time.Time", "time", true, false},
		{"String() string", "p.printed", "p", true, false},
		{"String() string", "reflect.Value", "reflect", true, true},
		{"", "reflect.Value", "reflect", false, false},
	} {
		b := newBench()
		of := b.d.structure(c.of, "n", b.number)
		of.PkgPath, of.Dynamic = c.path, c.dynamic
		if c.method != "" {
			of.Methods = map[string]*ir.Func{c.method: nil} // nil: no instruction calls it
		}
		b.p.Types = b.d.list
		b.types = newTypes(b.p)
		for _, name := range []string{"formatNeeds", "formatWith", "formatWrapped", "typeName", "isNilPointer", "isComparable"} {
			for _, ph := range []phase{making, before, reading, writing, after} {
				to := target{&ir.Func{Name: "pangolin/prelude." + name, Params: []*ir.Type{b.pointer}, Results: []*ir.Type{b.pointer}, External: true}, b.given(t, "o")}
				_, err := b.external(spot{0, 0}, &state{phase: ph}, to)
				if want := c.refused && strings.HasPrefix(name, "format"); refuses(err) != want || err != nil && !want {
					t.Errorf("%s of a program in which %s has %s, in the phase %v: %v", name, c.of, c.method, ph, err)
				}
			}
		}
	}
}

// The harness's own types are those that nobody else accesses, and its variables likewise.
func TestAround(t *testing.T) {
	for _, c := range []struct {
		user  bool
		name  string
		keeps bool
	}{{false, "p.pangolinHeld", true}, {false, "p.pangolinWrapped[p.x]", true}, {true, "p.pangolinHeld", false}, {false, "p.held", false}, {false, "pangolin.held", false}} {
		b := newBench()
		held := b.d.structure(c.name, "h0", b.pointer)
		b.p.Types, b.types = b.d.list, newTypes(&ir.Program{Types: b.d.list})
		b.p.Funcs = append(b.p.Funcs, &ir.Func{ID: 1, Name: "p.g", Harness: !c.user, Code: []ir.Instr{{Op: ir.OpNew, Dst: 0, T: held}}})
		b.fn.Code, b.fn.Harness = nil, true
		b.around = newAround(b.p, b.types)
		word := class{field, b.types.group[held.ID], 0}
		a := access{only(shared), b.pointer, []class{word}}
		for _, ph := range []phase{before, after} {
			s := &state{phase: ph, regs: []value{only(own)}}
			if err := b.reads(spot{0, 0}, s, a); (err == nil) != c.keeps {
				t.Errorf("%s is read: %v", c.name, err)
			}
			if err := b.writes(spot{0, 0}, s, a, s.regs); (err == nil) != c.keeps || c.keeps && (!s.published || !b.written[word]) {
				t.Errorf("%s is written: %v", c.name, err)
			}
		}
		a.classes = append(a.classes, class{field, b.types.group[b.pair.ID], 0})
		b.fn.Harness = !b.fn.Harness
		if err := b.reads(spot{0, 0}, &state{}, access{a.through, a.typ, []class{word}}); !refuses(err) {
			t.Errorf("%s is read by others: %v", c.name, err)
		}
		b.fn.Harness = true
		if err := b.reads(spot{0, 0}, &state{}, a); !refuses(err) {
			t.Errorf("%s is read with others: %v", c.name, err)
		}
	}
}
