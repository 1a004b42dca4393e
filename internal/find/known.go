// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"pangolin/internal/collection"
	"pangolin/verdict"
)

// Literal returns the same type with the strings from its test files as arguments; an error if
// there are none.
func (t *Target) Literal(ctx context.Context) (*Target, error) {
	var known []collection.Known
	for i := range t.Found.Operations {
		o := &t.Found.Operations[i]
		for _, at := range o.Call.Args {
			if values := t.literals(o.Name, at); len(values) > 0 && o.Call.Params[at].Plain() && o.Call.Params[at].Shape == collection.AsString {
				known = append(known, collection.Known{Operation: o.Name, Param: at, Values: values})
			}
		}
	}
	if len(known) == 0 {
		return nil, fmt.Errorf("no test file gives an operation of %s a string", t.Name())
	}
	return t.Knowing(ctx, known)
}

// literals lists the strings that test files give an operation: four, or two, or one with another that they do not give; nil if there are none.
func (t *Target) literals(operation string, param int) []string {
	if t.Overrides.Clues == nil {
		return nil
	}
	var values, names []string
	for _, s := range t.Overrides.Clues.Texts {
		value, err := strconv.Unquote(s.Text)
		if s.Method == operation && s.Arg == param && err == nil && !slices.Contains(values, value) {
			values, names = append(values, value), append(names, strconv.Quote(value))
		}
	}
	switch n := len(names); {
	case n == 0:
		return nil
	case n == 1:
		return append(names, strconv.Quote(values[0]+"-"))
	case n < 4:
		return names[:2]
	}
	return names[:4]
}

// Knowing returns the same type with operations that are given values which are known.
func (t *Target) Knowing(ctx context.Context, known []collection.Known) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.Known = append(slices.Clip(o.Known), known...) })
}

// Knows are the values that operations are given, as a witness has them.
func Knows(list []verdict.KnownValues) (known []collection.Known) {
	for _, k := range list {
		known = append(known, collection.Known(k))
	}
	return known
}

// Fewer are the restrictions of a witness.
func Fewer(w verdict.Fewer) collection.Fewer { return collection.Fewer(w) }
