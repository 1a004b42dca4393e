// SPDX-License-Identifier: BSD-3-Clause

package oracle

import (
	"sync"

	"pangolin/internal/memo"
)

// RenamingID numbers a renaming that an Automaton has met.
type RenamingID uint32

// renamed remembers what states, calls and results become when they are renamed, and the names in them.
type renamed struct {
	renamed memo.Table
	named   memo.Table // the number of the set

	mu        sync.Mutex
	renamings memo.Numbers[Renaming]
	sets      memo.Numbers[Names]
}

// What a key of the tables is about; none is 0.
const (
	aState uint64 = iota + 1
	aCall
	aResult
)

func renameKey(what, number uint64, r RenamingID) uint64 { return number<<32 | uint64(r)<<2 | what }

// resultNumber is a number for a result of a call.
func resultNumber(c CallID, r ResultID) uint64 { return uint64(c)<<16 | uint64(r) }

// Renaming numbers a renaming. Keep the number if you can.
func (a *Automaton) Renaming(r Renaming) RenamingID {
	n := &a.renamed
	n.mu.Lock()
	defer n.mu.Unlock()
	number, _ := n.renamings.Of(r)
	return RenamingID(number)
}

// RenameState is the number of the renamed state. It panics unless Renamable;
// so do RenameCall and RenameResult.
func (a *Automaton) RenameState(s StateID, r RenamingID) StateID {
	return StateID(a.rename(renameKey(aState, uint64(s), r), r, func(f NameMap) uint32 {
		return uint32(a.StateID(a.renamable().MapState(a.State(s), f)))
	}))
}

// RenameCall is the number of the renamed call.
func (a *Automaton) RenameCall(c CallID, r RenamingID) CallID {
	return CallID(a.rename(renameKey(aCall, uint64(c), r), r, func(f NameMap) uint32 {
		return uint32(a.CallID(a.renamable().MapCall(a.Call(c), f)))
	}))
}

// RenameResult is the number of the renamed result of c, itself not renamed.
func (a *Automaton) RenameResult(c CallID, result ResultID, r RenamingID) ResultID {
	return ResultID(a.rename(renameKey(aResult, resultNumber(c, result), r), r, func(f NameMap) uint32 {
		return uint32(a.ResultID(a.renamable().MapResult(a.Call(c), a.Result(result), f)))
	}))
}

func (a *Automaton) rename(key uint64, r RenamingID, find func(NameMap) uint32) uint32 {
	v, ok := a.renamed.renamed.Get(key)
	if !ok {
		v = find(a.renamed.renamings.At(int(r)).Name)
		a.renamed.renamed.Put(key, v)
	}
	return v
}

// RenameName is the new name of a value.
func (a *Automaton) RenameName(d Domain, name int64, r RenamingID) int64 {
	return a.renamed.renamings.At(int(r)).Name(d, name)
}

// StateNames, CallNames and ResultNames add the names that occur to a set. They
// panic unless Renamable.
func (a *Automaton) StateNames(s StateID, n *Names) {
	a.addNames(renameKey(aState, uint64(s), 0), n, func(f NameMap) { a.renamable().MapState(a.State(s), f) })
}

// CallNames adds the names among the arguments.
func (a *Automaton) CallNames(c CallID, n *Names) {
	a.addNames(renameKey(aCall, uint64(c), 0), n, func(f NameMap) { a.renamable().MapCall(a.Call(c), f) })
}

// ResultNames adds the names among the results of c.
func (a *Automaton) ResultNames(c CallID, r ResultID, n *Names) {
	a.addNames(renameKey(aResult, resultNumber(c, r), 0), n, func(f NameMap) {
		a.renamable().MapResult(a.Call(c), a.Result(r), f)
	})
}

func (a *Automaton) addNames(key uint64, n *Names, visit func(NameMap)) {
	number, ok := a.renamed.named.Get(key)
	if !ok {
		var found Names
		visit(found.Add)
		number = a.renamed.set(found)
		a.renamed.named.Put(key, number)
	}
	found := a.renamed.sets.At(int(number))
	for d := range n {
		n[d] |= found[d]
	}
}

// set numbers a set of names.
func (n *renamed) set(names Names) uint32 {
	n.mu.Lock()
	defer n.mu.Unlock()
	number, _ := n.sets.Of(names)
	return uint32(number)
}
