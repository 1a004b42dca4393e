// SPDX-License-Identifier: BSD-3-Clause

package lts

import (
	"fmt"
	"slices"
	"strings"
)

// Equivalence is the name of a notion of when two states behave alike, such as "branching".
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

// notion describes an equivalence to this package: how a bisimulation's classes are computed, and
// which steps its formulas may mention.
type notion struct {
	name Equivalence
	doc  string
	// partition computes the classes of a bisimulation; nil for a trace equivalence.
	partition func(*System) Partition
	visible   bool // internal steps are treated like any others
	branching bool // the states on the way matter
	diverging bool // it matters whether internal steps can go on for ever
}

// notions are all equivalences, the finest first. A new one is a constant and a line here, with the
// function that computes its partition.
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

// notion returns the entry of an equivalence. It panics if there is none.
func (e Equivalence) notion() *notion {
	i := slices.IndexFunc(notions, func(n notion) bool { return n.name == e })
	if i < 0 {
		panic("lts: there is no equivalence " + string(e))
	}
	return &notions[i]
}

// saturated reports whether a step in a formula may have internal steps before and behind it.
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

// Doc describes an equivalence in a line.
func (e Equivalence) Doc() string { return e.notion().doc }

// Traces reports whether an equivalence compares traces; otherwise it is a bisimulation.
func (e Equivalence) Traces() bool { return e.notion().partition == nil }
