// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"slices"
	"testing"

	"pangolin/internal/collection"
)

// How users may make a collection as well, and what they choose only where it is not for several threads.

func TestUnlocks_TellsWhatIsNotForSeveralThreads(t *testing.T) {
	for _, name := range []string{"WithoutLock", "WithNoLock", "Unsafe", "ThreadUnsafe", "NotThreadSafe", "SingleThreaded", "DisableLocking", "WithoutMutex", "Unsynchronized", "SPSC", "NonConcurrent", "NotGoroutineSafe", "Unlocked"} {
		if !unlocks(name, false) {
			t.Errorf("%s is for several threads", name)
		}
	}
	for _, name := range []string{"WithThreadSafe", "Locking", "Synchronized", "WithMutex"} {
		if !unlocks(name, true) || unlocks(name, false) {
			t.Errorf("%s(false) is for several threads, or %s(true) is not", name, name)
		}
	}
	for _, name := range []string{"WithMax", "Block", "NonBlocking", "WithClock", "LockFree", "WithBlocking", "Async", "NoEvict", "Safe"} {
		if unlocks(name, false) {
			t.Errorf("%s is not for several threads", name)
		}
	}
}

// variants finds the other expressions that make a set with these constructors, and the constructors that are not tried.
func variants(t *testing.T, constructors string) (news, beyond []string) {
	t.Helper()
	c := check(t, "example.com/p", "package p; type Set struct{}; func (*Set) Add(k int) bool { return false }; func (*Set) Contains(k int) bool { return false }\n"+constructors)
	found, err := Find(c.pkg, collection.Overrides{Type: "Set"})
	if err != nil {
		t.Fatalf("%s: %v", constructors, err)
	}
	for _, v := range found[0].Made.Variants {
		other := *found[0]
		other.New = v.New
		c.withHarness(t, &other)
		news = append(news, v.New)
	}
	return news, found[0].Made.Beyond
}

// Users may call other constructors than the one that was taken: some of them are tried, and the rest is said.
func TestFind_TriesOtherConstructors(t *testing.T) {
	const source = "type Source interface{ Next() int }\n"
	for _, tc := range []struct {
		constructors string
		news, beyond []string
	}{
		{"func NewSet() *Set { return nil }", nil, nil},
		{"func NewSet() *Set { return nil }; func NewSized(size int) *Set { return nil }", []string{"NewSized(2)"}, nil},
		{"func NewSet() *Set { return nil }; func NewRead(s Source) *Set { return nil }; func NewSized(size int) *Set { return nil }", []string{"NewSized(2)"}, []string{"NewRead"}},
		{"func NewSet() *Set { return nil }; func NewA() *Set { return nil }; func NewB() *Set { return nil }; func NewC() *Set { return nil }; func NewD() *Set { return nil }",
			[]string{"NewA()", "NewB()", "NewC()"}, []string{"NewD"}},
		{"func NewSet() *Set { return nil }; func NewUnsafe() *Set { return nil }; func newA() *Set { return nil }", nil, nil},
	} {
		if news, beyond := variants(t, source+tc.constructors); !slices.Equal(news, tc.news) || !slices.Equal(beyond, tc.beyond) {
			t.Errorf("%s: made by %v as well, and not by %v; want %v and %v", tc.constructors, news, beyond, tc.news, tc.beyond)
		}
	}
}

// What is made with room for two is made with room for one as well; not if the capacity's logarithm is given, or what is given is none.
func TestFind_MakesWhatHasRoomForOne(t *testing.T) {
	for constructor, want := range map[string][]string{
		"func NewSet(capacity int) *Set { return nil }":              {"NewSet(1)"},
		"func NewSet(name string, maxSize int) *Set { return nil }":  {`NewSet("", 1)`},
		"func NewSet(logSize int) *Set { return nil }":               nil,
		"func NewSet(name string) *Set { return nil }":               nil,
		"func NewSet() *Set { return nil }":                          nil,
		"func NewSet(width uint8, capacity int) *Set { return nil }": {"NewSet(2, 1)"},
	} {
		c := check(t, "example.com/p", "package p; type Set struct{}; func (*Set) Add(k int) bool { return false }; func (*Set) Contains(k int) bool { return false }\n"+constructor)
		found, err := Find(c.pkg, collection.Overrides{Type: "Set"})
		if err != nil {
			t.Fatal(constructor, err)
		}
		var small []string
		for _, v := range found[0].Made.Variants {
			if v.Small {
				small = append(small, v.New)
			}
		}
		if !slices.Equal(small, want) {
			t.Errorf("%s: made with room for one by %q, want %q", constructor, small, want)
		}
	}
}

// A function that a constructor is given may tell its arguments apart: what it gives is made of the first one that is a number or a text.
func TestFind_GivesConstructorsFunctionsThatTellTheirArgumentsApart(t *testing.T) {
	for takes, want := range map[string]string{
		"func(key int) int64":              "func(a int) int64 { return int64(a) }",
		"func(key int) string":             "func(a int) string { return string(rune('a' + a)) }",
		"func(key string) int":             `func(a string) int { if a == "" { return 0 }; return int(a[len(a)-1]) }`,
		"func(key string) string":          `func(a string) string { if a == "" { return "" }; return a }`,
		"func(key string) bool":            `func(a string) bool { return a != "" }`,
		"func(key string) (int, bool)":     `func(a string) (int, bool) { if a == "" { return 0, false }; return int(a[len(a)-1]), true }`,
		"func(of []byte, key int32) int64": "func(a []byte, b int32) int64 { for _, x := range a { _ = x }; return int64(b) }",
		"func(of []byte) []byte":           "", // which has no such argument
	} {
		got, _ := variants(t, "func NewSet(load "+takes+") *Set { return nil }")
		if want == "" != (len(got) == 0) || want != "" && !slices.Equal(got, []string{"NewSet(" + want + ")"}) {
			t.Errorf("%s: made by %v as well, want %s", takes, got, want)
		}
	}
}

// A function that a constructor is given makes an object where it gives a pointer or an interface of the package, and reads what it is given.
func TestFind_GivesConstructorsFunctionsThatMakeObjectsAndRead(t *testing.T) {
	const types = "type Conn struct{ Name string; id int }; type Locked struct{ mu sync.Mutex; Name string }\n" +
		"type Closer interface{ Close() error }; type file struct{}; func (*file) Close() error { return nil }\n"
	for takes, want := range map[string]string{
		"dial func() *Conn":                 "func() *Conn { return new(Conn) }",
		"dial func() (*Conn, error)":        "func() (*Conn, error) { return new(Conn), nil }",
		"open func() (Closer, error)":       "func() (Closer, error) { return new(file), nil }",
		"load func(k int) *Conn":            "func(a int) *Conn { return new(Conn) }",
		"flush func(batch []int)":           "func(a []int) { for _, x := range a { _ = x } }",
		"flush func(b map[int]bool)":        "func(a map[int]bool) { for _, x := range a { _ = x } }",
		"drop func(c *Conn, n int)":         "func(a *Conn, b int) { if a != nil { _ = a.Name } }",
		"drop func(c *Locked)":              "func(a *Locked) {  }", // which is to be locked first
		"write func(b []byte) error":        "func(a []byte) error { for _, x := range a { _ = x }; return nil }",
		"open func() (fmt.Stringer, error)": "func() (fmt.Stringer, error) { return *new(fmt.Stringer), nil }", // of which the package has none
	} {
		c := check(t, "example.com/p", "package p; import (\"fmt\"; \"sync\"); var _ fmt.Stringer; var _ sync.Mutex; type Set struct{}; func (*Set) Add(k int) bool { return false }; func (*Set) Contains(k int) bool { return false }\n"+types+"func NewSet("+takes+") *Set { return nil }")
		found, err := Find(c.pkg, collection.Overrides{Type: "Set"})
		if err != nil {
			t.Fatal(takes, err)
		}
		if got := found[0].New; got != "NewSet("+want+")" {
			t.Errorf("%s: made by %s, want %s", takes, got, want)
		}
	}
}

// A field that no method writes is set, if it is a number, a flag or a function; what else users may set is listed. One that a constructor has chosen keeps its value.
func TestFind_SetsFieldsThatNoMethodWrites(t *testing.T) {
	for _, tc := range []struct {
		fields, constructor string
		clues               *collection.Clues
		news, unset         []string
	}{
		{"Max int; OnDrop func(v int); Fair bool; mu sync.Mutex", "", &collection.Clues{Written: map[string]bool{}},
			[]string{"&Set{Max: 2, OnDrop: func(a int) {  }, Fair: true}", "&Set{Max: 2, OnDrop: func(a int) {  }}"}, nil},
		{"Max, Size int", "", &collection.Clues{Written: map[string]bool{"Size": true}}, []string{"&Set{Max: 2}"}, nil},
		{"Name string; Unsafe bool; Max int", "", &collection.Clues{Written: map[string]bool{}, Preset: map[string]bool{"Max": true}}, nil, []string{"Name", "Unsafe", "Max"}},
		{"Max int; Mu sync.Mutex; C chan int; N atomic.Int64; sync.RWMutex; max int", "", &collection.Clues{Written: map[string]bool{}}, []string{"&Set{Max: 2}"}, nil},
		{"Max int", "", nil, nil, []string{"Max"}}, // nothing is known of what methods write
		{"Max int; Fair bool", "func NewSet() *Set { return nil }", &collection.Clues{Written: map[string]bool{}},
			[]string{"func() *Set { it := NewSet(); it.Max = 2; it.Fair = true; return it }()", "func() *Set { it := NewSet(); it.Max = 2; return it }()"}, nil},
		{"Max int", "type Adder interface{ Add(k int) bool; Contains(k int) bool }; func NewSet() Adder { return &Set{} }", &collection.Clues{Written: map[string]bool{}}, nil, []string{"Max"}}, // of an interface there are no fields to set
		{"max int", "func NewSet(fair bool) *Set { return nil }", nil, []string{"NewSet(true)"}, nil},
		{"max int", "func NewSet(unsafe bool) *Set { return nil }", nil, nil, nil},
	} {
		c := check(t, "example.com/p", "package p; import (\"sync\"; \"sync/atomic\"); var _ atomic.Int64; var _ sync.Mutex; type Set struct{"+tc.fields+"}; func (*Set) Add(k int) bool { return false }; func (*Set) Contains(k int) bool { return false }\n"+tc.constructor)
		found, err := Find(c.pkg, collection.Overrides{Type: "Set", Clues: tc.clues})
		if err != nil {
			t.Fatal(tc.fields, err)
		}
		var news []string
		for _, v := range found[0].Made.Variants {
			other := *found[0]
			other.New = v.New
			c.withHarness(t, &other)
			news = append(news, v.New)
		}
		if unset := found[0].Made.Unset; !slices.Equal(news, tc.news) || !slices.Equal(unset, tc.unset) {
			t.Errorf("%s: made by %q as well, and %v not set; want %q and %v", tc.fields, news, unset, tc.news, tc.unset)
		}
	}
}

// Functions that return nothing but an error are named by who is given them.
func TestHandlersIn_NamesWhoIsGivenFunctions(t *testing.T) {
	for expr, want := range map[string][]string{
		"New(2, func(a int) {})": {"New"}, "New[int](func(a int) error { return nil })": {"New"}, "New(WithSink(func(a []int) {}))": {"WithSink"},
		"&Q{OnDrop: func(a int) {}, Max: 2}": {"OnDrop"}, "func() *Q { it := New(); it.OnDrop = func(a int) {}; return it }()": {"OnDrop"},
		"New(func(a int) int { return a })": nil, "New(func(a int) (int, error) { return a, nil })": nil, "new(Q)": nil,
	} {
		if got := handlersIn(expr); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", expr, got, want)
		}
	}
}
