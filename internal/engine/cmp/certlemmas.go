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

// Lemmas in certificates. Package pairs checks the table of a certificate and ignores its lemmas. What a certificate
// claims of its lemmas is that they suffice. So the proof is made once more, with Other restrained by the lemmas and
// by nothing else, and each lemma is checked wherever the thread of a view does something that others see. A false
// lemma is found there; if a lemma is missing, Other does what spoils the proof. This check shares code with the
// search for lemmas, but not its result: neither the facts that were mined nor those that were dropped.

// certify adds the lemmas to a certificate.
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

// lemmasIn reads the lemmas of a certificate. It is an error if two lemmas are about one place, if a lemma lists a
// fact twice, or if it lists none: the prover writes no such file.
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

// holdLemmas checks the lemmas of a certificate by a proof that uses them, and gives the number of their facts. The
// error is a *file.Rejection if a lemma is false, if they do not suffice, or if one is about a place where nothing
// happens.
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
	j := &engine.Job{Subject: s, Search: engine.Search{Reduce: engine.AllReductions, Lemmas: true}}
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

// falseIn rejects a certificate for the first claimed fact that the proof has dropped, in the order of sites.
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
