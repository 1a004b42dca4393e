// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"slices"
	"strings"
	"testing"

	"pangolin/internal/collection"
)

// What makes a type is told by what it returns; names decide only between several.
func TestFind_TellsAConstructorByItsResult(t *testing.T) {
	const set = "type Set struct{ m map[int]bool }; func (*Set) Add(k int) bool { return false }; func (*Set) Contains(k int) bool { return false }\n" +
		"type Sets interface{ Add(int) bool; Contains(int) bool }; type Source interface{ Next() int }; type Options struct{ n int }; type Node struct{ k int }\n"
	for _, tc := range []struct{ funcs, want, guess string }{
		{"", "new(Set)", ""},
		{"func Open() *Set { return nil }", "Open()", "it is made by Open, which returns one"},
		{"func Of(items ...int) *Set { return nil }", "Of()", "made by Of,"},
		{"func Empty() Set { return Set{} }", "Empty()", "made by Empty,"},
		{"func Dial(addr string) (*Set, error) { return nil, nil }", `Dial("")`, "made by Dial,"},
		{"func Start(workers int) *Set { return nil }", "Start(4)", "made by Start,"},
		{"func Salted(seed int) *Set { return nil }", "Salted(1)", "made by Salted,"}, // a seed is no item
		{"func Fixed(logSlots int) *Set { return nil }", "Fixed(1)", "made by Fixed,"},
		{"func Spilling(threshold int) *Set { return nil }", "Spilling(1)", "made by Spilling,"},
		{"func Build(o Options) *Set { return nil }", "Build(Options{})", "made by Build,"},
		{"func Init(o *Options) *Set { return nil }", "Init(new(Options))", "made by Init,"},
		{"func Default() Sets { return nil }", "Default()", "made by Default,"},
		{"func Open() *Set { return nil }; func Build() *Set { return nil }; func Default() *Set { return nil }", "Open()", "it is made by Open; Build and Default return one as well"},
		{"func Sized(capacity int) *Set { return nil }; func Default() *Set { return nil }", "Default()", "made by Default; Sized returns one as well"},
		{"func NewSet() *Set { return nil }; func Open() *Set { return nil }", "NewSet()", ""},
		{"func NewSet(s Source) *Set { return nil }; func Open() *Set { return nil }", "Open()", "made by Open,"},
		{"func Dial(s Source) *Set { return nil }", "new(Set)", "is made as its zero value; what else returns one is not called: Dial takes s Source"},
		{"func Current() *Set { return nil }", "new(Set)", "Current may be for what there is already"},
		{"func FromContext(c string) *Set { return nil }", "new(Set)", "FromContext may be for what there is already"},
		{"func FromText(text string) *Set { return nil }", `FromText("")`, "made by FromText,"},
		{"func GetSet() *Set { return nil }", "new(Set)", "GetSet may be for what there is already"},
		// What a constructor gives besides may stop one, and nobody calls it; where it is something else, the first result may be no set of its own.
		{"func NewSet() (*Set, func() error) { return nil, nil }", "NewSet()", ""},
		{"func NewSet() (*Set, func(), error) { return nil, nil, nil }", "NewSet()", ""},
		{"func NewSet() (*Set, func() int) { return nil, nil }", "new(Set)", ""},
		{"func NewSet() (*Set, int) { return nil, 0 }", "new(Set)", ""},
		// None of these makes one: they take one, or begin with an item, or give something else.
		{"func Union(a, b *Set) *Set { return nil }; func Merge(all ...*Set) *Set { return nil }", "new(Set)", ""},
		{"func Single(item int) *Set { return nil }", "new(Set)", "Single takes item int"},
		{"func Rooted(n *Node) *Set { return nil }", "new(Set)", "Rooted takes n *Node"},
		{"func Group() (*Set, int) { return nil, 0 }; func all() []*Set { return nil }", "new(Set)", ""},
		{"func open() *Set { return nil }", "new(Set)", ""},
		{"func Open() Sets { return nil }; type Other struct{}; func (*Other) Add(int) bool { return true }; func (*Other) Contains(int) bool { return true }", "new(Set)", ""},
	} {
		c := check(t, "example.com/p", "package p; "+set+tc.funcs)
		found, err := Find(c.pkg, collection.Overrides{Type: "Set"})
		if err != nil {
			t.Errorf("%s: %v", tc.funcs, err)
			continue
		}
		if got := found[0]; got.New != tc.want || !strings.Contains(got.Made.Guess, tc.guess) || (tc.guess == "") != (got.Made.Guess == "") {
			t.Errorf("%s: %s, %q", tc.funcs, got.New, got.Made.Guess)
		} else if tc.guess != "" && !slices.Contains(got.Assumptions, got.Made.Guess) {
			t.Errorf("%s: it is not said that %s", tc.funcs, got.Made.Guess) // a verdict rests on it
		}
		c.withHarness(t, found[0])
	}
}

// How a lock is made is said as of any other type.
func TestFind_SaysHowALockIsMade(t *testing.T) {
	for src, want := range map[string]string{
		"type Pool struct{ n int }; func NewPool() *Pool { return nil }; func (*Pool) Latch() *Latch { return nil }; type Latch struct{ pool *Pool }": "it is made by NewPool().Latch(), as nothing else makes one with its Pool",
		"func Open() *Latch { return nil }; type Latch struct{}": "it is made by Open, which returns one (Request.New names another)",
	} {
		c := check(t, "example.com/p", "package p; func (*Latch) Lock() {}; func (*Latch) Unlock() {}; "+src)
		found, err := Find(c.pkg, collection.Overrides{Type: "Latch"})
		if err != nil || found[0].Kind != collection.Lock || !slices.Equal(found[0].Assumptions, []string{want}) {
			t.Errorf("%s: %v, %v", src, found, err)
		}
	}
}

// A value that a cell begins with is no item.
func TestFind_GivesACellItsFirstValue(t *testing.T) {
	for funcs, want := range map[string]string{
		"func Of(v int) *Cell { return nil }":              "Of(0)",
		"func With(start *int) *Cell { return nil }":       "With(nil)",
		"func Made(by func() *Cell) *Cell { return by() }": "new(Cell)",
	} {
		c := check(t, "example.com/p", "package p; type Cell struct{}; func (*Cell) Load() int { return 0 }; func (*Cell) Store(v int) {}\n"+funcs)
		found, err := Find(c.pkg, collection.Overrides{Type: "Cell"})
		if err != nil || found[0].New != want {
			t.Errorf("%s: %v, %v", funcs, found[0].New, err)
		}
	}
}

// A group of tasks holds its pool: as a zero value it panics at once, so that nothing of it would be verified.
func TestFind_MakesWhatHoldsAnOwnerByTheOwner(t *testing.T) {
	const pool = "package p; type Pool struct{ n int }; func NewPool(workers int) *Pool { return nil }; type Node struct{ k int }\n" +
		"type Group struct{ pool *Pool }; func (*Group) Add(k int) bool { return false }; func (*Group) Contains(k int) bool { return false }\n"
	for methods, want := range map[string]string{
		"func (*Pool) Group() *Group { return nil }":                                                  "NewPool(4).Group()",
		"func (*Pool) Sized(n int) *Group { return nil }; func (*Pool) Plain() *Group { return nil }": "NewPool(4).Plain()", // with the fewest arguments to be made up
		"func (*Pool) Plain() *Group { return nil }; func (*Pool) Sized(n int) *Group { return nil }": "NewPool(4).Plain()",
		"func (*Pool) group() *Group { return nil }":                                                  "new(Group)", // users cannot call it
		"func (*Pool) Node() *Node { return nil }":                                                    "new(Group)",
		"func (*Pool) Close() {}":                                                                     "new(Group)",
		"func (*Pool) GetGroup() *Group { return nil }":                                               "new(Group)", // it may return one that there is already
		"func (*Pool) Node() *Node { return nil }; func (*Pool) open(n int) *Group { return nil }; func (*Pool) Open() *Group { return nil }": "NewPool(4).Open()",
	} {
		c := check(t, "example.com/p", pool+methods)
		found, err := Find(c.pkg, collection.Overrides{Type: "Group"})
		if err != nil {
			t.Errorf("%s: %v", methods, err)
			continue
		}
		if got := found[0]; got.New != want || (want == "new(Group)") == strings.Contains(got.Reason, "as nothing else makes one with its Pool") {
			t.Errorf("%s: made by %s, want %s: %s", methods, got.New, want, got.Reason)
		}
		c.withHarness(t, found[0])
	}
}
