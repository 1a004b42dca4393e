// SPDX-License-Identifier: BSD-3-Clause

package refine

import (
	"cmp"
	"slices"

	"pangolin/internal/lts"
	"pangolin/verdict"
)

// keeping is a way in which a call is kept from returning: it repeats a lap for ever from a node on, or waits there.
type keeping struct {
	operation int
	at        int32
	arrow     int32               // a step of the call on the lap; -1: the call waits
	allowed   func(a *arrow) bool // reports whether a lap may contain an arrow
}

func compareArrows(a, b arrow) int {
	return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.move, b.move), cmp.Compare(a.to, b.to))
}

// laps describes the laps that violate one property.
type laps struct {
	allowed func(a *arrow) bool // reports whether a lap may contain an arrow
	keeps   func(a *arrow) bool // reports whether an allowed arrow is a step of a call that must return
}

// internalStep reports whether a step is neither an invocation nor a response.
func internalStep(a *arrow) bool { return a.kind == internal }

// calling reports whether a step belongs to a call in progress.
func (f *folded) calling(a *arrow) bool {
	return internalStep(a) && a.thread() < f.sys.client.Threads && f.nodes[a.from].pending[a.thread()] > 0
}

// lapsOf lists the laps that violate a property: for obstruction-freedom, a thread's own steps; for lock-freedom, steps of all threads
// while no call returns; for wait-freedom, all steps while a thread's call is in progress.
func (f *folded) lapsOf(p verdict.Property) []laps {
	if p == verdict.LockFree {
		return []laps{{internalStep, f.calling}}
	}
	var list []laps
	for t := range f.sys.client.Threads {
		own := func(a *arrow) bool { return f.calling(a) && a.thread() == t }
		allowed := own
		if p == verdict.WaitFree {
			allowed = func(a *arrow) bool { return f.nodes[a.from].pending[t] > 0 && f.nodes[a.to].pending[t] > 0 }
		}
		list = append(list, laps{allowed, own})
	}
	return list
}

// classify determines the strongest property of each operation, and returns the nearest violation of the property that is asked for.
func (f *folded) classify(asked verdict.Property) (list []verdict.Progress, found *keeping) {
	waiting := f.waiting()
	kept := map[verdict.Property][]*keeping{}
	for _, p := range []verdict.Property{verdict.ObstructionFree, verdict.LockFree, verdict.WaitFree} {
		kept[p] = slices.Clone(waiting)
		for _, l := range f.lapsOf(p) {
			f.keepings(l, kept[p])
		}
		if p != asked {
			continue
		}
		for _, k := range kept[p] {
			if k != nil && (found == nil || f.depth[k.at] < f.depth[found.at]) {
				found = k
			}
		}
	}
	for op := range f.sys.subject.Operations {
		class := verdict.Blocking
		for _, p := range []verdict.Property{verdict.ObstructionFree, verdict.LockFree, verdict.WaitFree} {
			if kept[p][op] != nil {
				break
			}
			class = p
		}
		list = append(list, verdict.Progress{Operation: f.sys.subject.Operations[op].Name, Class: class})
	}
	return list, found
}

// waiting returns for each operation a nearest node in which its call waits; nil: it never does.
func (f *folded) waiting() []*keeping {
	out := make([]*keeping, len(f.sys.subject.Operations))
	for at := range f.nodes {
		n := &f.nodes[at]
		for t := range f.sys.client.Threads {
			if n.waits>>t&1 == 0 {
				continue
			}
			f.nearer(out, &keeping{operation: int(n.pending[t]) - 1, at: int32(at), arrow: -1})
		}
	}
	return out
}

// nearer records a way in which an operation is kept from returning, unless a nearer one is known.
func (f *folded) nearer(list []*keeping, k *keeping) {
	if old := list[k.operation]; old == nil || f.depth[k.at] < f.depth[old.at] {
		list[k.operation] = k
	}
}

// keepings records for each operation the nearest lap that keeps one of its calls. Both ends of each arrow of a lap are in one component of
// the allowed arrows.
func (f *folded) keepings(l laps, list []*keeping) {
	b := lts.NewBuilder(0)
	b.SetStates(len(f.nodes))
	for i := range f.arrows {
		if a := &f.arrows[i]; l.allowed(a) {
			b.Add(a.from, lts.Tau, a.to)
		}
	}
	of, _, _ := b.Build().InternalComponents()
	for i := range f.arrows {
		a := &f.arrows[i]
		if of[a.from] != of[a.to] || !l.allowed(a) || !l.keeps(a) {
			continue
		}
		op := int(f.nodes[a.from].pending[a.thread()]) - 1
		f.nearer(list, &keeping{operation: op, at: a.from, arrow: int32(i), allowed: l.allowed})
	}
}

// lap lists the arrows of a lap; none if the call waits.
func (f *folded) lap(k *keeping) []int32 {
	if k.arrow < 0 {
		return nil
	}
	a := &f.arrows[k.arrow]
	return append([]int32{k.arrow}, f.back(a.to, a.from, k.allowed)...)
}

// back is a shortest path between two nodes along allowed arrows.
func (f *folded) back(from, to int32, allowed func(*arrow) bool) []int32 {
	by := map[int32]int32{from: -1}
	queue := []int32{from}
	for k := 0; k < len(queue) && queue[k] != to; k++ {
		at := queue[k]
		for a := f.first[at]; a < f.first[at+1]; a++ {
			if _, met := by[f.arrows[a].to]; !met && allowed(&f.arrows[a]) {
				by[f.arrows[a].to] = a
				queue = append(queue, f.arrows[a].to)
			}
		}
	}
	var list []int32
	for a := by[to]; a >= 0; a = by[f.arrows[a].from] {
		list = append(list, a)
	}
	slices.Reverse(list)
	return list
}
