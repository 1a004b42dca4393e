// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"context"
	"errors"
	"fmt"

	"pangolin/history"
	"pangolin/internal/collection"
	"pangolin/internal/front"
	"pangolin/oracle"
)

// userOracle runs the methods of a type of the user's own, sequentially, as the
// oracle. They take and return what the collection's methods do; or, so that several
// results can be right, they all take the observed results as further arguments and say
// whether those are (COLLECT, section 2.1):
//
//	func (o *Bag) Take(item int, ok bool) bool
func (o *Order) userOracle(ctx context.Context, h *driver) (oracle.Spec, error) {
	u, listed, err := o.oracleHarness(ctx, h)
	if err != nil {
		return nil, fmt.Errorf("oracle %s: %w", h.found.Oracle, err)
	}
	s, err := u.subject(ctx, listed, nil)
	if err != nil {
		return nil, fmt.Errorf("oracle %s: %w", h.found.Oracle, err)
	}
	same, observing := sameShape(h.found, u.found), observes(h.found, u.found)
	if same != nil && observing != nil {
		return nil, fmt.Errorf("the oracle %s does not fit: %w", h.found.Oracle, same)
	}
	run, err := NewSelf(ctx, s, WaitsAlone)
	if err != nil || same == nil {
		return run, err
	}
	return observer{run, h.found, u.found, o.Most}.spec(), nil
}

// oracleHarness finds the oracle's type, in the collection's package or another.
func (o *Order) oracleHarness(ctx context.Context, h *driver) (*driver, *front.Listed, error) {
	listed := o.Listed
	name, _ := h.found.Oracle.Type()
	if pattern, typ := collection.SplitType(name); typ != "" {
		list, err := front.List(ctx, o.Dir, []string{pattern})
		if err != nil {
			return nil, nil, err
		}
		listed, name = list[0], typ
	}
	u := &driver{overrides: collection.Overrides{Type: name, Kind: collection.Object, Oracle: collection.SelfOracle, Anonymous: true}}
	for _, op := range h.found.Operations {
		u.overrides.Ops = append(u.overrides.Ops, op.Name)
	}
	return u, listed, nil
}

// sameShape checks that two collections' operations take and return the same.
func sameShape(a, b *collection.Collection) error {
	for i := range a.Operations {
		x, y := &a.Operations[i], &b.Operations[i]
		if len(x.Params) != len(y.Params) || len(x.Results) != len(y.Results) || x.Words() != y.Words() {
			return fmt.Errorf("the collection has %s, the oracle %s", x.Signature(), y.Signature())
		}
	}
	return nil
}

// observes checks that b's operations take what a's take and return, and return one
// bool.
func observes(a, b *collection.Collection) error {
	for i := range a.Operations {
		x, y := &a.Operations[i], &b.Operations[i]
		if x.Words() != len(x.Results) || len(x.Params)+len(x.Results) != len(y.Params) || len(y.Results) != 1 || y.Results[0].Type != "bool" {
			return errors.New("not told what is observed")
		}
	}
	return nil
}

// observer is an oracle that is told the observed results. It is asked about all
// results of integers from -1 to most.
type observer struct {
	run    oracle.Spec
	a, b   *collection.Collection
	values int64
}

func (o observer) spec() oracle.Spec {
	return &oracle.Functions{Start: o.run.Initial(), Accept: o.accept, Candidates: o.candidates}
}

// candidates lists the results that a call could have, as the collection's history
// has them.
func (o observer) candidates(c oracle.Call) []history.Tuple {
	var out []history.Tuple
	for _, words := range o.words(c.Op) {
		bits := make([]uint64, len(words))
		for i, w := range words {
			bits[i] = uint64(w)
		}
		out = append(out, o.a.Operations[c.Op].Tuple(bits))
	}
	return out
}

// words lists the result words of an operation.
func (o observer) words(op int) [][]int64 {
	lists := [][]int64{nil}
	x, y := &o.a.Operations[op], &o.b.Operations[op]
	for i := range x.Results {
		from, to := int64(-1), o.values
		if y.Params[len(x.Params)+i].Values == 2 { // a bool
			from, to = 0, 1
		}
		var longer [][]int64
		for _, l := range lists {
			for v := from; v <= to; v++ {
				longer = append(longer, append(l[:len(l):len(l)], v))
			}
		}
		lists = longer
	}
	return lists
}

// accept runs the oracle's method with the arguments and the observed results.
func (o observer) accept(s oracle.State, c oracle.Call, observed history.Tuple) (oracle.State, bool, error) {
	args := c.Args
	for i := range observed.Len() {
		args = args.Append(history.IntValue(observed.At(i).Int))
	}
	outcomes, err := o.run.Outcomes(s, oracle.Call{Op: c.Op, Args: args})
	if err != nil {
		return "", false, err
	}
	for _, out := range outcomes {
		if out.Result == history.Of(history.BoolValue(true)) {
			return out.Next, true, nil
		}
	}
	return "", false, nil
}
