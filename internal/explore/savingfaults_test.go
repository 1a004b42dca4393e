// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
)

// What is written of a search and of the components that it has begun: each of it is dropped where it is read, and missed by the tests of
// drawn graphs. What else a checkpoint carries has such a test in package bounded.

func savingFaults() []planting.Fault {
	dropped := func(name, old, then string) planting.Fault {
		return planting.Fault{Name: name, Old: old, New: old + fmt.Sprintf("\nif planted(%q) && !c.Writes() {\n%s\n}", name, then)}
	}
	return []planting.Fault{
		dropped("low-link", "saved.Int(c, &x.low)", "x.low = x.node"),
		dropped("completed", "c.Words(&f.done)", "f.done = nil"),
		dropped("members", "c.Halves(&f.nodes)", "for i := range f.nodes {\nf.nodes[i] = 0\n}"),
		dropped("moved", "passAgents(c, &g.moved)", "g.moved = Agents{}"),
		dropped("resting", "passAgents(c, &g.always)", "g.always = Agents{}"),
		dropped("leaves", "c.Bool(&g.leaves)", "g.leaves = false"),
		dropped("loop", "c.Bool(&g.loop)", "g.loop = false"),
		dropped("decisions", "passDecisions(c, &k.choices.made)", "for i := range k.choices.made {\nk.choices.made[i].taken = 0\n}"),
		dropped("depth", "saved.Int(c, &k.depth)", "k.depth++"),
		dropped("deepest", "saved.Int(c, &p.Depth)", "p.Depth = 0"),
		dropped("visited", "saved.Int(c, &sh.used)", "for i := range sh.keys {\nif sh.keys[i] != 0 {\nsh.keys[i] = 0\nbreak\n}\n}"),
	}
}

func savingSources(t *testing.T) planting.Sources {
	s := planting.Sources{}
	for _, dir := range []string{".", "../component", "../store"} {
		s.Read(t, filepath.Join(filepath.FromSlash(dir), "*.go"))
	}
	return s
}

func TestSavingFaults_CanBePlanted(t *testing.T) { savingSources(t).Check(t, savingFaults()) }

// TestSavingFaults_AreFound plants each fault and runs the tests of searches that go on.
func TestSavingFaults_AreFound(t *testing.T) {
	if !level.More() {
		t.Skip("-level more plants each fault: half a minute")
	}
	binary := filepath.Join(t.TempDir(), "planted.test")
	savingSources(t).Build(t, savingFaults(), binary)
	for _, f := range append([]planting.Fault{{Name: "none"}}, savingFaults()...) {
		out, err := planting.Command(binary, f.Name, "-test.run=^TestCheckpoints_(GoOnWithOneWorker|OfASearchThatWentOn)$").CombinedOutput()
		if found := err != nil; found != (f.Name != "none") {
			t.Errorf("%s: found %t: %.1000s", f.Name, found, out)
			continue
		}
		first, _, _ := strings.Cut(string(out), "\n")
		t.Logf("%s: %.200s", f.Name, first)
	}
}
