// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/engine"
	"pangolin/internal/explore"
	"pangolin/internal/find"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// Nothing of a cursor outlives Load: from the same state a cursor that has been anywhere goes where a new one goes, whether steps are
// recalled or executed.
func TestCursor_KeepsNothingBeyondLoad(t *testing.T) {
	for _, c := range []struct{ pkg, typ string }{{"list", "LockFreeList"}, {"queue", "LockFreeQueue"}, {"stack", "EliminationBackoffStack"}} {
		s := subjectOf(t, "../../../collections/"+c.pkg, c.typ)
		for _, p := range []consist.Property{consist.Linear, consist.Sequential, consist.Quiescent} {
			for _, reduce := range []vm.Reductions{vm.AllReductions, vm.AllReductions &^ vm.RememberedSteps, 0} {
				t.Run(fmt.Sprint(c.typ, " ", p, " ", reduce.Names()), func(t *testing.T) { sameFromAnywhere(t, s, p, reduce) })
			}
		}
	}
}

func sameFromAnywhere(t *testing.T, s *subject.Subject, p consist.Property, reduce vm.Reductions) {
	sys := systemOf(t, s, p, reduce)
	type goes struct {
		from  []uint64
		moves []explore.Move
		to    [][]uint64
	}
	first := sys.newCursor()
	first.Initial(explore.Replay(nil))
	list := []goes{{from: first.Save(nil)}}
	known := map[string]bool{}
	for k := 0; k < len(list) && k < 150; k++ {
		g := &list[k]
		for i := 0; ; i++ {
			c := sys.newCursor()
			c.Load(g.from)
			if g.moves = c.Moves(nil); i == len(g.moves) {
				break
			}
			c.Step(g.moves[i], explore.Replay(nil))
			g.to = append(g.to, c.Save(nil))
		}
		for _, words := range g.to {
			if key := fmt.Sprint(words); !known[key] && len(words) > 2 { // two words are no state to go on from
				known[key] = true
				list = append(list, goes{from: words})
			}
		}
	}
	at, c := rand.New(rand.NewPCG(3, 4)), sys.newCursor()
	for range 600 {
		g := &list[at.IntN(min(len(list), 150))]
		c.Load(g.from)
		if moves := c.Moves(nil); !slices.Equal(moves, g.moves) {
			t.Fatalf("moves %v, from anywhere %v", g.moves, moves)
		}
		if len(g.moves) == 0 {
			continue
		}
		i := at.IntN(len(g.moves))
		c.Step(g.moves[i], explore.Replay(nil))
		if words := c.Save(nil); !slices.Equal(words, g.to[i]) {
			t.Fatalf("from %x, move %x leads to\n%x, from anywhere to\n%x", g.from, g.moves[i], g.to[i], words)
		}
	}
}

// systemOf is a collection under two threads with two calls.
func systemOf(t *testing.T, s *subject.Subject, p consist.Property, reduce vm.Reductions) *system {
	t.Helper()
	ops := s.ClientOps()
	bounds := engine.Bounds{Config: "2x2x1"}
	scopes, err := bounds.Scopes(&engine.Operations{Kind: oracle.Kind(s.About.Kind), List: ops})
	if err != nil {
		t.Fatal(err)
	}
	v, err := newVerification(Options{Job: engine.Job{Subject: s, Property: p, Scope: scopes[0], Search: engine.Search{Reduce: reduce}}})
	if err != nil {
		t.Fatal(err)
	}
	calls := client.NewGeneral(v.space, func() bool { return v.items }, func() bool { return v.keys })
	if err := v.search(context.Background(), calls); err != nil { // which finds out what may be assumed
		t.Fatal(err)
	}
	return v.system(calls)
}

// subjectOf compiles a collection of a directory.
func subjectOf(t *testing.T, dir, typ string) *subject.Subject {
	t.Helper()
	q := &find.Query{Dir: dir, Packages: []string{"."}, Note: func(string, ...any) {},
		Overrides: func([]string) (find.Wishes, error) { return find.Wishes{}, nil }}
	found, _, err := q.Find(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	k := slices.IndexFunc(found, func(f *find.Target) bool {
		return f.Found.Type == typ || strings.HasPrefix(f.Found.Type, typ+"[")
	})
	if k < 0 {
		t.Fatalf("%s has no %s", dir, typ)
	}
	o := subject.Order{Listed: found[k].Listed, Patterns: found[k].Patterns, Dir: dir, Overrides: found[k].Overrides}
	o.Ops, _ = found[k].Operations()
	s, err := o.Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}
