// SPDX-License-Identifier: BSD-3-Clause

package points

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// pointsIn finds points, of each outcome in turn, or as Find does, and puts them into words.
func pointsIn(t *testing.T, f *finder, inTurn bool) (list []string) {
	t.Helper()
	var out []verdict.PointOf
	var err error
	if inTurn {
		if err = f.survey(f.job); err == nil {
			out, err = f.within(f.scopes, 0, len(f.outcomes))
		}
		for k := range out {
			f.name(&out[k], f.found[k])
		}
	} else {
		out, err = f.all()
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range out {
		text := fmt.Sprintf("%s = %s fixed %t, %d reasons:", o.Operation, o.Outcome, o.Fixed, len(o.Reasons))
		for _, p := range o.Points {
			text += fmt.Sprintf(" %d:%d %s by %q", p.Place.Line, p.Column, p.When, p.By)
		}
		list = append(list, text)
	}
	return list
}

// Points that are found in small scopes and asked about together are those that the whole scope gives when it is asked about one
// outcome after the other, and about nothing else; also where the small scopes are too small to know of every
// outcome (of one call), so that all begins anew, and where they find too little (of two), so that some outcomes are asked for again.
func TestFind_InSmallScopesGivesWhatTheWholeScopeGives(t *testing.T) {
	for i, c := range []struct {
		pkg, typ string
		threads  int
	}{{"stack", "LockFreeStack", 0}, {"list", "LazyList", 2}, {"queue", "HerlihyWingQueue", 0}, {"list", "HarrisList", 2},
		{"stack", "EliminationBackoffStack", 0}, {"conditional", "CCAS", 0}, {"list", "MichaelList", 2}, {"queue", "LockFreeQueue", 0}} {
		t.Run(c.typ, func(t *testing.T) {
			if level.Out(i, 8) {
				t.Skip("every fifth collection will do; -level more compares all")
			}
			j, err := job(t, collectionOf(t, c.pkg, c.typ), nil, "")
			if err != nil {
				t.Fatal(err)
			}
			if c.threads > 0 {
				j.Scope.Clients.Threads.To = c.threads
			}
			f := newFinder(context.Background(), j, engine.Events{})
			f.scopes = []*engine.Job{j}
			want := pointsIn(t, f, true)
			for _, calls := range []int{0, 1, 2} {
				f := newFinder(context.Background(), j, engine.Events{})
				if calls > 0 {
					few := *j
					few.Scope.Clients.Steps.From, few.Scope.Clients.Steps.To = 1, calls
					few.Scope.Clients.PreAdds.To = min(j.Scope.Clients.PreAdds.To, calls-1)
					f.scopes = []*engine.Job{&few, j}
				}
				if got := pointsIn(t, f, false); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("scopes of %d calls, 0 for the usual ones:\n%q, want\n%q", calls, got, want)
				}
			}
		})
	}
}

// What is spared, found by halves, is what is spared when one after the other is tried, the last first.
func TestSpare_IsToTryOneAfterTheOther(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	needed := 0
	for range 5000 {
		var list []int
		for i := range 1 + rng.IntN(12) {
			list = append(list, i)
		}
		// A list suffices if it has one of each of these sets.
		var hit [][]int
		for range rng.IntN(5) {
			var one []int
			for range 1 + rng.IntN(4) {
				one = append(one, rng.IntN(len(list)))
			}
			hit = append(hit, one)
		}
		suffices := func(l []int) bool {
			return !slices.ContainsFunc(hit, func(one []int) bool {
				return !slices.ContainsFunc(one, func(s int) bool { return slices.Contains(l, s) })
			})
		}
		want := slices.Clone(list)
		for i := len(want) - 1; i >= 0; i-- {
			if fewer := slices.Delete(slices.Clone(want), i, i+1); suffices(fewer) {
				want = fewer
			}
		}
		got, err := spare(list, func(l []int) (bool, error) { return suffices(l), nil })
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("of %v, one of each of %v being needed, %v are left, want %v (%v)", list, hit, got, want, err)
		}
		needed += len(want)
	}
	if needed < 5000 {
		t.Errorf("%d sites were needed in all: too few to say anything", needed)
	}
}

// Hypotheses that differ in their scope, in the outcomes that they are about or in a site have different names.
func TestFind_TellsHypothesesApart(t *testing.T) {
	a, b := new(engine.Job), new(engine.Job)
	f := &finder{guess: &bounded.Guess{}}
	seen := map[string]string{}
	for _, j := range []*engine.Job{a, b} {
		for about := range 4 {
			f.restricted = []bool{about&1 != 0, about&2 != 0}
			for sites := range 1 << 8 { // two of each list of each outcome
				bit := func(i int) bool { return sites>>i&1 != 0 }
				f.guess.Own = [][]bool{{bit(0), bit(1)}, {bit(2), bit(3)}}
				f.guess.Others = [][]bool{{bit(4), bit(5)}, {bit(6), bit(7)}}
				what := fmt.Sprint(j == a, f.restricted)
				for k := range f.restricted {
					if f.restricted[k] {
						what += fmt.Sprint(f.guess.Own[k], f.guess.Others[k])
					}
				}
				name := f.hypothesis(j)
				if other, known := seen[name]; known && other != what {
					t.Fatalf("%s and %s are both %q", what, other, name)
				}
				seen[name] = what
			}
		}
	}
	if want := 2 * (1 + 16 + 16 + 256); len(seen) != want {
		t.Errorf("%d names of %d hypotheses", len(seen), want)
	}
}
