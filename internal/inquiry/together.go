// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"

	"pangolin/internal/collection"
	"pangolin/internal/find"
	"pangolin/oracle"
)

// Together asks whether values count by some of their fields alone: users of a set by their IDs, jobs of a priority queue by their times.
//
// A set that forgets to look at a field is not told from one that is meant to look at one alone, so the verdict says that values which differ in one field were taken for the same. What a
// queue, a stack or a register gives has to be the whole value, so there a contradiction stays.
var Together = Rule{
	Name: "some fields alone",
	Doc: "One thread contradicts a set, a map or a priority queue of structs, of which two fields vary by themselves: {ID: 0, Name: \"\"} and {ID: 0, Name: \"w02\"} are the same to a set by ID, and a priority queue by time knows nothing of names. " +
		"One thread is asked again with fields that vary together (of a priority queue, without bools and constants that vary). What agrees then is taken, and the verdict says that some fields alone count.",
	When: wrongOfKind,
	Ask: firstAgreeing(func(c Case) []*Reading {
		if r := c.Reading.together(c); r != nil {
			return []*Reading{r}
		}
		return nil
	}),
	Conclude: taking(func(c Case, r *Reading, client string) (*Reading, string) {
		tells := "tell values of type %s apart"
		if r.Found.Kind == oracle.PQueue {
			tells = "order values of type %s"
		}
		return r, fmt.Sprintf("some fields alone "+tells+", as one thread sees (%s)", c.Reading.varying(), client)
	}),
}

// together is the same reading with fields that vary together; nil: some fields alone cannot count, or none vary by themselves.
func (r *Reading) together(c Case) *Reading {
	if !slices.Contains([]oracle.Kind{oracle.Set, oracle.Map, oracle.PQueue}, r.Found.Kind) || r.Overrides.Together || r.varying() == "" {
		return nil
	}
	o, err := r.found("together", func() (*find.Target, error) { return r.Target.Together(c.ctx) })
	if err != nil {
		return nil
	}
	return o
}

// varying is the type of a struct that operations are given and whose fields vary, some by themselves, or, of a priority queue, as a bool does; "" if there is none.
func (r *Reading) varying() string {
	var of func(c *collection.Codec) bool
	of = func(c *collection.Codec) bool {
		return c != nil && (c.Pair > 0 || of(c.Elem) || of(c.Key) || slices.ContainsFunc(c.Parts, func(p collection.Part) bool {
			return of(p.Codec) || r.Found.Kind == oracle.PQueue && c.Shape == collection.AsStruct && p.Codec != nil && p.Codec.Shape == collection.AsBool && !p.Codec.Zero
		}))
	}
	for i := range r.Found.Operations {
		for _, p := range r.Found.Operations[i].Params {
			if of(p.Codec) {
				return p.Type
			}
		}
	}
	return ""
}
