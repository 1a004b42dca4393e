// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"go/types"
	"slices"

	"pangolin/internal/collection"
)

// Channels that a method gives.

// channelMethods are the operations on a channel that a method gives: to receive from it, and to send to it, without waiting.
func (k *coder) channelMethods(slot int, ch *types.Chan, name string) (out []*method) {
	number := &collection.Codec{Type: types.Typ[types.Int], Shape: collection.AsInt}
	variable := func(t types.Type) *types.Var { return types.NewVar(0, nil, "", t) }
	if e, _ := k.part(ch.Elem(), 0); e != nil && ch.Dir() != types.SendOnly {
		if !e.Leaf() {
			e = &collection.Codec{Type: ch.Elem(), Shape: collection.AsDigest, Elem: e}
		}
		vars := types.NewTuple(variable(ch.Elem()), variable(types.Typ[types.Int]))
		sig := types.NewSignatureType(nil, nil, nil, nil, vars, false)
		out = append(out, &method{name: "receive from " + name, sig: sig, generic: sig, wide: true, keeps: true,
			results: []*collection.Codec{e, number}, use: &collection.Use{Slot: slot}})
	}
	if c := k.sends(k.handles[slot], ch); c != nil {
		sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(variable(ch.Elem())), types.NewTuple(variable(types.Typ[types.Int])), false)
		m := &method{name: "send to " + name, sig: sig, generic: sig, wide: true, keeps: true,
			params: []*collection.Codec{c}, results: []*collection.Codec{number}, use: &collection.Use{Slot: slot, Sends: true}}
		if c.Shape != collection.AsConstant {
			m.args = []int{0}
		}
		out = append(out, m)
	}
	return out
}

// sends is the codec of what is sent to a channel that a method gives; nil if it is not for sending. Of one that goes both ways the name of the
// method has to say so, for many that are only waited for are not restricted.
func (k *coder) sends(t types.Type, ch *types.Chan) *collection.Codec {
	input := func(word string) bool {
		return slices.Contains([]string{"in", "input", "send", "sender", "write", "writer", "push", "sink", "producer", "publish"}, word)
	}
	if ch.Dir() == types.RecvOnly || ch.Dir() == types.SendRecv && !slices.ContainsFunc(words(k.givenBy(t)), input) || !k.returns(t) {
		return nil
	}
	if s, ok := ch.Elem().Underlying().(*types.Struct); ok && s.NumFields() == 0 {
		return &collection.Codec{Type: ch.Elem(), Shape: collection.AsConstant, Constant: typeString(ch.Elem(), k.pkg) + "{}"}
	}
	c, _ := k.value(ch.Elem(), 0)
	return whole(c)
}
