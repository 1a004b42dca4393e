// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"context"

	"pangolin/internal/consist"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/inquiry"
	"pangolin/internal/subject"
)

// Audited is a collection made ready for the tests of histories: with its subject, and
// the options of the search for a property.
type Audited struct {
	Name    string
	Subject *subject.Subject
	Options func(consist.Property) (bounded.Options, error)
}

// Audit compiles the collections of a request.
func Audit(ctx context.Context, r Request) ([]Audited, error) {
	p, err := Prepare(ctx, r)
	if err != nil {
		return nil, err
	}
	var list []Audited
	for _, t := range p.targets {
		as := t.task.Inquiry().Reading()
		s, err := as.Subject(ctx)
		if err != nil {
			return nil, err
		}
		list = append(list, Audited{t.Name(), s, func(p consist.Property) (bounded.Options, error) {
			j, err := (&inquiry.Question{Reading: as, Scope: as.Scopes, Property: p}).Job(ctx)
			if err != nil {
				return bounded.Options{}, err
			}
			return bounded.Options{Job: *j}, nil
		}})
	}
	return list, nil
}

// Keys are those under which the results of a request are kept, for digests of sources and of a Pangolin.
func Keys(ctx context.Context, r Request, sources, tool string) ([]string, error) {
	p, err := Prepare(ctx, r)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, t := range p.targets {
		key, err := t.task.Key(sources, tool)
		if err != nil {
			return nil, err
		}
		list = append(list, key)
	}
	return list, nil
}

// Whole is the key of what a request asks about the packages of another one.
func Whole(ctx context.Context, packages Request) func(Request) (string, error) {
	_, k := packages.kept(ctx)
	return func(r Request) (string, error) { return r.whole(k) }
}
