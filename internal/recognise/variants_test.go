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
