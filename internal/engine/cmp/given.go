// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pangolin/internal/engine"
	"pangolin/internal/engine/cmp/lemma"
	"pangolin/verdict"
)

// Lemmas that the user gives (-given), as in the paper: the threads that are not shown may do whatever these allow, and nothing else is known
// of them. A lemma that is false of some thread is named; if all are true and something still goes wrong, they are too weak, and the verdict
// shows what goes wrong, so that the user can add another one. That is the loop of the CMP method, in which a person refines.
//
// That the collection is proved without them is known before. So what is said here can only be about the lemmas.

// given judges the lemmas of the job. The verdict is proved if they are true and enough, and unknown otherwise.
func (s *search) given(ctx context.Context, j *engine.Job, v *verdict.Verdict, list []lemma.Given) error {
	began := time.Now()
	p := &miner{search: lineByLine(ctx, j, s, s.model.items)}
	stop := func(format string, args ...any) error {
		v.Status, v.Cause = verdict.Unknown, verdict.Unsupported
		v.Reason = fmt.Sprintf("not proved with the lemmas given (and proved without them): "+format, args...)
		v.Proof = noProof(&verdict.Alarm{Message: v.Reason})
		return nil
	}
	claims, wrong, err := p.claimed(ctx, list)
	switch {
	case ctx.Err() != nil:
		v.Cause = verdict.Limited
		return stop("the time was up before it was known whether they are true")
	case err != nil:
		return err
	case len(wrong) > 0:
		return stop("%s", strings.Join(wrong, "; "))
	}
	r, err := p.suffices(ctx, claims)
	bad, beyond := new(alarm), new(limitError)
	switch {
	case ctx.Err() != nil:
		v.Cause = verdict.Limited
		return stop("the time was up before it was known whether they are enough")
	case errors.As(err, new(dropped)):
		at, fact := r.lost(claims)
		return stop("they are too weak: if other threads do what they allow, at %s not always %s", at, fact)
	case errors.As(err, &bad):
		if err := stop("they are too weak, if other threads do what they allow: %s%s", bad.text, placed(bad.at)); err != nil {
			return err
		}
		v.Proof = noProof(r.alarm(bad))
		return nil
	case errors.As(err, &beyond):
		return stop("they may be too weak: %s", beyond.text)
	case err != nil:
		return err
	}
	out := &verdict.Lemmas{Given: true, True: claims.Count(), Sufficient: true}
	if j.Lemmas {
		if claims, out.Minimal, err = p.minimal(ctx, claims, mostTries); err != nil {
			return err
		}
	}
	out.Needed, out.Seconds = factsOf(claims), time.Since(began).Seconds()
	if v.Proof.Text, err = certificateOf(s, &written{p.language, claims}); err != nil {
		return err
	}
	v.Proof.Lemmas = out
	return engine.Certified(ctx, j, v, check)
}

func placed(at string) string {
	if at == "" {
		return ""
	}
	return ", at " + at
}

// claimed finds the facts that are given among those that hold at their places, in the smallest language in which they can be said. wrong says
// which do not hold, or are about places where nothing happens.
func (p *miner) claimed(ctx context.Context, list []lemma.Given) (best lemma.Lemmas, wrong []string, err error) {
	for i, language := range lemma.Languages {
		o := newOther(p.search, lemma.Lemmas{}, language, mining)
		o.asked = list
		if err := o.run(ctx); err != nil {
			return nil, nil, err
		}
		now := o.wrong(list)
		if i == 0 || len(now) < len(wrong) {
			best, wrong, p.language = o.claims, now, language
		}
		if len(wrong) == 0 {
			break
		}
	}
	return best, wrong, nil
}

// wrong says which lemmas are false or about no place, in the order of the text.
func (o *other) wrong(list []lemma.Given) (texts []string) {
	for i := range list {
		g, somewhere := &list[i], false
		for _, l := range o.claims.Sorted() {
			if !g.About(l.At, l.Does) {
				continue
			}
			somewhere = true
			for _, fact := range g.Facts {
				text := fmt.Sprintf("line %d: at %s (%s) not always %s", g.Line, l.At, l.Does, fact)
				if !slices.Contains(l.List(), fact) && !slices.Contains(texts, text) {
					texts = append(texts, text)
				}
			}
		}
		if !somewhere {
			texts = append(texts, fmt.Sprintf("line %d: no thread does anything that others see at %s%s; they do at %s", g.Line, g.At, doing(g.Does), o.places()))
		}
	}
	return texts
}

func doing(does string) string {
	if does == "" {
		return ""
	}
	return " (" + does + ")"
}

// places lists where threads do something that others see: "fine.go:38 in (*FineList[int]).Add".
func (o *other) places() string {
	var list []string
	for _, l := range o.claims.Sorted() {
		list = append(list, l.At)
	}
	return strings.Join(slices.Compact(list), "; ")
}

// lost is the first claim that a proof has dropped.
func (o *other) lost(claims lemma.Lemmas) (at, fact string) {
	for _, l := range claims.Sorted() {
		for _, is := range o.claims.Sorted() {
			if is.At != l.At || is.Does != l.Does {
				continue
			}
			for _, text := range l.List() {
				if !slices.Contains(is.List(), text) {
					return l.At, text
				}
			}
		}
	}
	return "some place", cmp.Or(fact, "what is claimed")
}

// keep leaves of the facts at a new place those that are given.
func (o *other) keep(l *lemma.Lemma) {
	var texts []string
	for i := range o.asked {
		if o.asked[i].About(l.At, l.Does) {
			texts = append(texts, o.asked[i].Facts...)
		}
	}
	for f := range l.Holds {
		if !slices.Contains(texts, f.String()) {
			delete(l.Holds, f)
		}
	}
}
