// SPDX-License-Identifier: BSD-3-Clause

package engine

import (
	"pangolin/internal/client"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Scope is the bounds within which a collection is verified; of a program they say nothing.
type Scope struct {
	Preset  string // the configuration that it is; "" if it differs from all
	Clients client.Scope
	Hash    client.Hash
	Preempt int  // bound on preemptions; -1: none
	Fair    bool // only strongly fair cycles count
	Roles   string
	// Beforehand is what restricts the pre-adds, as the clients are listed.
	Beforehand verdict.Beforehand
	// Items is how many items the collection holds at a time, of as many values, for engines that
	// bound nothing else; 0: as many as they like best.
	Items int
	// Extra says that nobody asked for it: it is searched if that is cheap (see DecideUnion).
	Extra bool
	// Dear says of an extra scope that its states may cost a lot.
	Dear bool
}

// HashModel is a model of hash functions in the machine's form.
func HashModel(h client.Hash) vm.Hash {
	if !h.Nondeterministic {
		return vm.Hash{}
	}
	return vm.Hash{Domain: h.Domain, Range: h.Range}
}

// most is how many states an extra scope may come to.
func (s *Scope) most() uint64 {
	if s.Dear {
		return mostDear
	}
	return mostExtra
}

// Plain is the form for verdicts.
func (s *Scope) Plain() verdict.Scope {
	v := s.bounds()
	return verdict.Scope{Bounds: &v}
}

func (s *Scope) bounds() verdict.Bounds {
	c := &s.Clients
	v := verdict.Bounds{
		Preset: s.Preset, Threads: pair(c.Threads), Steps: pair(c.Steps), PreAdds: pair(c.PreAdds), Beforehand: s.Beforehand,
		Values: c.Values, PerThread: c.PerThread, Hash: s.Hash.String(), Fair: s.Fair, Roles: s.Roles,
		Options: verdict.Options{ThreadSymmetry: c.ThreadSymmetry, GenericValues: c.GenericValues,
			AddsDominant: c.AddsDominant, DistinctPriorities: c.DistinctPriorities},
	}
	if c.PerThread > 0 {
		v.Steps = [2]int{c.Threads.From * c.PerThread, c.Threads.To * c.PerThread}
	}
	if s.Preempt >= 0 {
		v.Preempt = &s.Preempt
	}
	return v
}

func pair(r client.Range) [2]int { return [2]int{r.From, r.To} }
