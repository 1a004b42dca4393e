// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"context"
	"slices"
	"strings"
	"sync"

	"pangolin/internal/engine"
	"pangolin/internal/find"
	"pangolin/internal/subject"
	"pangolin/oracle"
)

// Reading is one way to read a type: its operations with who may call them, its kind, oracle and protocol, and the
// scopes that the user asks for of that. Nothing changes it; its methods give others.
type Reading struct {
	*find.Target
	Ops    *engine.Operations
	Scopes engine.Union
	// Because says why the type is read in this way and in no other one; it is told with the verdict.
	Because []string
	Unlike  oracle.Kind // that names tell and one thread contradicts; "": none

	terms  *Terms
	bounds engine.Bounds // of what is read otherwise: those of the user, with the longer configuration of an object
	roles  string
	usual  bool // nobody has asked for a scope
	told   bool // the last of Because is news
	code   *code
	others map[string]*Reading // made of it, by what is different
}

// code is the reading's, compiled when it is needed.
type code struct {
	mu      sync.Mutex
	subject *subject.Subject // nil: it is not compiled yet
}

// read fits the bounds of the user to a type, and roles to its operations.
func read(found *find.Target, terms *Terms, roles string) (*Reading, error) {
	b := terms.Bounds
	b.Roles = roles
	return within(b, !terms.Scope, found, terms)
}

// within is read within other bounds than the user's; usual says that nobody has asked for them.
func within(b engine.Bounds, usual bool, found *find.Target, terms *Terms) (*Reading, error) {
	ops, values := found.Operations()
	r := &Reading{Target: found, Ops: &engine.Operations{Kind: found.Found.Kind, Protocol: found.Found.Protocol, List: ops, Values: values},
		terms: terms, bounds: b, roles: b.Roles, usual: usual, code: &code{}, others: map[string]*Reading{}}
	if found.Found.Kind == "object" && !found.Found.Cancels() && usual {
		return r, r.longer()
	}
	var err error
	r.Scopes, err = b.Scopes(r.Ops)
	return r, err
}

// besideObjects are searched beside the usual scope of objects.
var besideObjects = []string{"1x5", "2x4"}

// mostLonger is how many clients a longer scope may have.
const mostLonger = 4000

// longer is the scope of objects, unless another one is asked for: two threads that each take
// something, use it and give it back make six calls. (Contexts that are cancelled at any moment
// make too many states for that.) Where that are too many clients there are
// fewer calls; of those that give handles four at least. The number of clients says little of that of states, so
// what kills most mutants of objects for its cost (doc/scopes.md) is searched beside as long as that is cheap.
func (r *Reading) longer() error {
	for _, config := range []string{"D+2x6", "D+2x5", "D+2x4", "D"} {
		r.bounds.Config = config
		b := r.bounds
		b.Beside = besideObjects
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

// other is the type read otherwise; once for the same difference, so that it is compiled once.
func (r *Reading) other(difference, roles string, find func() (*find.Target, error)) (*Reading, error) {
	key := difference + "; roles " + roles
	if o := r.others[key]; o != nil {
		return o, nil
	}
	found, err := find()
	if err != nil {
		return nil, err
	}
	b := r.bounds
	b.Roles = roles
	o, err := within(b, r.usual && b.Config == r.terms.Bounds.Config, found, r.terms)
	if err != nil {
		return nil, err
	}
	o.Because, o.Unlike = r.Because, r.Unlike
	r.others[key] = o
	return o, nil
}

// found is other, with the operations' roles as they are.
func (r *Reading) found(difference string, find func() (*find.Target, error)) (*Reading, error) {
	return r.other(difference, r.roles, find)
}

// Called by roles is the same reading whose operations have other roles: "Put:1".
func (r *Reading) calledBy(roles string) (*Reading, error) {
	return r.other("", roles, func() (*find.Target, error) { return r.Target, nil })
}

// asKind is the type taken for another kind, and asItself judged by its own code.
func (r *Reading) asKind(ctx context.Context, kind oracle.Kind) (*Reading, error) {
	return r.found("kind "+string(kind), func() (*find.Target, error) { return r.As(ctx, kind, find.Oracle{}) })
}

func (r *Reading) asItself(ctx context.Context) (*Reading, error) {
	return r.found("itself", func() (*find.Target, error) { return r.As(ctx, r.Found.Kind, find.ParseOracle("self")) })
}

// under a protocol; nil if another oracle would judge that.
func (r *Reading) underProtocol(ctx context.Context, p oracle.Protocol) (*Reading, error) {
	return r.found("protocol "+p.String(), func() (*find.Target, error) { return r.Target.Under(ctx, p) })
}

// waiting is the type under a protocol (nil: found) whose operations wait.
func (r *Reading) waiting(ctx context.Context, names []string, p *oracle.Protocol) (*Reading, error) {
	protocol := "found"
	if p != nil {
		protocol = p.String()
	}
	return r.found("waiting "+strings.Join(names, ",")+" under "+protocol, func() (*find.Target, error) { return r.Waiting(ctx, names, p) })
}

// because is the same reading with one reason more, which is news.
func (r *Reading) because(why string) *Reading {
	o := *r
	o.Because, o.others, o.told = append(r.Because[:len(r.Because):len(r.Because)], why), map[string]*Reading{}, true
	return &o
}

// quietly is the same reading with one reason more that is no news.
func (r *Reading) quietly(why string) *Reading {
	o := r.because(why)
	o.told = false
	return o
}

// unlike is the same reading, taken though names tell a kind.
func (r *Reading) unlike(kind oracle.Kind) *Reading {
	o := *r
	o.Unlike = kind
	return &o
}

// alone is the same reading without the reasons for others of which it was made.
func (r *Reading) alone() *Reading {
	o := *r
	o.Because, o.Unlike = nil, ""
	return &o
}

// why is the last reason.
func (r *Reading) why() string {
	if len(r.Because) == 0 {
		return ""
	}
	return r.Because[len(r.Because)-1]
}

// under is the same reading on other terms, which is not compiled again.
func (r *Reading) under(terms *Terms) (*Reading, error) {
	o, err := read(r.Target, terms, terms.Bounds.Roles)
	if err != nil {
		return nil, err
	}
	o.Because, o.Unlike, o.code = r.Because, r.Unlike, r.code
	return o, nil
}

// fresh is the same reading, not compiled.
func (r *Reading) fresh() *Reading {
	o := *r
	o.code, o.others = &code{}, map[string]*Reading{}
	return &o
}

// Order is how the reading is loaded.
func (r *Reading) Order() (*subject.Order, error) {
	e, err := r.terms.decides("")
	if err != nil {
		return nil, err
	}
	return &subject.Order{Listed: r.Listed, Patterns: r.Patterns, Overrides: r.Overrides, Dir: r.terms.Dir, Annotated: e.Annotated,
		Ops: r.Ops.List, Most: r.Scopes.Words()}, nil
}

// Subject is the reading compiled, with its reasons.
func (r *Reading) Subject(ctx context.Context) (*subject.Subject, error) {
	r.code.mu.Lock()
	defer r.code.mu.Unlock()
	if r.code.subject == nil {
		order, err := r.Order()
		if err != nil {
			return nil, err
		}
		if r.code.subject, err = order.Load(ctx); err != nil {
			return nil, err
		}
	}
	s := *r.code.subject
	s.Assumptions = slices.Concat(s.Assumptions, r.Because)
	s.About.Unlike = string(r.Unlike)
	return &s, nil
}

// ahead compiles for later. What goes wrong goes wrong again when it is needed.
func (r *Reading) ahead(ctx context.Context) {
	defer func() { _ = recover() }()
	_, _ = r.Subject(ctx)
}
