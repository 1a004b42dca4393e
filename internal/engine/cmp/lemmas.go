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

// The lemmas of a proof: facts are mined from executions, false ones are dropped, and of the true ones those
// are chosen that the proof needs.

// mostTries is how many times a proof with fewer lemmas is tried.
const mostTries = 1000

// lemmasOf looks for the lemmas of a proof. It gives them for a verdict and, if they suffice, for a certificate.
func lemmasOf(ctx context.Context, j *engine.Job, found *search, items int) (*verdict.Lemmas, *written, error) {
	p := &miner{search: lineByLine(ctx, j, found, items)}
	out, l, err := p.lemmas(ctx)
	if err != nil || !out.Sufficient {
		return out, nil, err
	}
	return out, &written{p.language, l}, nil
}

// written are lemmas with the language in which they are stated.
type written struct {
	language lemma.Language
	lemmas   lemma.Lemmas
}

// miner looks for the lemmas of a proof.
type miner struct {
	*search
	language lemma.Language
}

// lineByLine is a proof in which code that is executed under a lock is done line by line, so that there are lemmas
// for its lines, too. If there is no such proof it is the one given.
func lineByLine(ctx context.Context, j *engine.Job, found *search, items int) *search {
	single := *j
	single.Reduce &^= vm.GuardedAccesses
	if s, err := Prove(ctx, &single, items, found.limits); err == nil {
		return s
	}
	return found
}

// lemmas tries one language after the other until the facts that can be said in it suffice. It gives these for the
// verdict, and the lemmas themselves.
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
		if l, out.Minimal, err = p.minimal(ctx, p.few(ctx, l), mostTries); err != nil {
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

// enough makes the proof with Other restrained by lemmas alone, and drops facts that turn out to be false, until the
// proof goes through with all that are left. The error says why the proof does not go through although no fact is
// false.
func (p *miner) enough(ctx context.Context, l lemma.Lemmas) (lemma.Lemmas, error) {
	for {
		r, err := p.suffices(ctx, l)
		if !errors.As(err, new(dropped)) {
			return l, err
		}
		l = r.claims
	}
}

// factsOf lists lemmas by place for a verdict. Neighbours that read the same are listed once.
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

// mine finds facts that hold at each place in all executions of one thread, and in those of two and three threads as
// far as they are followed; then it drops what does not hold in the table. It gives the lemmas, and how many facts
// were mined before the table was asked.
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

// mostMined is how many states of two threads, and of three, facts are mined from: those to which the fewest moves
// lead.
const mostMined = 1500

// mineTogether drops what does not hold in executions of two and three threads, and adds lemmas for places to which
// one thread alone does not come.
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

// suffices makes the proof with Other restrained by nothing but the lemmas. The error is a dropped if one of them is
// false, and an *alarm if they are too weak.
func (p *miner) suffices(ctx context.Context, l lemma.Lemmas) (*other, error) {
	return p.within(ctx, l, 20*len(p.t.views)+1000)
}

// within is suffices with at most so many views.
func (p *miner) within(ctx context.Context, l lemma.Lemmas, views int) (*other, error) {
	r := newOther(p.search, l.Clone(), p.language, restraining)
	r.limits.views = views
	return r, r.run(ctx)
}

// mostTried is how many views a proof may have while fewer facts are tried. With few lemmas threads that are not shown do more than what the table of the
// proof says, and there are some times as many views; with too few they do anything.
func (p *miner) mostTried() int { return 4*len(p.t.views) + 1000 }

// claim is a fact at a place.
type claim struct {
	site string
	fact lemma.Fact
}

// weight orders facts by how much they say, weakest first: a fact with a smaller weight is left out first.
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

// mostSingle is how many facts are left out one by one from the beginning: so few were chosen by few, and nearly all are needed.
const mostSingle = 60

// minimal leaves out facts, many at a time and then one by one, as long as the rest suffices. The second result is
// false if the limit of tries, or the time, was reached before every single fact was found to be needed. A fact
// without which something went wrong is not tried again: with even fewer facts it is needed all the more.
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
	size := 1
	if len(list) > mostSingle {
		size = len(list) / 2
	}
	for ; ; size = max(1, size/2) {
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
			_, err := p.within(ctx, try, p.mostTried())
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
