// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"fmt"
	"slices"

	"pangolin/internal/certificate/pairs"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Whether calls return (doc/proofs.md, "Few items: calls return"). A closed table has all steps of its threads. If none leads, within a call and as long as the content
// stays, back to the view where it began, whatever others do meanwhile, a thread makes finitely many of them. The rank of a view is how many; it says so in the certificate.

// ranked are the steps between the views of a closed table, and the ranks that come of them.
type ranked struct {
	arrows []arrow
	locks  []int // by view, how many locks its thread has
	ranks  []int // by view
	lost   int32 // a view whose thread may forget a lock that it has; -1: none
}

// arrow is a step from view to view, within a call and without a change of the content.
type arrow struct {
	from, to int32
	of       *effect // the step of another thread; nil: the thread's own
}

// provable says why there is no proof that the calls of a collection have a property of progress, if there is none whatever they do.
func provable(p verdict.Property, sub *subject.Subject) string {
	switch {
	case !p.IsProgress():
		return ""
	case p == verdict.WaitFree:
		return fmt.Sprintf("not proved: the method cmp does not look for a proof that a collection is %s", p)
	case sub.About.Protocol != (oracle.Protocol{Kind: oracle.Nonblocking}).String():
		return fmt.Sprintf("not modelled: the protocol %s: whether calls return is proved where they wait for nothing but locks", sub.About.Protocol)
	case pairs.Conditions(sub):
		return "not modelled: a call waits for a condition: nothing is known of who wakes it"
	}
	return ""
}

// newRanked has no steps yet.
func newRanked(s *search) *ranked {
	r := &ranked{lost: -1}
	for v := range s.t.views {
		s.load(int32(v))
		r.locks = append(r.locks, locksOf(s.m))
	}
	return r
}

// locksOf is how many locks thread 0 has.
func locksOf(m *vm.Machine) (n int) {
	for _, p := range m.Thread[0].Held {
		if p&state.WordHold == 0 {
			n++
		}
	}
	return n
}

// follows takes down the step that has led from view v to view w, with this content: that of an effect, or the thread's own.
func (s *search) follows(v, w int32, of *effect, content oracle.StateID) {
	r := s.ranked
	if locksOf(s.m) != r.locks[w] || r.locks[w] > 0 && !s.t.views[w].tag().busy() {
		r.lost = v
	}
	if s.t.common[s.t.views[v].common].content == content && s.t.views[v].tag().busy() && s.t.views[w].tag().busy() {
		r.arrows = append(r.arrows, arrow{v, w, of})
	}
}

// tag is what is known of the call of a view's thread.
func (x *view) tag() ghost {
	_, rest := uvarint(x.local)
	var word uint64
	for range tagWord + 1 {
		word, rest = uvarint(rest)
	}
	return ghost(word)
}

// rank gives each view its rank, and is an alarm if a call may make steps for ever, or if all threads may wait.
func (s *search) rank() error {
	r := s.ranked
	unknown := fmt.Sprintf("it is linearizable, and whether it is %s is not known: ", s.limits.progress)
	if v := r.level(len(s.t.views)); v >= 0 {
		s.load(v)
		return &alarm{text: unknown + "a call may go round without that some call takes effect", at: s.m.At(0), view: v}
	}
	if r.lost >= 0 {
		s.load(r.lost)
		return &alarm{text: unknown + "a call may leave a lock taken", at: s.m.At(0), view: r.lost}
	}
	for _, c := range s.t.common {
		if what, v := s.ring(c); what != "" {
			s.load(v)
			return &alarm{text: unknown + what, at: s.m.At(0), view: v}
		}
	}
	return nil
}

// level gives each view as its rank how many own steps may follow, at most, before its call ends or some call takes effect. It is a view behind which there may be any number; -1 if there is none.
func (r *ranked) level(views int) int32 {
	const open = -1
	r.ranks = slices.Repeat([]int{open}, views)
	left := slices.DeleteFunc(slices.Clone(r.arrows), func(a arrow) bool { return a.of != nil && !a.of.lasts }) // what calls do that return then is done finitely often
	for rank := 0; ; rank++ {
		// Those views have more steps from which arrows lead to an own step between views that are left.
		more, stuck := make([]bool, views), int32(-1)
		into := make([][]int32, views)
		var work []int32
		for _, a := range left {
			into[a.to] = append(into[a.to], a.from)
			if a.of == nil && !more[a.from] {
				more[a.from], stuck = true, a.from
				work = append(work, a.from)
			}
		}
		for ; len(work) > 0; work = work[1:] {
			for _, v := range into[work[0]] {
				if !more[v] {
					more[v] = true
					work = append(work, v)
				}
			}
		}
		found := false
		for v := range r.ranks {
			if r.ranks[v] == open && !more[v] {
				r.ranks[v], found = rank, true
			}
		}
		switch {
		case stuck < 0:
			return -1
		case !found:
			return stuck
		}
		left = slices.DeleteFunc(left, func(a arrow) bool { return !more[a.to] })
	}
}

// rankOf is the rank of a view, 0 where there is none.
func (s *search) rankOf(v int32) int {
	if s.ranked == nil {
		return 0
	}
	return s.ranked.ranks[v]
}

// ring says what threads that see a memory may all wait for, and a view of one of these; "" if that does not happen.
func (s *search) ring(c *common) (what string, view int32) {
	number := map[uint64]int{}
	var arrows [][2]int // from a lock that a thread holds to the one that it is about to take
	var views []int32
	for _, v := range c.list {
		s.load(v)
		lock, wants := pairs.Wanted(s.model.subject, s.m, 0)
		switch {
		case !wants && s.t.views[v].tag().busy() && !s.m.Enabled(0):
			return "a call may wait for something else than a lock", v
		case !wants:
			continue
		case s.limits.progress != verdict.DeadlockFree:
			return "a call may wait for a lock", v
		}
		for _, h := range s.m.Thread[0].Held {
			if h&state.WordHold != 0 {
				continue
			}
			if h &^= state.ReadHold; h == lock {
				return "a call waits for a lock that it has", v
			}
			from, to := s.lockOf(c, h), s.lockOf(c, lock)
			if from == 0 || to == 0 {
				continue
			}
			for _, l := range []uint64{from, to} {
				if _, known := number[l]; !known {
					number[l] = len(number)
				}
			}
			arrows, views = append(arrows, [2]int{number[from], number[to]}), append(views, v)
		}
	}
	if i := pairs.Ring(arrows); i >= 0 {
		return "locks may be waited for in a ring: one is taken while another one is held", views[i]
	}
	return "", 0
}

// lockOf names a lock of the view that is loaded for all threads that see memory c: 1 for any that the collection does not lead to, 0 for one that no other thread can know.
func (s *search) lockOf(c *common, lock uint64) uint64 {
	switch id := state.ObjectID(lock); {
	case id <= s.base+c.count:
		return lock
	case s.m.Objs[id].Flags&state.IsKnown != 0:
		return 1
	}
	return 0
}

// returns says for people why calls return.
func (s *search) returns() []string {
	list := []string{"no step of a call is made again before some call takes effect"}
	if s.limits.progress == verdict.DeadlockFree {
		list = append(list, "the locks of each memory are taken in an order")
	}
	return list
}
