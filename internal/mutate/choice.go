// SPDX-License-Identifier: BSD-3-Clause

package mutate

import (
	"fmt"
	"slices"

	"pangolin/internal/mutant"
	"pangolin/verdict"
)

// Choice selects the mutants to try and receives the results.
type Choice struct {
	Only      []int    // by ID; none: all
	Operators []string // none: all
	// Where, if not nil, selects mutants before they are tried: their outcomes are not set.
	Where func(*verdict.Mutant) bool
	// Max is the greatest number of mutants to try, spread evenly over the source; 0: all.
	Max int
	// Baseline is called with the verdict of the unmutated collection.
	Baseline func(verdict.Verdict)
	// Mutant is called for each mutant, in order of ID, from one goroutine at a time.
	Mutant func(verdict.Mutant)
}

// Operators lists the name and description of each mutation operator.
func Operators() [][2]string { return mutant.Operators() }

// validate reports what contradicts itself.
func (o *Choice) validate() error {
	for _, name := range o.Operators {
		if !slices.ContainsFunc(mutant.Operators(), func(op [2]string) bool { return op[0] == name }) {
			return fmt.Errorf("there is no mutation operator %q (pangolin mutate -h lists them)", name)
		}
	}
	if o.Max < 0 {
		return fmt.Errorf("at most %d mutants: want at least 1", o.Max)
	}
	return nil
}

// exist returns an error if a number in Only is not that of a mutant; most is the number of mutants.
func (o *Choice) exist(most int) error {
	for _, id := range o.Only {
		if id < 1 || id > most {
			return fmt.Errorf("there is no mutant %d: the %d mutants of this collection are numbered from 1", id, most)
		}
	}
	return nil
}

func (o *Choice) wants(p *mutant.Mutant) bool {
	switch {
	case len(o.Only) > 0 && !slices.Contains(o.Only, p.ID), len(o.Operators) > 0 && !slices.Contains(o.Operators, p.Operator):
		return false
	case o.Where == nil:
		return true
	}
	m := p.Untried()
	return o.Where(&m)
}

// choose picks the mutants to try.
func (o *Choice) choose(all []*mutant.Mutant) []*mutant.Mutant {
	var out []*mutant.Mutant
	for i := range all {
		if o.wants(all[i]) {
			out = append(out, all[i])
		}
	}
	n := len(out)
	if o.Max == 0 || n <= o.Max {
		return out
	}
	spread := make([]*mutant.Mutant, o.Max)
	for i := range spread {
		spread[i] = out[i*n/o.Max]
	}
	return spread
}
