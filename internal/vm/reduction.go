package vm

import (
	"fmt"
	"strings"
)

// Reductions is a set of ways to identify or skip states that a property cannot tell
// apart from others. Each can be left out; results are the same without it.
type Reductions uint8

const (
	// Fusing makes an access to memory that no other thread can reach, and the release
	// of a lock, part of the step before it.
	Fusing Reductions = 1 << iota
	// FrozenReads does the same with reads of memory that is never written once it
	// can be reached by several threads: an assumption, checked at every write.
	FrozenReads
	// Symmetry makes states one that differ only in the order of the threads.
	Symmetry
	// RenamedItems makes states one that differ only in which generic item is which, if
	// the code only copies them. It is for engines that call operations.
	RenamedItems
	// RankedKeys makes states one that differ only in the values of keys, not in their
	// order, if the code only compares them. It is for engines that call operations.
	RankedKeys
	// GuardedAccesses makes an access to a field part of the step before it if a lock
	// that the thread holds guards the field: an assumption, checked at every access.
	GuardedAccesses
	// RememberedSteps executes a step of a thread once for all states in which the thread
	// and the memory that it shares are the same. It leaves out no state. It is for
	// engines that call operations; bounded has it only with Symmetry.
	RememberedSteps

	// AllReductions are all there are.
	AllReductions = Fusing | FrozenReads | Symmetry | RenamedItems | RankedKeys | GuardedAccesses | RememberedSteps
)

// reductionNames are the names by which users choose, in the order of the bits.
var reductionNames = [...]string{"fusing", "frozen", "symmetry", "items", "keys", "guarded", "steps"}

// ReductionNames lists the names, for help texts.
const ReductionNames = "fusing, frozen, symmetry, items, keys, guarded, steps"

// ParseReductions reads a comma separated list of names, "all" or "none".
func ParseReductions(list string) (Reductions, error) {
	var set Reductions
	for name := range strings.SplitSeq(list, ",") {
		r, err := parseReduction(strings.TrimSpace(name))
		if err != nil {
			return 0, err
		}
		set |= r
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
	for i, n := range reductionNames {
		if n == name {
			return 1 << i, nil
		}
	}
	return 0, fmt.Errorf("there is no reduction %q; choose from %s, or say all or none", name, ReductionNames)
}

// Names lists the names of the set's members; it is not nil.
func (r Reductions) Names() []string {
	names := []string{}
	for i, n := range reductionNames {
		if r>>i&1 != 0 {
			names = append(names, n)
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
