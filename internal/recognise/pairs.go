// SPDX-License-Identifier: BSD-3-Clause

package recognise

import (
	"go/types"
	"slices"

	"pangolin/internal/collection"
)

// Methods that come in pairs, of which the second ends what the first has begun: Lock(name) and Unlock(name) of a lock for each name, Add()
// and Done(). Who calls the second without the first misuses the type. (Lock() and Unlock() without arguments are critical sections.)

// pairWords are the names of such methods, folded.
var pairWords = [][2]string{{"lock", "unlock"}, {"rlock", "runlock"}, {"trylock", "unlock"}, {"lockkey", "unlockkey"}, {"acquire", "release"}, {"tryacquire", "release"}, {"add", "done"}}

// pairs finds the pairs among methods.
func pairs(methods []*method) (out [][2]*method) {
	for _, w := range pairWords {
		enter, leave := byFolded(methods, w[0]), byFolded(methods, w[1])
		if enter != nil && leave != nil && paired(enter.sig, leave.sig) && (leave.sig.Params().Len() > 0 || w[0] == "add") {
			out = append(out, [2]*method{enter, leave})
		}
	}
	return out
}

// paired says that the two take the same, but for a context that the first takes before, and return nothing, or an error, or, the first, whether it has begun.
func paired(enter, leave *types.Signature) bool {
	from := contexts(enter) - contexts(leave)
	same := from >= 0 && enter.Params().Len() == from+leave.Params().Len() && !enter.Variadic()
	for i := 0; same && i < leave.Params().Len(); i++ {
		same = types.Identical(enter.Params().At(from+i).Type(), leave.Params().At(i).Type())
	}
	in, out := enter.Results(), leave.Results()
	return same && (in.Len() == 0 || in.Len() == 1 && (isError(in.At(0).Type()) || isBool(in.At(0).Type()))) &&
		(out.Len() == 0 || out.Len() == 1 && isError(out.At(0).Type()))
}

// contexts is 1 if the first parameter is a context, and 0 otherwise.
func contexts(sig *types.Signature) int {
	if sig.Params().Len() > 0 && types.TypeString(sig.Params().At(0).Type(), nil) == "context.Context" {
		return 1
	}
	return 0
}

// pair makes the second halves of pairs operations of the threads that have called the first.
func (d *draft) pair() {
	d.coder.leaves = map[int]string{}
	slots := map[string]int{}
	for _, p := range pairs(d.selected) {
		enter, leave := p[0], p[1]
		if !enter.wide && enter.widen(d.coder) != "" || enter.called {
			continue
		}
		slot, known := slots[leave.name]
		if !known {
			slot = len(d.coder.handles)
			d.coder.handles = append(d.coder.handles, types.NewSignatureType(nil, nil, nil, nil, leave.sig.Results(), false))
			slots[leave.name], d.coder.leaves[slot] = slot, leave.name
		}
		enter.keeps = true
		enter.leave = &collection.Leave{Slot: slot, Method: leave.name, From: contexts(enter.sig) - contexts(leave.sig), Fails: leave.sig.Results().Len() > 0}
		if r := enter.sig.Results(); r.Len() > 0 {
			enter.leave.When = map[bool]string{false: "bool", true: "error"}[isError(r.At(0).Type())]
		}
		d.selected = slices.DeleteFunc(d.selected, func(m *method) bool { return m == leave })
	}
}

// ends lists the operations that end what another one has begun.
func (d *draft) ends() (leaves []string) {
	for _, p := range pairs(d.selected) {
		leaves = append(leaves, p[1].name)
	}
	return leaves
}
