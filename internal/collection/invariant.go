// SPDX-License-Identifier: BSD-3-Clause

package collection

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// An Invariant is a method without parameters that returns a bool: true as long as the collection is as it should be.
type Invariant struct {
	Name   string
	Always bool // it has to be true in every state; false: in those in which no call is in progress
}

// String is the invariant as flags and directives write it: "Sorted", "Linked:always".
func (i Invariant) String() string {
	if i.Always {
		return i.Name + always
	}
	return i.Name
}

// When says when the invariant has to be true.
func (i Invariant) When() string {
	if i.Always {
		return "in every state"
	}
	return "while no call is in progress"
}

// Unasked is the assumption of an engine that does not ask the invariant.
func (i Invariant) Unasked() string {
	return fmt.Sprintf("the invariant %s is true %s: this engine does not ask it", i.Name, i.When())
}

// always follows the name of an invariant that has to be true in every state.
const always = ":always"

// ParseInvariants reads a list such as "Sorted,Linked:always".
func ParseInvariants(text string) (list []Invariant, err error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	for item := range strings.SplitSeq(text, ",") {
		item = strings.TrimSpace(item)
		name, all := strings.CutSuffix(item, always)
		switch {
		case !token.IsIdentifier(name):
			return nil, fmt.Errorf("invariant %q: want METHOD or METHOD%s", item, always)
		case slices.ContainsFunc(list, func(i Invariant) bool { return i.Name == name }):
			return nil, fmt.Errorf("invariant %q: %s is given twice", item, name)
		}
		list = append(list, Invariant{name, all})
	}
	return list, nil
}

// JoinInvariants is the list as ParseInvariants reads it.
func JoinInvariants(list []Invariant) string {
	var out []string
	for _, i := range list {
		out = append(out, i.String())
	}
	return strings.Join(out, ",")
}
