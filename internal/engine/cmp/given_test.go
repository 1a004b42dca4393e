// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/engine"
	"pangolin/internal/engine/cmp/lemma"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// printed writes lemmas as prove -lemmas prints them.
func printed(l lemma.Lemmas) string {
	var b strings.Builder
	for _, x := range factsOf(l) {
		fmt.Fprintf(&b, "at %s (%s):\n    %s\n", x.At, x.Does, strings.Join(x.Facts, " && "))
	}
	return b.String()
}

// judged is what is said of lemmas that are given.
func (s *search) judged(t *testing.T, text string) *verdict.Verdict {
	t.Helper()
	list, err := lemma.ReadGiven(text)
	if err != nil {
		t.Fatal(err)
	}
	v := &verdict.Verdict{Status: verdict.Proved, Findings: verdict.Findings{Proof: s.facts()}}
	if err := s.given(repository, &engine.Job{Subject: s.model.subject, Search: engine.Search{Reduce: engine.AllReductions, Given: text, Certify: true}}, v, list); err != nil {
		t.Fatal(err)
	}
	return v
}

// Lemmas that were found to be needed are enough when they are given. Without any one of them they are too weak. What holds of some thread at
// a place and not of all is said to be false, each fact of it.
func TestGiven_LemmasAreJudgedOneByOne(t *testing.T) {
	level.SkipShort(t, "mines lemmas")
	for i, c := range lemmaSubjects {
		if !c.sufficient || level.Out(i/2, 99) {
			continue // two will do; -level more takes all
		}
		p, all := sufficient(t, &c)
		needed, fewest, err := p.minimal(repository, all, mostTries)
		if err != nil || !fewest {
			t.Fatal(err, fewest)
		}
		v := p.judged(t, printed(needed))
		if v.Status != verdict.Proved || v.Proof.Lemmas == nil || !v.Proof.Lemmas.Given || len(v.Proof.Text) == 0 {
			t.Errorf("%s: the lemmas that are needed are not enough when they are given: %s\n%s", c.typ, v.Reason, printed(needed))
		}
		for _, x := range needed {
			for f := range x.Holds {
				delete(x.Holds, f)
				if text := printed(needed); text != "" {
					// Places that read the same have one text, so that what one of them lacks another may say.
					if v := p.judged(t, text); v.Status != verdict.Unknown && !strings.Contains(text, f.String()) || v.Status == verdict.Unknown && !strings.Contains(v.Reason, "too weak") {
						t.Errorf("%s: %q can be left out at %s: %s %s", c.typ, f, x.At, v.Status, v.Reason)
					}
				}
				x.Holds[f] = true
			}
		}
		claims, _ := p.planted(all)
		n := 0
		for site, x := range claims {
			for f := range x.Holds {
				if all[site].Holds[f] || n == 12 {
					continue
				}
				n++
				text := fmt.Sprintf("at %s (%s): %s\n", x.At, x.Does, f)
				if v := p.judged(t, text); v.Status != verdict.Unknown || !strings.Contains(v.Reason, "not always "+f.String()) || v.Proof.Alarm == nil {
					t.Errorf("%s: %q is taken for true: %s %s", c.typ, text, v.Status, v.Reason)
				}
			}
		}
		t.Logf("%s: %d needed, %d false", c.typ, needed.Count(), n)
	}
}

// A lemma about a line at which no thread does anything is an error of whoever wrote it, and the places are listed.
func TestGiven_NamesThePlacesThereAre(t *testing.T) {
	p := proof(t, "../../../collections/stack", "LockFreeStack", 1)
	v := p.judged(t, "# two\nat nowhere.go:1: x == y\nat lockfree.go:1: x == y")
	if v.Status != verdict.Unknown || !strings.Contains(v.Reason, "line 2: no thread does anything that others see at nowhere.go:1; they do at ") ||
		!strings.Contains(v.Reason, "line 3: ") || !strings.Contains(v.Reason, "see at lockfree.go:1; they do at stack.go:") {
		t.Error(v.Status, v.Reason)
	}
}

// A lemma is tried in wider languages until it can be said: the key of a node has two numbers.
func TestGiven_AreSaidInTheLanguageThatTheyNeed(t *testing.T) {
	level.SkipShort(t, "proves a list")
	p := &miner{search: proof(t, "../../../collections/list", "FineList", 2)}
	const fact = "(pred.key.end < new(list.fineNode[int]).key.end || pred.key.end == new(list.fineNode[int]).key.end && pred.key.item < new(list.fineNode[int]).key.item)"
	list := []lemma.Given{{Line: 1, At: "fine.go:38", Facts: []string{fact}}}
	claims, wrong, err := p.claimed(repository, list)
	if err != nil || len(wrong) > 0 || !p.language.Wide || claims.Count() != 1 {
		t.Error(err, wrong, p.language, claims.Count())
	}
	list[0].Facts = append(list[0].Facts, "mine(nobody.mu)")
	if _, wrong, err = p.claimed(repository, list); err != nil || len(wrong) != 1 || !slices.ContainsFunc(wrong, func(s string) bool { return strings.HasSuffix(s, "not always mine(nobody.mu)") }) {
		t.Error(err, wrong)
	}
}

// The lazy and the optimistic list with two items: lemmas that were written by hand are true and enough. They are too weak without that a node to be
// marked is not the last one, and without that a new node leads to where it is put in.
func TestGiven_LemmasOfListsWithTwoItems(t *testing.T) {
	if !level.All() {
		t.Skip("-level all restrains threads by lemmas alone: a minute for each list")
	}
	for _, c := range []struct {
		list   string
		facts  int
		needed string
	}{{"LazyList", 19, " && curr.next != nil"}, {"OptimisticList", 10, "node.next == pred.next && "}} {
		t.Run(c.list, func(t *testing.T) {
			text, err := os.ReadFile("testdata/lemmas/" + c.list)
			if err != nil {
				t.Fatal(err)
			}
			p := proof(t, "../../../collections/list", c.list, 2)
			if v := p.judged(t, string(text)); v.Status != verdict.Proved || v.Proof.Lemmas.True != c.facts {
				t.Error(v.Status, v.Reason)
			}
			if v := p.judged(t, strings.ReplaceAll(string(text), c.needed, "")); v.Status != verdict.Unknown || !strings.Contains(v.Reason, "too weak") {
				t.Error(v.Status, v.Reason)
			}
		})
	}
}
