// SPDX-License-Identifier: BSD-3-Clause

package verdict

import (
	"slices"
	"strings"
)

// Property is a property that a collection can be asked to have.
type Property string

// The properties, with their names on the command line. The first three are of histories, the others of progress: whether a call can be
// kept from returning (doc/progress.md has the definitions).
const (
	Linear     Property = "linear"
	Sequential Property = "sc"
	Quiescent  Property = "quiescent"

	WaitFree        Property = "wait-free"
	LockFree        Property = "lock-free"
	ObstructionFree Property = "obstruction-free"
	DeadlockFree    Property = "deadlock-free" // proved only
)

// Blocking is the class of operations that are not even obstruction-free.
const Blocking Property = "blocking"

// property describes a property: its name, whether it is one of progress, and its meaning.
type property struct {
	name     Property
	progress bool
	doc      string
}

// properties lists all properties, of either sort the strongest first.
var properties = []property{
	{Linear, false, "each call takes effect at a moment between its invocation and its response (linearizability)"},
	{Sequential, false, "there is an order of all calls that is each thread's own order (sequential consistency)"},
	{Quiescent, false, "there is an order of all calls in which those come first that have returned before a moment without calls in progress (quiescent consistency)"},
	{WaitFree, true, "each call returns, whatever the other threads do"},
	{LockFree, true, "some call returns, whatever the threads do"},
	{ObstructionFree, true, "a call returns if its thread alone goes on"},
	{DeadlockFree, true, "some call returns, if every thread goes on that can"},
}

// Doc explains the property in a line.
func (p Property) Doc() string {
	for _, one := range properties {
		if one.name == p.Base() {
			return strings.Join(append([]string{one.doc}, p.Weaker()...), "; but ")
		}
	}
	return ""
}

// Properties lists all properties.
func Properties() []Property { return chosen(func(property) bool { return true }) }

// OfHistories lists the properties of histories, the strongest first.
func OfHistories() []Property { return chosen(func(p property) bool { return !p.progress }) }

// OfProgress lists the properties of progress, the strongest first.
func OfProgress() []Property { return chosen(func(p property) bool { return p.progress }) }

func chosen(is func(property) bool) (list []Property) {
	for _, p := range properties {
		if is(p) {
			list = append(list, p.name)
		}
	}
	return list
}

// IsProgress reports whether p is one of the properties of progress.
func (p Property) IsProgress() bool {
	return slices.ContainsFunc(properties, func(one property) bool { return one.name == p && one.progress })
}
