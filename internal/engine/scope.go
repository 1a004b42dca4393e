// SPDX-License-Identifier: BSD-3-Clause

package engine

import (
	"encoding/json"

	"pangolin/internal/client"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Scope is the bounds within which a collection is verified; for a program it has no meaning.
type Scope struct {
	Preset  string // name of the configuration, "D"; "" if the scope is none
	Clients client.Scope
	Hash    client.Hash
	Preempt int  // bound on preemptions; -1: none
	Fair    bool // only strongly fair cycles count
	Roles   string
	// Beforehand describes the restrictions on pre-adds.
	Beforehand verdict.Beforehand
	// Keyed: operations take keys, which were 0, 1, … below the number of values.
	Keyed bool
	// Items is the number of items that the collection contains at a time, and of different values, for engines that bound nothing
	// else; 0: the engine chooses.
	Items int
	// Extra: the user has not asked for it; it is searched only if that is cheap (see DecideUnion).
	Extra bool
	// Longer: the user has not asked for it; if its search reaches a limit, the verdict is that of the scopes before it (see DecideUnion).
	Longer bool
	// Dear: states of this extra scope may be expensive.
	Dear bool
	// Large: the user has not asked for it; if it has more states than are usual, the verdict is that of smaller ones in its place (see DecideUnion).
	Large bool
}

// Clients is the number of clients of a space for a verdict; "" if there are infinitely many.
func Clients(space *client.Space) json.Number {
	if n := space.Count(); n != nil {
		return json.Number(n.String())
	}
	return ""
}

// HashModel converts a model of hash functions to the machine's form.
func HashModel(h client.Hash) vm.Hash {
	if !h.Nondeterministic {
		return vm.Hash{}
	}
	return vm.Hash{Domain: h.Domain, Range: h.Range}
}

// most is the limit on the states of an extra scope.
func (s *Scope) most() uint64 {
	if s.Dear {
		return mostDear
	}
	return mostExtra
}

// Plain converts the scope to the form in verdicts.
func (s *Scope) Plain() verdict.Scope {
	v := s.bounds()
	return verdict.Scope{Bounds: &v}
}

func (s *Scope) bounds() verdict.Bounds {
	c := &s.Clients
	v := verdict.Bounds{
		Preset: s.Preset, Threads: pair(c.Threads), Steps: pair(c.Steps), PreAdds: pair(c.PreAdds), Beforehand: s.Beforehand,
		Values: c.Values, PerThread: c.PerThread, Endless: c.Endless, Items: c.Items, Keyed: s.Keyed, Hash: s.Hash.String(), Fair: s.Fair, Roles: s.Roles,
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
