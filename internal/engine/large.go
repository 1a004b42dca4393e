// SPDX-License-Identifier: BSD-3-Clause

package engine

import (
	"fmt"
	"slices"

	"pangolin/internal/client"
	"pangolin/verdict"
)

// The greatest number of states of a large scope: mostLarge, or mostLargeSelf if the code itself judges. With two workers a
// search of that many took from 2 s (RDCSS) to 20 s (FineGrainedHeapPatched). First a large scope is tried with a part of them, 1/tried. If that is not enough,
// smaller ones are searched, and the large one again only if these have at most 1/within of mostLarge. That holds for each collection whose D has at most mostLarge
// states, and for no other one.
const (
	mostLarge     = 1 << 20
	mostLargeSelf = 1 << 19
	tried         = 8
	within        = 4
)

// smaller are the scopes that are searched in place of a large one which has too many states: of 3x3, what two threads do, 2x3, and what three do with
// nothing added before, 3x3x0; and then 2x2 in place of the first of these, if that has too many states, too.
func (s *Scope) smaller(ops []client.Op) (Union, error) {
	two := *s
	two.Clients.Threads.To = min(2, s.Clients.Threads.To)
	few := two
	few.Clients.Steps.To = min(2, s.Clients.Steps.To)
	few.Large = false
	u := Union{two, few}
	if bare := *s; s.Clients.PreAdds.To > 0 {
		bare.Clients.PreAdds = client.Range{}
		u = slices.Insert(u, 1, bare)
	}
	for i := range u {
		c, values := &u[i].Clients, u[i].Clients.Steps.To+1
		u[i].Preset = fmt.Sprintf("%dx%d", c.Threads.To, c.Steps.To)
		if c.PreAdds.To < s.Clients.PreAdds.To {
			u[i].Preset, values = u[i].Preset+"x0", values-1
		}
		c.Values = min(c.Values, values) // as many as the configuration of this name has
		space, err := client.NewSpace(*c, ops)
		if err != nil {
			return nil, err
		}
		u[i].Beforehand = beforehand(space)
	}
	return u, nil
}

// limitOf is the limit on the states of a large scope; 0: none, because the user has given one.
func (s *summary) limitOf(in *Scope) uint64 {
	switch {
	case !in.Large || s.job.MaxStates > 0:
		return 0
	case s.large == nil:
		return s.most() / tried
	}
	return s.most()
}

// most is the greatest number of states of a large scope.
func (s *summary) most() uint64 {
	if s.job.Subject.Self {
		return mostLargeSelf
	}
	return mostLarge
}

// outgrown reports whether the scopes in place of the usual one tell that it has too many states: one of them was given up, or all together have many.
func (s *summary) outgrown() bool {
	if s.sum.States > s.most()/within {
		s.dropped[0].Why += fmt.Sprintf(", and smaller scopes have %d", s.sum.States)
		return true
	}
	return len(s.dropped) > 1
}

// isTooLarge reports whether the search of a large scope has come to a limit. That need not be the one on visited states: executions without end are searched for
// within the same limit.
func (s *summary) isTooLarge(in *Scope, v verdict.Verdict) bool {
	return s.limitOf(in) > 0 && v.Status == verdict.Unknown && v.Cause == verdict.Limited
}

// giveUp records a large scope that was not searched to its end. How far several workers came is a matter of chance, so it is not recorded.
func (s *summary) giveUp(in *Scope, v verdict.Verdict) {
	s.spend(v)
	d := verdict.Dropped{Scope: in.Plain().Name(), Why: v.Reason, States: v.States}
	most := s.limitOf(in)
	if v.States >= most {
		d.Why, d.States = fmt.Sprintf("more than %d states", most), most
	}
	switch {
	case s.large == nil || *in != *s.large:
		s.dropped = append(s.dropped, d)
	case d.States == most:
		s.dropped[0] = d
	default: // another limit, for a scope that has been tried
		s.dropped[0].Why += ", and then: " + d.Why
	}
}

// restart forgets the scopes in place of the usual one, which was searched after all.
func (s *summary) restart() {
	s.large, s.union, s.scope, s.dropped = nil, nil, nil, nil
	s.sum = verdict.Verdict{Effort: verdict.Effort{Seconds: s.sum.Seconds, PeakBytes: s.sum.PeakBytes}}
}
