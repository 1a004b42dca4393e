package pangolin

import (
	"context"
	"fmt"
	"slices"

	"pangolin/internal/client"
	"pangolin/internal/collection"
	"pangolin/internal/consist"
	"pangolin/internal/discover"
	"pangolin/internal/engine"
	"pangolin/internal/subject"
	"pangolin/oracle"
	"pangolin/verdict"
)

// target is a collection that was found, with how it is to be verified.
type target struct {
	*discover.Target
	request *Request // with what the type's directives ask for
	scope   *engine.Scope
	ops     []client.Op
	subject *subject.Subject // nil: not compiled yet
}

// query is the request as package discover wants it.
func (r *Request) query() *discover.Query {
	return &discover.Query{Dir: r.Dir, Packages: r.Packages, Type: r.Type, New: r.New != "", Note: r.Events.note,
		Overrides: func(directives []string) (collection.Overrides, error) {
			d, err := r.directed(directives)
			if err != nil {
				return collection.Overrides{}, err
			}
			return d.overrides()
		}}
}

// overrides is what the request asks of a type, in the words of package collection.
func (r *Request) overrides() (collection.Overrides, error) {
	protocol, err := parseProtocol(r.Protocol)
	if err != nil {
		return collection.Overrides{}, err
	}
	threads, err := r.threads()
	if err != nil {
		return collection.Overrides{}, err
	}
	return collection.Overrides{Threads: threads, New: r.New, Ops: slices.Clone(r.Ops), Kind: oracle.Kind(r.Kind),
		Protocol: protocol, Oracle: r.Oracle}, nil
}

// discover finds what the request is about, and fits the scope to each collection.
func (r *Request) discover(ctx context.Context) ([]*target, error) {
	found, err := r.query().Find(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]*target, len(found))
	for i, f := range found {
		list[i] = &target{Target: f}
		if err := list[i].prepare(r); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
	}
	return list, nil
}

// prepare fits the bounds that a request asks for to the collection.
func (t *target) prepare(r *Request) (err error) {
	if t.request, err = r.directed(t.Directives); err != nil {
		return err
	}
	b, err := t.request.bounds(t.Found.Kind, t.Found.Protocol)
	if err != nil {
		return err
	}
	ops := make([]client.Op, len(t.Found.Operations))
	values := 0
	for i := range t.Found.Operations {
		o := &t.Found.Operations[i]
		ops[i] = o.Client()
		for _, p := range o.Params {
			if p.Values > 0 && (values == 0 || p.Values < values) {
				values = p.Values
			}
		}
	}
	if t.ops, err = client.SetRoles(ops, t.request.Roles); err != nil {
		return err
	}
	b.Fit(t.ops, values, t.request.Scope.PreAdds != "")
	t.scope = b
	for _, op := range t.ops {
		if op.Who.Only > b.Clients.Threads.To {
			return fmt.Errorf("role of %s: there is no thread %d in a scope of %d threads", op.Name, op.Who.Only, b.Clients.Threads.To)
		}
	}
	_, err = client.NewSpace(b.Clients, t.ops)
	return err
}

// order is how the collection is loaded.
func (t *target) order() *subject.Order {
	o := &subject.Order{Listed: t.Listed, Patterns: t.Patterns, Overrides: t.Overrides, Dir: t.request.Dir, Ops: t.ops}
	if t.scope != nil {
		c := &t.scope.Clients
		o.Most = int64(c.Steps.To + c.PreAdds.To + c.Values)
	}
	return o
}

// job is what an engine is asked about the collection, once it is loaded.
func (t *target) job(p consist.Property) (*engine.Job, error) {
	search, err := t.request.search()
	if err != nil {
		return nil, err
	}
	return &engine.Job{Subject: t.subject, Property: p, Scope: *t.scope, Search: search}, nil
}

// describe is the collection for people and scripts.
func (t *target) describe() verdict.Collection {
	c := t.Found
	v := verdict.Collection{Type: "collection", Package: t.Listed.Path, Name: t.Name(), Instance: c.Display, New: c.New,
		Kind: string(c.Kind), Protocol: c.Protocol.String(), Oracle: c.Oracle, Reason: c.Reason, Skipped: []verdict.Skipped{}}
	for i := range c.Operations {
		o := &c.Operations[i]
		v.Operations = append(v.Operations, verdict.Operation{Name: o.Name, Role: string(o.Op.Role), Signature: o.Signature()})
	}
	for _, s := range c.Skipped {
		v.Skipped = append(v.Skipped, verdict.Skipped(s))
	}
	return v
}
