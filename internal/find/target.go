// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"context"
	"slices"

	"pangolin/internal/client"
	"pangolin/internal/collection"
	"pangolin/internal/recognise"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Operations are the operations of the collection as clients call them, and the least number of
// different arguments of each; 0: any number.
func (t *Target) Operations() (ops []client.Op, values int) {
	for i := range t.Found.Operations {
		o := &t.Found.Operations[i]
		ops = append(ops, o.Client())
		for _, p := range o.Params {
			if p.Values > 0 && !p.Codec.Chooses() && (values == 0 || p.Values < values) {
				values = p.Values
			}
		}
	}
	return ops, values
}

// Describe describes the collection for people and scripts.
func (t *Target) Describe() verdict.Collection {
	c := t.Found
	v := verdict.Collection{Type: "collection", Package: t.Listed.Path, Name: t.Name(), Instance: c.Display, New: c.New,
		Kind: string(c.Kind), Protocol: c.Protocol.String(), Oracle: c.Oracle.String(), Reason: c.Reason, Skipped: []verdict.Skipped{}}
	for i := range c.Operations {
		o := &c.Operations[i]
		v.Operations = append(v.Operations, verdict.Operation{Name: o.Name, Role: string(o.Op.Role), Signature: o.Signature()})
	}
	for _, i := range c.Invariants {
		v.Invariants = append(v.Invariants, i.Name+" "+i.When())
	}
	for _, s := range c.Skipped {
		v.Skipped = append(v.Skipped, verdict.Skipped(s))
	}
	return v
}

// ParseInvariants reads the invariants that a request names: "Sorted,Linked:always".
func ParseInvariants(text string) ([]collection.Invariant, error) {
	return collection.ParseInvariants(text)
}

// SplitType splits PKG.Type.
func SplitType(arg string) (pattern, typ string) { return collection.SplitType(arg) }

// Together is the same type; the fields of a struct that operations are given vary together, and those that are ignored have another value where a key is looked for.
// With turns they have one value and another one in turns, whatever the operation, which is for clients of one thread.
func (t *Target) Together(ctx context.Context, ignored []string, turns bool) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.Together, o.Ignored, o.Turns = true, ignored, turns })
}

// allCount lets the fields of structs vary as they do where all of them count.
func allCount(o *collection.Overrides) {
	o.Together, o.Ignored, o.Turns, o.Alone = false, nil, false, ""
}

// Alone is the same type, with keys of which two differ in one field alone.
func (t *Target) Alone(ctx context.Context, field string) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.Alone = field })
}

// Ordered is the same type, a priority queue that gives the smallest, or the largest, of what there is first.
func (t *Target) Ordered(ctx context.Context, order string) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.Order = order })
}

// OrderUnclear is the operation of a priority queue of which nothing tells whether it takes the smallest or the largest; "" if there is none, or if the user has said how to judge the type.
func (t *Target) OrderUnclear() string {
	o := &t.Overrides
	asked := o.Kind != "" && o.Kind != "auto" || !o.Oracle.IsAuto()
	if t.Found.Kind != oracle.PQueue || !t.Found.Oracle.IsSelf() || asked || o.Order != "" || len(t.Found.Unclear) != 1 {
		return ""
	}
	return t.Found.Unclear[0]
}

// Key is the first parameter by which a set or a map finds its items; nil: there is none.
func (t *Target) Key() *collection.Param {
	for i := range t.Found.Operations {
		params := t.Found.Operations[i].Params
		if at := slices.IndexFunc(params, func(p collection.Param) bool { return p.Meaning == oracle.ParamKey }); at >= 0 {
			return &params[at]
		}
	}
	return nil
}

// MayIgnore lists the fields of the struct by which a set or a map goes that may not count; none: it goes by no struct, or all have to count.
func (t *Target) MayIgnore() []string {
	if key := t.Key(); key != nil {
		return recognise.MayIgnore(key.Codec)
	}
	return nil
}
