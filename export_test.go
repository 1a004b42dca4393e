package pangolin

import (
	"context"

	"pangolin/internal/consist"
	"pangolin/internal/engine/bounded"
)

// Audited is a collection made ready for the tests of histories: with its subject, and
// the options of the search for a property.
type Audited struct {
	Name    string
	Subject *bounded.Subject
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
		l, err := t.load(ctx)
		if err != nil {
			return nil, err
		}
		list = append(list, Audited{t.name(), l.subject, t.options})
	}
	return list, nil
}
