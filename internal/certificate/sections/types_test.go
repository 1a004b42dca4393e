// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"strings"
	"testing"

	"pangolin/internal/ir"
)

// declared makes types for tests, each with the next ID.
type declared struct{ list []*ir.Type }

func (d *declared) add(t ir.Type) *ir.Type {
	if len(d.list) == 0 {
		d.list = []*ir.Type{nil}
	}
	t.ID = len(d.list)
	d.list = append(d.list, &t)
	return &t
}

func (d *declared) basic(name string, class ir.Class) *ir.Type {
	return d.add(ir.Type{Name: name, Class: class, Named: true, Size: 1})
}

func (d *declared) pointer(to *ir.Type) *ir.Type {
	return d.add(ir.Type{Name: "*" + to.Name, Class: ir.PointerClass, Elem: to, Size: 1})
}

func (d *declared) slice(of *ir.Type) *ir.Type {
	return d.add(ir.Type{Name: "[]" + of.Name, Class: ir.Slice, Elem: of, Size: ir.SliceWords})
}

func (d *declared) array(n int, of *ir.Type) *ir.Type {
	return d.add(ir.Type{Name: "array of " + of.Name, Class: ir.Array, Elem: of, Len: n, Size: n * of.Size})
}

// structure makes a struct. Without a name it has no name; a field is "name tag".
func (d *declared) structure(name string, fields ...any) *ir.Type {
	t := ir.Type{Name: name, Class: ir.Struct, Named: name != ""}
	for i := 0; i < len(fields); i += 2 {
		of := fields[i+1].(*ir.Type)
		field, tag, _ := strings.Cut(fields[i].(string), " ")
		t.Fields = append(t.Fields, ir.Field{Name: field, Tag: tag, Type: of, Offset: t.Size, PkgPath: "p"})
		t.Size += of.Size
	}
	return d.add(t)
}

// Types are of one group where Go converts pointers to them, and not only because they have the same words.
func TestGroups(t *testing.T) {
	d := &declared{}
	number, named, wide := d.basic("int", ir.Int), d.basic("p.number", ir.Int), d.basic("int64", ir.Int64)
	pair, twin := d.structure("p.pair", "a", number, "b", number), d.structure("p.twin", "a", number, "b", number)
	tagged, plain := d.structure("", `a x`, number, "b", number), d.structure("", "a", number, "b", number)
	other, renamed := d.structure("p.other", "a", number, "b", named), d.structure("p.renamed", "a", number, "c", number)
	exported := d.structure("p.exported", "a", number, "b", number)
	exported.Fields[0].PkgPath = "q"
	toPair, toTwin := d.pointer(pair), d.pointer(twin)
	namedPointer := d.add(ir.Type{Name: "p.pointer", Class: ir.PointerClass, Named: true, Elem: pair, Size: 1})
	toTagged, toPlain := d.pointer(tagged), d.pointer(plain)
	holdsTagged, holdsPlain := d.structure("p.holdsTagged", "x", toTagged), d.structure("p.holdsPlain", "x", toPlain)
	holdsPair, holdsTwin := d.structure("p.holdsPair", "x", pair), d.structure("p.holdsTwin", "x", twin)
	two, three, namedTwo := d.array(2, number), d.array(3, number), d.array(2, named)
	ints, nameds := d.slice(number), d.slice(named)
	list := d.add(ir.Type{Name: "p.list", Class: ir.Slice, Named: true, Elem: number, Size: 3})
	counts := d.add(ir.Type{Name: "p.counts", Class: ir.Map, Named: true, Key: number, Elem: pair, Size: 1})
	same := d.add(ir.Type{Name: "map[int]pair", Class: ir.Map, Key: number, Elem: pair, Size: 1})
	twins := d.add(ir.Type{Name: "map[int]twin", Class: ir.Map, Key: number, Elem: twin, Size: 1})
	g := newTypes(&ir.Program{Types: d.list})
	for _, c := range []struct {
		a, b *ir.Type
		want bool
	}{
		{number, named, true}, {number, wide, false}, {pair, twin, true}, {pair, tagged, true}, {tagged, plain, true}, {pair, other, false}, {pair, renamed, false}, {pair, exported, false},
		{toPair, toTwin, false}, {toPair, namedPointer, true}, {holdsTagged, holdsPlain, true}, {holdsPair, holdsTwin, false}, {two, three, false}, {two, namedTwo, false},
		{ints, nameds, false}, {ints, list, true}, {counts, same, true}, {same, twins, false}, {ints, number, false},
	} {
		if got := g.group[c.a.ID] == g.group[c.b.ID]; got != c.want {
			t.Errorf("%s and %s are of one group: %v", c.a.Name, c.b.Name, got)
		}
	}
}

// Which words of a value are of which class.
func TestWords(t *testing.T) {
	d := &declared{}
	number, text := d.basic("int", ir.Int), d.basic("string", ir.StringClass)
	pair := d.structure("p.pair", "a", number, "b", text)
	two := d.array(2, number)
	pairs := d.array(2, pair)
	all := d.structure("p.all", "n", number, "in", pair, "list", d.slice(number), "arr", two, "pairs", pairs)
	g := newTypes(&ir.Program{Types: d.list})
	var got []string
	for w := range all.Size {
		got = append(got, g.text(g.word(all, hint{}, w)))
	}
	want := "field n of p.all; field a of p.pair; field b of p.pair; field list of p.all; field list of p.all; field list of p.all; some int; some int; field a of p.pair; field b of p.pair; field a of p.pair; field b of p.pair"
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	seen := map[class]bool{}
	for _, c := range g.words(all, hint{}) {
		seen[c] = true
	}
	for w := range all.Size {
		if c := g.word(all, hint{}, w); !seen[c] {
			t.Errorf("word %d is %s, and the whole has none such", w, g.text(c))
		}
	}
	for _, c := range []struct {
		of   *ir.Type
		at   hint
		want string
	}{
		{number, hint{}, "some int"},
		{number, hint{isField, all.ID, 0}, "field n of p.all"},
		{text, hint{isField, all.ID, 0}, "some string"}, // it is no such field
		{number, hint{isField, all.ID, 1}, "some int"},  // there is a struct
		{number, hint{isField, all.ID, 6}, "some int"},  // there is an array
		{number, hint{isElem, number.ID, 0}, "an element or variable of type int"},
		{text, hint{isElem, number.ID, 0}, "some string"},
		{number, hint{isGlobal, 0, 0}, "some int"},
		{two, hint{}, "an element or variable of type int"},
		{pair, hint{isField, all.ID, 1}, "field a of p.pair"},
	} {
		if got := g.text(g.word(c.of, c.at, 0)); got != c.want {
			t.Errorf("%s at %v is %s, not %s", c.of.Name, c.at, got, c.want)
		}
	}
}

// Two classes conflict where a word may be of both.
func TestConflict(t *testing.T) {
	d := &declared{}
	number, text := d.basic("int", ir.Int), d.basic("string", ir.StringClass)
	pair := d.structure("p.pair", "a", number, "b", text)
	twin := d.structure("p.twin", "a", number, "b", text)
	table := d.add(ir.Type{Name: "map[int]int", Class: ir.Map, Key: number, Elem: number, Size: 1})
	g := newTypes(&ir.Program{Types: d.list})
	a, b := class{field, g.group[pair.ID], 0}, class{field, g.group[pair.ID], 1}
	elements, any, entry := class{elem, g.group[number.ID], 0}, class{some, g.group[number.ID], 0}, class{entries, g.group[table.ID], 0}
	all := class{sort: anything}
	for _, c := range []struct {
		a, b class
		want bool
	}{
		{a, a, true}, {a, class{field, g.group[twin.ID], 0}, true}, {a, b, false}, {a, elements, false}, {a, any, true}, {b, any, false}, {b, class{some, g.group[text.ID], 0}, true},
		{elements, any, true}, {elements, class{elem, g.group[text.ID], 0}, false}, {any, any, true}, {entry, entry, true}, {entry, any, false}, {entry, all, false}, {a, all, true}, {elements, all, true}, {all, all, true},
	} {
		if g.conflict(c.a, c.b) != c.want || g.conflict(c.b, c.a) != c.want {
			t.Errorf("%s and %s conflict: %v", g.text(c.a), g.text(c.b), !c.want)
		}
	}
}

// Locks are known as such, in whatever they are, and whatever one calls them.
func TestHasLock(t *testing.T) {
	d := &declared{}
	number := d.basic("int32", ir.Int32)
	empty := d.structure("sync.noCopy")
	mutex := d.structure("sync.Mutex", "state", number)
	count := d.structure("sync/atomic.Int32", "v", number)
	empty.PkgPath, mutex.PkgPath, count.PkgPath = "sync", "sync", "sync/atomic"
	mine := d.structure("p.lock", "state", number)
	nothing := d.structure("p.nothing")
	guarded := d.structure("p.guarded", "n", number, "locks", d.array(2, mutex))
	free := d.structure("p.free", "n", number, "none", nothing, "lock", d.pointer(mutex), "count", count, "locks", d.array(0, mutex))
	g := newTypes(&ir.Program{Types: d.list})
	for _, c := range []struct {
		of   *ir.Type
		want bool
	}{{number, false}, {empty, false}, {mutex, true}, {count, false}, {mine, true}, {nothing, false}, {guarded, true}, {free, false}} {
		if g.hasLock(c.of) != c.want {
			t.Errorf("%s has a lock: %v", c.of.Name, !c.want)
		}
	}
	if !g.isLock(class{field, g.group[mine.ID], 0}) || g.isLock(class{field, g.group[free.ID], 0}) || g.isLock(class{elem, g.group[mutex.ID], 0}) {
		t.Error("words of locks are not told from others")
	}
}
