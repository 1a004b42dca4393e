package pangolin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/discover"
	"pangolin/internal/engine"
	"pangolin/internal/engines"
	"pangolin/internal/subject"
	"pangolin/oracle"
	"pangolin/verdict"
)

// target is a collection that was found, with how it is to be verified.
type target struct {
	*discover.Target
	request    *Request // with what the type's directives ask for
	scopes     engine.Union
	operations *engine.Operations
	subject    *subject.Subject                 // nil: not compiled yet
	ahead      func() (*subject.Subject, error) // waits for its compilation, which has begun; nil: it has not
	whole      *target                          // with all operations, judged by the same code; nil: not found yet
	annotated  bool                             // the directives of its policy are compiled as well
	unlike     oracle.Kind                      // that the names of its methods tell, and that one thread contradicts; "": none
	usual      bool                             // nobody has asked for a scope
}

// query is the request as package discover wants it.
func (r *Request) query() *discover.Query {
	return &discover.Query{Dir: r.Dir, Packages: r.Packages, Type: r.Type, Tests: r.Tests, New: r.New+r.Prefix != "", Note: r.Events.note,
		Overrides: func(directives []string) (discover.Wishes, error) {
			d, err := r.directed(directives)
			if err != nil {
				return discover.Wishes{}, err
			}
			return d.wishes()
		}}
}

// wishes is what the request asks of a type.
func (r *Request) wishes() (discover.Wishes, error) {
	protocol, err := oracle.ParseProtocol(r.Protocol)
	if err != nil {
		return discover.Wishes{}, err
	}
	b, err := r.bounds()
	if err != nil {
		return discover.Wishes{}, err
	}
	threads, err := b.MostThreads()
	given, failed := parseGiven(r.Give)
	if failed != nil {
		return discover.Wishes{}, failed
	}
	by := r.Oracle.read()
	if (r.Prefix != "" || given != nil) && by.IsAuto() {
		by = Oracle("self").read() // others begin with what is empty, and do not know what functions do
	}
	return discover.Wishes{Threads: threads, New: r.New, Prefix: r.Prefix, Ops: slices.Clone(r.Ops), Kind: oracle.Kind(r.Kind),
		Protocol: protocol, Oracle: by, Given: given}, err
}

// discover finds what the request is about, and fits the scope to each collection. If
// something is wrong with some, the error comes with the others.
func (r *Request) discover(ctx context.Context) ([]*target, error) {
	found, err := r.query().Find(ctx)
	var list []*target
	for _, f := range found {
		t := &target{Target: f}
		failed := t.widen(ctx, r)
		if failed == nil {
			failed = t.prepare(r)
		}
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", f.Name(), failed))
			continue
		}
		list = append(list, t)
	}
	return list, err
}

// widen takes all operations, judged by the same code, if the roles name one that the oracle of the kind does not know.
func (t *target) widen(ctx context.Context, r *Request) error {
	d, err := r.directed(t.Directives)
	if err != nil {
		return err
	}
	named := slices.ContainsFunc(t.Found.More, func(name string) bool {
		return slices.ContainsFunc(strings.Split(d.Roles, ","), func(role string) bool { return strings.HasPrefix(strings.TrimSpace(role), name+":") })
	})
	if by := d.Oracle.read(); !named || len(d.Ops) > 0 || !by.IsAuto() && !by.IsSelf() {
		return nil
	}
	t.Target, err = t.Whole(ctx)
	return err
}

// prepare fits the bounds that a request asks for to the collection.
func (t *target) prepare(r *Request) (err error) {
	if t.request, err = r.directed(t.Directives); err != nil {
		return err
	}
	e, err := t.request.engine(false)
	if err != nil {
		return err
	}
	t.annotated = e.Annotated
	ops, values := t.Operations()
	t.operations = &engine.Operations{Kind: t.Found.Kind, Protocol: t.Found.Protocol, List: ops, Values: values}
	t.usual = t.request.Scope == (Scope{})
	if t.Found.Kind == "object" && !t.Found.Cancels() && t.request.Scope == (Scope{}) {
		return t.longer()
	}
	b, err := t.request.bounds()
	if err != nil {
		return err
	}
	t.scopes, err = b.Scopes(t.operations)
	return err
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
func (t *target) longer() error {
	for _, config := range []string{"D+2x6", "D+2x5", "D+2x4", "D"} {
		t.request.Scope.Config = config
		b, err := t.request.bounds()
		if err != nil {
			return err
		}
		b.Beside = besideObjects
		if t.scopes, err = b.Scopes(t.operations); err != nil {
			return err
		}
		asked := t.scopes.Asked()
		c, err := asked[len(asked)-1:].Count(t.operations, false)
		if err != nil {
			return err
		}
		n, err := c.Count.Int64()
		if err == nil && n <= mostLonger || len(t.Found.Handles) > 0 && config == "D+2x4" {
			return nil
		}
	}
	return nil
}

// order is how the collection is loaded.
func (t *target) order() *subject.Order {
	o := &subject.Order{Listed: t.Listed, Patterns: t.Patterns, Overrides: t.Overrides, Dir: t.request.Dir, Annotated: t.annotated}
	if t.scopes != nil { // a witness has none
		o.Ops, o.Most = t.operations.List, t.scopes.Words()
	}
	return o
}

// job is what an engine is asked about the collection, once it is loaded, in the first of
// its scopes.
func (t *target) job(p verdict.Property) (*engine.Job, error) {
	search, err := t.request.search()
	if err != nil {
		return nil, err
	}
	return &engine.Job{Subject: t.subject, Property: p, Scope: t.scopes[0], Search: search}, nil
}

// decide asks the engine.
func (t *target) decide(ctx context.Context, p verdict.Property) (verdict.Verdict, error) {
	e, err := t.request.decides(p)
	if err != nil {
		return verdict.Verdict{}, err
	}
	j, err := t.job(p)
	if err != nil {
		return verdict.Verdict{}, err
	}
	j.Small = !t.request.Search.AsFound
	v, err := e.DecideUnion(ctx, j, t.scopes, t.request.events(t.Name(), string(p)))
	if err == nil && j.Checks && v.Status == verdict.Proved {
		err = t.assert(ctx, j, &v)
	}
	return v, err
}

// assert puts what a proof says of threads into the source.
func (t *target) assert(ctx context.Context, j *engine.Job, v *verdict.Verdict) error {
	e, err := engines.Find(v.Engine, false)
	if err != nil {
		return err
	}
	if e.Assert == nil {
		return fmt.Errorf("the method %s gives no assertions: choose the method cmp", v.Engine)
	}
	v.Proof.Assertions, err = e.Assert(ctx, t.order(), j, v)
	return err
}
