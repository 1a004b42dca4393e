package pangolin

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"pangolin/internal/client"
	"pangolin/internal/engine"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Clients counts the clients of a request's scope: for each collection of its
// packages, or without packages for the usual operations of its Kind. With list it
// lists them as well.
func Clients(ctx context.Context, r Request, list bool) ([]verdict.Clients, error) {
	if err := r.validate(); err != nil {
		return nil, err
	}
	if len(r.Packages) == 0 && r.Type == "" && r.New == "" {
		return r.clientsOfKind(list)
	}
	targets, err := r.discover(ctx)
	if err != nil {
		return nil, err
	}
	var out []verdict.Clients
	for _, t := range targets {
		c, err := clients(t.scope, t.ops, list)
		if err != nil {
			return nil, err
		}
		c.Collection, c.Kind = t.Name(), string(t.Found.Kind)
		out = append(out, c)
	}
	return out, nil
}

// clientsOfKind counts without a collection.
func (r *Request) clientsOfKind(list bool) ([]verdict.Clients, error) {
	if r.Kind == "" || r.Kind == "auto" {
		return nil, fmt.Errorf("clients of what? name a package, or a kind with Request.Kind")
	}
	protocol, err := parseProtocol(r.Protocol)
	if err != nil {
		return nil, err
	}
	if protocol == nil {
		protocol = &oracle.Protocol{Kind: oracle.Nonblocking}
	}
	kind := oracle.Kind(r.Kind)
	ops := client.DefaultOps(kind)
	if ops == nil {
		return nil, fmt.Errorf("the kind %q has no usual operations: name a package", r.Kind)
	}
	if ops, err = choose(ops, r.Ops); err != nil {
		return nil, err
	}
	if ops, err = client.SetRoles(ops, r.Roles); err != nil {
		return nil, err
	}
	b, err := r.bounds(kind, *protocol)
	if err != nil {
		return nil, err
	}
	b.Fit(ops, 0, r.Scope.PreAdds != "")
	c, err := clients(b, ops, list)
	c.Kind = r.Kind
	return []verdict.Clients{c}, err
}

// choose keeps the operations with the given names; all if there are none.
func choose(ops []client.Op, names []string) ([]client.Op, error) {
	if len(names) == 0 {
		return ops, nil
	}
	var out []client.Op
	for _, name := range names {
		i := slices.IndexFunc(ops, func(o client.Op) bool { return o.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no operation %s", name)
		}
		out = append(out, ops[i])
	}
	return out, nil
}

func clients(b *engine.Scope, ops []client.Op, list bool) (verdict.Clients, error) {
	space, err := client.NewSpace(b.Clients, ops)
	if err != nil {
		return verdict.Clients{}, err
	}
	c := verdict.Clients{Type: "clients", Scope: b.Plain(), Count: json.Number(space.Count().String())}
	if list {
		c.List = []string{}
		for one := range space.All() {
			c.List = append(c.List, space.Format(one))
		}
	}
	return c, nil
}
