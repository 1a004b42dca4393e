// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"pangolin/internal/collection"
)

// An iterator that a method gives is run at once, before the method returns: every step of it meets those of
// other threads, but no other call of the same thread comes between two steps. It is run to its end, or its caller stops it behind
// its first item (`break`): both are explored, and the result says which it was. Where the user asks for it
// (collection.Pull), the iterator is a handle: it is begun (iter.Pull), each step is an operation, and so is its end.

// pulled is an iterator that is taken step by step.
type pulled struct {
	slot int
	by   string // the method that gives it
	seq  *collection.Codec
}

// stepwise is the codec of a method's result that is an iterator taken step by step; nil if it is none, or is not wanted so.
func (k *coder) stepwise(method string, t types.Type) *collection.Codec {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || k.given[method] != collection.Pull {
		return nil
	}
	seq := k.sequence(t, sig, 0)
	if seq == nil || len(seq.Parts) == 0 {
		return nil
	}
	at := slices.IndexFunc(k.pulls, func(p pulled) bool { return p.by == method })
	if at < 0 {
		at = len(k.pulls)
		k.pulls = append(k.pulls, pulled{slot: len(k.handles), by: method, seq: seq})
		k.handles = append(k.handles, k.puller(seq))
	}
	return &collection.Codec{Type: t, Shape: collection.AsHandle, Slot: k.pulls[at].slot, Elem: seq}
}

// puller is the type of what is kept of an iterator: the two functions of iter.Pull.
func (k *coder) puller(seq *collection.Codec) types.Type {
	function := func(results *types.Tuple) *types.Signature {
		return types.NewSignatureType(nil, nil, nil, nil, results, false)
	}
	var results []*types.Var
	for _, p := range seq.Parts {
		results = append(results, types.NewVar(token.NoPos, nil, "", p.Codec.Type))
	}
	results = append(results, types.NewVar(token.NoPos, nil, "", types.Typ[types.Bool]))
	return types.NewPointer(types.NewStruct([]*types.Var{
		types.NewField(token.NoPos, k.pkg, "next", function(types.NewTuple(results...)), false),
		types.NewField(token.NoPos, k.pkg, "stop", function(nil), false),
	}, nil))
}

// pull is the iterator of a sort of handles; nil if it is another sort.
func (k *coder) pull(slot int) *pulled {
	for i := range k.pulls {
		if k.pulls[i].slot == slot {
			return &k.pulls[i]
		}
	}
	return nil
}

// steps are the operations on an iterator.
func (k *coder) steps(p *pulled) []*method {
	next := &method{name: p.by + ".next", use: &collection.Use{Slot: p.slot, Method: "next"}}
	stop := &method{name: p.by + ".stop", use: &collection.Use{Slot: p.slot, Method: "stop", Ends: true}}
	fields := k.handles[p.slot].(*types.Pointer).Elem().(*types.Struct)
	for i, m := range []*method{next, stop} {
		m.sig = fields.Field(i).Type().(*types.Signature)
		m.generic, m.wide, m.keeps = m.sig, true, true
	}
	for _, part := range p.seq.Parts {
		c := part.Codec
		if !c.Leaf() {
			c = &collection.Codec{Type: c.Type, Shape: collection.AsDigest, Elem: c}
		}
		next.results = append(next.results, c)
	}
	next.results = append(next.results, &collection.Codec{Type: types.Typ[types.Bool], Shape: collection.AsBool})
	return []*method{next, stop}
}

// iterates says that a result is or holds an iterator that is run at once.
func iterates(c *collection.Codec) bool {
	if c == nil || c.Shape == collection.AsHandle {
		return false
	}
	return c.Shape == collection.AsSeq || iterates(c.Elem) || iterates(c.Key) ||
		slices.ContainsFunc(c.Parts, func(p collection.Part) bool { return iterates(p.Codec) })
}

// iterators says how those are taken that a method gives.
func (d *draft) iterators(m *method) (out []string) {
	for i, c := range m.results {
		switch {
		case c.Shape == collection.AsHandle && d.coder.pull(c.Slot) != nil:
			out = append(out, fmt.Sprintf("the iterator that %s gives is taken step by step: %[1]s.next, %[1]s.stop", m.name))
		case m.wide && d.coder.steppable(m.result(i).Type()):
			out = append(out, fmt.Sprintf("the iterator that %s gives is run at once, to its end or to its first item (Request.Give '%[1]s=%s': step by step)", m.name, collection.Pull))
		case m.wide && iterates(c):
			out = append(out, fmt.Sprintf("the iterators that %s gives are run at once, to their end or to their first item", m.name))
		}
	}
	return out
}

// steppable says that a result is an iterator that can be taken step by step.
func (k *coder) steppable(t types.Type) bool {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok {
		return false
	}
	seq := k.sequence(t, sig, 0)
	return seq != nil && len(seq.Parts) > 0
}
