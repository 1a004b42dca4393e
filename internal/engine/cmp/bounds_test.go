// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pangolin/internal/certificate/pairs"
	"pangolin/internal/interleave"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// TestBounds_AreThoseOfTheContents compares what a proof bounds with what one sees in the source, and the engine with the checker.
func TestBounds_AreThoseOfTheContents(t *testing.T) {
	for i, c := range []struct {
		typ    string
		items  int
		want   verdict.FewItems
		extent string
	}{
		{"Tickets", 2, verdict.FewItems{Used: []string{"Next"}, Effects: 2}, "for any number of threads and calls, at most 2 effects of Next in all"},
		{"Tickets", 3, verdict.FewItems{Used: []string{"Next"}, Effects: 3}, "for any number of threads and calls, at most 3 effects of Next in all"},
		{"History", 2, verdict.FewItems{Used: []string{"Set"}, Effects: 2, Values: 2}, "for any number of threads and calls, at most 2 effects of Set in all, values 0..1"},
		// On and counted once, off and counted twice: two calls lead to each. On and counted twice is beyond, from where Toggle leads back.
		{"Switch", 2, verdict.FewItems{Used: []string{"Count"}, Effects: 2, Items: 2}, "for any number of threads and calls, at most 2 effects of Count in all, items at a time up to 2"},
		{"Greatest", 2, verdict.FewItems{Keys: 2}, "for any number of threads and calls, values 0..1"},
		{"Stack", 2, verdict.FewItems{Items: 2, Values: 3}, "for any number of threads and calls, items at a time up to 2, values 0..2"},
		{"Flag", 2, verdict.FewItems{}, "for any number of threads and calls"},
	} {
		t.Run(c.typ, func(t *testing.T) {
			if level.Short() && i > 0 {
				t.Skip("the first will do in short")
			}
			s := load(t, "testdata/subjects/bounds", c.typ)
			p := proveSubject(t, s, c.items)
			got := p.model.bounds()
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("the engine bounds %+v, want %+v", got, c.want)
			}
			if scope := got.Scope(); scope.Extent() != c.extent {
				t.Errorf("it proves %q, want %q", scope.Extent(), c.extent)
			}
			text, err := certificateOf(p, nil)
			if err != nil {
				t.Fatal(err)
			}
			checker, err := pairs.New(s, parsed(t, text))
			if err != nil {
				t.Fatal(err)
			}
			if again := checker.Bounds(); !reflect.DeepEqual(again.Scope(), got.Scope()) {
				t.Errorf("the checker bounds %+v, the engine %+v", again, got)
			}
		})
	}
}

// TestBounds_OfAllCollections compares the engine with the checker where the contents are not drawn by hand.
func TestBounds_OfAllCollections(t *testing.T) {
	level.SkipShort(t, "proves collections")
	for _, c := range certified {
		if c.long && !level.More() {
			continue
		}
		t.Run(c.typ, func(t *testing.T) {
			s := load(t, c.dir, c.typ)
			p := proveSubject(t, s, c.items)
			text, err := certificateOf(p, nil)
			if err != nil {
				t.Fatal(err)
			}
			checker, err := pairs.New(s, parsed(t, text))
			if err != nil {
				t.Fatal(err)
			}
			if want, got := p.model.scope(), checker.Bounds().Scope(); !reflect.DeepEqual(want, got) {
				t.Errorf("the checker says %q, the engine %q", got.Extent(), want.Extent())
			}
		})
	}
}

// TestChecker_RefusesPackageVariables gives the checker an empty table for collections whose constructor or operations write package
// variables. With the constructor it meets this before it misses a view.
func TestChecker_RefusesPackageVariables(t *testing.T) {
	for typ, want := range map[string]string{"Numbered": "package variables are written", "Reading": "a new collection is not claimed"} {
		s := load(t, "testdata/subjects/shared", typ)
		m, err := newModel(s, 2, 2)
		if err != nil {
			t.Fatal(err)
		}
		empty := newSearch(m, nil, interleave.NewAssumptions(m.img, vm.AllReductions), limits{}).certify()
		clear(empty.Head.Frozen) // the constructor writes what is assumed to be never written
		c, err := pairs.New(s, empty)
		if err == nil {
			err = c.Check(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", typ, err, want)
		}
	}
}

// TestComponents_AreMutualReachability compares the components of random graphs with reachability by definition.
func TestComponents_AreMutualReachability(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		n := 1 + random.IntN(7)
		graph, reach := make([][]edge, n), make([][]bool, n)
		for i := range n {
			reach[i] = make([]bool, n)
			reach[i][i] = true
			if i > 0 { // all are reached from the first
				from := random.IntN(i)
				graph[from] = append(graph[from], edge{to: i})
			}
		}
		for range random.IntN(2 * n) {
			i := random.IntN(n)
			graph[i] = append(graph[i], edge{to: random.IntN(n+1) - 1})
		}
		for range n {
			for i := range n {
				for _, e := range graph[i] {
					for k := range n {
						reach[i][k] = reach[i][k] || e.to >= 0 && reach[e.to][k]
					}
				}
			}
		}
		of := components(graph)
		for i := range n {
			for k := range n {
				if both := reach[i][k] && reach[k][i]; both != (of[i] == of[k]) {
					t.Fatalf("%v: contents %d and %d: one component: %v, want %v", graph, i, k, of[i] == of[k], both)
				}
			}
		}
	}
}

// Operations that one thread calls are said to be called by the same one, in a proof as in a check of its certificate.
func TestExtent_SaysThatOneThreadCallsSeveralOperations(t *testing.T) {
	for _, c := range []struct {
		single map[string]int
		want   string
	}{
		{map[string]int{"Put": 1}, "for any number of threads and calls, threads that call Put up to 1"},
		{map[string]int{"Put": 1, "Close": 1}, "for any number of threads and calls, threads that call Close or Put up to 1"},
		{map[string]int{"Put": 2, "Take": 1}, "for any number of threads and calls, threads that call Take up to 1, threads that call Put up to 1"},
	} {
		if got := (verdict.FewItems{Single: c.single}).Scope().Extent(); got != c.want {
			t.Errorf("%v: %q, want %q", c.single, got, c.want)
		}
	}
}
