// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"pangolin/history"
	"pangolin/internal/checkpoint"
	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/explore"
	"pangolin/internal/saved"
	"pangolin/internal/store"
	"pangolin/internal/subject"
	"pangolin/oracle"
)

// A search that lasts is written down, and another process goes on with it (doc/cache.md has the argument). Saved states consist of numbers
// that mean something in one process only, so what gives them their meaning is written as well, in the order in which it got its numbers:
// strings, states of the oracle and of the monitor, parts. So is all that the search has found out and no state shows: assumptions that
// were withdrawn or not, guards that are known, results that were seen, components that were judged.
//
// What is only remembered, such as steps, is not written: it is found out again.

// slot is where the verification's search is written down; nil: it is not. One client, or one client after the other, takes little time
// each; a search with a policy, breadth first, or for a witness is not written either.
func (v *verification) slot(ctx context.Context) *checkpoint.Slot {
	o := &v.opt
	if v.judging() == nil || o.Only != nil || o.OneByOne || o.Guess != nil || o.Composed != nil || o.Laps != "" || o.BreadthFirst || o.Meter != nil {
		return nil
	}
	k := checkpoint.Next(ctx)
	if k != nil {
		k.About = v.about()
	}
	return k
}

// judging is the part of the monitor that is written down; nil: the monitor is one of a policy, which is not.
func (v *verification) judging() *consist.HistoryMonitor {
	switch m := v.monitor.(type) {
	case *consist.HistoryMonitor:
		return m
	case *consist.PolicyMonitor:
		if v.opt.Points != nil {
			return m.HistoryMonitor
		}
	}
	return nil
}

// about says what is searched: the question with all that has been settled about it. The subject is that of the session's key.
func (v *verification) about() string {
	o := &v.opt
	search := o.Search
	search.Timeout, search.MaxBytes = 0, 0
	var names []string
	for i := range o.Subject.Operations {
		names = append(names, fmt.Sprintf("%s %+v", o.Subject.Operations[i].Name, o.Subject.Operations[i].Client.Who))
	}
	text, err := json.Marshal(struct {
		Property   any
		Scope      any
		Search     any
		About      any
		Operations []string
		Store      store.Kind
		Together   bool
		Points     string
	}{o.Property, o.Scope, search, o.Subject.About, names, o.Store, o.Workers > 1, o.Points.text()})
	if err != nil {
		panic(err) // all of it is plain data
	}
	return string(text)
}

// errOther says that a checkpoint does not belong to the search, although it should.
type errOther struct{ error }

// goesOnFrom reads the first part of a checkpoint, on which the system depends.
func (v *verification) goesOnFrom(k *checkpoint.Slot) error {
	if k == nil {
		return nil
	}
	v.kept = k
	if v.from = k.Open(); v.from == nil {
		return nil
	}
	v.passAssumed(v.from)
	if err := v.from.Err(); err != nil {
		return errOther{err}
	}
	v.result.resumed, v.result.earlier = k.Resumed(), k.Before()
	return nil
}

// passAssumed passes what the search assumes.
func (v *verification) passAssumed(c *saved.Codec) {
	c.Mark("assumptions")
	scope := v.space.Scope
	passScope(c, &scope)
	if c.Err() == nil && scope != v.space.Scope {
		if err := v.rescope(scope); err != nil {
			c.Fail(err)
		}
	}
	for _, b := range []*bool{&v.items, &v.keys, &v.numbers, &v.told} {
		c.Bool(b)
	}
	saved.Int(c, &v.stage)
	saved.Int(c, &v.result.Restarts)
	a := v.assumed
	frozen, guards := a.Frozen != nil, a.Guards != nil
	c.Bool(&frozen)
	c.Bool(&guards)
	if !frozen {
		a.Frozen = nil
	}
	if !guards {
		a.Guards = nil
	}
	saved.Same(c, len(a.Frozen), "classes of words")
	for i := range a.Frozen {
		c.Bool(&a.Frozen[i])
	}
	if a.Guards != nil {
		a.Guards.Pass(c)
	}
}

// passScope passes a scope, as JSON: it is plain data.
func passScope(c *saved.Codec, s *client.Scope) {
	text, err := json.Marshal(s)
	if err != nil {
		c.Fail(err)
	}
	if c.Bytes(&text); c.Err() == nil && !c.Writes() {
		if err := json.Unmarshal(text, s); err != nil {
			c.Fail(err)
		}
	}
}

// passKnown passes what gives states their meaning, and what the attempt has found out. It is read when the system has been made and
// nothing has been executed.
func (v *verification) passKnown(sys *system, c *saved.Codec) {
	c.Mark("known")
	if !c.Writes() {
		v.opt.Sample.end() // a search that is written down has counted
	}
	v.img.Strings.Pass(c)
	subject.Pass(c, v.subject.Spec)
	v.judging().Pass(c)
	c.SameBool(sys.store != nil, "the form of states")
	if sys.store != nil {
		sys.store.Pass(c)
	}
	sys.starts.pass(c)
	v.attempt.pass(c)
	closed := v.closed != nil
	if c.Bool(&closed); closed && v.closed == nil {
		v.closes(sys)
	}
}

func (s *starts) pass(c *saved.Codec) {
	saved.List(c, &s.states, func(c *saved.Codec, state *oracle.State) {
		text := string(*state)
		c.Text(&text)
		*state = oracle.State(text)
	})
}

// pass passes an attempt that has found no violation and refuted nothing.
func (a *attempt) pass(c *saved.Codec) {
	c.Mark("attempt")
	type nested struct {
		function string
		calls    int
	}
	var tried []nested
	for _, f := range slices.Sorted(maps.Keys(a.tried)) {
		tried = append(tried, nested{f, a.tried[f]})
	}
	saved.List(c, &tried, func(c *saved.Codec, n *nested) {
		c.Text(&n.function)
		saved.Int(c, &n.calls)
	})
	for _, n := range tried {
		a.tried[n.function] = n.calls
	}
	a.settled.Pass(c)
	c.Float(&a.inside)
	a.seen.pass(c)
	telling := a.telling.Load()
	c.Bool(&telling)
	a.telling.Store(telling)
}

func (r *seen) pass(c *saved.Codec) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.results {
		list := slices.SortedFunc(maps.Keys(r.results[i]), func(a, b history.Tuple) int { return cmp.Compare(a.String(), b.String()) })
		saved.List(c, &list, consist.PassTuple)
		for _, t := range list {
			r.results[i][history.Tuple(t)] = true
		}
	}
	c.Word(&r.answered)
	c.Word(&r.waited)
	waits := slices.Sorted(maps.Keys(r.waits))
	saved.Ints(c, &waits)
	for _, op := range waits {
		r.waits[op] = true
	}
}

// checkpoints are those of the search that the verification is about to make.
func (v *verification) checkpoints(sys *system) *explore.Checkpoints {
	if v.kept == nil {
		return nil
	}
	from := v.from
	v.from = nil // the next attempt begins
	return &explore.Checkpoints{Due: v.kept.Due, Every: v.kept.Every(), From: from, Write: func(at explore.Moment, pass func(*saved.Codec)) {
		if !v.sound(sys) || v.opt.Sample.counts() {
			return
		}
		v.kept.Write(at.States, at.Ended, func(c *saved.Codec) {
			v.passAssumed(c)
			v.passKnown(sys, c)
			pass(c)
		})
	}}
}

// sound reports whether all that the search has found out is in what is written. What has been found wrong is not, so a search that has
// ended for it is repeated from the last checkpoint on.
func (v *verification) sound(sys *system) bool {
	return !v.refuted(sys) && v.assumed.Fault() == nil && v.found == nil && v.cut == explore.NoLimit && v.stage != tooDeep &&
		v.monitor.Err() == nil && subject.Sound(v.subject.Spec)
}
