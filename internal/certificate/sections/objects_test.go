// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/ir"
	"pangolin/internal/test/proving"
)

// What methods of sync.Map and atomic.Value do, and whole types with them.

const (
	objectRights = "testdata/objects/right"
	objectWrongs = "testdata/objects/wrong"
)

// objectBench is a bench with a sync.Map, type 12, which begins with an atomic.Uint32, type 9, and an atomic.Value, type 10. The classes of their first words are atomic.
func objectBench(kept ...string) *bench {
	b := newBench()
	anything := b.d.add(ir.Type{Name: "any", Class: ir.Interface, Size: 2})
	counter := b.d.structure("atomic.Uint32", "v", b.d.basic("uint32", ir.Uint32))
	counter.PkgPath = "sync/atomic"
	b.d.structure("atomic.Value", "v", anything).PkgPath = "sync/atomic"
	inner := b.d.structure("sync.HashTrieMap[any,any]", "inited", counter, "root", b.pointer)
	inner.PkgPath = "internal/sync"
	b.d.structure("sync.Map", "m", inner).PkgPath = "sync"
	b.p.Types = b.d.list
	b.types = newTypes(b.p)
	b.x.Head.Atomic, b.x.Head.Kept = []string{ofMap, ofValue}, kept
	if err := b.readAtomics(); err != nil {
		panic(err)
	}
	return b
}

// The classes of the first words of objects.
const (
	ofMap   = "is 9+0"
	ofValue = "is 10+0"
)

// method is a method of an object, with an interface value that it is given and one that it returns.
func (b *bench) method(name string) *ir.Func {
	of, anything := 10, b.d.list[7]
	if !strings.Contains(name, "Value") {
		of = 12
	}
	return &ir.Func{Name: name, Short: name, Model: strings.HasPrefix(name, "pangolin/"), External: strings.HasPrefix(name, "(*sync/"), Params: []*ir.Type{{Class: ir.PointerClass, Elem: b.d.list[of], Size: 1}, anything}, Results: []*ir.Type{anything, b.number}}
}

// Names of methods.
const (
	mapLoad, mapStore, mapDelete, mapTake = "pangolin/prelude.mapLoad", "pangolin/prelude.mapStore", "pangolin/prelude.mapDelete", "pangolin/prelude.mapLoadAndDelete"
	valueLoad, valueStore                 = "(*sync/atomic.Value).Load", "(*sync/atomic.Value).Store"
)

// objectCase is a call of a method of an object.
type objectCase struct {
	name         string
	ph           phase
	holds, given string
	then         string // "no", "panics", or the phase, the result, what own memory holds, and whether something was published
}

// objects makes the calls, each with a bench of its own.
func objects(t *testing.T, list []objectCase, kept ...string) {
	t.Helper()
	for i, c := range list {
		b := objectBench(kept...)
		s := &state{phase: c.ph}
		s.holds, _ = parseHolds(c.holds)
		f := b.method(c.name)
		if !isOfObject(f) {
			t.Fatalf("%s is no method of an object", c.name)
		}
		out, err := b.object(spot{0, 0}, s, target{f, b.given(t, c.given)})
		got := ""
		switch {
		case refuses(err):
			got = "no"
		case err != nil:
			t.Fatal(err)
		case len(out) == 0:
			got = "panics"
		default:
			got = out[0].state.phase.String() + " " + out[0].results[1].String() + " h=" + out[0].state.holds.String()
			if out[0].state.published {
				got += " p"
			}
			if len(out[0].results) != 3 || reach(append(out[0].results[:1], out[0].results[2])) != 0 {
				t.Errorf("case %d: %v", i, out[0].results)
			}
		}
		if got != c.then {
			t.Errorf("case %d: %s of %q in the phase %v: %s, not %s (%v)", i, c.name, c.given, c.ph, got, c.then, err)
		}
	}
}

func TestObject(t *testing.T) {
	const load, store = mapLoad, valueStore
	objects(t, []objectCase{
		// Shared: the moment.
		{load, before, "", "s||o", "after s h="},
		{load, reading, "f", "s||", "reading+ s h=f"},
		{load, writing, "", "s||f", "writing+ s h="},
		{load, readingPlus, "", "s||", "no"},
		{load, writingPlus, "", "s||", "no"},
		{load, after, "", "s||", "no"},
		{store, before, "", "s||o", "after s h= p"},
		{store, reading, "fs", "s||o", "reading+ s h= p"},
		{store, writing, "", "s||s", "writing+ s h="},
		{store, writing, "f", "s||of", "writing+ fs h= p"},
		{store, after, "", "s||", "no"},
		{store, writingPlus, "", "s||", "no"},
		{mapTake, before, "f", "s||o", "after s h=f"},
		{mapTake, reading, "", "s||of", "reading+ s h="},
		{mapDelete, writing, "", "s||o", "writing+ s h="},
		{mapDelete, readingPlus, "", "s||", "no"},
		{mapTake, after, "", "s||o", "no"},
		// Own: any number of accesses in each phase.
		{load, after, "", "o||", "after o h="},
		{load, after, "s", "o||f", "after os h=s"},
		{store, before, "", "o||o", "before o h="},
		{store, writingPlus, "", "o||s", "writing+ os h=s"},
		{store, making, "", "o||f", "making of h=f"},
		{mapTake, after, "f", "o||s", "after of h=f"},
		{mapDelete, making, "", "o||f", "making o h="},
		// It may be either: what it has may be own, as long as nothing is published.
		{load, before, "", "os||", "after os h="},
		{load, before, "f", "os||", "after ofs h=f"},
		{store, before, "", "os||o", "after s h= p"},
		{store, before, "", "os||f", "after ofs h=f"},
		{mapTake, before, "f", "os||o", "after ofs h=f"},
		{load, after, "", "os||", "no"},
		// What package variables lead to.
		{load, before, "", "f||", "no"},
		{load, writing, "", "fs||", "no"},
		{store, writing, "", "f||", "no"},
		{mapDelete, writing, "", "fs||", "no"},
		{load, making, "", "f||o", "making f h="},
		{store, making, "", "f||f", "making f h="},
		{store, making, "", "f||o", "making of h="},
		{store, making, "", "of||o", "making of h="},
		{mapTake, making, "", "f||o", "making f h="},
		// Nil, and other methods.
		{load, before, "", "||o", "panics"},
		{"pangolin/prelude.mapRange", writing, "", "s||", "no"},
		{"pangolin/prelude.mapRange", making, "", "o||", "no"},
		{"(*sync.Map).Other", making, "", "o||", "no"},
		{"(*sync/atomic.Value).Other", writing, "", "o||", "no"},
	})
}

// Of objects that are kept, who has the lock reads any number of times, and who has it for writing writes once.
func TestObject_Kept(t *testing.T) {
	for _, of := range []struct{ load, write, class string }{{mapLoad, mapStore, ofMap}, {mapLoad, mapDelete, ofMap}, {mapLoad, mapTake, ofMap}, {valueLoad, valueStore, ofValue}} {
		objects(t, []objectCase{
			{of.load, before, "", "s||", "after s h="},
			{of.load, reading, "", "s||o", "reading s h="},
			{of.load, writing, "f", "s||", "writing s h=f"},
			{of.load, readingPlus, "", "s||", "reading+ s h="},
			{of.load, writingPlus, "f", "os||", "writing+ ofs h=f"},
			{of.load, after, "", "s||", "no"},
			{of.load, reading, "", "fs||", "no"},
			{of.load, writing, "", "f||", "no"},
			{of.write, before, "", "s||", "no"},
			{of.write, reading, "", "s||", "no"},
			{of.write, reading, "", "os||", "no"},
			{of.write, writing, "", "s||", "writing+ s h="},
			{of.write, readingPlus, "", "s||", "no"},
			{of.write, writingPlus, "", "s||", "no"},
			{of.write, after, "", "s||", "no"},
			{of.write, after, "", "o||", "after o h="},
			{of.write, making, "", "f||", "making f h="},
		}, of.class)
	}
	// The other one is not kept.
	objects(t, []objectCase{{valueLoad, reading, "", "s||", "reading+ s h="}, {valueStore, before, "", "s||", "after s h="}}, ofMap)
	objects(t, []objectCase{{mapLoad, writing, "", "s||", "writing+ s h="}, {mapDelete, reading, "", "s||", "reading+ s h="}}, ofValue)
}

// Each method is the moment, but Load of what is kept. Load and those that delete publish nothing, and all but Load write the class; none of them may be the moment where a panic is recovered.
func TestObject_EachMethod(t *testing.T) {
	for name := range accesses {
		b := objectBench()
		load := strings.HasSuffix(name, "Load")
		keeps := !load && !strings.Contains(name, "Delete") && !strings.HasSuffix(name, "Clear")
		of := b.types.objectClass(b.method(name))
		if text := map[bool]string{true: ofMap, false: ofValue}[strings.Contains(name, "map")]; fmt.Sprintf("is %d+%d", of.of, of.n) != text || of.sort != field {
			t.Errorf("%s accesses %v, and not %s", name, of, text)
		}
		out, err := b.object(spot{0, 0}, &state{phase: before}, target{b.method(name), b.given(t, "o||o")})
		if err != nil || out[0].state.published || len(b.written) > 0 {
			t.Errorf("%s of what is own: %v, %v, %v", name, out, err, b.written)
		}
		out, err = b.object(spot{0, 0}, &state{phase: before}, target{b.method(name), b.given(t, "s||o")})
		if err != nil || out[0].state.published != keeps || out[0].state.phase != after || b.written[of] == load || len(b.written) > 1 {
			t.Errorf("%s: %v, %v, %v", name, out, err, b.written)
		}
		out, err = b.object(spot{0, 0}, &state{phase: before, published: true}, target{b.method(name), b.given(t, "o||")})
		if err != nil || !out[0].state.published {
			t.Errorf("%s forgets that something was published: %v, %v", name, out, err)
		}
		b.careful = true
		if _, err := b.object(spot{0, 0}, &state{phase: before}, target{b.method(name), b.given(t, "s||")}); !refuses(err) {
			t.Errorf("%s where a panic may be recovered: %v", name, err)
		}
		if _, err := b.object(spot{0, 0}, &state{phase: before}, target{b.method(name), b.given(t, "o||")}); err != nil {
			t.Errorf("%s of what is own, where a panic may be recovered: %v", name, err)
		}
		b.kept[of] = true
		if _, err := b.object(spot{0, 0}, &state{phase: writing}, target{b.method(name), b.given(t, "s||")}); refuses(err) == load {
			t.Errorf("%s of what is kept, where a panic may be recovered: %v", name, err)
		}
		b.careful = false
		delete(b.atomically, of)
		for ph := before; ph <= making; ph++ {
			if _, err := b.object(spot{0, 0}, &state{phase: ph}, target{b.method(name), b.given(t, "s||")}); refuses(err) != (ph != making) {
				t.Errorf("%s in the phase %v, of a class that is not atomic: %v", name, ph, err)
			}
		}
		b.atomically[of] = true
		other := b.method(name)
		other.Params = other.Params[1:]
		if _, err := b.object(spot{0, 0}, &state{phase: before}, target{other, b.given(t, "s||")}); !refuses(err) {
			t.Errorf("%s of what is not known: %v", name, err)
		}
	}
	b := objectBench()
	if _, err := b.object(spot{0, 0}, &state{phase: before}, target{b.method(mapStore), b.given(t, "s||f")}); err != nil || !b.mixed {
		t.Error("what a package variable leads to can be reached from the collection, and that is not noted:", err)
	}
}

// Functions with similar names are none of these methods.
func TestIsOfObject(t *testing.T) {
	for _, f := range []*ir.Func{
		{Name: "pangolin/prelude.mapsClone", Model: true}, {Name: "pangolin/prelude.mapBegin", Model: true}, {Name: "pangolin/prelude.mapLoad"}, {Name: "(*sync.Map).Load$bound", Wrapper: true}, {Name: "(*p.Map).Load"},
		{Name: "(*sync/atomic.Value).Load$bound", Wrapper: true}, {Name: "(*sync/atomic.Int64).Load"}, {Name: "(*sync.Mutex).Lock", External: true},
	} {
		if isOfObject(f) {
			t.Error(f.Name)
		}
	}
}

// An atomic.Value is a struct of which no other code has the words, whatever it is called; other types of its package are not.
func TestTypes_AtomicValue(t *testing.T) {
	var d declared
	word := d.add(ir.Type{Name: "any", Class: ir.Interface, Size: 2})
	value, renamed, other, count := d.structure("atomic.Value", "v", word), d.structure("p.V", "v", word), d.structure("p.Other", "w", word), d.structure("atomic.Int64", "n", word)
	value.PkgPath, count.PkgPath = "sync/atomic", "sync/atomic"
	holder := d.structure("p.holder", "in", value)
	types := newTypes(&ir.Program{Types: d.list})
	for of, is := range map[*ir.Type]bool{value: true, renamed: true, holder: true, other: false, count: false} {
		if types.hasLock(of) != is {
			t.Errorf("%s: %v", of.Name, !is)
		}
	}
}

func TestCheck_AcceptsObjects(t *testing.T) {
	for _, typ := range typesIn(t, objectRights+"/right.go") {
		s := proving.Load(t, objectRights, typ)
		x, err := fill(s)
		if err != nil {
			t.Errorf("%s: %v", typ, err)
			continue
		}
		var b bytes.Buffer
		if err := x.Write(&b); err != nil {
			t.Fatal(err)
		}
		if out, err := CheckFile(context.Background(), s, b.Bytes(), io.Discard); err != nil || !out.Holds {
			t.Errorf("%s: %+v, %v", typ, out, err)
		}
		if kept := slices.Contains(keptObjects, typ); kept != (len(x.Head.Kept) > 0) {
			t.Errorf("%s: kept is %v", typ, x.Head.Kept)
		}
	}
}

// keptObjects are the types whose objects are written with the lock alone.
var keptObjects = []string{"Deferred", "Names", "Ages", "Counts", "Settings"}

// A certificate whose head says less of objects than there is to say, or more, is refused.
func TestCheck_RefusesOtherClassesOfObjects(t *testing.T) {
	for _, typ := range []string{"Names", "Counts"} {
		s := proving.Load(t, objectRights, typ)
		whole, err := fill(s)
		if err != nil {
			t.Fatal(err)
		}
		for name, damage := range map[string]func(h *Head){
			"none atomic":      func(h *Head) { h.Atomic, h.Kept = nil, nil },
			"none kept":        func(h *Head) { h.Kept = nil },
			"kept, not atomic": func(h *Head) { h.Atomic = nil },
			"atomic and fixed": func(h *Head) { h.Fixed = append(h.Fixed, h.Atomic...) },
			"only fixed":       func(h *Head) { h.Fixed, h.Atomic, h.Kept = append(h.Fixed, h.Atomic...), nil, nil },
		} {
			x := copyOf(whole)
			if damage(&x.Head); !refuses(Check(context.Background(), s, x)) {
				t.Errorf("%s: %s", typ, name)
			}
		}
	}
}

// objectReasons are what is said of types with objects that are refused.
var objectReasons = map[string]string{
	"LooksFirst":     "behind the moment",
	"LooksLocked":    "behind the moment",
	"Behind":         "behind the moment",
	"Bound":          "behind the moment",
	"WithCounter":    "behind the moment",
	"Front":          "Lock in the phase after",
	"Walks":          "more than one access",
	"WalksAtFirst":   "more than one access",
	"WritesStored":   "shared memory is written in the phase after",
	"WritesKey":      "shared memory is written in the phase after",
	"WritesCompared": "shared memory is written in the phase after",
	"WritesActual":   "shared memory is written in the phase after",
	"WritesTaken":    "shared memory is written in the phase after",
	"WritesLocked":   "field n of wrong.cell is read in the phase after",
	"WritesIndirect": "shared memory is written in the phase after",
	"PutsShared":     "shared memory is written in the phase after",
	"OneOfTwo":       "shared memory is written in the phase after",
	"Copies":         "are copied or written",
	"CopiesRenamed":  "field v of wrong.renamed is accessed",
	"Formats":        "formats what others may have",
	"Recovers":       "where a panic may be recovered",
	"Global":         "what may be a package variable",
	"Calls":          "shared memory is written in the phase after",
	"NamesUnlocked":  "behind the moment",
	"AgesUnlocked":   "behind the moment",
	"CountsUnlocked": "behind the moment",
	"NamesAsReader":  "behind the moment",
	"CountsAsReader": "behind the moment",
	"NamesTwice":     "behind the moment",
	"CountsTwice":    "behind the moment",
	"NamesFirst":     "Lock in the phase after",
	"CountsFirst":    "Lock in the phase after",
	"NamesBehind":    "behind the moment",
	"NamesInPlace":   "an element or variable of type string is read in the phase after",
	"DeletesFound":   "shared memory is written in the phase after",
	"Boxed":          "a value with a lock is copied",
	"BoundCopy":      "copies a sync.Map",
	"CopiesOwn":      "copies a sync.Map",
}

func TestCheck_RefusesObjects(t *testing.T) { refusesTypes(t, objectWrongs, objectReasons) }
