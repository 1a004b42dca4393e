// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"pangolin/history"
	"pangolin/internal/consist"
	"pangolin/internal/engine"
	"pangolin/internal/interleave"
	"pangolin/internal/play"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Guess is a hypothesis about linearization points, with the sites that it is about. A site is an access, or the call that makes it, in a
// function of the collection's own package. Sites keep their numbers from one search to the next. It may be used by one worker.
type Guess struct {
	consist.Guess
	// Guarded: an access that a lock guards is no site, because it is part of the step before it.
	Guarded bool
	assumed *interleave.Assumptions // if Guarded: what the searches so far have left of the assumptions; nil: there was none
	// Excused tells, by operation, whether a search that judges by the hypothesis needs no site for outcomes that change nothing.
	Excused   []bool
	Functions []bool // by number: the functions that contain sites
	Sites     []vm.Site
	numbers   map[vm.Site]int
	// Visited contains the sites that operations have passed; Returned is called with each result.
	Visited  map[Visit]bool
	Returned func(op int, result history.Tuple)
}

// Visit is a site that is passed by an operation.
type Visit struct{ Operation, Site int }

// number is that of a site.
func (g *Guess) number(s vm.Site) int {
	n, known := g.numbers[s]
	if !known {
		if g.numbers == nil {
			g.numbers, g.Visited = map[vm.Site]int{}, map[Visit]bool{}
		}
		n = len(g.Sites)
		g.Sites = append(g.Sites, s)
		g.numbers[s] = n
	}
	return n
}

// assuming returns the assumptions of a search. If Guarded, searches for a hypothesis take over what those before have withdrawn: an access that
// turns out to be a step of its own is a site, and a search that refutes a hypothesis may end before it finds that out.
func (g *Guess) assuming(fresh *interleave.Assumptions) *interleave.Assumptions {
	if g == nil || !g.Guarded {
		return fresh
	}
	if g.assumed == nil {
		g.assumed = fresh
	}
	return g.assumed
}

func (g *Guess) returned(op int, result history.Tuple) {
	if g != nil && g.Returned != nil {
		g.Returned(op, result)
	}
}

// passes tells the monitor that a thread has passed a site in an operation.
func (c *cursor) passes(i, op, site int) {
	if g := c.sys.guess; g != nil {
		g.Visited[Visit{op, site}] = true
	}
	c.id = c.monitor.Monitor.(consist.Visiting).Visit(c.id, i, site)
}

// reportsSites makes a place report the sites of the hypothesis that is decided, or by which the search judges.
func (s *system) reportsSites(opt *play.Options) {
	switch {
	case s.guess != nil:
		opt.Sites, opt.Site = s.guess.Functions, func(at vm.Site) int { return s.guess.number(at) + 1 }
	case s.points != nil:
		opt.Sites, opt.Site = s.points.Functions, s.points.known
	}
}

// known is the number of a site plus one, 0 if no search for the hypothesis has met it. Several workers may ask.
func (g *Guess) known(s vm.Site) int {
	if n, known := g.numbers[s]; known {
		return n + 1
	}
	return 0
}

// text tells a hypothesis from others; "" if there is none.
func (g *Guess) text() string {
	if g == nil {
		return ""
	}
	return fmt.Sprint(g.Sites, g.Own, g.Excused)
}

// Likely lists the sites that an operation passes, likely points first: writes if the call changes something, else reads.
func (g *Guess) Likely(op int, changes bool) (list []int) {
	for s := range g.Sites {
		if g.Visited[Visit{op, s}] {
			list = append(list, s)
		}
	}
	rank := []vm.Doing{vm.ReadsZero, vm.ReadsOther, vm.NotSwapped, vm.Other, vm.Swapped, vm.Writes}
	if changes {
		rank = []vm.Doing{vm.Swapped, vm.Writes, vm.Other, vm.ReadsZero, vm.ReadsOther, vm.NotSwapped}
	}
	g.sort(list, rank)
	return list
}

// Writers lists the sites that may write, at which a step of one thread may let another's call take effect. Locks, channels and maps
// (vm.Other) come last.
func (g *Guess) Writers() (list []int) {
	for s, site := range g.Sites {
		if site.Does != vm.ReadsZero && site.Does != vm.ReadsOther && site.Does != vm.NotSwapped {
			list = append(list, s)
		}
	}
	g.sort(list, []vm.Doing{vm.Swapped, vm.Writes, vm.Other})
	return list
}

// sort sorts sites by the rank of what they do, then by function and instruction, greatest numbers first.
func (g *Guess) sort(list []int, rank []vm.Doing) {
	slices.SortStableFunc(list, func(a, b int) int {
		s, t := g.Sites[a], g.Sites[b]
		return cmp.Or(cmp.Compare(slices.Index(rank, s.Does), slices.Index(rank, t.Does)), cmp.Compare(t.Func, s.Func), cmp.Compare(t.PC, s.PC))
	})
}

// whens are the results of accesses that distinguish sites, in the words of directives.
var whens = map[vm.Doing]string{vm.ReadsZero: "zero", vm.ReadsOther: "not zero", vm.Swapped: "swapped", vm.NotSwapped: "not swapped"}

// Point describes a site for readers, with its line of source.
func (g *Guess) Point(site int, s *subject.Subject) verdict.Point {
	at := g.Sites[site]
	place, col := vm.PositionIn(s.Prog, at)
	return verdict.Point{Place: verdict.Place(place), Column: col, Source: s.Lines.Line(place.File, place.Line), When: whens[at.Does]}
}

// refute describes an execution in which no call can take effect where the hypothesis lets it. It need not violate the property, and is not
// confirmed.
func (v *verification) refute(ctx context.Context, sys *system, states uint64) error {
	v.result.Refuted = true
	v.shorten(ctx, sys, v.found, states)
	r := newReplayer(sys, v.record(sys, v.found))
	r.sys.guess = nil
	if err := r.run(); err != nil {
		return err
	}
	v.result.Violation = r.w
	r.w.Client, r.w.Frames = r.client(), r.frames.List()
	return nil
}

// Describe makes the witness of such an execution.
func Describe(j *engine.Job, b *Violation) *verdict.Witness {
	return violationOf(j, j.Scope.Plain(), b).Execution
}
