// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"pangolin/history"
	"pangolin/oracle"
)

// OwnResult reports whether the result of the second of two calls, one after the other, depends on its own argument at, while the first
// call's argument stays the same.
func (s *Subject) OwnResult(op, at int) (bool, error) {
	var args history.Tuple
	for k := range s.Operations[op].Client.Params {
		args = args.With(k, history.IntValue(0))
	}
	first, err := s.Spec.Outcomes(s.Spec.Initial(), oracle.Call{Op: op, Args: args})
	if err != nil || len(first) != 1 {
		return false, err
	}
	var results [2]history.Tuple
	for choice := range results {
		second, err := s.Spec.Outcomes(first[0].Next, oracle.Call{Op: op, Args: args.With(at, history.IntValue(int64(choice)))})
		if err != nil || len(second) != 1 {
			return false, err
		}
		results[choice] = second[0].Result
	}
	return results[0] != results[1], nil
}

// Limits of CallsOnce: the number of calls before the one that is examined, and the number of states in which it is
// examined.
const (
	callsBefore = 3
	mostLooked  = 256
)

// CallsOnce reports whether every call of the operation, after up to callsBefore other calls, calls its function at most
// once.
func (s *Subject) CallsOnce(op int) (bool, error) {
	o, ok := s.Spec.(*self)
	if !ok {
		return false, nil
	}
	counted := 1 // the count of calls is the last result, or the last but that of objects
	if s.Operations[op].Objects {
		counted++
	}
	calls := o.help()
	states := []oracle.State{o.Initial()}
	known := map[oracle.State]bool{states[0]: true}
	for depth := 0; depth <= callsBefore; depth++ {
		var next []oracle.State
		for _, state := range states {
			for _, c := range calls {
				outcomes, err := o.Outcomes(state, oracle.Call{Op: c.Op, Args: c.Args})
				if err != nil {
					return false, err
				}
				for _, out := range outcomes {
					if n := out.Result.Len(); c.Op == op && !out.Result.IsPanic() && out.Result.At(n-counted).Int&0xff > 1 {
						return false, nil
					}
					if !known[out.Next] && len(known) < mostLooked {
						known[out.Next] = true
						next = append(next, out.Next)
					}
				}
			}
		}
		states = next
	}
	return true, nil
}
