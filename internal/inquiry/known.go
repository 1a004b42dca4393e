// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"slices"

	"pangolin/internal/collection"
	"pangolin/internal/find"
)

// Known gives operations the ids that another operation of the type returns.
//
// Create returns the id of a session, "s1", and Put(id, key, value) takes one. Nobody makes up an id that exists, so that each Put is refused, and
// whatever it does to a session was never executed.
var Known = Rule{
	Name: "known values",
	Doc: "An operation, called again and again by one thread, gives strings or integers that no call is given otherwise, such as ids of sessions, and others take arguments of that type. " +
		"They are given the first two that it gives, in all that is asked from then on; the verdict says so.",
	Before: true, First: true,
	When: func(c Case) bool { return c.open() && c.Reading.itself() && len(c.Reading.Overrides.Known) == 0 },
	Conclude: func(c Case, _ []Answer) Case {
		known := c.Reading.known(c.Facts)
		if len(known) == 0 {
			return c
		}
		r, err := c.Reading.found("known values", func() (*find.Target, error) { return c.Reading.Knowing(c.ctx, known) })
		if err != nil {
			return c
		}
		return c.take(r, "")
	},
}

// known are the values that operations return and others are to be given.
func (r *Reading) known(f Facts) (list []collection.Known) {
	made := 0
	for _, s := range r.Scopes {
		made = max(made, s.Clients.Values)
	}
	for i := range r.Found.Operations {
		for j := range r.Found.Operations[i].Results {
			takers := r.Found.Takers(i, j)
			if len(takers) == 0 {
				continue
			}
			names := f.Names(i, j, made)
			if len(names) == 0 {
				continue
			}
			for _, t := range takers {
				k := collection.Known{Operation: r.Found.Operations[t.Operation].Name, Param: t.Param, Values: t.Codec.Known(names), By: r.Found.Operations[i].Name}
				if !slices.ContainsFunc(list, func(o collection.Known) bool { return o.Operation == k.Operation && o.Param == k.Param }) {
					list = append(list, k)
				}
			}
		}
	}
	return list
}
