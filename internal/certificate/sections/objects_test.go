// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"bytes"
	"context"
	"io"
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

// method is a method of an object, with an interface value that it is given and one that it returns.
func (b *bench) method(name string) *ir.Func {
	anything := b.d.add(ir.Type{Name: "any", Class: ir.Interface, Size: 2})
	return &ir.Func{Name: name, Short: name, Model: strings.HasPrefix(name, "pangolin/"), External: strings.HasPrefix(name, "(*sync/"), Params: []*ir.Type{b.pointer, anything}, Results: []*ir.Type{anything, b.number}}
}

func TestObject(t *testing.T) {
	const load, store = "pangolin/prelude.mapLoad", "(*sync/atomic.Value).Store"
	for i, c := range []struct {
		name         string
		ph           phase
		holds, given string
		then         string // "no", "panics", or the phase, the result, what own memory holds, and whether something was published
	}{
		// Shared: the moment.
		{load, before, "", "s||o", "after os h="},
		{load, reading, "f", "s||", "reading+ s h=f"},
		{load, writing, "", "s||f", "writing+ fs h="},
		{load, readingPlus, "", "s||", "no"},
		{load, writingPlus, "", "s||", "no"},
		{load, after, "", "s||", "no"},
		{store, before, "", "s||o", "after s h= p"},
		{store, reading, "fs", "s||o", "reading+ s h= p"},
		{store, writing, "", "s||s", "writing+ s h="},
		{store, writing, "f", "s||of", "writing+ fs h= p"},
		{store, after, "", "s||", "no"},
		{store, writingPlus, "", "s||", "no"},
		// Own: any number of accesses in each phase.
		{load, after, "", "o||", "after o h="},
		{load, after, "s", "o||f", "after ofs h=s"},
		{store, before, "", "o||o", "before o h="},
		{store, writingPlus, "", "o||s", "writing+ os h=s"},
		{store, making, "", "o||f", "making of h=f"},
		// It may be either: what it has may be own, as long as nothing is published.
		{load, before, "", "os||", "after os h="},
		{load, before, "f", "os||", "after ofs h=f"},
		{store, before, "", "os||o", "after s h= p"},
		{store, before, "", "os||f", "after ofs h=f"},
		{load, after, "", "os||", "no"},
		// What package variables lead to.
		{load, before, "", "f||", "no"},
		{load, writing, "", "fs||", "no"},
		{store, writing, "", "f||", "no"},
		{load, making, "", "f||o", "making of h="},
		{store, making, "", "f||f", "making f h="},
		{store, making, "", "f||o", "no"},
		{store, making, "", "of||o", "no"},
		// Nil, and other methods.
		{load, before, "", "||o", "panics"},
		{"pangolin/prelude.mapRange", writing, "", "s||", "no"},
		{"pangolin/prelude.mapRange", making, "", "o||", "no"},
		{"(*sync.Map).Other", making, "", "o||", "no"},
		{"(*sync/atomic.Value).Other", writing, "", "o||", "no"},
	} {
		b := newBench()
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

// Each method keeps what it is given, but Load; and none of them may be the moment where a panic is recovered.
func TestObject_EachMethod(t *testing.T) {
	for name := range accesses {
		b := newBench()
		out, err := b.object(spot{0, 0}, &state{phase: before}, target{b.method(name), b.given(t, "s||o")})
		if err != nil || out[0].state.published == strings.HasSuffix(name, "Load") {
			t.Errorf("%s: %v, %v", name, out, err)
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
	}
	b := newBench()
	if _, err := b.object(spot{0, 0}, &state{phase: before}, target{b.method("pangolin/prelude.mapStore"), b.given(t, "s||f")}); err != nil || !b.mixed {
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
	"CopiesRenamed":  "are copied or written",
	"Formats":        "with a lock",
	"Recovers":       "where a panic may be recovered",
	"Global":         "what may be a package variable",
	"Keeps":          "the constructor gives what it makes to a package variable",
	"Calls":          "shared memory is written in the phase after",
}

func TestCheck_RefusesObjects(t *testing.T) {
	for _, typ := range typesIn(t, objectWrongs+"/wrong.go") {
		_, err := fill(proving.Load(t, objectWrongs, typ))
		if want := objectReasons[typ]; !refuses(err) || want == "" || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %q, got %v", typ, want, err)
		}
	}
}
