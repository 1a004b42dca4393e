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
