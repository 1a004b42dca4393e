// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"slices"
	"strings"
	"testing"

	"pangolin/internal/engine/cmp/lemma"
	"pangolin/internal/test/level"
)

// computing is the language with what the code computes.
var computing = lemma.Language{Depth: 2, Code: true}

// TestContentTerms has the content [1 0] of a queue, of which a thread is about to take the first.
func TestContentTerms(t *testing.T) {
	p := proof(t, "testdata/subjects/right", "Ring", 2)
	for q, path := range p.model.paths {
		var texts []string
		for _, c := range path {
			texts = append(texts, p.model.calls[c].text)
		}
		if !slices.Equal(texts, []string{"Enqueue(1)", "Enqueue(0)"}) {
			continue
		}
		for v := range p.t.views {
			content := p.load(int32(v))
			g := ghost(p.m.Tag(0))
			if _, done := g.result(); content != q || p.m.Idle(0) || done || p.model.calls[g.call()].text != "Dequeue()" {
				continue
			}
			var got []string
			for _, text := range p.read(computing, p.pre.count, q).Terms() {
				if strings.Contains(text, "items()") || strings.Contains(text, "Dequeue") {
					got = append(got, text)
				}
			}
			want := []string{"items()=2", "drain(Dequeue)[0]=1", "drain(Dequeue)[len-1]=0", "first(Dequeue())=1", "second(Dequeue())=1",
				"after(items())=1", "after(drain(Dequeue))[0]=0", "after(drain(Dequeue))[len-1]=0", "first(after(Dequeue()))=0", "second(after(Dequeue()))=1"}
			if !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
			return
		}
	}
	t.Error("no thread is about to take the first of two")
}

// newKinds are pieces of facts of each kind that the language with what the code computes adds.
var newKinds = []string{" % ", "len(", "items()", "after(", "drain(", "slices.Contains(", "hasPrefix(", "slices.Equal(", "ownOr(", "old(", "[0]", "first("}

// TestLemmas_FalseOnesOfEachKindAreDropped plants false facts of each kind that is about elements, what the code computes and the
// content, and no others.
func TestLemmas_FalseOnesOfEachKindAreDropped(t *testing.T) {
	level.SkipShort(t, "mines lemmas")
	planted := map[string]int{}
	for i, typ := range []string{"Buckets", "SPSC", "CopyStack", "ArrayStack", "CopySet", "Ring", "Deque", "Heap"} {
		if i > 1 && !level.More() {
			continue // -level more takes all
		}
		p := &miner{proof(t, "testdata/subjects/right", typ, 2), computing}
		want, _, err := p.mine(repository)
		if err != nil {
			t.Fatal(err)
		}
		claims, n := p.planted(want)
		for site, x := range claims {
			for f := range x.Holds {
				for _, kind := range newKinds {
					if !want[site].Holds[f] && strings.Contains(f.String(), kind) {
						planted[kind]++
					}
				}
			}
		}
		left := p.houdini(t, claims)
		for site, x := range left {
			for f := range x.Holds {
				if !want[site].Holds[f] {
					t.Errorf("%s: at %s there is left %s", typ, x.At, f)
				}
			}
		}
		t.Logf("%s: %d false lemmas", typ, n)
	}
	for _, kind := range newKinds {
		if planted[kind] == 0 {
			t.Errorf("no false fact with %q was planted", kind)
		}
	}
	t.Log(planted)
}
