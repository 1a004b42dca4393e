// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"testing"

	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
)

// Faults in the specifications that give items out of order, and that the comparison with the definition finds each.

func withinFaults() []planting.Fault {
	return []planting.Fault{
		{Name: "one-further", Old: "(i < op.Within || tied(i))", New: "(i < op.Within || tied(i) || planted(\"one-further\") && i == op.Within)", Wrong: "one item more counts as among the first"},
		{Name: "one-less", Old: "i := 1; i < n &&", New: "i := 1; i < n && !(planted(\"one-less\") && i == op.Within-1) &&", Wrong: "one item less does"},
		{Name: "ties-are-further", Old: "return b.theory.width == 2 && op.Within > 0", New: "return b.theory.width == 2 && !planted(\"ties-are-further\") && op.Within > 0", Wrong: "of equal priorities those that were put later do not count as equal"},
		{Name: "first-item", Old: "		e.item = state[from+b.theory.width-1]", New: "		e.item = state[map[bool]int{true: 0, false: from + b.theory.width - 1}[planted(\"first-item\")]]", Wrong: "the item that is given is the first one"},
		{Name: "from-the-front", Old: "			at = n - 1 - i", New: "			if at = n - 1 - i; planted(\"from-the-front\") {\n				at = i\n			}", Wrong: "a stack's first items are the oldest"},
		{Name: "stays", Old: "		if isTake(op.Role) {\n			e.next", New: "		if isTake(op.Role) && !planted(\"stays\") {\n			e.next", Wrong: "an item that is taken out of order stays"},
		{Name: "peek-takes", Old: "func isPeek(r Role) bool {", New: "func isPeek(r Role) bool {\n	if planted(\"peek-takes\") {\n		return false\n	}\n", Wrong: "an operation that looks at an item has no such meaning"},
	}
}

var withinSection = planting.Section{Page: faultsPage, Title: "Items out of order"}

func withinSources(t *testing.T) planting.Sources {
	s := planting.Sources{}
	s.Read(t, "../../oracle/within.go")
	return s
}

func TestWithinFaults_CanBePlanted(t *testing.T) {
	withinSources(t).Check(t, withinFaults())
	withinSection.Check(t, withinFaults())
}

// TestWithinFaults_AreFound runs the comparison with each fault switched on: it has to fail.
func TestWithinFaults_AreFound(t *testing.T) {
	if !level.More() {
		t.Skip("-level more plants each fault: a minute")
	}
	by := withinSources(t).EachFails(t, withinFaults(), failing, "-test.run=TestWithin_", "-test.failfast")
	if flags.Update() {
		withinSection.Write(t, withinFaults(), by)
	}
}
