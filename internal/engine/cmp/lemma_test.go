// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"testing"

	"pangolin/internal/engine"
	"pangolin/internal/engine/cmp/lemma"
	"pangolin/internal/test/level"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// lemmaSubject is a type that is proved, with lemmas.
type lemmaSubject struct {
	dir, typ   string
	items      int
	language   lemma.Language
	sufficient bool // the lemmas alone restrain Other enough
}

var lemmaSubjects = []lemmaSubject{
	{"../../../collections/stack", "LockFreeStack", 2, lemma.Languages[0], true},
	{"../../../collections/list", "FineList", 1, lemma.Languages[0], true},
	{"../../../collections/list", "FineList", 2, lemma.Language{Depth: 3}, false}, // keys are of two numbers, and the key removed is the argument
	{"../../../collections/list", "FineList", 2, lemma.Language{Depth: 2, Wide: true}, true},
	{"../../../collections/list", "OptimisticList", 1, lemma.Languages[0], true},
	{"../../../collections/list", "LazyList", 1, lemma.Languages[0], true},
	{"../../../collections/list", "LockFreeList", 1, lemma.Languages[0], false}, // the successor of the new node stands in a box of a box
	{"../../../collections/list", "LockFreeList", 1, lemma.Language{Depth: 3}, true},
	{"testdata/subjects/right", "CopyStack", 2, lemma.Language{Depth: 3, Wide: true}, false}, // elements of slices
	{"testdata/subjects/right", "CopyStack", 2, computing, true},
	{"testdata/subjects/right", "SPSC", 2, lemma.Language{Depth: 3, Wide: true}, false}, // an index modulo the size
	{"testdata/subjects/right", "SPSC", 2, computing, true},
	{"testdata/subjects/right", "Ring", 2, computing, true},
	{"testdata/subjects/right", "CopySet", 2, computing, true},
	{"testdata/subjects/right", "ArrayStack", 2, computing, true}, // less what is false where lemmas alone restrain Other
	{"testdata/subjects/right", "Buckets", 2, computing, true},
	{"testdata/subjects/right", "Heap", 2, lemma.Languages[len(lemma.Languages)-1], false}, // nothing says that what is beyond the length is zero
	{"testdata/subjects/right", "Deque", 2, computing, true},
}

// proof proves a collection, line by line where locks are held.
func proof(t *testing.T, dir, typ string, items int) *search {
	t.Helper()
	s := load(t, dir, typ)
	j := &engine.Job{Subject: s, Property: verdict.Linear, Search: engine.Search{Reduce: engine.AllReductions &^ vm.GuardedAccesses}}
	p, err := Prove(repository, j, items, limits{views: 60_000, lost: mostLost})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sufficient proves a subject, and gives the facts that were mined, which are enough.
func sufficient(t *testing.T, c *lemmaSubject) (*miner, lemma.Lemmas) {
	t.Helper()
	p := &miner{proof(t, c.dir, c.typ, c.items), c.language}
	all, _, err := p.mine(repository)
	if err != nil {
		t.Fatal(err)
	}
	if all, err = p.enough(repository, all); err != nil {
		t.Fatal(err)
	}
	return p, all
}

// planted adds to lemmas what holds of some thread at the place and not of all.
func (p *miner) planted(l lemma.Lemmas) (lemma.Lemmas, int) {
	out := l.Clone()
	for v := range p.t.views {
		content := p.load(int32(v))
		if p.m.Idle(0) {
			continue
		}
		if x := out[p.site()]; x != nil {
			maps.Copy(x.Holds, p.read(p.language, p.pre.count, content).All())
		}
	}
	return out, out.Count() - l.Count()
}

// houdini drops what is false of claims.
func (p *miner) houdini(t *testing.T, claims lemma.Lemmas) lemma.Lemmas {
	t.Helper()
	for {
		r := newOther(p.search, claims, p.language, checking)
		err := r.run(repository)
		if err == nil {
			return claims
		}
		if !errors.As(err, new(dropped)) {
			t.Fatal(err)
		}
		claims = r.claims
	}
}

func TestLemmas_FalseOnesAreDropped(t *testing.T) {
	level.SkipShort(t, "mines lemmas")
	all := 0
	for i, c := range lemmaSubjects {
		if level.Out(i, 4) {
			continue // three of them will do; -level more takes all
		}
		p := &miner{proof(t, c.dir, c.typ, c.items), c.language}
		want, _, err := p.mine(repository)
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.enough(repository, want)
		if (err == nil) != c.sufficient {
			t.Errorf("%s with %d items, %+v: the lemmas suffice: %v, want %v", c.typ, c.items, c.language, err, c.sufficient)
		}
		claims, n := p.planted(want)
		all += n
		claims = p.houdini(t, claims)
		for site, x := range claims {
			if !maps.Equal(x.Holds, want[site].Holds) {
				t.Errorf("%s: at %s there is left %q, want %q", c.typ, x.At, x.List(), want[site].List())
			}
		}
		t.Logf("%s: %d false lemmas", c.typ, n)
	}
	if all < 200 {
		t.Errorf("%d false lemmas were planted, want 200", all)
	}
}

// TestLemmas_UncheckedAreFound takes false lemmas for true: Other may not do what threads do, the
// table lacks what they lead to, and real executions show it.
func TestLemmas_UncheckedAreFound(t *testing.T) {
	level.SkipShort(t, "mines lemmas")
	for i, c := range lemmaSubjects {
		if level.Out(i, 4) {
			continue
		}
		p := &miner{proof(t, c.dir, c.typ, c.items), c.language}
		want, _, err := p.mine(repository)
		if err != nil {
			t.Fatal(err)
		}
		claims, _ := p.planted(want)
		r := newOther(p.search, claims, c.language, believing)
		if err := r.run(repository); err != nil {
			t.Fatalf("%s: %v", c.typ, err)
		}
		if err := r.walk(repository, 60, 200); err == nil {
			t.Errorf("%s: nothing shows that Other was restrained by what is false", c.typ)
		}
	}
}

// TestLemmas_ProofStandsWithoutThem gives no time for lemmas: the proof stays, and says that there was none.
func TestLemmas_ProofStandsWithoutThem(t *testing.T) {
	level.SkipShort(t, "proves a set")
	p := proof(t, "testdata/subjects/right", "BitSet", 1)
	over, cancel := context.WithCancel(repository)
	cancel()
	out, j := p.facts(), &engine.Job{Subject: p.model.subject, Search: engine.Search{Lemmas: true, Certify: true}}
	if err := p.complete(repository, j, out, 1); err != nil {
		t.Fatal(err)
	}
	if err := p.explain(over, j, out, 0); err != nil {
		t.Fatal(err)
	}
	if out.Lemmas == nil || !out.Lemmas.Unfinished || out.Lemmas.Count() != 0 || len(out.Text) == 0 {
		t.Errorf("%+v and a certificate of %d bytes, want unfinished lemmas, and one", out.Lemmas, len(out.Text))
	}
}

// TestTable_HoldsWhatThreadsReach enumerates every state of three and four threads: each
// thread's part of it is in the table.
func TestTable_HoldsWhatThreadsReach(t *testing.T) {
	level.SkipShort(t, "walks")
	for i, c := range []struct {
		dir, typ string
		threads  int
	}{
		{"testdata/subjects/right", "BitSet", 4},
		{"../../../collections/stack", "LockFreeStack", 3},
		{"../../../collections/list", "CoarseList", 4},
		{"testdata/subjects/right", "Ring", 3},
		{"testdata/subjects/right", "Nested", 3},
		{"testdata/subjects/right", "HandedOver", 3},
		{"testdata/subjects/right", "Owned", 3},
		{"testdata/subjects/right", "Striped", 3},
		{"testdata/subjects/right", "Nodes", 3},
	} {
		if level.Out(i, 4) {
			continue // two of them will do; -level more walks in all
		}
		p := proof(t, c.dir, c.typ, 1)
		w, err := p.newWalker(c.threads)
		if err != nil {
			t.Fatal(err)
		}
		states, err := w.everything(repository, 60_000)
		if err != nil {
			t.Errorf("%s: %v", c.typ, err)
		}
		t.Logf("%s: %d states of %d threads, %d views", c.typ, states, c.threads, len(p.t.views))
	}
}

// TestLemmas_FewAreEnough chooses facts from below: they are among those that were mined, far less than all, and enough.
func TestLemmas_FewAreEnough(t *testing.T) {
	level.SkipShort(t, "mines lemmas")
	for i, c := range lemmaSubjects {
		if !c.sufficient || level.Out(i, 99) {
			continue // one will do; -level more takes all
		}
		p, all := sufficient(t, &c)
		some := p.few(repository, all)
		if _, err := p.suffices(repository, some); err != nil {
			t.Errorf("%s with %d items: the facts that were chosen are not enough: %v", c.typ, c.items, err)
		}
		for site, x := range some {
			for f := range x.Holds {
				if !all[site].Holds[f] {
					t.Errorf("%s: %q at %s was not mined", c.typ, f, x.At)
				}
			}
		}
		if some.Count() == 0 || 2*some.Count() >= all.Count() {
			t.Errorf("%s with %d items: %d of %d facts were chosen", c.typ, c.items, some.Count(), all.Count())
		}
		t.Logf("%s with %d items: %d of %d facts chosen", c.typ, c.items, some.Count(), all.Count())
	}
}

// TestLemmas_AreFewestAndStable looks for the lemmas of a proof twice: they are the same, they suffice, and without
// any one of them they do not.
func TestLemmas_AreFewestAndStable(t *testing.T) {
	level.SkipShort(t, "mines lemmas")
	for i, c := range lemmaSubjects[:2] {
		if level.Out(i, 4) {
			continue // one will do; -level more takes both
		}
		var texts []string
		for range 2 {
			p := &miner{proof(t, c.dir, c.typ, c.items), lemma.Languages[0]}
			all, _, err := p.mine(repository)
			if err != nil {
				t.Fatal(err)
			}
			l, fewest, err := p.minimal(repository, p.few(repository, all), mostTries)
			if err != nil || !fewest {
				t.Fatalf("%s: not all was tried: %v", c.typ, err)
			}
			text := fmt.Sprint(factsOf(l))
			if texts = append(texts, text); text != texts[0] {
				t.Errorf("%s: %s, and before %s", c.typ, text, texts[0])
			}
			if _, err := p.suffices(repository, l); err != nil {
				t.Errorf("%s: %s do not suffice: %v", c.typ, text, err)
			}
			for site, x := range l {
				for f := range x.Holds {
					try := l.Clone()
					delete(try[site].Holds, f)
					if _, err := p.suffices(repository, try); err == nil {
						t.Errorf("%s: %q can be left out at %s", c.typ, f, x.At)
					}
				}
			}
		}
	}
}
