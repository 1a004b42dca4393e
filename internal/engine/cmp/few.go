// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"pangolin/internal/engine/cmp/lemma"
)

// Few lemmas, from below. The paper's loop has a person in it, who looks at what another thread could do and adds a lemma that forbids it. Here the
// lemmas are chosen among those that were mined and are known to be enough. The proof is tried with none; where it fails, some step of a thread that is
// not shown, on the way to what went wrong, is one that the mined lemmas forbid. One of the facts that it breaks is added, and the proof is tried again.
// A proof that fails is short, so this takes much less time than leaving out facts from above (minimal), which then has few to leave out.
//
// Nothing rests on the choice: lemmas with which the proof goes through are enough, however they were found.

// guide has the facts that are enough, and notes which of them are broken by steps that the lemmas of the search allow.
type guide struct {
	enough  lemma.Lemmas
	effects map[int32][]claim // by the number of an effect: the facts that its step has broken
	times   map[claim]int     // how many effects break a fact
	last    []claim           // what the last step has broken
}

func newGuide(enough lemma.Lemmas) *guide {
	return &guide{enough: enough, effects: map[int32][]claim{}, times: map[claim]int{}}
}

// broken lists the facts about a site that do not hold in a state.
func (g *guide) broken(site string, here *lemma.State) (list []claim) {
	g.last = nil
	l := g.enough[site]
	if l == nil {
		return nil
	}
	for f := range l.Holds {
		if !here.Holds(f) {
			list = append(list, claim{site, f})
		}
	}
	g.last = list
	return list
}

// note takes note of the effects that a step has added. The step has broken some facts.
func (g *guide) note(added []*effect, broken []claim) {
	if len(broken) == 0 {
		return
	}
	for _, e := range added {
		g.effects[e.number] = broken
		for _, c := range broken {
			g.times[c]++
		}
	}
}

// few chooses facts that are enough among all that are. If it is left without a choice it gives all.
//
// With too few facts a table may have any number of views, and what goes wrong comes late. So the first tries end with few views, and where
// that is the limit which was reached, the next may have more of them.
func (p *miner) few(ctx context.Context, all lemma.Lemmas) lemma.Lemmas {
	some := all.Clone()
	for _, l := range some {
		clear(l.Holds)
	}
	most := p.mostTried()
	views := most/64 + 1000
	for range all.Count() {
		r := newOther(p.search, some.Clone(), p.language, restraining)
		r.limits.views, r.guide = views, newGuide(all)
		err := r.run(ctx)
		if err == nil {
			return some
		}
		if ctx.Err() != nil {
			break // all are known to be enough; whether fewer are nobody finds out any more
		}
		c, ok := r.missing(err, some)
		if !ok && views == most {
			break
		}
		if ok {
			add(some, all, c)
		}
		if errors.As(err, new(*limitError)) {
			views = min(most, views+views/2)
		}
	}
	return all
}

// add adds a fact to the lemmas of its place, whatever calls lead there.
func add(some, all lemma.Lemmas, c claim) {
	for site, l := range all {
		if at := all[c.site]; l.At == at.At && l.Does == at.Does && l.Holds[c.fact] {
			some[site].Holds[c.fact] = true
		}
	}
}

// missing is the fact that is to be added, after a proof has failed.
func (o *other) missing(err error, some lemma.Lemmas) (claim, bool) {
	var from []claim
	bad, lost := new(alarm), dropped{}
	switch {
	case errors.As(err, &bad) && bad.view >= 0:
		from = o.blame(bad.view, map[int32]bool{})
	case errors.As(err, &bad):
		from = o.guide.last
	case errors.As(err, &lost):
		from = o.blame(lost.view, map[int32]bool{})
	}
	if len(from) == 0 { // nothing leads there, or a limit was reached: whatever was broken
		from = slices.Collect(maps.Keys(o.guide.times))
	}
	from = slices.DeleteFunc(slices.Clone(from), func(c claim) bool { return some[c.site] == nil || some[c.site].Holds[c.fact] })
	if len(from) == 0 {
		return claim{}, false
	}
	return slices.MaxFunc(from, func(a, b claim) int {
		return cmp.Or(o.guide.times[a]-o.guide.times[b], weight(a.fact)-weight(b.fact), cmp.Compare(b.site, a.site), cmp.Compare(b.fact.String(), a.fact.String()))
	}), true
}

// blame gives the facts that were broken first on the way to a view: by a step of another thread, or on this thread's own way to that step.
func (o *other) blame(v int32, seen map[int32]bool) []claim {
	var way []int32
	for ; v >= 0 && !seen[v]; v = o.t.views[v].parent {
		seen[v] = true
		way = append(way, v)
	}
	for _, v := range slices.Backward(way) {
		e := o.t.views[v].cause
		if e < 0 {
			continue
		}
		if list := o.guide.effects[e]; len(list) > 0 {
			return list
		}
		if list := o.blame(o.effects[e].by, seen); len(list) > 0 {
			return list
		}
	}
	return nil
}
