// SPDX-License-Identifier: BSD-3-Clause

// Package ranking decides whether calls return, given what threads do one step at a time.
//
// It takes a Graph: the steps between the views of a proof, which package checker computes, each with what it does to memory and to the
// thread's registers. A Ranking claims that the steps cannot go on for ever: numbers of views that fall with every step, or registers that move along a
// chain. Check decides whether a ranking of a graph shows a property of progress; Find looks for one. Check does not trust Find. doc/proofs.md
// explains why a ranking suffices.
//
// The package knows no program and no memory. It does not compute steps.
package ranking

import (
	"errors"
	"fmt"
	"slices"

	"pangolin/verdict"
)

// Word is a word of all objects of a type.
type Word struct {
	Type int `json:"type"`
	Off  int `json:"off"`
}

// Var is a register of a call in progress, or an argument of a call that it has deferred; the outermost call has the number 0.
type Var struct {
	Call int `json:"call"`
	Reg  int `json:"reg"` // the register, or the index of the argument
	// Deferred is 0 for a register, 1 for the call that was deferred first.
	Deferred int `json:"deferred,omitempty"`
}

// Pair is two variables of places: of the place at which a step begins and of the one at which it ends, or both of one place.
type Pair struct{ A, B uint8 }

// Pairs is a set of pairs.
type Pairs []Pair

// Has reports whether a pair is in the set.
func (s Pairs) Has(a, b uint8) bool { return slices.Contains(s, Pair{a, b}) }

// Graph is what threads may do, as far as progress depends on it.
type Graph struct {
	Places []Place
	View   []int // by view: its place; behind the views stand the cases of those that are split
	// Other has for each view, and each case, bits of the variables of its place that lead to a cell which others see, and whose item is certainly not k.
	Other []uint16
	Edges []Edge
	Locks []Locking
	cases []Case
	// Refused says why nothing is known of progress; "" if something is.
	Refused string
	// Loose says where a cell may become busy whose lock its thread does not have, or stay so without it; "" if that is not so. Releases are locks of cells
	// that are given back although the cell may be busy. (A cell is busy while it is marked and still linked.)
	Loose    string
	Releases []Release
}

// Release is a lock of a cell that is given back although the cell may be busy.
type Release struct {
	From int    // the view at which the step began
	Vars uint16 // bits of its variables that lead to the cell
	Text string
}

// Place is where a thread may stand: its calls in progress, each at an instruction. The writes of others do not move a thread.
type Place struct {
	Idle bool   // it stands between two calls
	Text string // "lazy.go:12", for messages
	Vars []Var  // registers that may hold addresses
}

// Edge is a step of a thread from one view to another one.
type Edge struct {
	From, To int
	// Driven: another thread's write makes it, because the thread stands at an access that gives the same from then on.
	Driven bool
	// Changes: the call takes effect, which it does once at most.
	Changes bool
	// Writes: it writes to memory that others see. Fewer and Same have a bit for each word of the collection: fewer or as many cells as before
	// are behind it.
	Writes      bool
	Fewer, Same uint64
	// Takes: it takes a lock of the collection itself.
	Takes bool
	// Awaits: it takes the lock of a busy cell. Makes has bits of the variables behind the step that lead to cells which the step has made busy.
	Awaits bool
	Makes  uint16
	// Stays are pairs of a variable before and one behind the step that lead to the same cell; Moves are those where the second one is a cell
	// behind the cell of the first one.
	Stays, Moves Pairs
	// Before are pairs of variables behind the step; the cell of the first one is in front of that of the second one, or one of them leads to no cell.
	Before Pairs
	// Apart are pairs of variables behind the step so that the cell of the first one has a link that is never written, and which does not lead to
	// the cell of the second one; or one of them leads to no cell. Linked are pairs of variables before the step where it does lead there.
	Apart, Linked Pairs
	Text          string // where it writes: "lazy.go:12"
	// Sizes has for each chain of the view behind the step by which it may be split the sizes that the chain may have behind this step.
	Sizes [3]Sizes
}

// Locking is the taking of a lock by a thread that holds another one already, or none.
type Locking struct {
	From  int  // the view at which the step began
	Takes Word // the lock that it takes
	Held  bool // it holds one
	Holds Word // the lock that it holds
	// Ahead: both are in cells of chains, and that of the lock that it holds is in front of the other. Otherwise A and B are variables of the
	// view that lead to these cells.
	Ahead bool
	A, B  uint16 // bits of the variables
	Text  string
}

// Ranking is the claim that calls return.
type Ranking struct {
	Property verdict.Property `json:"property"`
	// Locks are taken in this order; those of one sort front to back along a chain.
	Locks []Word `json:"locks"`
	// Words are words of the collection. A write that is none of those that a call makes once leaves fewer cells behind one of them, and as
	// many as before behind those in front of it.
	Words []int `json:"words"`
	// Busy: a busy cell is locked by the thread that has made it busy, until it is not busy any more, so that no other thread gets the lock.
	Busy bool `json:"busy,omitempty"`
	// Split lists views for which the cases have ranks, by how many cells chains have.
	Split []int `json:"split,omitempty"`
	// Places has for each place a number, which never grows in a call, and the pairs of its variables of which the first is in front of the
	// second.
	Places []Level `json:"places"`
	// Ranks has for each view, and behind these for each case, numbers that fall with every step when nothing is written any more: a level, the variable that moves along a chain while the level
	// stays the same, a second level, and so on. In place of a variable stands -1 if none moves.
	Ranks [][]int `json:"ranks"`
}

// none stands in a rank where no variable moves.
const none = -1

// Level is what a ranking claims of a place.
type Level struct {
	Number int      `json:"number"`
	Order  [][2]int `json:"order,omitempty"`
	// Apart are pairs of variables; the link of the cell of the first one does not lead to the cell of the second one.
	Apart [][2]int `json:"apart,omitempty"`
	// Own are variables; the cells that the thread has made busy, and whose locks it has not given back, are among theirs.
	Own []int `json:"own,omitempty"`
	// Returning is a variable, or nil. No call comes back here for ever with a cell of this variable that has k, for whatever k.
	Returning *int `json:"returning,omitempty"`
}

// Check decides whether a ranking shows its property. The error is one sentence.
func (r *Ranking) Check(g *Graph) error {
	if g.Refused != "" {
		return fmt.Errorf("%s", g.Refused)
	}
	if err := r.sound(g); err != nil {
		return err
	}
	if r.Property != verdict.DeadlockFree && len(g.Locks) > 0 {
		return fmt.Errorf("a call waits for a lock, at %s, so that it is kept from returning by a thread that holds the lock and does not go on", g.Locks[0].Text)
	}
	for i := range g.Locks {
		if err := r.locking(g, &g.Locks[i]); err != nil {
			return err
		}
	}
	if err := r.keepsBusy(g); err != nil {
		return err
	}
	for i := range g.Edges {
		if err := r.edge(g, &g.Edges[i]); err != nil {
			return err
		}
	}
	return nil
}

// keepsBusy checks that who makes a cell busy has its lock for as long as it is busy, if the ranking says so.
func (r *Ranking) keepsBusy(g *Graph) error {
	switch {
	case !r.Busy:
		return nil
	case g.Loose != "":
		return errors.New(g.Loose)
	}
	for _, x := range g.Releases {
		for _, own := range r.Places[g.View[x.From]].Own {
			if x.Vars>>own&1 != 0 {
				return fmt.Errorf("the lock of a cell may be given back while it is marked and linked, at %s", x.Text)
			}
		}
	}
	for i := range g.Edges {
		if e := &g.Edges[i]; !r.owns(g, e, func(int) bool { return false }) {
			return fmt.Errorf("it is not known which cells a call has marked, at %s", g.Places[g.View[e.To]].Text)
		}
	}
	return nil
}

// owns reports whether a step leads from the variables of cells that its thread has made busy to such variables. Those that the ranking does not have are
// added by add, which reports whether it has done so.
func (r *Ranking) owns(g *Graph, e *Edge, add func(b int) bool) bool {
	from, to := g.View[e.From], &r.Places[g.View[e.To]]
	if g.Places[g.View[e.To]].Idle {
		return true // it holds no lock
	}
	has := func(b int) bool { return slices.Contains(to.Own, b) || add(b) }
	for b := range 16 {
		if e.Makes>>b&1 != 0 && !has(b) {
			return false
		}
	}
	for _, a := range r.Places[from].Own {
		stays := false
		for _, x := range e.Stays {
			if int(x.A) == a {
				if stays = true; !has(int(x.B)) {
					return false
				}
			}
		}
		if !stays {
			return false
		}
	}
	return true
}

// sound refuses a ranking that is not about the graph.
func (r *Ranking) sound(g *Graph) error {
	switch {
	case !slices.Contains(verdict.OfProgress(), r.Property):
		return fmt.Errorf("%q is no property of progress", r.Property)
	case len(r.Places) != len(g.Places) || len(r.Ranks) != len(g.View) || len(g.Other) != len(g.View):
		return fmt.Errorf("the ranking has %d places and %d views, and there are %d and %d", len(r.Places), len(r.Ranks), len(g.Places), len(g.View))
	}
	for p, l := range r.Places {
		for _, o := range l.Own {
			if o < 0 || o >= len(g.Places[p].Vars) || o >= 16 {
				return fmt.Errorf("the ranking has a variable that place %d does not have", p)
			}
		}
		if v := l.Returning; v != nil && (*v < 0 || *v >= len(g.Places[p].Vars) || *v >= 16) {
			return fmt.Errorf("the ranking has a variable that place %d does not have", p)
		}
		for _, o := range slices.Concat(l.Order, l.Apart) {
			if o[0] < 0 || o[1] < 0 || o[0] >= len(g.Places[p].Vars) || o[1] >= len(g.Places[p].Vars) {
				return fmt.Errorf("the ranking orders variables that place %d does not have", p)
			}
		}
	}
	for _, w := range r.Words {
		if w < 0 || w >= 64 {
			return fmt.Errorf("the collection has no word %d", w)
		}
	}
	return nil
}

// before reports whether the ranking claims of a place that the cell of variable a is in front of that of variable b.
func (r *Ranking) before(place int, a, b int) bool {
	return slices.Contains(r.Places[place].Order, [2]int{a, b})
}

// locking checks that the lock comes behind the one that is held.
func (r *Ranking) locking(g *Graph, l *Locking) error {
	takes := slices.Index(r.Locks, l.Takes)
	if !l.Held {
		return nil
	}
	holds := slices.Index(r.Locks, l.Holds)
	switch {
	case takes < 0 || holds < 0:
	case holds < takes:
		return nil
	case holds == takes && (l.Ahead || r.ordered(g, l)):
		return nil
	}
	return fmt.Errorf("a lock is taken by a thread that holds another one, at %s, and no order of the locks is known in which it comes later", l.Text)
}

func (r *Ranking) ordered(g *Graph, l *Locking) bool {
	for _, o := range r.Places[g.View[l.From]].Order {
		if o[0] < 16 && o[1] < 16 && l.A>>o[0]&1 != 0 && l.B>>o[1]&1 != 0 {
			return true
		}
	}
	return false
}

// edge checks a step.
func (r *Ranking) edge(g *Graph, e *Edge) error {
	from, to := g.View[e.From], g.View[e.To]
	if g.Places[to].Idle {
		return nil // the call has returned
	}
	for i, o := range slices.Concat(r.Places[to].Order, r.Places[to].Apart) {
		if i < len(r.Places[to].Order) && !r.carried(g, e, o) || i >= len(r.Places[to].Order) && !r.staysApart(g, e, o) {
			return fmt.Errorf("what the ranking says of the order of cells at %s does not hold behind a step", g.Places[to].Text)
		}
	}
	if g.Places[from].Idle {
		return nil
	}
	falls := r.Places[to].Number < r.Places[from].Number
	switch {
	case r.Places[to].Number > r.Places[from].Number:
		return fmt.Errorf("the number of a place grows in a step to %s", g.Places[to].Text)
	case r.Property == verdict.WaitFree && !falls:
		return fmt.Errorf("a call may go round for as long as others make it, by way of %s: no bound is known", g.Places[to].Text)
	case e.Driven || r.contradicts(g, e):
		return nil
	case e.Takes && !falls:
		return fmt.Errorf("a call may take a lock of the collection any number of times, at %s", e.Text)
	case e.Writes && (e.Changes || falls || r.shrinks(e)) || e.Takes:
		return nil
	case e.Writes:
		return fmt.Errorf("a call may write any number of times, at %s, without that some call takes effect", e.Text)
	case r.Places[from].Returning != nil && !r.returns(g, e) || r.Places[from].Returning == nil && !r.declines(e):
		return fmt.Errorf("a call may go round, by way of %s, although no other call takes effect: nothing is known that grows less", g.Places[from].Text)
	}
	return nil
}

// carried reports whether an order of two variables holds behind a step.
func (r *Ranking) carried(g *Graph, e *Edge, o [2]int) bool {
	if e.Before.Has(uint8(o[0]), uint8(o[1])) {
		return true
	}
	return kept(e, o, func(a, b int) bool { return r.before(g.View[e.From], a, b) })
}

// staysApart reports whether two variables are apart behind a step.
func (r *Ranking) staysApart(g *Graph, e *Edge, o [2]int) bool {
	return e.Apart.Has(uint8(o[0]), uint8(o[1])) || kept(e, o, func(a, b int) bool { return slices.Contains(r.Places[g.View[e.From]].Apart, [2]int{a, b}) })
}

// kept reports whether two variables behind a step lead to the cells of two variables before it of which something holds.
func kept(e *Edge, o [2]int, holds func(a, b int) bool) bool {
	for _, x := range e.Stays {
		if int(x.B) != o[0] {
			continue
		}
		for _, y := range e.Stays {
			if int(y.B) == o[1] && holds(int(x.A), int(y.A)) {
				return true
			}
		}
	}
	return false
}

// contradicts reports whether a step cannot be: it begins with two cells linked that are apart, or takes a lock that another thread has.
func (r *Ranking) contradicts(g *Graph, e *Edge) bool {
	return r.Busy && e.Awaits || slices.ContainsFunc(r.Places[g.View[e.From]].Apart, func(o [2]int) bool { return e.Linked.Has(uint8(o[0]), uint8(o[1])) })
}

// shrinks reports whether a write leaves fewer cells behind a word, and as many as before behind those in front of it in the list.
func (r *Ranking) shrinks(e *Edge) bool {
	for _, w := range r.Words {
		switch {
		case e.Fewer>>w&1 != 0:
			return true
		case e.Same>>w&1 == 0:
			return false
		}
	}
	return false
}

// returns reports whether in a step from a place with a variable Returning the first number of the rank falls. If the item of that variable's cell is certainly
// not k, it need not fall, but may not grow.
func (r *Ranking) returns(g *Graph, e *Edge) bool {
	a, b := r.Ranks[e.From], r.Ranks[e.To]
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	return b[0] < a[0] || b[0] == a[0] && g.Other[e.From]>>*r.Places[g.View[e.From]].Returning&1 != 0
}

// declines reports whether the rank falls in a step.
func (r *Ranking) declines(e *Edge) bool {
	a, b := r.Ranks[e.From], r.Ranks[e.To]
	for i := 0; i < len(a) && i < len(b); i++ {
		if i%2 == 0 {
			if a[i] != b[i] {
				return b[i] < a[i]
			}
			continue
		}
		x, y := uint8(a[i]), uint8(b[i])
		switch {
		case a[i] == none && b[i] == none:
			continue
		case a[i] < 0 || b[i] < 0 || a[i] > 255 || b[i] > 255:
			return false
		case e.Moves.Has(x, y):
			return true
		case !e.Stays.Has(x, y):
			return false
		}
	}
	return false
}
