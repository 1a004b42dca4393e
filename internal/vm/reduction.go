// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"fmt"
	"strings"
)

// Reductions is a set of ways to identify or skip states that a property cannot tell
// apart from others. Each can be left out; results are the same without it.
type Reductions uint16

// What each of them does is in the table below.
const (
	Fusing Reductions = 1 << iota
	FrozenReads
	Symmetry
	RenamedItems
	RankedKeys
	GuardedAccesses
	RememberedSteps
	Points

	// AllReductions are all there are.
	AllReductions Reductions = 1<<len(reductions) - 1
)

// reductions are what there is to know of each, in the order of the constants: the name by which users choose it, and
// what it does. doc/soundness.md has the condition of each and the argument.
var reductions = [...]struct{ name, doc string }{
	{"fusing", "an access to memory that no other thread can reach, and the release of a lock, is part of the step before it"},
	{"frozen", "so are reads of memory that is never written once several threads can reach it: an assumption, checked at every write"},
	{"symmetry", "states are one that differ only in the order of the threads"},
	{"items", "states are one that differ only in which generic item is which, if the code only copies them; for engines that call operations"},
	{"keys", "states are one that differ only in the values of keys, not in their order, if the code only compares them; for engines that call operations"},
	{"guarded", "an access to a field is part of the step before it if a lock that the thread holds guards the field: an assumption, checked at every access"},
	{"steps", "a step of a thread is executed once for all states in which the thread and the memory that it shares are the same; no state is left out; " +
		"for engines that call operations, in bounded only with symmetry"},
	{"points", "one state of the specification judges a history, and changes where calls were found to take effect in a small scope; if that does not explain one, " +
		"the scope is searched again without; for bounded, where more than half of the first ten thousand states differ in their history alone"},
}

// ReductionNames lists the names, for help texts.
func ReductionNames() string { return strings.Join(AllReductions.Names(), ", ") }

// ParseReductions reads a comma separated list of names, "all" or "none". A name behind a minus is taken away from those before it.
func ParseReductions(list string) (Reductions, error) {
	var set Reductions
	for name := range strings.SplitSeq(list, ",") {
		name, less := strings.CutPrefix(strings.TrimSpace(name), "-")
		r, err := parseReduction(name)
		switch {
		case err != nil:
			return 0, err
		case less:
			set &^= r
		default:
			set |= r
		}
	}
	return set, nil
}

func parseReduction(name string) (Reductions, error) {
	switch name {
	case "all":
		return AllReductions, nil
	case "none", "":
		return 0, nil
	}
	for i, r := range reductions {
		if r.name == name {
			return 1 << i, nil
		}
	}
	return 0, fmt.Errorf("there is no reduction %q; choose from %s, or say all or none", name, ReductionNames())
}

// Names lists the names of the set's members; it is not nil.
func (r Reductions) Names() []string {
	names := []string{}
	for i, one := range reductions {
		if r>>i&1 != 0 {
			names = append(names, one.name)
		}
	}
	return names
}

// MarshalText writes the names as ParseReductions reads them.
func (r Reductions) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (r *Reductions) UnmarshalText(text []byte) (err error) {
	*r, err = ParseReductions(string(text))
	return err
}

// String lists the names, or says none.
func (r Reductions) String() string {
	if r == 0 {
		return "none"
	}
	return strings.Join(r.Names(), ", ")
}
