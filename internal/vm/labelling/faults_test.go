// SPDX-License-Identifier: BSD-3-Clause

package labelling_test

import (
	"path/filepath"
	"slices"
	"testing"

	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
)

func orderFaults() []planting.Fault {
	fault := func(name, old, text string) planting.Fault { return planting.Fault{Name: name, Old: old, New: text} }
	return []planting.Fault{
		fault("components-unsorted", "slices.SortStableFunc(list, compare)\n\tl.shuffled", "if !planted(\"components-unsorted\") {\n\t\tslices.SortStableFunc(list, compare)\n\t}\n\tl.shuffled"),
		fault("certificates-short", "for i := 0; i < len(l.found); i++ {\n\t\tl.describe", "for i := 0; i < len(l.found) && !planted(\"certificates-short\"); i++ {\n\t\tl.describe"),
		fault("first-choice", "if len(tried) > 0 && (l.tries >= maxTries", "if len(tried) > 0 && (planted(\"first-choice\") || l.tries >= maxTries"),
		fault("names-stay", "for _, v := range l.nodes[a:b] {\n\t\tl.names[v] = 0", "for _, v := range l.nodes[a:b] {\n\t\tif planted(\"names-stay\") {\n\t\t\tbreak\n\t\t}\n\t\tl.names[v] = 0"),
		fault("bases-forgotten", "l.touch(l.g.To[k], mix(uint64(l.g.Labels[k])<<33|uint64(at-base)<<1))", "if planted(\"bases-forgotten\") {\n\t\t\t\t\tbase = 0\n\t\t\t\t}\n\t\t\t\tl.touch(l.g.To[k], mix(uint64(l.g.Labels[k])<<33|uint64(at-base)<<1))"),
		fault("colours-left-out", "l.words = append(l.words, uint64(l.g.Colours[v]))", "if !planted(\"colours-left-out\") {\n\t\tl.words = append(l.words, uint64(l.g.Colours[v]))\n\t}"),
		fault("trace-of-numbers", "l.note(l.sums[list[0]])", "l.note(l.sums[list[0]])\n\tif planted(\"trace-of-numbers\") {\n\t\tl.note(uint64(list[0]))\n\t}"),
	}
}

func orderSources(t *testing.T) planting.Sources {
	return planting.Room(t)
}

func TestOrderFaults_CanBePlanted(t *testing.T) { orderSources(t).Check(t, orderFaults()) }

// TestOrderFaults_AreFound plants each fault and runs the tests of the order.
func TestOrderFaults_AreFound(t *testing.T) {
	if !level.More() {
		t.Skip("-level more plants each fault")
	}
	binary := filepath.Join(t.TempDir(), "planted.test")
	orderSources(t).Build(t, orderFaults(), binary)
	tests := planting.Tests{Binary: binary, Args: []string{"-test.run=^Test(Order|Alike)_", "-test.timeout=5m"}}
	tests.FindEach(t, slices.DeleteFunc(orderFaults(), func(f planting.Fault) bool { return !flags.Only(f.Name) }))
}
