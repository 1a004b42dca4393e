package pangolin

import (
	"context"
	"errors"
	"fmt"

	"pangolin/history"
	"pangolin/internal/collection"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/front"
	"pangolin/oracle"
)

// userOracle runs the methods of a type of the user's own, sequentially, as the
// oracle. They take and return what the collection's methods do; or, so that several
// results can be right, they all take the observed results as further arguments and say
// whether those are (COLLECT, section 2.1):
//
//	func (o *Bag) Take(item int, ok bool) bool
func (t *target) userOracle(ctx context.Context, h *harness) (oracle.Spec, error) {
	o, listed, err := t.oracleHarness(ctx, h)
	if err != nil {
		return nil, fmt.Errorf("oracle %s: %w", h.found.Oracle, err)
	}
	s, err := o.subject(ctx, listed, nil)
	if err != nil {
		return nil, fmt.Errorf("oracle %s: %w", h.found.Oracle, err)
	}
	same, observing := sameShape(h.found, o.found), observes(h.found, o.found)
	if same != nil && observing != nil {
		return nil, fmt.Errorf("the oracle %s does not fit: %w", h.found.Oracle, same)
	}
	run, err := bounded.NewSelf(s)
	if err != nil || same == nil {
		return run, err
	}
	b := &t.bounds.scope
	return observer{run, h.found, o.found, int64(b.Steps.To + b.PreAdds.To + b.Values)}.spec(), nil
}

// oracleHarness finds the oracle's type, in the collection's package or another.
func (t *target) oracleHarness(ctx context.Context, h *harness) (*harness, *front.Listed, error) {
	name, listed := h.found.Oracle, t.listed
	if pattern, typ := splitType(name); typ != "" {
		list, err := front.List(ctx, t.request.Dir, []string{pattern})
		if err != nil {
			return nil, nil, err
		}
		listed, name = list[0], typ
	}
	o := &harness{overrides: collection.Overrides{Type: name, Kind: collection.Object, Oracle: collection.SelfOracle}}
	for _, op := range h.found.Operations {
		o.overrides.Ops = append(o.overrides.Ops, op.Name)
	}
	return o, listed, nil
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
