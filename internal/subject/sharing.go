// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"pangolin/history"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// mostForFact is the work of the machine, in instructions, that one question about calls one after the other may take: a second or so. A call beside which
// goroutines of earlier ones run may have any number of states.
const mostForFact = 1 << 28

// oneByOne lets ask make calls, one after the other, with an oracle self of its own, until the context is over or the work is too much: then
// the error wraps ErrUndecided. Of another oracle ask is not called.
func (s *Subject) oneByOne(ctx context.Context, ask func(o *self) error) error {
	limited, stop := context.WithCancel(ctx)
	defer stop()
	fresh, err := s.Metered(vm.NewMeter(mostForFact, stop))
	if err != nil {
		return err
	}
	o, ok := fresh.Spec.(*self)
	if !ok {
		return nil
	}
	Within(limited, o, 0)
	return Settled(o, func() error { return ask(o) })
}

// OwnResult reports whether the result of the second of two calls, one after the other, depends on its own argument at, while the first
// call's argument stays the same. If both have the same arguments, both have to tell their functions the same, as often.
func (s *Subject) OwnResult(ctx context.Context, op, at int) (own bool, err error) {
	err = s.oneByOne(ctx, func(o *self) (err error) {
		own, err = o.ownResult(op, at)
		return err
	})
	return own, err
}

func (o *self) ownResult(op, at int) (bool, error) {
	var args history.Tuple
	for k := range o.subject.Operations[op].Client.Params {
		args = args.With(k, history.IntValue(0))
	}
	first, err := o.Outcomes(o.Initial(), oracle.Call{Op: op, Args: args})
	if err != nil || len(first) != 1 {
		return false, err
	}
	var results [2]history.Tuple
	for choice := range results {
		second, err := o.Outcomes(first[0].Next, oracle.Call{Op: op, Args: args.With(at, history.IntValue(int64(choice)))})
		if err != nil || len(second) != 1 {
			return false, err
		}
		results[choice] = second[0].Result
	}
	return results[0] != results[1] && o.recordOf(op, first[0].Result) == o.recordOf(op, results[0]), nil
}

// Limits of CallsOnce: the number of calls before the one that is examined, how many of them at least if the work is too much for all, and the
// number of states in which it is examined.
const (
	callsBefore  = 3
	fewestBefore = 1
	mostLooked   = 256
)

// facts are what has become known of the code.
type facts struct {
	bound  atomic.Int64 // on the names of objects, see Calls; 0: not known
	counts atomic.Bool  // what CountsAddresses reports

	mu   sync.Mutex
	once []bool // of each operation, whether it calls its function at most once; nil: it was not asked
}

// CallsOnce reports whether every call of the operation, after up to callsBefore other calls, calls its function at most
// once.
func (s *Subject) CallsOnce(ctx context.Context, op int) (bool, error) {
	o, ok := s.Spec.(*self)
	if !ok {
		return false, nil
	}
	o.known.mu.Lock()
	defer o.known.mu.Unlock()
	if o.known.once == nil {
		var once []bool
		err := s.oneByOne(ctx, func(fresh *self) (err error) {
			once, err = fresh.callingOnce()
			return err
		})
		if err != nil && (once == nil || ctx.Err() != nil) {
			return false, err
		}
		o.known.once = once
	}
	return o.known.once[op], nil
}

// callingOnce tells of each operation whether its calls call its function at most once. Beside an error that wraps ErrUndecided it tells it of fewer
// calls before, fewestBefore at least, or nothing.
func (o *self) callingOnce() ([]bool, error) {
	once := slices.Repeat([]bool{true}, len(o.subject.Operations))
	calls := o.help()
	states := []oracle.State{o.Initial()}
	known := map[oracle.State]bool{states[0]: true}
	for depth := 0; depth <= callsBefore; depth++ {
		var next []oracle.State
		for _, state := range states {
			for _, c := range calls {
				outcomes, err := o.Outcomes(state, oracle.Call{Op: c.Op, Args: c.Args})
				switch {
				case err != nil && depth > fewestBefore && errors.Is(err, ErrUndecided):
					return once, err
				case err != nil:
					return nil, err
				}
				for _, out := range outcomes {
					once[c.Op] = once[c.Op] && o.countOf(c.Op, out.Result) <= 1
					if !known[out.Next] && len(known) < mostLooked {
						known[out.Next] = true
						next = append(next, out.Next)
					}
				}
			}
		}
		states = next
	}
	return once, nil
}

// countOf is how often a call with such a result has called its function. It is 0 of a call that panicked.
func (o *self) countOf(op int, r history.Tuple) int64 { return o.recordOf(op, r) & 0xff }

// recordOf is the record of a call's functions in such a result: how often they were called, and with what. It is the last result, or the last but that of
// objects; 0 of a call that panicked.
func (o *self) recordOf(op int, r history.Tuple) int64 {
	last := r.Len() - 1
	if o.subject.Operations[op].Objects {
		last--
	}
	if last < 0 || r.IsPanic() {
		return 0
	}
	return r.At(last).Int
}
