// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"os"
	"path/filepath"
	"testing"
)

// Of two objects a violation is told unless the type may keep another one of itself, puts its objects in an order, or documentation restricts the use of the
// other one: a sentence, a field or a comparison that is missed accuses a type that is right.
func TestTarget_KnowsWhatTwoObjectsMeanToIt(t *testing.T) {
	for _, c := range []struct {
		name, fields, doc, more  string
		keeps, apart, restricted bool
	}{
		{name: "an account", fields: "n int", doc: "Merge adds what o has."},
		{name: "a parent", fields: "up *T", keeps: true},
		{name: "children", fields: "m map[int][]struct{ at *T }", keeps: true},
		{name: "an atomic pointer", fields: "next atomic.Pointer[T]", keeps: true},
		{name: "anything", fields: "v any", keeps: true},
		{name: "what it implements", fields: "v interface{ Get() int }", keeps: true},
		{name: "what it does not implement", fields: "v interface{ Put() int }"},
		{name: "a function that may call it", fields: "f func()", keeps: true},
		{name: "a map of sync", fields: "m sync.Map", keeps: true},
		{name: "locks", fields: "a sync.Mutex; b sync.RWMutex; c chan int; l []string; w sync.WaitGroup; o sync.Once"},

		{name: "a number", fields: "id int", more: "func (a *T) first(o *T) bool { return a.id < o.id }", apart: true},
		{name: "a method", fields: "id int", more: "func (a *T) ID() int { return a.id }; func first(a, o *T) bool { return a.ID() >= o.ID() }", apart: true},
		{name: "a text", fields: "id string", more: "func first(a, o *T) bool { return strings.Compare(a.id, o.id) > 0 }", apart: true},
		{name: "variables", fields: "id int", more: "func first(a, o *T) bool { x, y := a.id, o.id; return x < y }", apart: true},
		{name: "a list", fields: "id int", more: "func both(l []*T) { sort.Slice(l, func(i, j int) bool { return int64(l[i].id) < int64(l[j].id) }) }", apart: true},
		{name: "a list with methods", fields: "id int", more: "type list []*T; func (l list) Less(i, j int) bool { return l[i].id < l[j].id }", apart: true},
		{name: "equal ones", fields: "n int", more: "func (a *T) Equal(o *T) bool { return a.n == o.n }"},
		{name: "a sum", fields: "n int", more: "func (a *T) Sum(o *T) int { return a.n + o.n }"},
		{name: "an append", fields: "l []int", more: "func (a *T) Take(o *T) { a.l = append(a.l, o.l...) }"},
		{name: "others", fields: "n int", more: "type entry struct{ key int }; func (e *entry) above(o *entry) bool { return e.key < o.key }"},

		{name: "nobody", fields: "n int", doc: "Merge adds what o has. Nobody else may use o.", restricted: true},
		{name: "concurrently", fields: "n int", doc: "The caller must ensure that o is not changed concurrently.", restricted: true},
		{name: "goroutines", fields: "n int", doc: "It is not safe to call Merge while o is in use by other goroutines.", restricted: true},
		{name: "cycles", fields: "n int", doc: "Cycles deadlock.", restricted: true},
		{name: "safe", fields: "n int", doc: "Merge is safe for concurrent use. It adds what o has."},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			doc := c.doc
			if doc == "" {
				doc = "Merge adds."
			}
			source := "package p\n\nimport (\n\"sync\"\n\"sync/atomic\"\n\"strings\"\n\"sort\"\n)\n\nvar _ sync.Mutex; var _ atomic.Int64; var _ = strings.Compare; var _ = sort.Slice\n\ntype T struct{ " + c.fields +
				" }\n\nfunc (a *T) Get() int { return 0 }\n\n// " + doc + "\nfunc (a *T) Merge(o *T) {}\n\n" + c.more + "\n"
			for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "p.go": source} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			var notes []string
			list, _, err := query(dir, &notes, "example.com/p.T").Find(t.Context())
			if err != nil || len(list) != 1 {
				t.Fatalf("%v, %v", list, err)
			}
			apart, err := list[0].TellsApart()
			if err != nil {
				t.Fatal(err)
			}
			_, restricted := list[0].RestrictsAnother("Merge")
			if keeps := list[0].KeepsAnother(); keeps != c.keeps || apart != c.apart || restricted != c.restricted {
				t.Errorf("it keeps another one: %v, tells them apart: %v, restricts the use of the other: %v", keeps, apart, restricted)
			}
		})
	}
}

// A sentence that is misread leaves out an operation that is given another collection, or lets a copy share what it says it does not.
func TestAnother_SentencesRestrictTheOther(t *testing.T) {
	for sentence, want := range map[string]bool{
		"Nobody else may use other.":                               true,
		"The caller must ensure that other is not changed.":        true,
		"It may only be called if other is not in use.":            true,
		"It is only safe if other is not in use.":                  true,
		"Merge works only while nobody uses other.":                true,
		"Callers hold the lock of other.":                          true,
		"The two sets are distinct.":                               true,
		"It is given distinct objects.":                            true,
		"Unlike Add, it does not lock other.":                      true,
		"Two that are merged into each other deadlock.":            true,
		"Merge adds all items of other; only new ones are copied.": false,
		"Only items that are new are added.":                       false,
		"Merge adds the distinct items of other.":                  false,
		"It counts unique items.":                                  false,
		"Unlike Add, it adds many items.":                          false,
		"Callers get the number of items.":                         false,
		"It takes its own lock.":                                   false,
		"It adds any number of items, each of which is unique.":    false,
		"Callers need not lock.":                                   false,
		"Merge can not fail.":                                      false,
		"It never deadlocks.":                                      false,
		"Two that are merged into each other do not deadlock.":     false,
	} {
		if got := restrictsAnother(sentence); got != want {
			t.Errorf("%q: %v", sentence, got)
		}
	}
}

// Sentences by which a copy has something in common with its original, and others.
func TestAnother_SentencesTellSharing(t *testing.T) {
	for sentence, want := range map[string]bool{
		"Snapshot gives a set that shares the elements with this one.":       true,
		"Clone returns a shallow copy.":                                      true,
		"The copy is a view of the set.":                                     true,
		"It returns a read-only view.":                                       true,
		"It gives views of the original.":                                    true,
		"Both refer to the same underlying map.":                             true,
		"The copy has the same nodes until one of them changes.":             true,
		"Clone copies lazily.":                                               true,
		"The elements are not copied but shared.":                            true,
		"It not only shares the items but also the lock.":                    true,
		"The keys are not copied, and the values are aliased.":               true,
		"It returns a copy that shares nothing with the original.":           false,
		"It returns a copy that shares no items with the original.":          false,
		"The copy does not share memory with the original.":                  false,
		"Its items are never shared.":                                        false,
		"It makes a copy without sharing anything.":                          false,
		"Clone returns a deep copy, not a shallow one.":                      false,
		"It is a copy rather than a view.":                                   false,
		"It is not a view of the set.":                                       false,
		"Clone returns a set of the same items.":                             false,
		"The copy has the same elements in the same order.":                  false,
		"Clone copies the underlying map.":                                   false,
		"It does not return a view but a copy.":                              false,
		"Clone may be called while the set is shared by several goroutines.": false,
		"The copy can be changed without affecting the shared original.":     false,
		"The copy shares neither items nor locks with the original.":         false,
		"There is no sharing.":                                               false,
		"The copy is not deep: items are shared.":                            true,
		"It counts page views.":                                              false,
	} {
		if got := shares(sentence); got != want {
			t.Errorf("%q: %v", sentence, got)
		}
	}
}
