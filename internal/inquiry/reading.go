// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"pangolin/internal/collection"
	"pangolin/internal/engine"
	"pangolin/internal/find"
	"pangolin/internal/subject"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Reading is one way to understand a type: its operations with the threads that may call them, its kind, oracle and protocol, and the
// user's scopes fitted to them. A reading is not changed; its methods return others.
type Reading struct {
	*find.Target
	Ops    *engine.Operations
	Scopes engine.Union
	// Because gives the reasons for which this reading was preferred; they are told with the verdict.
	Because []string
	Unlike  oracle.Kind // the kind that names suggested and that one thread contradicted; "": none

	terms  *Terms
	bounds engine.Bounds // the user's, with roles
	roles  string
	usual  bool // the user has asked for no particular scope
	told   bool // the last of Because is to be told to the user at once
	code   *code
	others map[string]*Reading // readings derived from this one, by what differs
}

// code holds the compiled program of a reading, which is compiled when it is first needed.
type code struct {
	mu      sync.Mutex
	subject *subject.Subject // nil: not compiled yet
	memo    engine.Memo      // what engines have computed about it
}

// read makes the reading of a type under the user's bounds, with roles in place of the user's. Bounds that are defaults are enlarged for an object, and
// besideObjects come before them where the type's own code judges.
func read(found *find.Target, terms *Terms, roles string) (*Reading, error) {
	if role := collection.YearPasses + ":alone"; found.Overrides.Clock == collection.YearsPass && !slices.Contains(strings.Split(roles, ","), role) {
		roles = strings.TrimPrefix(roles+","+role, ",")
	}
	b := terms.Bounds
	b.Roles = roles
	ops, values := found.Operations()
	r := &Reading{Target: found, Ops: &engine.Operations{Kind: found.Found.Kind, Protocol: found.Found.Protocol, List: ops, Values: values, Own: found.Found.Oracle.IsSelf()},
		terms: terms, bounds: b, roles: b.Roles, usual: !terms.Scope, code: &code{}, others: map[string]*Reading{}}
	switch {
	case !r.usual:
	case terms.compiled():
		b.Config = testedScope
	case found.Found.Kind == "object" && !found.Found.Cancels():
		return r, r.longer()
	case r.itself():
		b.Beside = besideObjects
	}
	var err error
	r.Scopes, err = b.Scopes(r.Ops)
	return r, err
}

// testedScope is the usual scope of an engine that tests: longer clients show more, and cost no more.
const testedScope = "3x6"

// besideObjects are the configurations (threads x calls in all) that are searched beside the usual scope of an object, as long as that is cheap.
// Where a type of another kind is judged by its own code, they come before engine.Extras, whose first one, 1x5x3, would take all the work.
//
// 2x4 comes first, because with many values 1x5 takes all the work. In 3x4 two threads can wait for the calls of a third.
var besideObjects = []string{"2x4", "3x4", "1x5"}

// mostLonger is the number of clients up to which a longer scope is taken.
const mostLonger = 4000

// longer chooses the scope of an object if the user has not: two threads that each take something, use it and give it back make six
// calls, so D+2x6 if that has at most mostLonger clients, else fewer calls; four at least if operations return handles. (A context that
// may be cancelled at any moment makes too many states.) The number of clients says little about that of states, so the configurations
// that kill most mutants of objects for their cost (doc/scopes.md) are searched beside it while that is cheap. D is what the verdict is about at
// least: a longer scope whose search reaches a limit is dropped.
func (r *Reading) longer() error {
	for _, config := range []string{"D+2x6", "D+2x5", "D+2x4", "D"} {
		b := r.bounds
		b.Config, b.Beside, b.Chosen = config, besideObjects, true
		var err error
		if r.Scopes, err = b.Scopes(r.Ops); err != nil {
			return err
		}
		asked := r.Scopes.Asked()
		c, err := asked[len(asked)-1:].Count(r.Ops, false)
		if err != nil {
			return err
		}
		n, err := c.Count.Int64()
		if err == nil && n <= mostLonger || len(r.Found.Handles) > 0 && config == "D+2x4" {
			return nil
		}
	}
	return nil
}

// within is the scope of one configuration, "2x3", in place of the usual one, with nothing searched beside it. Values is the number of values that
// arguments have; 0: as many as in the user's bounds.
func (r *Reading) within(config string, values int) (engine.Union, error) {
	b := r.bounds
	if b.Config = config; values > 0 {
		b.Values = values
	}
	u, err := b.Scopes(r.Ops)
	return u.Asked(), err
}

// other returns the reading that find and roles give. The same difference gives the same reading again, so that it is
// compiled once.
func (r *Reading) other(difference, roles string, find func() (*find.Target, error)) (*Reading, error) {
	key := difference + "; roles " + roles
	if o := r.others[key]; o != nil {
		return o, nil
	}
	found, err := find()
	if err != nil {
		return nil, err
	}
	o, err := read(found, r.terms, roles)
	if err != nil {
		return nil, err
	}
	o.Because, o.Unlike = r.Because, r.Unlike
	r.others[key] = o
	return o, nil
}

// derived reports whether the reading with a difference and the same roles was made before.
func (r *Reading) derived(difference string) bool {
	return r.others[difference+"; roles "+r.roles] != nil
}

// found is other with the roles unchanged.
func (r *Reading) found(difference string, find func() (*find.Target, error)) (*Reading, error) {
	return r.other(difference, r.roles, find)
}

// calledBy returns the same reading with other roles for the operations: "Put:1" restricts Put to thread 1.
func (r *Reading) calledBy(roles string) (*Reading, error) {
	return r.other("", roles, func() (*find.Target, error) { return r.Target, nil })
}

// asKind reads the type as another kind; asItself makes its own code the oracle.
func (r *Reading) asKind(ctx context.Context, kind oracle.Kind) (*Reading, error) {
	return r.found("kind "+string(kind), func() (*find.Target, error) { return r.As(ctx, kind, find.Oracle{}) })
}

func (r *Reading) asItself(ctx context.Context) (*Reading, error) {
	return r.found("itself", func() (*find.Target, error) { return r.As(ctx, r.Found.Kind, find.ParseOracle("self")) })
}

// underProtocol reads the type under another protocol. The oracle may change with it; callers compare.
func (r *Reading) underProtocol(ctx context.Context, p oracle.Protocol) (*Reading, error) {
	return r.found("protocol "+p.String(), func() (*find.Target, error) { return r.Target.Under(ctx, p) })
}

// waiting reads the type as one whose named operations wait, under a protocol; nil keeps the protocol that was found.
func (r *Reading) waiting(ctx context.Context, names []string, p *oracle.Protocol) (*Reading, error) {
	protocol := "found"
	if p != nil {
		protocol = p.String()
	}
	return r.found("waiting "+strings.Join(names, ",")+" under "+protocol, func() (*find.Target, error) { return r.Waiting(ctx, names, p) })
}

// because returns the same reading with one more reason, which the user is told at once.
func (r *Reading) because(why string) *Reading {
	o := *r
	o.Because, o.others, o.told = append(r.Because[:len(r.Because):len(r.Because)], why), map[string]*Reading{}, true
	return &o
}

// quietly returns the same reading with one more reason, which only the verdict tells.
func (r *Reading) quietly(why string) *Reading {
	o := r.because(why)
	o.told = false
	return o
}

// unlike returns the same reading with the kind that names suggested and that was not taken.
func (r *Reading) unlike(kind oracle.Kind) *Reading {
	o := *r
	o.Unlike = kind
	return &o
}

// alone returns the same reading without the reasons it has inherited.
func (r *Reading) alone() *Reading {
	o := *r
	o.Because, o.Unlike = nil, ""
	return &o
}

// why is the latest reason, or "".
func (r *Reading) why() string {
	if len(r.Because) == 0 {
		return ""
	}
	return r.Because[len(r.Because)-1]
}

// under returns the same reading on other terms, sharing the compiled code.
func (r *Reading) under(terms *Terms) (*Reading, error) {
	o, err := read(r.Target, terms, terms.Bounds.Roles)
	if err != nil {
		return nil, err
	}
	o.Because, o.Unlike, o.code = r.Because, r.Unlike, r.code
	return o, nil
}

// fresh returns the same reading without compiled code.
func (r *Reading) fresh() *Reading {
	o := *r
	o.code, o.others = &code{}, map[string]*Reading{}
	return &o
}

// Order describes what has to be loaded for the reading.
func (r *Reading) Order() (*subject.Order, error) {
	e, err := r.terms.decides("")
	if err != nil {
		return nil, err
	}
	return &subject.Order{Listed: r.Listed, Patterns: r.Patterns, Overrides: r.Overrides, Dir: r.terms.Dir, Annotated: e.Annotated,
		Ops: r.Ops.List, Most: r.Scopes.Words()}, nil
}

// Subject compiles the reading, once, and adds its reasons to the assumptions.
func (r *Reading) Subject(ctx context.Context) (*subject.Subject, error) {
	r.code.mu.Lock()
	defer r.code.mu.Unlock()
	if r.code.subject == nil {
		order, err := r.Order()
		if err != nil {
			return nil, err
		}
		load := order.Load
		if r.terms.compiled() {
			load = order.Drive
		}
		if r.code.subject, err = load(ctx); err != nil {
			return nil, err
		}
	}
	s := *r.code.subject
	s.Assumptions = slices.Concat(s.Assumptions, r.Because)
	s.About.Unlike = string(r.Unlike)
	return &s, nil
}

// answer is a verdict that no engine has given.
func (r *Reading) answer(status verdict.Status, reason string) verdict.Verdict {
	f := r.Found
	return verdict.Verdict{Type: "verdict", Schema: verdict.Schema, Package: r.Listed.Path,
		Subject: verdict.Subject{Collection: r.Name(), Kind: string(f.Kind), Protocol: f.Protocol.String(), Oracle: f.Oracle.String()},
		Status:  status, Reason: reason, Scope: r.Scopes.Asked().Plain(),
		Effort: verdict.Effort{Clients: "0"}, LeftOut: []verdict.LeftOut{}, Assumptions: append([]string{}, r.Because...)}
}

// unanswered is the verdict if the limit on time was reached before an engine answered.
func (i *Inquiry) unanswered(c Case, p verdict.Property, why error) verdict.Verdict {
	reason := "the limit on time was reached before the search began"
	if !errors.Is(why, context.DeadlineExceeded) {
		reason += ": " + why.Error()
	}
	if c.Yearly != nil && c.Yearly.Agrees() {
		return c.instead(reason).Verdict
	}
	return i.GivenUp(p, reason)
}

// GivenUp is the verdict about a property that nobody has decided, for a reason outside of the code.
func (i *Inquiry) GivenUp(p verdict.Property, why string) verdict.Verdict {
	v := i.Reading().answer(verdict.Unknown, why)
	v.Cause, v.Property = verdict.Limited, string(p)
	return v
}

// ahead compiles in advance. Errors and panics are dropped, because they show again when the code is needed.
func (r *Reading) ahead(ctx context.Context) {
	defer func() { _ = recover() }()
	_, _ = r.Subject(ctx)
}
