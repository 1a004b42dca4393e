// SPDX-License-Identifier: BSD-3-Clause

package points

import (
	"slices"

	"pangolin/internal/engine"
	"pangolin/verdict"
)

// What holds for two calls mostly holds for three, and what holds for two threads for three; and a search that refutes nothing is the
// more expensive, the larger its scope. So the points of all outcomes are found in the smallest scope, and each larger one is asked
// about all of them at once. If it agrees, every outcome has the points that the whole scope would have given it in turn: a hypothesis
// about more outcomes, or about fewer sites, leaves a history fewer explanations, so that what holds at the end held on the way; and
// what a small scope refutes the whole one refutes. If it does not agree, the first outcome to blame is searched for again in that
// scope, and the later ones anew, because its points were part of their hypotheses.

//
// For the same reason the outcomes and sites are listed in the scope before the whole one. A site that is passed only in the whole one
// is not needed if the whole one agrees. If a call returns a result there that none returned before, everything starts again with the
// outcomes of the whole scope.

// all finds the points of all outcomes.
func (f *finder) all() (out []verdict.PointOf, err error) {
	whole := len(f.scopes) - 1
	for _, j := range f.scopes[max(0, whole-1):] {
		if j != f.job && f.alternatives { // every site of the whole scope counts
			continue
		}
		if err := f.survey(j); err != nil {
			return nil, err
		}
		if f.alternatives { // the whole scope must be asked about every site
			out, err = f.within(f.scopes, 0, len(f.outcomes))
		} else {
			out, err = f.agreed(0, f.scopes)
		}
		if err != nil || !f.missed {
			break
		}
	}
	for k := range out {
		f.name(&out[k], f.found[k])
	}
	return out, err
}

// agreed finds the points of the outcomes from an index on, in the given scopes.
func (f *finder) agreed(from int, scopes []*engine.Job) (out []verdict.PointOf, err error) {
	last := len(scopes) - 1
	if last == 0 {
		return f.within(scopes, from, len(f.outcomes))
	}
	for from < len(f.outcomes) {
		found, err := f.agreed(from, scopes[:last])
		if err != nil {
			return nil, err
		}
		to, err := f.holdUntil(scopes[last], from)
		if err != nil {
			return nil, err
		}
		out = append(out, found[:to-from]...)
		if to == len(f.outcomes) {
			break
		}
		again, err := f.within(scopes, to, to+1)
		if err != nil {
			return nil, err
		}
		out, from = append(out, again...), to+1
	}
	return out, nil
}

// within finds the points of a range of outcomes one after the other, in the given scopes.
func (f *finder) within(scopes []*engine.Job, from, to int) (out []verdict.PointOf, err error) {
	all := f.scopes
	f.scopes = scopes
	defer func() { f.scopes = all }()
	for k := from; k < to; k++ {
		p, err := f.outcome(k)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// holdUntil returns the index of the first outcome whose hypothesis a scope refutes, given those before it; those before from are known
// to hold. The outcomes from there on are no longer restricted.
func (f *finder) holdUntil(j *engine.Job, from int) (int, error) {
	restricted := slices.Clone(f.restricted)
	good, bad := from, len(f.outcomes)+1 // the first good ones hold together, the first bad ones do not
	for step := 1; good+1 < bad; step *= 2 {
		next := max(bad-step, (good+bad)/2) // most often one of the last is to blame, whose calls change nothing
		for k := range restricted {
			f.restricted[k] = restricted[k] && k < next
		}
		refuted, err := f.search(j)
		switch {
		case err != nil:
			return 0, err
		case refuted == nil:
			good = next
		default:
			bad = next
		}
	}
	for k := range restricted {
		f.restricted[k] = restricted[k] && k < good
	}
	return good, nil
}
