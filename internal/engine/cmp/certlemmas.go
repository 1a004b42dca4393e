// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pangolin/internal/certificate/file"
	"pangolin/internal/certificate/pairs"
	"pangolin/internal/client"
	"pangolin/internal/engine"
	"pangolin/internal/engine/cmp/lemma"
	"pangolin/internal/subject"
)

// Lemmas in certificates. The table of a certificate is checked by package pairs, which knows nothing of lemmas. What
// lemmas claim beyond it is that they are enough: so the proof is made once more, with Other restrained by them and by nothing else,
// and each of them checked wherever the concrete thread does something. One that is false is found there, and one that is
// missing lets Other do what spoils the proof. This shares the engine's code with the search for lemmas, but neither what that has
// mined nor in which order it has dropped what.

// certify adds lemmas to a certificate.
func (w *written) certify(c *pairs.Certificate) {
	language := pairs.Language(w.language)
	c.Head.Language = &language
	for _, site := range slices.Sorted(maps.Keys(w.lemmas)) {
		l := w.lemmas[site]
		if len(l.Holds) == 0 {
			continue
		}
		numbers, _ := readWords(nil, site)
		out := pairs.Lemma{Site: numbers, At: l.At, Does: l.Does}
		for f := range l.Holds {
			out.Facts = append(out.Facts, pairs.Fact(f))
		}
		slices.SortFunc(out.Facts, func(a, b pairs.Fact) int { return strings.Compare(lemma.Fact(a).String(), lemma.Fact(b).String()) })
		c.Lemmas = append(c.Lemmas, out)
	}
}

// lemmasIn are the lemmas of a certificate. If there are two for one place, or one fact twice, something was added by hand.
func lemmasIn(x *pairs.Certificate) (lemma.Lemmas, error) {
	l := lemma.Lemmas{}
	for i := range x.Lemmas {
		in := &x.Lemmas[i]
		site := string(appendWords(nil, in.Site))
		out := &lemma.Lemma{At: in.At, Does: in.Does, Holds: map[lemma.Fact]bool{}}
		for _, f := range in.Facts {
			out.Holds[lemma.Fact(f)] = true
		}
		if l[site] != nil || len(out.Holds) < len(in.Facts) || len(in.Facts) == 0 {
			return nil, fmt.Errorf("the certificate is damaged: of the lemma at %s something is there twice, or nothing", in.At)
		}
		l[site] = out
	}
	return l, nil
}

// holdLemmas proves with the lemmas of a certificate, and counts their facts.
func holdLemmas(ctx context.Context, s *subject.Subject, x *pairs.Certificate) (int, error) {
	claimed, err := lemmasIn(x)
	if err != nil {
		return 0, err
	}
	if x.Head.Language == nil {
		return 0, errors.New("the certificate is damaged: its lemmas are in no language")
	}
	for i := range s.Operations {
		s.Operations[i].Client.Who.Only = x.Head.Roles[s.Operations[i].Name]
	}
	j := &engine.Job{Subject: s, Search: engine.Search{Reduce: engine.AllReductions}}
	if x.Head.Values < x.Head.Items {
		j.Scope.Clients.Values, j.Scope.Clients.Steps = x.Head.Values, client.Range{To: x.Head.Values + 1}
	}
	p, err := Prove(ctx, j, x.Head.Items, limits{views: mostViews, lost: mostLost, noRaces: !x.Head.Races})
	if err != nil {
		return 0, fmt.Errorf("the lemmas of the certificate cannot be checked: %w", err)
	}
	r, err := (&miner{lineByLine(ctx, j, p, x.Head.Items), lemma.Language(*x.Head.Language)}).suffices(ctx, claimed)
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case errors.As(err, new(dropped)):
		return 0, r.falseIn(claimed)
	case err != nil:
		return 0, &file.Rejection{What: fmt.Sprintf("where only the lemmas restrain other threads there is no proof: %v", err)}
	}
	for site, l := range claimed {
		switch is := r.met[site]; {
		case len(is) == 0:
			return 0, &file.Rejection{What: fmt.Sprintf("there is a lemma for %s, where no thread does anything that others see", l.At)}
		case !slices.ContainsFunc(is, func(d deed) bool { return strings.HasPrefix(l.At, d.at) && l.Does == d.does }):
			return 0, &file.Rejection{What: fmt.Sprintf("the lemma of %s (%s) is said to be one of %s (%s)", is[0].at, is[0].does, l.At, l.Does)}
		}
	}
	return claimed.Count(), nil
}

// falseIn names the first of the claimed facts that turned out to be false.
func (o *other) falseIn(claimed lemma.Lemmas) error {
	for _, site := range slices.Sorted(maps.Keys(claimed)) {
		for _, text := range claimed[site].List() {
			if !slices.Contains(o.claims[site].List(), text) {
				return &file.Rejection{What: fmt.Sprintf("where only the lemmas restrain other threads, one of them does not hold: at %s not always %s", claimed[site].At, text)}
			}
		}
	}
	return &file.Rejection{What: "a lemma does not hold"}
}
