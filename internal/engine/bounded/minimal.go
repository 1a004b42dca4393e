// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"context"
	"fmt"

	"pangolin/internal/client"
)

// A minimal witness (-min) has few calls, then few preemptions, then few steps, in this order of importance for readers. So several
// searches follow each other, each within smaller bounds: the first that finds a violation has the fewest calls, and so on. This may take
// longer than the search that found it; without -min, shorten.go applies.

// minimise looks for a violation with the fewest operations, among those with the fewest preemptions, and among those with the fewest
// steps. res is a violation in the scope of opt; the effort of all searches is added up.
//
// Of an execution without end the last two apply to its stem, the part before the lap that repeats (see laps.go), among the executions of
// the client with the fewest operations.
func minimise(ctx context.Context, opt Options, res *Result) (*Result, error) {
	m := &minimiser{ctx: ctx, best: res, total: *res}
	opt.Scope.Clients = counted(res)
	found, err := m.fewestOperations(opt)
	if err != nil {
		return nil, err
	}
	if found != nil {
		if err := m.fewestPreemptions(*found); err != nil {
			return nil, err
		}
	}
	m.total.Violation = m.best.Violation
	return &m.total, nil
}

func endless(v *Violation) bool {
	return v.Class == Livelock || v.Class == Nontermination
}

// minimiser makes these searches.
type minimiser struct {
	ctx   context.Context
	best  *Result // with the best violation so far
	total Result  // the effort of all searches
}

// run makes one search; a violation replaces the best one.
func (m *minimiser) run(opt Options) (violated bool, err error) {
	res, err := Run(m.ctx, opt)
	if err != nil {
		return false, fmt.Errorf("looking for a shorter witness: %w", err)
	}
	m.total.Effort.Add(res.Effort)
	if res.Violation != nil {
		m.best = res
	}
	return res.Violation != nil, nil
}

// fewestOperations widens the scope call by call, and pre-add by pre-add, until there is a violation. It returns the options that found it;
// nil if a limit was reached.
func (m *minimiser) fewestOperations(opt Options) (*Options, error) {
	full, s := opt.Scope.Clients, &opt.Scope.Clients
	if full.PerThread > 0 {
		return &opt, nil
	}
	for steps := max(1, full.Threads.From); steps <= full.Steps.To; steps++ {
		for pre := full.PreAdds.From; pre <= full.PreAdds.To; pre++ {
			s.Steps = client.Range{From: min(full.Steps.From, steps), To: steps}
			s.PreAdds = client.Range{From: pre, To: pre}
			s.Threads.To = max(full.Threads.From, min(full.Threads.To, steps))
			violated, err := m.run(opt)
			if err != nil {
				return nil, err
			}
			if violated {
				return &opt, nil
			}
			if m.ctx.Err() != nil {
				return nil, nil
			}
		}
	}
	return nil, nil
}

// fewestPreemptions searches breadth first with 0, 1, … preemptions until there is a violation.
func (m *minimiser) fewestPreemptions(opt Options) error {
	opt.BreadthFirst = true
	if v := m.best.Violation; endless(v) {
		c := v.client()
		opt.Only, opt.Laps, opt.Scope.Clients, opt.OneByOne, opt.Workers = &c, v.Class, counted(m.best), true, 1
	}
	limit := opt.Scope.Preempt
	for n := 0; limit < 0 || n <= limit; n++ {
		opt.Scope.Preempt = n
		violated, err := m.run(opt)
		if err != nil || violated || m.ctx.Err() != nil || n >= len(m.best.Violation.Turns) {
			return err
		}
	}
	return nil
}
