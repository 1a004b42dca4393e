// SPDX-License-Identifier: BSD-3-Clause

package lts

import (
	"fmt"
	"slices"
	"strings"
)

// Equivalence is the name of a notion of two states behaving alike.
type Equivalence string

// The equivalences. Each bisimulation is finer than the trace equivalence of its kind.
const (
	Strong              Equivalence = "strong"
	Branching           Equivalence = "branching"
	DivergenceBranching Equivalence = "dp-branching"
	Weak                Equivalence = "weak"
	Trace               Equivalence = "trace"
	WeakTrace           Equivalence = "weak-trace"
)

// notion is what this package has to know of an equivalence. Of a bisimulation it is how its classes are computed, and
// which steps a formula that tells two states apart may speak of.
type notion struct {
	name Equivalence
	doc  string
	// partition gives the classes of a bisimulation. nil: it is a trace equivalence.
	partition func(*System) Partition
	visible   bool // internal steps count like any others
	branching bool // which states are passed on the way counts
	diverging bool // whether internal steps can go on for ever counts
}

// notions are all equivalences, the finest first. A new one is a constant and a line; partition is the function that it
// is about.
var notions = []notion{
	{name: Strong, doc: "strong bisimulation: internal steps count like any others", partition: (*System).strong, visible: true},
	{name: DivergenceBranching, doc: "branching bisimulation that also tells states that can make internal steps for ever, among states equivalent to them, from others",
		partition: (*System).divergenceBranching, branching: true, diverging: true},
	{name: Branching, doc: "branching bisimulation (van Glabbeek and Weijland): internal steps count only where they take away a choice",
		partition: (*System).plainBranching, branching: true},
	{name: Weak, doc: "weak bisimulation (Milner): like branching bisimulation, but which states are passed on the way does not count", partition: (*System).weak},
	{name: Trace, doc: "the same sequences of labels", visible: true},
	{name: WeakTrace, doc: "the same sequences of labels that are not internal"},
}

// notion is what there is to know of an equivalence. It panics if there is none of the name.
func (e Equivalence) notion() *notion {
	i := slices.IndexFunc(notions, func(n notion) bool { return n.name == e })
	if i < 0 {
		panic("lts: there is no equivalence " + string(e))
	}
	return &notions[i]
}

// saturated says that a step of a formula stands for itself with internal steps before and behind.
func (n *notion) saturated() bool { return n.partition != nil && !n.visible && !n.branching }

// Equivalences lists all of them, the finest first.
func Equivalences() []Equivalence {
	var list []Equivalence
	for _, n := range notions {
		list = append(list, n.name)
	}
	return list
}

// ParseEquivalence reads the name of an equivalence.
func ParseEquivalence(name string) (Equivalence, error) {
	var names []string
	for _, e := range Equivalences() {
		if string(e) == name {
			return e, nil
		}
		names = append(names, string(e))
	}
	return "", fmt.Errorf("unknown equivalence %q: there are %s", name, strings.Join(names, ", "))
}

// Doc says what an equivalence is, in a line.
func (e Equivalence) Doc() string { return e.notion().doc }

// Traces says that an equivalence is about traces, not a bisimulation.
func (e Equivalence) Traces() bool { return e.notion().partition == nil }
