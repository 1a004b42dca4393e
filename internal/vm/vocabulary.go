// SPDX-License-Identifier: BSD-3-Clause

package vm

import "pangolin/internal/vm/state"

// What those who use a machine need of the words of package state, under the machine's
// name: they see one package.

type (
	// End says how an execution came to its end.
	End = state.End
	// Fault says why a machine cannot go on.
	Fault = state.Fault
	// Frozen is a set of classes that are assumed to be frozen.
	Frozen = state.Frozen
	// Guards holds the guard of each class.
	Guards = state.Guards
	// Looked is a set of kinds of words at which the code has looked.
	Looked = state.Looked
)

// The ways to end.
const (
	Running  = state.Running
	Exited   = state.Exited
	Panicked = state.Panicked
	Fatal    = state.Fatal
)

// The kinds of faults.
const (
	FaultUnsupported = state.FaultUnsupported
	FaultMemory      = state.FaultMemory
	FaultStack       = state.FaultStack
	FaultLocal       = state.FaultLocal
	FaultDiverges    = state.FaultDiverges
)

// How many items and keys there can be at a time.
const (
	MaxItems = state.MaxItems
	MaxKeys  = state.MaxKeys
)

// Item is the word of item k.
func Item(k int) uint64 { return state.Item(k) }

// AsItem returns which item a word is, if it is one.
func AsItem(w uint64) (k int, ok bool) { return state.AsItem(w) }

// Key is the word of key k.
func Key(k int) uint64 { return state.Key(k) }

// KeyBefore is a word between those of keys k-1 and k.
func KeyBefore(k int) uint64 { return state.KeyBefore(k) }

// KeyOffset returns where a key's word stands among all of them, less than 64; ok is
// false if it is none.
func KeyOffset(w uint64) (offset int, ok bool) { return state.KeyOffset(w) }
