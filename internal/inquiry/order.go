// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"

	"pangolin/internal/collection"
	"pangolin/internal/find"
)

// Order decides whether a priority queue gives the smallest or the largest first, where no name tells it.
//
// Push and Pop of a heap say neither. A heap that gives what it should for one thread in one of the two orders is held against that; one that does so in neither, such as a
// queue by deadlines with ties by age, is judged by its own code, which sees nothing that one thread does wrong.
var Order = Rule{
	Name: "order",
	Doc: "No name tells whether Pop of a priority queue takes the smallest or the largest. One thread is asked about either, of structs also with fields that vary together (\"some fields alone\"); " +
		"the first with which it agrees is taken. If it agrees with neither, the type's own code judges.",
	Before: true, First: true,
	When: func(c Case) bool { return c.open() && c.Reading.OrderUnclear() != "" },
	Ask: firstAgreeing(func(c Case) (list []*Reading) {
		for _, order := range []string{collection.Smallest, collection.Largest} {
			list = append(list, c.Reading.ordered(c, order)...)
		}
		return list
	}),
	Conclude: func(c Case, so []Answer) Case {
		r, ok := agreed(so)
		if !ok {
			return c
		}
		why := fmt.Sprintf("%s takes the %s first, as one thread sees (in %s)", c.Reading.OrderUnclear(), r.Overrides.Order, so[len(so)-1].Verdict.Scope.Name())
		if r.Overrides.Together {
			why += ", by some fields alone"
		}
		return c.take(r, why)
	},
}

// ordered are the readings of a priority queue that gives its items in an order, judged by the kind's oracle; the second one is by some fields alone. None: it cannot be read so.
func (r *Reading) ordered(c Case, order string) []*Reading {
	o, err := r.found("order "+order, func() (*find.Target, error) { return r.Target.Ordered(c.ctx, order) })
	if err != nil || o.itself() {
		return nil
	}
	return append([]*Reading{o}, o.together(c)...)
}
