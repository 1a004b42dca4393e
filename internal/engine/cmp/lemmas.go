package cmp

import (
	"context"
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

// lemmasOf are the lemmas of a proof, as a verdict has them. If there is a proof in which what is
// done under a lock is done line by line, they are that one's.
func lemmasOf(ctx context.Context, j *engine.Job, found *search, items int) (*verdict.Lemmas, error) {
	single := *j
	single.Reduce &^= vm.GuardedAccesses
	if s, err := Prove(ctx, &single, items, found.limits); err == nil {
		found = s
	}
	return found.lemmas(ctx)
}

func (s *search) lemmas(ctx context.Context) (*verdict.Lemmas, error) {
	l, mined, err := s.mine(ctx)
	if err != nil {
		return nil, err
	}
	out := &verdict.Lemmas{Mined: mined, True: l.count()}
	if _, err := s.suffices(ctx, l); err == nil {
		out.Sufficient = true
		if l, out.Minimal, err = s.minimal(ctx, l, mostTries); err != nil {
			return nil, err
		}
	}
	out.Needed = []verdict.Lemma{}
	if out.Sufficient {
		out.Needed = l.facts()
	}
	return out, nil
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
	one.claims, one.single = lemmas{}, true
	if err := one.run(ctx); err != nil {
		return nil, 0, err
	}
	if err := s.mineTogether(ctx, one.claims); err != nil {
		return nil, 0, err
	}
	mined := one.claims.count()
	all := newSearch(s.model, s.points, s.assumed, s.limits)
	all.claims, all.own = one.claims, true
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
	r.claims = l.clone()
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
type claim struct{ site, fact string }

// weight orders facts: what says less is dropped first.
func weight(f string) int {
	for i, mark := range []string{" != nil", " != ", " < ", " == nil"} {
		if strings.Contains(f, mark) {
			return i
		}
	}
	switch {
	case strings.HasPrefix(f, "mine("), strings.HasPrefix(f, "reachable("), strings.HasPrefix(f, "private("):
		return 6
	case strings.Contains(f, " == "):
		return 5
	}
	return 4
}

// minimal drops facts as long as the rest suffices, until none can be dropped or so many times
// less was tried.
func (s *search) minimal(ctx context.Context, l lemmas, tries int) (lemmas, bool, error) {
	var list []claim
	for _, site := range slices.Sorted(maps.Keys(l)) {
		for _, f := range l[site].list() {
			list = append(list, claim{site, f})
		}
	}
	slices.SortStableFunc(list, func(a, b claim) int { return weight(a.fact) - weight(b.fact) })
	for size := max(1, len(list)/2); ; size = max(1, size/2) {
		dropped := false
		for i := 0; i < len(list); {
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
				i = end
				continue
			}
			l, dropped = try, true
			list = slices.Delete(list, i, end)
		}
		if size == 1 && !dropped {
			return l, true, nil
		}
	}
}
