// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"pangolin/history"
	"pangolin/internal/collection"
	"pangolin/internal/front"
	"pangolin/oracle"
)

// userOracle makes the oracle from a type that the user wrote, whose methods are run sequentially. They have the parameters and results
// of the collection's methods. Alternatively, so that several results can be right, each takes the arguments and the observed results,
// and returns whether the results are right (COLLECT, section 2.1):
//
//	func (o *Bag) Take(item int, ok bool) bool
//
// A call that takes effect at two moments has two methods: BeginX with the parameters of X, which returns a ticket, some integers, and EndX,
// which takes the ticket and returns the results of X (consist.Weaker.End).
func (o *Order) userOracle(ctx context.Context, h *driver) (oracle.Spec, error) {
	u, listed, begins, err := o.oracleHarness(ctx, h)
	if err != nil {
		return nil, fmt.Errorf("oracle %s: %w", h.found.Oracle, err)
	}
	s, err := u.subject(ctx, listed, nil)
	if err != nil {
		return nil, fmt.Errorf("oracle %s: %w", h.found.Oracle, err)
	}
	if begins > 0 {
		ends := endsOf(u.found, len(h.found.Operations))
		if len(ends) != begins {
			return nil, fmt.Errorf("the oracle %s does not fit: a method with which a call begins or ends, BeginX or EndX, has the name of an operation of the collection: rename it", h.found.Oracle)
		}
		if err := lasting(h.found, u.found, ends); err != nil {
			return nil, fmt.Errorf("the oracle %s does not fit: %w", h.found.Oracle, err)
		}
		for begin, end := range ends {
			s.Operations[begin].End = end
		}
		return NewSelf(ctx, s, WaitsAlone)
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
func (o *Order) oracleHarness(ctx context.Context, h *driver) (u *driver, listed *front.Listed, begins int, err error) {
	listed = o.Listed
	name, _ := h.found.Oracle.Type()
	if pattern, typ := collection.SplitType(name); typ != "" {
		list, err := front.List(ctx, o.Dir, []string{pattern})
		if err != nil {
			return nil, nil, 0, err
		}
		listed, name = list[0], typ
	}
	u = &driver{overrides: collection.Overrides{Type: name, Kind: collection.Object, Oracle: collection.SelfOracle, Anonymous: true}}
	pkg, err := listed.Types(ctx)
	if err != nil {
		return nil, nil, 0, err
	}
	var ends []string
	for _, op := range h.found.Operations {
		if hasMethod(pkg, name, beginning+op.Name) && hasMethod(pkg, name, end+op.Name) && !hasMethod(pkg, name, op.Name) {
			u.overrides.Ops, ends = append(u.overrides.Ops, beginning+op.Name), append(ends, end+op.Name)
			continue
		}
		u.overrides.Ops = append(u.overrides.Ops, op.Name)
	}
	u.overrides.Ops = append(u.overrides.Ops, ends...)
	return u, listed, len(ends), nil
}

// Prefixes of the methods with which a call of the operation X begins and ends: BeginX, EndX.
const beginning, end = "Begin", "End"

func hasMethod(pkg *types.Package, typ, method string) bool {
	t, ok := pkg.Scope().Lookup(typ).(*types.TypeName)
	if !ok {
		return false
	}
	found, _, _ := types.LookupFieldOrMethod(types.NewPointer(t.Type()), false, pkg, method)
	_, ok = found.(*types.Func)
	return ok
}

// endsOf says which operation of an oracle ends the calls of another one: those behind the first n are ends, in order.
func endsOf(u *collection.Collection, n int) map[int]int {
	ends, next := map[int]int{}, n
	for i := range min(n, len(u.Operations)) {
		if next < len(u.Operations) && u.Operations[next].Name == end+strings.TrimPrefix(u.Operations[i].Name, beginning) && strings.HasPrefix(u.Operations[i].Name, beginning) {
			ends[i] = next
			next++
		}
	}
	return ends
}

// lasting checks that methods with which calls begin and end fit the collection's, as do the others.
func lasting(a, b *collection.Collection, ends map[int]int) error {
	for i := range a.Operations {
		x, y := &a.Operations[i], &b.Operations[i]
		last, lasts := ends[i]
		if !lasts {
			if len(x.Params) != len(y.Params) || len(x.Results) != len(y.Results) || x.Words() != y.Words() {
				return fmt.Errorf("the collection has %s, the oracle %s; give the oracle's method the same parameters and results", x.Signature(), y.Signature())
			}
			continue
		}
		z := &b.Operations[last]
		if len(x.Params) != len(y.Params) || !ticket(y.Results, z.Params) || len(z.Results) != len(x.Results) || z.Words() != x.Words() {
			return fmt.Errorf("the collection has %s, the oracle %s and %s; give the first the same parameters and integers as results, the ticket, and the second the ticket as parameters, of the same types, and the same results", x.Signature(), y.Signature(), z.Signature())
		}
	}
	return nil
}

// ticket reports whether results are integers, and parameters of the same types take them: other values would not come back as they were.
func ticket(results []collection.Result, params []collection.Param) bool {
	return slices.EqualFunc(results, params, func(r collection.Result, p collection.Param) bool {
		return r.Type == p.Type && r.Form == collection.FormValue && r.Codec != nil && r.Codec.Shape == collection.AsInt && p.Codec != nil && p.Codec.Shape == collection.AsInt
	})
}

// sameShape checks that two collections' operations take and return the same.
func sameShape(a, b *collection.Collection) error {
	for i := range a.Operations {
		x, y := &a.Operations[i], &b.Operations[i]
		if len(x.Params) != len(y.Params) || len(x.Results) != len(y.Results) || x.Words() != y.Words() {
			return fmt.Errorf("the collection has %s, the oracle %s; give the oracle's method the same parameters and results, or as parameters the collection's parameters and results, and one result of type bool", x.Signature(), y.Signature())
		}
	}
	return nil
}

// observes checks that each operation of b takes the arguments and results of that of a, and returns one bool.
func observes(a, b *collection.Collection) error {
	for i := range a.Operations {
		x, y := &a.Operations[i], &b.Operations[i]
		if x.Words() != len(x.Results) || len(x.Params)+len(x.Results) != len(y.Params) || len(y.Results) != 1 || y.Results[0].Type != "bool" {
			return errors.New("an oracle's method takes the arguments and the observed results of the collection's method, and returns one bool")
		}
	}
	return nil
}

// observer is an oracle whose methods are given the observed results. It is asked about all results made of integers from -1
// to values.
type observer struct {
	run    oracle.Spec
	a, b   *collection.Collection
	values int64
}

func (o observer) spec() oracle.Spec {
	return &oracle.Functions{Start: o.run.Initial(), Accept: o.accept, Candidates: o.candidates}
}

// candidates lists the results that a call could have.
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

// words lists the result words that a call could have.
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

// accept reports whether the oracle's method accepts the observed results, and the state after it.
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
