// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"context"

	"pangolin/history"
	"pangolin/internal/consist"
	"pangolin/internal/engine"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Guess is a hypothesis on linearization points, with the sites that it is about. A site is
// an access, or the call in which it is made, in a function of the collection's own. What
// searches have seen is kept: sites are numbered from one search to the next. It is for one
// worker.
type Guess struct {
	consist.Guess
	Functions []bool // those in which sites are, by their numbers
	Sites     []vm.Site
	numbers   map[vm.Site]int
	// Visited says which sites an operation passes, Returned what it returns.
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

func (g *Guess) returned(op int, result history.Tuple) {
	if g != nil && g.Returned != nil {
		g.Returned(op, result)
	}
}

// passes tells a monitor of sites that a thread has passed one in an operation.
func (c *cursor) passes(i, op int, site *vm.Site) {
	g := c.sys.guess
	n := g.number(*site)
	g.Visited[Visit{op, n}] = true
	c.id = c.sys.monitor.(consist.Visiting).Visit(c.id, i, n)
}

// refute describes an execution in which no call can take effect where the hypothesis lets
// it. The execution is no violation of the property, and is not confirmed as one: it is there
// for readers.
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

// Describe is an execution as a witness, for readers.
func Describe(j *engine.Job, b *Violation) *verdict.Witness {
	return violationOf(j, j.Scope.Plain(), b).Execution
}
