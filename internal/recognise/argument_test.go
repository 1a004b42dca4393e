// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"slices"
	"strings"
	"testing"

	"pangolin/internal/collection"
)

// Functions that compare what they are given as any compare ints, which operations are given.
func TestFind_GivesComparisonsOfAny(t *testing.T) {
	const heap = "package p; type Heap struct{ l []any }; func (*Heap) Push(x any) {}; func (*Heap) Pop() (any, bool) { return nil, false }\n"
	for _, tc := range []struct{ param, want string }{
		{"less func(a, b any) bool", "x, _ := a.(int); y, _ := b.(int); return x < y"},
		{"compare func(a, b interface{}) int", "x, _ := a.(int); y, _ := b.(int); if x < y { return -1 }; if x > y { return 1 }; return 0"},
		{"equal func(a, b any) bool", "return a == b"},
	} {
		c := check(t, "example.com/p", heap+"func NewHeap("+tc.param+") *Heap { return nil }")
		found, err := Find(c.pkg, collection.Overrides{Type: "Heap"})
		if err != nil || !strings.Contains(found[0].New, "{ "+tc.want+" }") {
			t.Errorf("%s: %v, %v", tc.param, found, err)
		}
	}
}

// What a constructor is given for an interface, where nothing else makes the type: what the package has for it goes first.
func TestFind_GivesConstructorsImplementations(t *testing.T) {
	const set = `package p; import ("fmt"; "io"); var _ fmt.Stringer; var _ io.Writer
type Set struct{ m map[int]bool }; func (*Set) Add(k int) bool { return false }; func (*Set) Contains(k int) bool { return false }
type Source interface{ Next(seed int) (int, error) }; type Hidden interface{ next() }; type Chans interface{ Next() chan int }; type Turns interface{ Wait(); Next() int }
`
	const implements = "; func (*Mem) Next(int) (int, error) { return 0, nil }"
	for _, tc := range []struct {
		funcs, want, assumed string
		made                 int // stand-ins
	}{
		{"func NewSet(s Source) *Set { return nil }", "NewSet(new(pangolin_MadeSource))", "an implementation of Source is made up for the constructor", 1},
		{"func NewSet(s Source, w io.Writer) *Set { return nil }", "NewSet(new(pangolin_MadeSource), new(pangolin_MadeWriter))", "an implementation of Source, and one of Writer is made up", 2},
		{"func NewSet(s, t Source) *Set { return nil }", "NewSet(new(pangolin_MadeSource), new(pangolin_MadeSource))", "an implementation of Source is made up", 1},
		{"func NewSet(s fmt.Stringer) *Set { return nil }", "NewSet(new(pangolin_MadeStringer))", "an implementation of Stringer is made up", 1},
		{"func NewSet(s io.WriteCloser, options any) *Set { return nil }", "NewSet(new(pangolin_MadeWriteCloser), 0)", "an implementation of WriteCloser is made up", 1},
		{"func NewSet(s io.ReadWriteCloser) *Set { return nil }", "NewSet(new(pangolin_MadeReadWriteCloser))", "an implementation of ReadWriteCloser is made up", 1},
		{"type pangolin_MadeSource int; func NewSet(s Source) *Set { return nil }", "NewSet(new(pangolin_MadeSource_))", "an implementation of Source is made up", 1},
		// The package has one.
		{"type Mem struct{ n int }" + implements + "; func NewMem(size int) *Mem { return nil }; func NewSet(s Source) *Set { return nil }", "NewSet(NewMem(2))", "", 0},
		{"type Mem struct{ n int }" + implements + "; func NewMem(size int) *Mem { return nil }; func Usual() Source { return nil }; func NewSet(s Source) *Set { return nil }", "NewSet(Usual())", "", 0},
		{"type Mem struct{}; func (Mem) Next(int) (int, error) { return 0, nil }; func NewSet(s Source) *Set { return nil }", "NewSet(Mem{})", "", 0},
		{"type Base struct{ n int }; func (Base) Next(int) (int, error) { return 0, nil }; type Mem struct{}; func (Mem) Next(int) (int, error) { return 0, nil }; func NewSet(s Source) *Set { return nil }", "NewSet(Mem{})", "", 0},
		// It has one that cannot be made, or whose constructor takes another one, or that is the type itself.
		{"type Mem struct{ n int }" + implements + "; func NewMem(c chan int) *Mem { return nil }; func NewSet(s Source) *Set { return nil }", "NewSet(new(pangolin_MadeSource))", "made up", 1},
		{"func (*Set) Next(int) (int, error) { return 0, nil }; func NewSet(s Source) *Set { return nil }", "NewSet(new(pangolin_MadeSource))", "made up", 1},
		// It has one that only decorates another one, and what takes one is an argument.
		{"type Mem struct{ n Source }" + implements + "; func NewMem(s Source) *Mem { return nil }; func NewSet(s Source) *Set { return nil }", "NewSet(new(pangolin_MadeSource))", "made up", 1},
		{"type Conf struct{ w io.Writer; s Source }; func NewConf(w io.Writer, s Source) *Conf { return nil }; func NewSet(s Source, c *Conf) *Set { return nil }", "NewSet(new(pangolin_MadeSource), NewConf(new(pangolin_MadeWriter), new(pangolin_MadeSource)))", "an implementation of Source, and one of Writer is made up", 2},
		// None is made up where another function makes the type, nor for what nobody outside can implement, locks or waits, or gives what cannot be made.
		{"func NewSet(s Source) *Set { return nil }; func Open() *Set { return nil }", "Open()", "", 0},
		{"func NewSet(s Hidden) *Set { return nil }", "", "", 0},
		{"func NewSet(s Chans) *Set { return nil }", "", "", 0},
		{"func NewSet(s Turns) *Set { return nil }", "", "", 0},
		{"type Hooks interface{ On(f func()) }; func NewSet(s Hooks) *Set { return nil }", "", "", 0},
		{"type Guard interface{ Enter(); Leave() }; func NewSet(g Guard) *Set { return nil }", "", "", 0},
		{"func NewSet(s fmt.State) *Set { return nil }", "", "", 0},
		{"func NewSet(s Source, c chan int) *Set { return nil }", "", "", 0},
	} {
		c := check(t, "example.com/p", set+tc.funcs)
		found, err := Find(c.pkg, collection.Overrides{Type: "Set"})
		if tc.want == "" {
			if err == nil || !strings.Contains(err.Error(), "no obvious argument") {
				t.Errorf("%s: %v", tc.funcs, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tc.funcs, err)
			continue
		}
		got := found[0]
		said := slices.ContainsFunc(got.Assumptions, func(s string) bool {
			return strings.Contains(s, "made up for the constructor") && strings.Contains(s, tc.assumed)
		})
		if got.New != tc.want || len(got.Made.StandIns) != tc.made || said != (tc.assumed != "") {
			t.Errorf("%s: %s, %d stand-ins, %q", tc.funcs, got.New, len(got.Made.StandIns), got.Assumptions)
		}
		refusing := slices.ContainsFunc(got.Made.Variants, func(v collection.Variant) bool {
			return v.MadeUp && v.New == strings.ReplaceAll(strings.ReplaceAll(tc.want, "pangolin_MadeSource_", "pangolin_MadeSource"), "pangolin_Made", "pangolin_Refusing")
		})
		if may := tc.made > 0 && !strings.Contains(tc.want, "Stringer"); refusing != may {
			t.Errorf("%s: made with what fails: %v", tc.funcs, got.Made.Variants)
		}
		for _, s := range got.Made.StandIns {
			for _, m := range s.Parts {
				if want := map[string]string{"Write": collection.Written, "Read": collection.Ended}[m.Name]; m.Codec.Made != want {
					t.Errorf("%s: %s: %q, want %q", tc.funcs, m.Name, m.Codec.Made, want)
				}
			}
		}
		// The expression of a witness makes the same again, and one that no constructor is given is refused.
		same, err := Find(c.pkg, collection.Overrides{Type: "Set", New: got.New, Fewer: collection.Fewer{ConcurrentArguments: true}})
		if err != nil || same[0].New != got.New || len(same[0].Made.StandIns) != tc.made {
			t.Errorf("%s: again: %v", tc.funcs, err)
		} else if tc.made > 0 && (got.Made.StandIns[0].Made != collection.Exclusive || same[0].Made.StandIns[0].Made != collection.Concurrent) {
			t.Errorf("%s: %q and %q", tc.funcs, got.Made.StandIns[0].Made, same[0].Made.StandIns[0].Made)
		}
		if _, err := Find(c.pkg, collection.Overrides{Type: "Set", New: "NewSet(new(pangolin_MadeOther))"}); err == nil || !strings.Contains(err.Error(), "no constructor is given such stand-ins") {
			t.Errorf("%s: another stand-in: %v", tc.funcs, err)
		}
	}
}
