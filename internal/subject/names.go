// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"slices"

	"pangolin/history"
	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// namesTried is the number of calls in which an operation has to give different values.
const namesTried = 4

// Names lists, as Go writes them, what an operation gives that names something, such as the id of a session: values of one of its results, by
// index, of calls one after the other with the same arguments on one new collection. It is nil if all calls give the same, or the first one
// what is given as an argument anyway: a string or an integer that stands for an int below made.
func (s *Subject) Names(op, result, made int) (names []string) {
	if s.Prog == nil {
		return nil
	}
	anyway := func(v int64) bool { return v >= 0 && v < int64(made) }
	for argument := range int64(2) { // 1 is no empty string
		values := s.given(op, result, argument)
		if len(values) == 0 || anyway(values[0]) || !slices.ContainsFunc(values, func(v int64) bool { return v != values[0] }) {
			continue // such as a sum, which begins with 0 or 1
		}
		for i, v := range values {
			if anyway(v) || slices.Contains(values[:i], v) {
				continue
			}
			if text, ok := s.Operations[op].Literal(result, v); ok {
				names = append(names, text)
			}
		}
		if len(names) > 0 {
			return names
		}
	}
	return nil
}

// given are the ints of a result of calls, one after the other, each argument of which is the same int; up to the first call that does not
// return.
func (s *Subject) given(op, result int, argument int64) (values []int64) {
	img, err := s.Image()
	if err != nil {
		return nil
	}
	opt := interleave.Operations(vm.Hash{})
	opt.NoSymmetry = true
	m := img.NewMachine(opt)
	m.Reset()
	m.Spawn()
	o := &s.Operations[op]
	returned := func() bool {
		m.RunAlone(0, &explore.Choices{})
		return m.Fault() == nil && m.Ended().Kind == vm.Running && m.Idle(0) && m.Panicked(0) == ""
	}
	m.Call(0, s.New, nil)
	if !returned() {
		return nil
	}
	m.SetRoots(m.Results(0)[0])
	var args history.Tuple
	for k, p := range o.Client.Params {
		if p == oracle.ParamThread {
			args = args.With(k, history.IntValue(0))
		} else {
			args = args.With(k, history.IntValue(argument))
		}
	}
	for range namesTried {
		m.Call(0, o.Func, o.Words(nil, m.Root(0), args))
		if !returned() {
			break
		}
		if v := o.Tuple(slices.Clone(m.Results(0))).At(result); v.Kind == history.Int {
			values = append(values, v.Int)
		}
	}
	return values
}
