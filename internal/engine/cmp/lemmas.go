// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"pangolin/internal/engine"
	"pangolin/internal/engine/cmp/lemma"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// The lemmas of a proof: mined, checked, and made as few as can be.

// mostTries is how many times less is tried.
const mostTries = 1000

// lemmasOf are the lemmas of a proof, as a verdict has them, and as a certificate does if they suffice.
func lemmasOf(ctx context.Context, j *engine.Job, found *search, items int) (*verdict.Lemmas, *written, error) {
	p := &miner{search: lineByLine(ctx, j, found, items)}
	out, l, err := p.lemmas(ctx)
	if err != nil || !out.Sufficient {
		return out, nil, err
	}
	return out, &written{p.language, l}, nil
}

// written are lemmas with the language that they are in.
type written struct {
	language lemma.Language
	lemmas   lemma.Lemmas
}

// miner looks for the lemmas of a proof.
type miner struct {
	*search
	language lemma.Language
}

// lineByLine is a proof in which what is done under a lock is done line by line, or the one given if there is
// none.
func lineByLine(ctx context.Context, j *engine.Job, found *search, items int) *search {
	single := *j
	single.Reduce &^= vm.GuardedAccesses
	if s, err := Prove(ctx, &single, items, found.limits); err == nil {
		return s
	}
	return found
}

func (p *miner) lemmas(ctx context.Context) (*verdict.Lemmas, lemma.Lemmas, error) {
	out := &verdict.Lemmas{}
	var l lemma.Lemmas
	for _, p.language = range lemma.Languages {
		mined, n, err := p.mine(ctx)
		if err != nil {
			return nil, nil, err
		}
		l, out.Mined, out.True = mined, n, mined.Count()
		if l, err = p.enough(ctx, l); err != nil {
			continue
		}
		out.Sufficient = true
		if l, out.Minimal, err = p.minimal(ctx, l, mostTries); err != nil {
			return nil, nil, err
		}
		break
	}
	out.Needed = []verdict.Lemma{}
	if out.Sufficient {
		out.Needed = factsOf(l)
	}
	return out, l, nil
}

// enough drops what is false as long as Other, restrained by lemmas alone, leads to where they are; the rest
// suffices, or it says why not.
func (p *miner) enough(ctx context.Context, l lemma.Lemmas) (lemma.Lemmas, error) {
	for {
		r, err := p.suffices(ctx, l)
		if !errors.As(err, new(dropped)) {
			return l, err
		}
		l = r.claims
	}
}

// factsOf lists lemmas by place; those of places that look alike are listed once.
func factsOf(l lemma.Lemmas) []verdict.Lemma {
	out := []verdict.Lemma{}
	for _, x := range l.Sorted() {
		y := verdict.Lemma{At: x.At, Does: x.Does, Facts: x.List()}
		if n := len(out); len(y.Facts) > 0 && (n == 0 || out[n-1].At != y.At || out[n-1].Does != y.Does || !slices.Equal(out[n-1].Facts, y.Facts)) {
			out = append(out, y)
		}
	}
	return out
}

// mine finds the lemmas of a proof: what all executions of one thread show, and those of two and three
// threads as far as they are followed, less what is not so in the table.
// It gives them with the number of facts that were mined.
func (p *miner) mine(ctx context.Context) (lemma.Lemmas, int, error) {
	one := newOther(p.search, lemma.Lemmas{}, p.language, mining)
	one.limits.alone = true
	if err := one.run(ctx); err != nil {
		return nil, 0, err
	}
	if err := p.mineTogether(ctx, one.claims); err != nil {
		return nil, 0, err
	}
	all := newOther(p.search, one.claims, p.language, mining)
	n := one.claims.Count()
	return all.claims, n, all.run(ctx)
}

// mostMined is how many states of each number of threads lemmas are mined from, at most: those that the
// fewest moves lead to.
const mostMined = 1500

// mineTogether prunes lemmas by executions of two and three threads, and adds places that one thread alone
// does not come to.
func (p *miner) mineTogether(ctx context.Context, l lemma.Lemmas) error {
	for threads := 2; threads <= 3; threads++ {
		w, err := p.newWalker(threads)
		if err != nil {
			return err
		}
		w.noting = func(site string) (note func()) {
			here, at, does := p.read(p.language, len(p.m.Common()), w.content), p.m.At(0), anyElement(p.m.Doing(0))
			if l[site] == nil {
				at += callers(p.m)
			}
			return func() { l.Note(site, at, does, here) }
		}
		if _, err := w.everything(ctx, mostMined); err != nil {
			return err
		}
	}
	return nil
}

// suffices says whether there is a proof in which Other is restrained by nothing but the lemmas.
func (p *miner) suffices(ctx context.Context, l lemma.Lemmas) (*other, error) {
	r := newOther(p.search, l.Clone(), p.language, restraining)
	r.limits.views = 20*len(p.t.views) + 1000
	return r, r.run(ctx)
}

// claim is a fact at a place.
type claim struct {
	site string
	fact lemma.Fact
}

// weight orders facts: what says less is dropped first.
func weight(f lemma.Fact) int {
	if i := slices.Index([]string{" != nil", " != ", " < ", " == nil"}, f.Between); i >= 0 {
		return i
	}
	switch {
	case strings.HasSuffix(f.Before, "("): // mine, reachable, private
		return 6
	case f.Between == " == ":
		return 5
	}
	return 4
}

// minimal drops facts as long as the rest suffices, until none can be dropped or so many times
// less was tried. A fact without which something went wrong is needed by whatever says less, too.
func (p *miner) minimal(ctx context.Context, l lemma.Lemmas, tries int) (lemma.Lemmas, bool, error) {
	var list []claim
	for _, site := range slices.Sorted(maps.Keys(l)) {
		for f := range l[site].Holds {
			list = append(list, claim{site, f})
		}
	}
	slices.SortFunc(list, func(a, b claim) int {
		return cmp.Or(weight(a.fact)-weight(b.fact), cmp.Compare(a.site, b.site), cmp.Compare(a.fact.String(), b.fact.String()))
	})
	needed := map[claim]bool{}
	for size := max(1, len(list)/2); ; size = max(1, size/2) {
		before := len(list)
		for i := 0; i < len(list); {
			if size == 1 && needed[list[i]] {
				i++
				continue
			}
			if tries--; tries < 0 {
				return l, false, nil
			}
			try := l.Clone()
			end := min(len(list), i+size)
			for _, c := range list[i:end] {
				delete(try[c.site].Holds, c.fact)
			}
			_, err := p.suffices(ctx, try)
			if ctx.Err() != nil {
				return l, false, nil
			}
			if err != nil {
				needed[list[i]] = size == 1 && errors.As(err, new(*alarm))
				i = end
				continue
			}
			l = try
			list = slices.Delete(list, i, end)
		}
		if size == 1 && len(list) == before {
			return l, true, nil
		}
	}
}
