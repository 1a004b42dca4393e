package subject

import (
	"pangolin/history"
	"pangolin/oracle"
)

// OwnResult says that of two calls of an operation, one after the other, what the second one gives
// depends on its argument at a place, whatever the first one was given there.
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
