// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"slices"
	"testing"

	"pangolin/internal/collection"
)

// A cache made with limits of zero may panic at once, so that nothing is verified: the package's own limits are tried next.
func TestFind_KnowsOtherWaysToMakeACollection(t *testing.T) {
	const cache = "package p; type Cache struct{}; func (*Cache) Add(k int) bool { return false }; func (*Cache) Contains(k int) bool { return false }\n" +
		"type Limits struct{ items int }; func New(l Limits) *Cache { return nil }\n"
	for decls, want := range map[string]string{
		"func DefaultLimits() Limits { return Limits{1} }": "New(DefaultLimits())",
		"var Usual = Limits{1}":                            "New(Usual)",
		"var Usual = &Limits{1}":                           "New(*Usual)",
		"var AllowAll = Limits{9}; func DefaultLimits() Limits { return Limits{1} }":                   "New(DefaultLimits())", // the name says which of the two users get
		"var AllowAll = Limits{9}; func defaultLimits() Limits { return Limits{1} }":                   "New(defaultLimits())",
		"var aTest = Limits{9}; var Usual = Limits{1}; func Read(s string) Limits { return Limits{} }": "New(Usual)", // what is exported is for users
	} {
		c := check(t, "example.com/p", cache+decls)
		found, err := Find(c.pkg, collection.Overrides{Type: "Cache"})
		if err != nil {
			t.Errorf("%s: %v", decls, err)
			continue
		}
		got := found[0]
		if got.New != "New(Limits{})" || !slices.Equal(got.Made.Others, []collection.Way{{New: want, Why: "with what the package has for its arguments"}}) {
			t.Errorf("%s: made by %s, else by %v; want %s", decls, got.New, got.Made.Others, want)
		}
	}
}

// Which of two types a constructor of an interface makes, its signature does not tell; its body does (Clues). Without it the zero value would be
// verified, which nobody uses.
func TestFind_TakesTheConstructorThatReturnsTheTypeInAnInterface(t *testing.T) {
	c := check(t, "example.com/p", `package p
		type Store interface{ Add(k int) bool; Contains(k int) bool }
		type Plain struct{}; func (*Plain) Add(k int) bool { return false }; func (*Plain) Contains(k int) bool { return false }
		type Striped struct{ cells []int }; func (*Striped) Add(k int) bool { return false }; func (*Striped) Contains(k int) bool { return false }
		func Copy(from Store) Store { return from }
		func NewStore() Store { return &Striped{make([]int, 8)} }
		func Wrap(inner *Striped) Store { return inner }`)
	clues := &collection.Clues{Returned: map[string]string{"NewStore": "Striped", "Wrap": "Striped"}}
	for typ, want := range map[string]string{"Striped": "NewStore()", "Plain": "new(Plain)"} {
		found, err := Find(c.pkg, collection.Overrides{Type: typ, Clues: clues})
		if err != nil {
			t.Fatal(err)
		}
		if got := found[0].New; got != want {
			t.Errorf("%s is made by %s, want %s", typ, got, want)
		}
		c.withHarness(t, found[0])
	}
}

// A string that is made up may be none that the constructor understands: those of test files are tried, as they stand there.
func TestFind_KnowsTheStringsOfTestFiles(t *testing.T) {
	c := check(t, "example.com/p", `package p; type Store struct{}; func (*Store) Add(k int) bool { return false }; func (*Store) Contains(k int) bool { return false }
		func Open(size int, url string) (*Store, error) { return nil, nil }; func New(url string) *Store { return nil }`)
	clues := &collection.Clues{
		Calls: []collection.ShownCall{{Func: "New", Expr: `New("mem://a")`, At: "store_test.go:7"}, {Func: "New", Expr: `Other()`, At: "store_test.go:8"}},
		Texts: []collection.ShownText{{Method: "New", Arg: 0, Text: `"mem://b"`}, {Method: "New", Arg: 0, Text: `"mem://c"`}, {Method: "Add", Arg: 0, Text: `"x"`}},
	}
	found, err := Find(c.pkg, collection.Overrides{Type: "Store", Clues: clues})
	if err != nil {
		t.Fatal(err)
	}
	want := []collection.Way{{New: `New("mem://a")`, Why: "as store_test.go:7 makes it"}, {New: `New("mem://b")`, Why: "with strings that test files give New"}}
	if got := found[0]; got.New != `New("")` || !slices.Equal(got.Made.Others, want) {
		t.Errorf("made by %s, else by %v", got.New, got.Made.Others)
	}
}

// Where nobody can make up an argument, a call in a test file is taken, and said.
func TestFind_TakesTheCallOfATestFile(t *testing.T) {
	c := check(t, "example.com/p", `package p; type Store struct{}; func (*Store) Add(k int) bool { return false }; func (*Store) Contains(k int) bool { return false }
		type Disk interface{ Read() int }; func New(d Disk) *Store { return nil }`)
	clues := &collection.Clues{Calls: []collection.ShownCall{{Func: "New", Expr: `New(nil)`, At: "store_test.go:7"}}}
	found, err := Find(c.pkg, collection.Overrides{Type: "Store", Clues: clues})
	if err != nil {
		t.Fatal(err)
	}
	if got := found[0]; got.New != "New(nil)" || !slices.Equal(got.Assumptions, []string{"it is made by New(nil), as store_test.go:7 makes it"}) {
		t.Errorf("made by %s: %v", got.New, got.Assumptions)
	}
}

// A cache with a configuration of zero may hold nothing: sizes and functions are set, and nothing else is.
func TestFind_SetsSizesAndFunctionsOfAConfiguration(t *testing.T) {
	const cache = "package p; type Cache struct{}; func (*Cache) Add(k int) bool { return false }; func (*Cache) Contains(k int) bool { return false }\nfunc New(c Config) *Cache { return nil }\n"
	for fields, want := range map[string]string{
		"Size int; Name string":                     "New(Config{Size: 2})",
		"MaxName string; Workers int":               "New(Config{Workers: 4})", // whose name sounds like a number
		"MaxRate float64; Limit uint8":              "New(Config{Limit: 2})",
		"OnEvict func(int); size int; Capacity int": "New(Config{OnEvict: func(a int) {  }, Capacity: 2})", // callers cannot set size
		"Name string; Debug bool":                   "",
	} {
		c := check(t, "example.com/p", cache+"type Config struct{ "+fields+" }")
		found, err := Find(c.pkg, collection.Overrides{Type: "Cache"})
		if err != nil {
			t.Errorf("%s: %v", fields, err)
			continue
		}
		var ways []collection.Way
		if want != "" {
			ways = append(ways, collection.Way{New: want, Why: "with the sizes and functions of its configuration set"})
		}
		got := found[0]
		if got.New != "New(Config{})" || !slices.Equal(got.Made.Others, ways) {
			t.Errorf("%s: made by %s, else by %v, want %s", fields, got.New, got.Made.Others, want)
		}
		if want != "" {
			got.New = want
			c.withHarness(t, got)
		}
	}
}

// What a constructor makes may be behind a field of what it returns, as a wrapper with a finalizer has it. The zero value is nothing that users get.
func TestFind_TakesWhatAConstructorReturnsWithinAnotherType(t *testing.T) {
	c := check(t, "example.com/p", `package p
		type Store interface{ Add(k int) bool; Contains(k int) bool }
		type wrapper struct{ n int; Store }
		type box struct{ inner *boxed }
		type plain struct{ plain *open }
		type striped struct{ cells []int }; func (*striped) Add(k int) bool { return false }; func (*striped) Contains(k int) bool { return false }
		type boxed struct{ cells []int }; func (*boxed) Add(k int) bool { return false }; func (*boxed) Contains(k int) bool { return false }
		type open struct{}; func (*open) Add(k int) bool { return false }; func (*open) Contains(k int) bool { return false }
		type made struct{}; func (*made) Add(k int) bool { return false }; func (*made) Contains(k int) bool { return false }
		func (*box) Add(k int) bool { return false }; func (*box) Contains(k int) bool { return false }
		func New(size int) Store { s := &striped{make([]int, size)}; return &wrapper{1, s} }
		func NewBox() Store { return &box{inner: &boxed{make([]int, 8)}} }
		func NewPlain(f func()) plain { return plain{new(open)} }
		func NewMade() *made { return new(made) }`)
	held := []collection.ShownField{
		{Func: "New", In: "wrapper", Index: 1, Pointed: "striped"},
		{Func: "NewBox", In: "box", Field: "inner", Pointed: "boxed"},
		{Func: "NewPlain", In: "plain", Index: 0, Pointed: "open"},
		{Func: "New", In: "wrapper", Index: 1, Pointed: "made"}, // which has a constructor of its own
	}
	for typ, want := range map[string]string{
		"striped": "New(2).(*wrapper).Store.(*striped)",
		"boxed":   "NewBox().(*box).inner",
		"open":    "NewPlain(func() {  }).plain",
		"made":    "NewMade()",
	} {
		found, err := Find(c.pkg, collection.Overrides{Type: typ, Clues: &collection.Clues{Held: held}})
		if err != nil {
			t.Errorf("%s: %v", typ, err)
			continue
		}
		if got := found[0].New; got != want {
			t.Errorf("%s is made by %s, want %s", typ, got, want)
		}
		c.withHarness(t, found[0])
	}
}
