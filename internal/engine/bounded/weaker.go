// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/history"
	"pangolin/internal/consist"
	"pangolin/internal/engine"
	"pangolin/internal/subject"
	"pangolin/oracle"
	"pangolin/verdict"
)

// A weaker property names operations; monitors and permutations know them by number. This file translates.

// meant is the subject with the oracle that the property asks for: that of operations which take one of the first items allows more.
func meant(s *subject.Subject, p verdict.Property) (*subject.Subject, error) {
	if err := engine.Lasting(s, p); err != nil {
		return nil, err
	}
	for _, one := range p.Promises() {
		op := slices.IndexFunc(s.Operations, func(o subject.Operation) bool { return o.Name == one.Operation })
		if op < 0 && !leftOut(s, one.Operation) {
			return nil, fmt.Errorf("property %s: %s has no operation %s: there are %s", p, s.About.Collection, one.Operation, operationsOf(s))
		}
		if op < 0 || one.Name != verdict.Within {
			continue
		}
		spec, err := oracle.Within(s.Spec, op, one.Bound)
		if err != nil {
			return nil, fmt.Errorf("property %s: %s: %w", p, s.About.Collection, err)
		}
		other := *s
		other.Spec, s = spec, &other
	}
	return s, nil
}

// leftOut reports whether the verdict says that a method, or one of a type that the subject does not tell of, is not called.
func leftOut(s *subject.Subject, name string) bool {
	return slices.ContainsFunc(s.LeftOut, func(l verdict.LeftOut) bool { return l.Operation == name })
}

func operationsOf(s *subject.Subject) string {
	var names []string
	for i := range s.Operations {
		names = append(names, s.Operations[i].Name)
	}
	return strings.Join(names, ", ")
}

// weaker is what the property asks of each operation.
func weaker(s *subject.Subject, p verdict.Property) consist.Weaker {
	w := consist.Weaker{Property: p}
	promises := p.Promises()
	for i := range s.Operations {
		o := &s.Operations[i]
		m := verdict.Meaning{}
		if k := slices.IndexFunc(promises, func(one verdict.Promise) bool { return one.Operation == o.Name }); k >= 0 {
			m = promises[k].Meaning
		}
		w.Of, w.Name = append(w.Of, m), append(w.Name, o.Name)
		w.Key = append(w.Key, slices.Index(o.Client.Params, oracle.ParamKey))
	}
	for i := range s.Operations {
		if end, lasts := oracle.Ends(s.Spec, i); lasts {
			if w.End == nil {
				w.End = slices.Repeat([]int{-1}, len(s.Operations))
			}
			w.End[i] = end
		}
	}
	return w
}

// monitorOfProperty makes the monitor of a property of histories.
func monitorOfProperty(s *subject.Subject, p verdict.Property, threads int) (*consist.HistoryMonitor, error) {
	auto := oracle.NewAutomaton(s.Spec)
	if p.IsWeaker() {
		return consist.NewWeakerMonitor(auto, weaker(s, p), threads)
	}
	return consist.NewMonitor(auto, p, threads)
}

// byPermutations judges a history by the definition of a property; unfinished: calls that have not returned may do so.
func (r *replayer) byPermutations(h history.History, p verdict.Property, unfinished bool) (consist.Judgement, error) {
	spec, err := r.spec()
	switch {
	case err != nil:
		return consist.Judgement{}, err
	case p.IsWeaker():
		if w := weaker(r.sys.subject, p); w.Overlapping() {
			return consist.CheckWeaker(spec, h, w, unfinished)
		}
	}
	if unfinished {
		return consist.CheckUnfinished(spec, h, p.Base())
	}
	return consist.Check(spec, h, p.Base())
}

// looksBack reports whether a read may return what was right before it began.
func looksBack(p verdict.Property) bool {
	return slices.ContainsFunc(p.Promises(), func(one verdict.Promise) bool { return one.Name == verdict.Stale || one.Name == verdict.Eventually })
}

// comparesItems reports whether a read is judged by an order of its results, which may be items: then items may not be renamed.
func comparesItems(s *subject.Subject, p verdict.Property) bool {
	for _, one := range p.Promises() {
		for i := range s.Operations {
			o := &s.Operations[i]
			counts := o.Binding.Role == oracle.Len && !slices.ContainsFunc(o.Binding.Results, func(r oracle.Slot) bool { return r != oracle.SlotCount })
			if o.Name == one.Operation && one.Name == verdict.Between && !counts {
				return true
			}
		}
	}
	return false
}
