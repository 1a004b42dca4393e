// SPDX-License-Identifier: BSD-3-Clause

package refine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/explore"
	"pangolin/internal/store"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// This file decides properties of progress: whether a call can be kept from returning (M. Herlihy and N. Shavit, On the nature of progress,
// OPODIS 2011; doc/progress.md has the definitions). A call is kept from returning if its thread waits for another one, which may be
// delayed for ever, and on laps: paths that lead back to their beginning and on which its thread moves.

// maxPending is the greatest number of threads.
const maxPending = 8

// folded is a system in which threads may make calls for ever.
type folded struct {
	sys      *system
	set      *store.Set // numbers the nodes
	nodes    []node
	arrows   []arrow // by source
	first    []int32 // index of a node's first arrow; one more entry than nodes
	initials []int32
	depth    []int32 // distance from an initial node
	by       []int32 // last arrow of a shortest path to a node; -1: none
}

// node is a state without the numbers of calls made.
type node struct {
	pending [maxPending]uint8 // by thread: one more than the operation of its call in progress; 0: none
	waits   uint8             // bits of the threads that have a call in progress and cannot continue
}

// arrow is a step between nodes.
type arrow struct {
	from, to int32
	move     explore.Move
	kind     label
}

// thread is the thread that makes the step.
func (a *arrow) thread() int { return a.move.Agent() }

// fold explores a system and makes the folded one.
func fold(ctx context.Context, sys *system, lim Limits) (*folded, explore.Result, error) {
	var f *folded
	var number []int32 // by number of the state
	var words []uint64
	var latest node
	res, err := sys.search(ctx, sys, lim, func() explore.Options {
		f, number = &folded{sys: sys, set: store.New(store.Config{Kind: store.Hash128})}, nil
		return explore.Options{MaxStates: lim.States, MaxBytes: lim.Bytes, Progress: lim.Progress,
			Visit: func(cur explore.Cursor, _ explore.Trail, _ int) explore.Action {
				latest = nodeOf(cur.(*cursor))
				return explore.Continue
			},
			OnEdge: func(e *explore.Edge) explore.Action {
				if e.New {
					words = sys.forget(append(words[:0], e.State...))
					at, isNew := f.set.Add(words)
					if isNew {
						f.nodes = append(f.nodes, latest)
					}
					for int(e.To) >= len(number) {
						number = append(number, -1)
					}
					number[e.To] = int32(at)
				}
				if e.From == explore.NoState {
					f.initials = append(f.initials, number[e.To])
					return explore.Continue
				}
				f.arrows = append(f.arrows, arrow{number[e.From], number[e.To], e.Move, label(e.Label) & kinds})
				return explore.Continue
			}}
	})
	if err == nil {
		f.finish()
	}
	return f, res, err
}

// nodeOf is the node of a state.
func nodeOf(c *cursor) node {
	var n node
	if c.over() || c.makes() {
		return n
	}
	for i, t := range c.threads {
		if t.phase != busy {
			continue
		}
		n.pending[i] = uint8(c.sys.steps[t.step].Op) + 1
		if !c.place.Enabled(i) {
			n.waits |= 1 << i
		}
	}
	return n
}

// forget removes the numbers of calls from a saved state.
func (s *system) forget(words []uint64) []uint64 {
	if words[0]&wordMaking == 0 {
		for i := range s.client.Threads {
			t := threadOf(words[i])
			t.calls = 0
			words[i] = t.word()
		}
	}
	return words
}

// finish sorts the arrows, removes duplicates, and finds shortest paths.
func (f *folded) finish() {
	slices.SortFunc(f.arrows, compareArrows)
	f.arrows = slices.Compact(f.arrows)
	f.first = make([]int32, len(f.nodes)+1)
	for i := range f.arrows {
		f.first[f.arrows[i].from+1]++
	}
	f.depth, f.by = make([]int32, len(f.nodes)), make([]int32, len(f.nodes))
	for i := range f.nodes {
		f.first[i+1] += f.first[i]
		f.depth[i], f.by[i] = -1, -1
	}
	var queue []int32
	for _, i := range f.initials {
		if f.depth[i] < 0 {
			f.depth[i] = 0
			queue = append(queue, i)
		}
	}
	for k := 0; k < len(queue); k++ {
		at := queue[k]
		for a := f.first[at]; a < f.first[at+1]; a++ {
			if to := f.arrows[a].to; f.depth[to] < 0 {
				f.depth[to], f.by[to] = f.depth[at]+1, a
				queue = append(queue, to)
			}
		}
	}
}

// endlessStates ends a search with any number of calls, which has no end where the code holds ever more.
const endlessStates = 1 << 19

// decideProgress decides one of the properties of progress.
func decideProgress(ctx context.Context, j *engine.Job, c Client, lim Limits) (verdict.Verdict, error) {
	began := time.Now()
	v := verdict.Verdict{Status: verdict.Verified, Scope: scopeOf(j).Plain(), Assumptions: []string{
		"calls without end are those that come back to a state after no more calls than the scope allows",
		"only progress is judged: results, deadlocks and data races are not looked for"}}
	if c.Endless {
		v.Assumptions = v.Assumptions[1:]
		lim.States = cmp.Or(lim.States, endlessStates)
	}
	if err := countClients(j, &v); err != nil {
		return v, err
	}
	if c.Threads > maxPending {
		return v, fmt.Errorf("progress is decided for up to %d threads, not %d", maxPending, c.Threads)
	}
	c.Reduce &= vm.Fusing
	sys, err := newSystem(j.Subject, c, stepwise)
	if err != nil {
		return v, err
	}
	f, res, err := fold(ctx, sys, lim)
	if err != nil {
		return v, err
	}
	v.Effort.States, v.Effort.Transitions, v.Effort.PeakBytes = res.States, res.Transitions, res.PeakBytes
	var keeping *keeping
	v.Progress, keeping = f.classify(j.Property)
	if !res.Complete { // what keeps a call from returning in a part does so in the whole system
		v.Status, v.Cause, v.Reason = verdict.Unknown, verdict.Limited, (&LimitError{res.Limit, res.States}).Error()
		if c.Endless {
			v.Reason += "; whether there are finitely many states with any number of calls is not known: items are values here, and nothing bounds how many are held"
		}
		v.Progress = slices.DeleteFunc(v.Progress, func(p verdict.Progress) bool { return p.Class != verdict.Blocking })
	}
	if keeping != nil {
		v.Cause = ""
		v.Status = verdict.Violated
		if v.Violation, err = f.show(j, keeping, v.Scope); err != nil {
			return v, err
		}
		v.Reason = v.Violation.Summary
	}
	v.Effort.Seconds = time.Since(began).Seconds()
	return v, nil
}

// show executes again how a call is kept from returning.
func (f *folded) show(j *engine.Job, k *keeping, scope verdict.Scope) (*verdict.Violation, error) {
	lap := f.lap(k)
	path, err := f.walk(append(f.way(k.at), lap...), k.at)
	if err != nil {
		return nil, err
	}
	rec := recorded{sys: f.sys, class: bounded.Progress, path: path, cycle: -1}
	if len(lap) > 0 {
		rec.cycle = len(path.Steps) - len(lap)
	}
	return bounded.Show(j, rec.recording(), scope)
}

// way is a shortest path from an initial node.
func (f *folded) way(to int32) []int32 {
	var list []int32
	for a := f.by[to]; a >= 0; a = f.by[f.arrows[a].from] {
		list = append(list, a)
	}
	slices.Reverse(list)
	return list
}

// walk finds the decisions with which the arrows are taken, one after the other; at is the end node if there are no arrows.
func (f *folded) walk(arrows []int32, at int32) (explore.Path, error) {
	c := f.sys.NewCursor().(*cursor)
	if len(arrows) > 0 {
		at = f.arrows[arrows[0]].from
	}
	var path explore.Path
	state, taken, ok := f.reach(c, at, c.Initial)
	if !ok {
		return path, errors.New("the execution that keeps a call from returning cannot be repeated: its initial state does not come about again")
	}
	path.Start = taken
	for _, k := range arrows {
		a := &f.arrows[k]
		before := state
		state, taken, ok = f.reach(c, a.to, func(ch *explore.Choices) {
			c.Load(before)
			c.Step(a.move, ch)
		})
		if !ok {
			return path, errors.New("the execution that keeps a call from returning cannot be repeated: no decisions lead along one of its steps")
		}
		path.Steps = append(path.Steps, explore.Taken{Move: a.move, Decisions: taken})
	}
	return path, nil
}

// reach tries all decisions of a step until it leads to a node, and returns the state there.
func (f *folded) reach(c *cursor, to int32, step func(*explore.Choices)) (state []uint64, taken []uint32, ok bool) {
	var ch explore.Choices
	for more := true; more; more = ch.Next() {
		step(&ch)
		state = c.Save(nil)
		if at, known := f.set.Find(f.sys.forget(slices.Clone(state))); known && int32(at) == to {
			return state, ch.Taken(), true
		}
	}
	return nil, nil, false
}
