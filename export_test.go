package pangolin

import (
	"context"

	"pangolin/internal/consist"
	"pangolin/internal/engine/bounded"
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
		if t.subject, err = t.order().Load(ctx); err != nil {
			return nil, err
		}
		list = append(list, Audited{t.Name(), t.subject, func(p consist.Property) (bounded.Options, error) {
			j, err := t.job(p)
			if err != nil {
				return bounded.Options{}, err
			}
			return bounded.OptionsOf(j), nil
		}})
	}
	return list, nil
}
