// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"context"
	"errors"

	"pangolin/internal/engine"
	"pangolin/internal/find"
	"pangolin/verdict"
)

// Clients counts the clients of a request's scope: for each collection of its packages, or without packages for the usual operations of its
// Kind. With list it also lists them. Extra scopes, which Verify searches only if that is cheap, are not counted.
func Clients(ctx context.Context, r Request, list bool) ([]verdict.Clients, error) {
	if err := r.validate(); err != nil {
		return nil, err
	}
	if len(r.Packages) == 0 && r.Type == "" && r.New == "" {
		c, err := r.clientsOfKind(list)
		return []verdict.Clients{c}, err
	}
	targets, missed, err := r.find(ctx)
	if err == nil {
		err = find.Joined(missed, find.Mistake, find.NotLoaded)
	}
	if err != nil {
		return nil, err
	}
	var out []verdict.Clients
	for _, t := range targets {
		as := t.task.Inquiry().Reading()
		c, err := as.Scopes.Asked().Count(as.Ops, list)
		if err != nil {
			return nil, err
		}
		c.Collection = t.Name()
		out = append(out, c)
	}
	return out, nil
}

// clientsOfKind counts the clients of a kind's usual operations.
func (r *Request) clientsOfKind(list bool) (verdict.Clients, error) {
	if r.Kind == "" || r.Kind == "auto" {
		return verdict.Clients{}, errors.New("the clients of which collection? Name a package, or a kind with Request.Kind")
	}
	protocol, err := find.ParseProtocol(r.Protocol)
	if err != nil {
		return verdict.Clients{}, err
	}
	o, err := engine.Usual(r.Kind, protocol, r.Ops)
	if err != nil {
		return verdict.Clients{}, err
	}
	b, err := r.bounds()
	if err != nil {
		return verdict.Clients{}, err
	}
	u, err := b.Scopes(o)
	if err != nil {
		return verdict.Clients{}, err
	}
	return u.Asked().Count(o, list)
}
