// SPDX-License-Identifier: BSD-3-Clause

package unbounded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/collection"
	"pangolin/internal/engine/unbounded/fixpoint"
	"pangolin/internal/engine/unbounded/fragment"
	"pangolin/internal/engine/unbounded/walk"
	"pangolin/internal/find"
	"pangolin/internal/subject"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
)

// What is proved, and what must not be.

// collectionOf finds one of the collections, or one of the subjects in testdata.
func collectionOf(t testing.TB, pkg, typ string) *subject.Order {
	t.Helper()
	dir := "../../../collections"
	if pkg == "right" || pkg == "wrong" || pkg == "progress" {
		dir = "testdata/subjects"
	}
	q := find.Query{Dir: dir, Packages: []string{"./" + pkg}, Type: typ,
		Overrides: func([]string) (collection.Overrides, error) {
			return collection.Overrides{Type: typ, New: constructors[typ]}, nil
		},
		Note: func(string, ...any) {}}
	found, _, err := q.Find(repository)
	if err != nil {
		t.Fatal(err)
	}
	return &subject.Order{Listed: found[0].Listed, Patterns: found[0].Patterns, Overrides: found[0].Overrides}
}

// load compiles one of the collections.
func load(t testing.TB, pkg, typ string) *subject.Subject {
	t.Helper()
	s, err := collectionOf(t, pkg, typ).Load(repository)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// proved are the collections of which there is a proof.
var proved = []struct {
	pkg, typ string
	content  string
	long     bool
	// unreached is what the invariant says never happens: in lists, that a node is asked for its
	// value that is no ordinary one.
	unreached []string
}{
	{"stack", "LockFreeStack", "the cells from top", false, nil},
	{"stack", "EliminationBackoffStack", "the cells from stack.top; a put and a take meet in cells of type atomicref.stampedPair[*int] with stamp = 1", true, []string{"atomicref/atomicref.go:121"}},
	{"queue", "UnboundedQueue", "the cells from head but for the first", false, nil},
	{"queue", "LockFreeQueue", "the cells from head but for the first", true, nil},
	{"conditional", "CCAS", "the registers flag and cell, where SetFlag(a): flag becomes a; Swap(a, b): cell becomes b if flag = 1 and cell = a, what cell held is returned", false, nil},
	{"conditional", "RDCSS", "the registers control and cell, where Read(): what cell held is returned; SetControl(a): control becomes a; " +
		"Swap(a, b, c): cell becomes c if control = a and cell = b, what cell held is returned", true, nil},
	{"right", "Register", "the registers value, where Assign(a): value becomes a; Swap(a, b): value becomes b if value = a, what value held is returned; Value(): what value held is returned", false, nil},
	{"right", "CoarseStack", "the cells from top", false, nil},
	{"right", "MeetingStack", "the cells from top; a put and a take meet in cells of type right.offer with stage = 1", false, nil},
	{"right", "CountedStack", "the cells from top", false, nil},
	{"right", "LockedStack", "the cells from top", false, nil},
	{"right", "CoarseQueue", "the cells from head", false, nil},
	{"right", "DGLMQueue", "the cells from head but for the first", true, nil},
	{"right", "HindsightSet", "the cells from head whose marked is not set", false, []string{"right/right.go:132"}},
	{"list", "CoarseList", "the cells from head", false, []string{"list/key.go:40"}},
	{"list", "FineList", "the cells from head", false, []string{"list/key.go:40"}},
	{"list", "LazyList", "the cells from head whose marked is not set", true, nil},
	{"list", "OptimisticList", "the cells from head", true, []string{"list/key.go:40"}},
	{"list", "HindsightList", "the cells from head", true, []string{"list/key.go:40"}},
	{"list", "DerivedListDCAS", "the cells from head", true, []string{"list/key.go:40"}},
	{"list", "DerivedList", "the cells from head", true, []string{"atomicref/atomicref.go:33", "atomicref/atomicref.go:58", "list/key.go:40"}},
	{"list", "LockFreeList", "the cells from head whose mark is not set", true, []string{"atomicref/atomicref.go:58", "atomicref/atomicref.go:63"}},
	{"list", "MichaelList", "the cells from head whose mark is not set", true, []string{"atomicref/atomicref.go:58", "atomicref/atomicref.go:63", "list/key.go:40"}},
	{"list", "HarrisList", "the cells from head whose mark is not set", true, []string{"atomicref/atomicref.go:58", "atomicref/atomicref.go:63"}},
}

func TestSearch_ProvesTheCollections(t *testing.T) {
	for i, c := range proved {
		t.Run(c.typ, func(t *testing.T) {
			if c.long && !level.All() {
				t.Skip("takes long")
			}
			if level.Out(i, 5) {
				t.Skip("some will do; -level more proves all")
			}
			p, err := fragment.Of(load(t, c.pkg, c.typ))
			if err != nil {
				t.Fatal(err)
			}
			found, err := Search(context.Background(), p, fixpoint.Options{})
			if err != nil {
				t.Fatal(err)
			}
			facts := facts(found, p)
			if found.Invariant == nil {
				t.Fatalf("not proved: %s", alarmText(facts.Alarm))
			}
			if facts.Content != c.content {
				t.Errorf("held are %s, want %s", facts.Content, c.content)
			}
			if !slices.Equal(facts.Unreached, c.unreached) {
				t.Errorf("never reached: %q, want %q", facts.Unreached, c.unreached)
			}
			r, err := walk.Run(found.Invariant, walk.Options{Walks: 200, Steps: 150})
			if err != nil {
				t.Fatal(err)
			}
			if r.Missing != nil {
				t.Fatalf("%v\n%s\n%+v", r.Missing, found.Domain.Draw(r.Missing.View), r.Missing.View)
			}
			size(t, c.typ, facts.Views, facts.Effects)
			t.Logf("walk: %d look-ups, %d of %d views met", r.Lookups, r.Hit, facts.Views)
			t.Logf("%d views, %d effects, %d merges, %d rounds", facts.Views, facts.Effects, found.Invariant.Merges, found.Invariant.Rounds)
		})
	}
}

// size compares the size of an invariant with the table in testdata: it grows where the prover
// gets less precise.
func size(t *testing.T, typ string, views, effects int) {
	t.Helper()
	const file = "testdata/sizes.txt"
	text, err := os.ReadFile(file)
	if err != nil && !flags.Update() {
		t.Fatal(err)
	}
	line := fmt.Sprintf("%s: %d views, %d effects", typ, views, effects)
	lines := strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
	if slices.Contains(lines, line) {
		return
	}
	if !flags.Update() {
		t.Errorf("%s does not have %q", file, line)
		return
	}
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, typ+":") })
	lines = append(lines, line)
	slices.Sort(lines)
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// refused are collections of which there may be no proof, with the reason.
var refused = []struct{ typ, reason string }{
	{"SameValue", "race"},
	{"Narrowed", "convert of items"},
	{"HiddenRace", "race"},
	{"Twice", "returns another item than it has taken"},
	{"Swapped", "changes what is held"},
	{"Doubled", "changes what is held a second time"},
	{"Frontal", "changes what is held in a way that it should not"},
	{"Recycled", ""},
	{"LateEmpty", "at no moment since its call"},
	{"Abandoned", "nothing has been taken"},
	{"Likes", ""},
	{"Grabbed", "nothing has been taken"},
	{"Persistent", "a second time"},
	{"Answering", ""},
	{"Emptied", "another item"},
	{"Owed", "has an offer that another operation may meet"},
	{"Undecided", "nothing has been taken"},
	{"Withdrawn", "nothing has been added"},
	{"Generous", ""},
	{"Rowed", "a slice of cells that form chains"},
	{"Lavish", "nothing has been taken"},
	{"Resigned", "Enqueue changes what is held a second time"},
	{"Restless", "a step makes more than 96 cells"},
	{"Twofold", "Assign changes a register a second time"},
	{"Careless", "Swap changes value as it should not"},
	{"Early", "right at no moment since that was put there"},
	{"Eager", "right at no moment since that was put there"},
	{"Cancelling", "right at no moment since that was put there"},
	{"Hasty", "Swap returns, and its descriptor may still be there"},
	{"Borrowed", "that others have seen"},
	{"Mixed", "with other arguments than its own"},
	{"Peek", "at no moment since its call was right for certain"},
	{"Again", "a second time"},
	{"Crossed", "right at no moment since that was put there"},
	{"Remembering", "right at no moment since that was put there"},
	{"Rash", "that says that it held another value"},
	{"Liar", "Swap returns another value than there was when it took effect"},
	{"Stubborn", "Assign changes value as it should not"},
	{"Yielding", "Assign returns, and has not taken effect"},
	{"Attempting", "it may race with the write"},
}

func TestSearch_ProvesNothingThatIsWrong(t *testing.T) {
	for i, c := range refused {
		t.Run(c.typ, func(t *testing.T) {
			if level.Out(i, 2) {
				t.Skip("every second will do, the first in short; -level more tries all")
			}
			text, proved := attempt(t, load(t, "wrong", c.typ), 0)
			if proved || !strings.Contains(text, c.reason) {
				t.Errorf("%s, want no proof: %s", text, c.reason)
			}
			t.Log(text)
		})
	}
}

// TestSearch_EndsWhereANumberGrows tries a stack that counts its items: the table has no end, and the reason is the word that counts.
func TestSearch_EndsWhereANumberGrows(t *testing.T) {
	level.SkipShort(t, "looks at some thousand views")
	p, err := fragment.Of(load(t, "wrong", "Sized"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Search(t.Context(), p, fixpoint.Options{})
	if growing := (*fixpoint.GrowingError)(nil); !errors.As(err, &growing) || growing.Word != "the n of a wrong.Sized" {
		t.Errorf("%v", err)
	}
}
