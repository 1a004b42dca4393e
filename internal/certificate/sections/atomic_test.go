// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"fmt"
	"strings"
	"testing"

	"pangolin/internal/ir"
)

// What the head says of atomic classes, and what single instructions may do with their words.

// newAtomicBench is a bench with classes that are atomic, and kept.
func newAtomicBench(fixed, atomic, kept []string) (*bench, error) {
	b := newBench(fixed...)
	b.x.Head.Atomic, b.x.Head.Kept = atomic, kept
	return b, b.readAtomics()
}

func TestHead_OfAtomicClasses(t *testing.T) {
	for _, c := range []struct {
		fixed, atomic, kept string
		refused             bool
	}{
		{"", "is 3+0", "", false}, {"", "is 3+0", "is 3+0", false}, {"is 3+1", "is 3+0", "", false}, {"", "elem 1", "elem 1", false}, {"map 6", "elem 1,is 3+0,is 3+1", "is 3+1,elem 1", false},
		{"", "map 6", "", true}, {"", "elem 3", "", true}, {"", "is 3+2", "", true}, {"", "is 1+0", "", true}, {"", "some 1", "", true}, {"", "any", "", true}, {"", "global 0+0", "", true}, {"", "is 3", "", true},
		{"", "is 3+0,is 3+0", "", true}, {"", "is 3+0,elem 1,is 3+0", "", true}, {"is 3+0", "is 3+0", "", true}, {"is 3+1,elem 1", "elem 1", "", true},
		{"", "", "is 3+0", true}, {"", "is 3+1", "is 3+0", true}, {"", "is 3+0", "is 3+0,is 3+0", true}, {"", "is 3+0", "map 6", true}, {"", "is 3+0", "nonsense", true}, {"", "", "map 6", true},
	} {
		list := func(text string) []string {
			return strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
		}
		if _, err := newAtomicBench(list(c.fixed), list(c.atomic), list(c.kept)); refuses(err) != c.refused {
			t.Errorf("fixed %s, atomic %s, kept %s: %v", c.fixed, c.atomic, c.kept, err)
		}
	}
	// Two types of one group have one class.
	b := newBench()
	twin := b.d.structure("p.twin", "a", b.number, "b", b.d.list[2])
	b.p.Types = b.d.list
	b.types = newTypes(b.p)
	b.x.Head.Atomic = []string{"is 3+0", fmt.Sprintf("is %d+0", twin.ID)}
	if err := b.readAtomics(); !refuses(err) {
		t.Errorf("a class is atomic twice, by two types: %v", err)
	}
}

// moment is what an instruction on an atomic word does with the phase.
type moment struct {
	ph   phase
	in   ir.Instr
	regs string
	then string // the phase behind it; "no" if it is refused
}

func (b *bench) moments(t *testing.T, list []moment) {
	t.Helper()
	for i, m := range list {
		out, err := b.after(t, m.ph, "", m.in, strings.Split(m.regs, "|")...)
		got := "no"
		if err == nil {
			got = out[0].phase.String()
		} else if !refuses(err) {
			t.Fatal(err)
		}
		if got != m.then {
			t.Errorf("moment %d: %v of %q in the phase %v: %s, not %s (%v)", i, m.in.Op, m.regs, m.ph, got, m.then, err)
		}
	}
}

// An access to a word of an atomic class is the moment of the call, unless it reads a kept one with the lock.
func TestMoment(t *testing.T) {
	free, kept := "s is 3+0", "s is 3+1"
	load, store, add := ir.Instr{Op: ir.OpAtomicLoad, Dst: 5, A: 0}, ir.Instr{Op: ir.OpAtomicStore, A: 0, B: 1}, ir.Instr{Op: ir.OpAtomicAdd, Dst: 9, A: 0, B: 8}
	cas, swap := ir.Instr{Op: ir.OpAtomicCAS, Dst: 9, A: 0, B: 1, C: 2}, ir.Instr{Op: ir.OpAtomicSwap, Dst: 5, A: 0, B: 1}
	b, err := newAtomicBench(nil, []string{"is 3+0", "is 3+1", "elem 2"}, []string{"is 3+1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []ir.Instr{load, store, add, cas, swap} {
		for _, of := range []string{free, "os is 3+0", "s path 1+0 is 3+0", "s elem 2"} {
			b.moments(t, []moment{
				{before, in, of, "after"}, {reading, in, of, "reading+"}, {writing, in, of, "writing+"},
				{readingPlus, in, of, "no"}, {writingPlus, in, of, "no"}, {after, in, of, "no"},
			})
		}
		for ph := before; ph <= making; ph++ { // what is own has no moment
			b.moments(t, []moment{{ph, in, "o is 3+0", ph.String()}, {ph, in, "o is 3+1", ph.String()}, {ph, in, "o", ph.String()}, {ph, in, "os", map[bool]string{true: "no", false: "making"}[ph != making || in.Op != ir.OpAtomicLoad]}})
		}
		if in.Op != ir.OpAtomicLoad {
			b.moments(t, []moment{
				{before, in, kept, "no"}, {reading, in, kept, "no"}, {writing, in, kept, "writing+"}, {readingPlus, in, kept, "no"}, {writingPlus, in, kept, "no"}, {after, in, kept, "no"},
				{before, in, "f is 3+0", "no"}, {writing, in, "f is 3+0", "no"}, {writing, in, "fs is 3+1", "no"},
			})
		}
		b.careful = true
		b.moments(t, []moment{{before, in, free, "no"}, {reading, in, free, "no"}, {writing, in, free, "no"}, {before, in, "o is 3+0", "before"}})
		b.careful = false
	}
	b.moments(t, []moment{
		{before, load, kept, "after"}, {reading, load, kept, "reading"}, {writing, load, kept, "writing"}, {readingPlus, load, kept, "reading+"}, {writingPlus, load, kept, "writing+"}, {after, load, kept, "no"},
		{before, load, "f is 3+0", "after"}, {writing, load, "fs is 3+1", "writing"}, {making, load, "f is 3+0", "making"}, {making, store, "f is 3+0|f", "making"}, {making, store, "f is 3+0|o", "making"},
	})
	b.careful = true
	b.moments(t, []moment{{reading, load, kept, "reading"}, {before, load, kept, "no"}})
	b.careful = false
	b.atomically[class{field, b.types.group[b.lock.ID], 0}] = true // nobody but package sync accesses that
	b.moments(t, []moment{{before, load, "s is 5+0", "no"}, {writing, add, "s is 5+0", "no"}})
	b.fn.Harness = true
	b.moments(t, []moment{{before, add, "f is 3+0", "after"}, {after, add, "f is 3+0", "no"}})
}

// What is stored at the moment is published, and the class is written: so it leads to no place.
func TestMoment_Publishes(t *testing.T) {
	b, err := newAtomicBench([]string{"elem 2"}, []string{"is 3+1"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	at := "s path 2+1 is 3+1"
	b.follow(t, []rule{
		{before, "", ir.Instr{Op: ir.OpAtomicLoad, Dst: 5, A: 0}, at, "=s h="},
		{before, "f", ir.Instr{Op: ir.OpAtomicStore, A: 0, B: 1}, at + "|o", "h= p"},
		{reading, "f", ir.Instr{Op: ir.OpAtomicStore, A: 0, B: 1}, at + "|s", "h=f"},
		{before, "s", ir.Instr{Op: ir.OpAtomicSwap, Dst: 5, A: 0, B: 1}, at + "|o", "=s h= p"},
		{before, "f", ir.Instr{Op: ir.OpAtomicSwap, Dst: 5, A: 0, B: 1}, "os is 3+1|o", "=fs h= p"},
		{before, "", ir.Instr{Op: ir.OpAtomicSwap, Dst: 5, A: 0, B: 1}, "os is 3+1|s", "=os h=s"},
		{writing, "", ir.Instr{Op: ir.OpAtomicCAS, Dst: 9, A: 0, B: 1, C: 2}, at + "|o|s", "= h="},
		{writing, "", ir.Instr{Op: ir.OpAtomicCAS, Dst: 9, A: 0, B: 1, C: 2}, at + "|s|o", "= h= p"},
	})
	out, err := b.after(t, before, "", ir.Instr{Op: ir.OpAtomicStore, A: 0, B: 1}, at, "o", "o", "of")
	if err != nil {
		t.Fatal(err)
	}
	for r, want := range []string{at, "s", "s", "fs"} {
		if got := out[0].regs[r].String(); got != want {
			t.Errorf("register %d is %q behind a publication, not %q", r, got, want)
		}
	}
	if word := (class{field, b.types.group[b.pair.ID], 1}); len(b.written) != 1 || !b.written[word] {
		t.Error(b.written)
	}
	b.mixed = false
	if _, err := b.after(t, before, "", ir.Instr{Op: ir.OpAtomicStore, A: 0, B: 1}, at, "f"); err != nil || !b.mixed {
		t.Error("what a package variable leads to can be reached from the collection, and that is not noted:", err)
	}
}

// Nothing but an atomic instruction accesses a word that others may have, and that may be of an atomic class.
func TestNoAtomic(t *testing.T) {
	word, slice := ir.Instr{Op: ir.OpLoad, Dst: 8, A: 0, T: nil}, ir.Instr{Op: ir.OpAppend, Dst: 5, A: 0, B: 2, C: ir.NoReg}
	for _, atomic := range []string{"is 3+0", "elem 1"} {
		b, err := newAtomicBench(nil, []string{atomic}, nil)
		if err != nil {
			t.Fatal(err)
		}
		b.fn.Kinds[6], b.fn.Kinds[7] = ir.Scalar, ir.Scalar
		field := atomic == "is 3+0"
		load, store, grow, copies, clears, whole, put := word, word, slice, slice, slice, word, word
		load.T, store.T, grow.T, copies.T, clears.T, whole.T, put.T = b.number, b.number, b.number, b.number, b.number, b.pair, b.pair
		copies.Op, copies.Dst, whole.Dst = ir.OpCopy, 8, 4
		clears.Op, clears.Dst, store.Op, store.Dst, store.B, put.Op, put.Dst, put.B = ir.OpClear, 0, ir.OpStore, 0, 8, ir.OpStore, 0, 8
		then := func(refused bool, otherwise string) string {
			if refused {
				return "no"
			}
			return otherwise
		}
		for _, of := range []string{"s", "os", "s elem 1", "s is 3+0"} {
			hits := of == "s" || of == "os" || of == atomic || of == "s "+atomic
			b.follow(t, []rule{{writing, "", load, of, then(hits, "= h=")}, {reading, "", load, of, then(hits, "= h=")}, {writingPlus, "", load, of, then(hits, "= h=")}, {writing, "", store, of, then(hits, "h=")},
				{before, "", load, of, "no"}, {after, "", store, of, "no"}})
		}
		b.follow(t, []rule{
			{writing, "", grow, "s||o", then(!field, "=os h=")}, {reading, "", grow, "o||s", then(!field, "=o h=")}, {reading, "", grow, "o||o", "=o h="},
			{writing, "", copies, "s||o", then(!field, "= h=")}, {reading, "", copies, "o||s", then(!field, "= h=")}, {writing, "", clears, "s", then(!field, "h=")},
			{writing, "", put, "s", then(field, "h=")}, {before, "", put, "o", "h="}, {before, "", load, "o is 3+0", "= h="}, {after, "", store, "o", "h="}, {making, "", load, "f", "= h="}, {making, "", store, "f", "h="},
		})
		if _, err := b.after(t, reading, "", whole, "s"); refuses(err) != field {
			t.Errorf("a struct is read, %s is atomic: %v", atomic, err)
		}
		// Not even what is the harness's own, if it could be such a word.
		b.fn.Harness = true
		b.keeps[b.types.group[b.pair.ID]], b.keeps[b.types.group[b.number.ID]] = true, true
		b.follow(t, []rule{{before, "", load, "s " + atomic, "no"}, {before, "", store, "s " + atomic, "no"}, {before, "", store, "f", "no"}})
	}
}

// An atomic instruction of which it is not known whether it accesses a word of an atomic class is refused: it would be one of two words in one section that others see one after the other.
func TestMoment_OfUnknownWords(t *testing.T) {
	b := newBench()
	wide, other := b.d.basic("int64", ir.Int64), b.d.basic("uint64", ir.Uint64)
	count := b.d.structure("p.count", "n", wide, "m", other)
	b.p.Types = b.d.list
	b.types = newTypes(b.p)
	n := class{field, b.types.group[count.ID], 0}
	b.atomically[n] = true
	add := ir.Instr{Op: ir.OpAtomicAdd, Num: ir.I64, Dst: 9, A: 0, B: 8}
	others := add
	others.Num = ir.U32
	b.moments(t, []moment{{before, add, "s", "no"}, {writing, add, "s", "no"}, {writing, add, "os", "no"}, {writing, add, "o", "writing"}, {making, add, "f", "making"}})
	b.d.basic("uint32", ir.Uint32)
	b.p.Types = b.d.list
	b.types = newTypes(b.p)
	b.moments(t, []moment{{writing, others, "s", "writing"}, {before, others, "s", "no"}, {reading, others, "s", "no"}})
	// A word of another class is one as ever.
	m := fmt.Sprintf("s is %d+1", count.ID)
	others.Num = ir.U64
	b.moments(t, []moment{{writing, others, m, "writing"}, {writingPlus, others, m, "writing+"}, {before, others, m, "no"}, {reading, others, m, "no"}})
}

// Formatting reads words without atomic instructions: none that others may have, if there are atomic ones. What looks at an interface value alone reads none.
func TestFormatting_OfAtomicWords(t *testing.T) {
	for _, c := range []struct {
		name, given string
		ph          phase
		refused     bool
	}{
		{"formatWith", "s", writing, true}, {"formatWith", "f", writingPlus, true}, {"formatNeeds", "f", before, true}, {"formatWrapped", "os", reading, true}, {"formatWith", "o", after, false}, {"formatWith", "", before, false},
		{"formatWith", "f", making, false}, {"isComparable", "f", before, false}, {"isComparable", "s", writing, false}, {"isComparable", "s", before, true}, {"typeName", "s", reading, false}, {"isNilPointer", "s", writingPlus, false},
	} {
		b, err := newAtomicBench(nil, []string{"is 3+0"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = b.external(spot{0, 0}, &state{phase: c.ph}, target{&ir.Func{Name: "pangolin/prelude." + c.name}, b.given(t, c.given)})
		if refuses(err) != c.refused {
			t.Errorf("%s of %q in the phase %v: %v", c.name, c.given, c.ph, err)
		}
		if _, err = newBench().external(spot{0, 0}, &state{phase: writing}, target{&ir.Func{Name: "pangolin/prelude." + c.name}, b.given(t, c.given)}); err != nil {
			t.Errorf("%s of %q without atomic words: %v", c.name, c.given, err)
		}
	}
}
