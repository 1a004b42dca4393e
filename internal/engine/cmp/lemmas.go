package cmp

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"pangolin/internal/engine"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// The lemmas of a proof: mined, checked, and made as few as can be.

// mostTries is how many times less is tried.
const mostTries = 1000

// lemmasOf are the lemmas of a proof, as a verdict has them, and as a certificate does if they suffice.
func lemmasOf(ctx context.Context, j *engine.Job, found *search, items int) (*verdict.Lemmas, *written, error) {
	found = lineByLine(ctx, j, found, items)
	out, l, err := found.lemmas(ctx)
	if err != nil || !out.Sufficient {
		return out, nil, err
	}
	return out, &written{found.language, l}, nil
}

// written are lemmas with the language that they are in.
type written struct {
	language language
	lemmas   lemmas
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

func (s *search) lemmas(ctx context.Context) (*verdict.Lemmas, lemmas, error) {
	out := &verdict.Lemmas{}
	var l lemmas
	for _, s.language = range languages {
		mined, n, err := s.mine(ctx)
		if err != nil {
			return nil, nil, err
		}
		l, out.Mined, out.True = mined, n, mined.count()
		if l, err = s.enough(ctx, l); err != nil {
			continue
		}
		out.Sufficient = true
		if l, out.Minimal, err = s.minimal(ctx, l, mostTries); err != nil {
			return nil, nil, err
		}
		break
	}
	out.Needed = []verdict.Lemma{}
	if out.Sufficient {
		out.Needed = l.facts()
	}
	return out, l, nil
}

// enough drops what is false as long as Other, restrained by lemmas alone, leads to where they are; the rest
// suffices, or it says why not.
func (s *search) enough(ctx context.Context, l lemmas) (lemmas, error) {
	for {
		r, err := s.suffices(ctx, l)
		if !errors.As(err, new(dropped)) {
			return l, err
		}
		l = r.claims
	}
}

// facts lists lemmas by place; those of places that look alike are listed once.
func (l lemmas) facts() []verdict.Lemma {
	out := []verdict.Lemma{}
	for _, x := range l.sorted() {
		y := verdict.Lemma{At: x.at, Does: x.does, Facts: x.list()}
		if n := len(out); len(y.Facts) > 0 && (n == 0 || out[n-1].At != y.At || out[n-1].Does != y.Does || !slices.Equal(out[n-1].Facts, y.Facts)) {
			out = append(out, y)
		}
	}
	return out
}

// mine finds the lemmas of a proof: what all executions of one thread show, and those of two and three
// threads as far as they are followed, less what is not so in the table.
// It gives them with the number of facts that were mined.
func (s *search) mine(ctx context.Context) (lemmas, int, error) {
	one := newSearch(s.model, s.points, s.assumed, s.limits)
	one.claims, one.single, one.language = lemmas{}, true, s.language
	if err := one.run(ctx); err != nil {
		return nil, 0, err
	}
	if err := s.mineTogether(ctx, one.claims); err != nil {
		return nil, 0, err
	}
	mined := one.claims.count()
	all := newSearch(s.model, s.points, s.assumed, s.limits)
	all.claims, all.own, all.language = one.claims, true, s.language
	return all.claims, mined, all.run(ctx)
}

func (l lemmas) count() int {
	n := 0
	for _, x := range l {
		n += len(x.holds)
	}
	return n
}

// suffices says whether there is a proof in which Other is restrained by nothing but the lemmas.
func (s *search) suffices(ctx context.Context, l lemmas) (*search, error) {
	r := newSearch(s.model, s.points, s.assumed, s.limits)
	r.claims, r.language = l.clone(), s.language
	r.limits.views = 20*len(s.t.views) + 1000
	return r, r.run(ctx)
}

func (l lemmas) clone() lemmas {
	out := lemmas{}
	for site, x := range l {
		y := *x
		y.holds = maps.Clone(x.holds)
		out[site] = &y
	}
	return out
}

// claim is a fact at a place.
type claim struct {
	site string
	fact fact
}

// weight orders facts: what says less is dropped first.
func weight(f fact) int {
	if i := slices.Index([]string{" != nil", " != ", " < ", " == nil"}, f.between); i >= 0 {
		return i
	}
	switch {
	case strings.HasSuffix(f.before, "("): // mine, reachable, private
		return 6
	case f.between == " == ":
		return 5
	}
	return 4
}

// minimal drops facts as long as the rest suffices, until none can be dropped or so many times
// less was tried. A fact without which something went wrong is needed by whatever says less, too.
func (s *search) minimal(ctx context.Context, l lemmas, tries int) (lemmas, bool, error) {
	var list []claim
	for _, site := range slices.Sorted(maps.Keys(l)) {
		for f := range l[site].holds {
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
			try := l.clone()
			end := min(len(list), i+size)
			for _, c := range list[i:end] {
				delete(try[c.site].holds, c.fact)
			}
			_, err := s.suffices(ctx, try)
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
