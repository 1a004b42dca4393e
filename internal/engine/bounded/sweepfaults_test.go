// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"path/filepath"
	"strings"
	"testing"

	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
)

// Faults in how values and objects are made, read and named, each of which the sweep finds. They are not among those of
// package agreement: no generated text there has a value of several parts as a parameter.
var sweptFaults = []planting.Fault{
	{Name: "field-dropped", // the last part of a value is not compared
		Old: `same = append(same, fmt.Sprintf("p%d == %s", i, g.masked(p.Codec)))`,
		New: `same = append(same, fmt.Sprintf("p%d == %s", i, map[bool]string{true: fmt.Sprintf("p%d", i), false: g.masked(p.Codec)}[planted("field-dropped") && i == len(parts)-1]))`},
	{Name: "fields-alike", // all parts hold the same function of the number
		Old: "	if c.Tag == 0 {\n		return arg\n", New: "	if c.Tag == 0 || planted(\"fields-alike\") {\n		return arg\n"},
	{Name: "end-of-array", // elements behind the eighth are not compared
		Old: `for j := %d; j < len(x) && same; j++ {\n\t\tswitch`, New: `for j := %d + " + map[bool]string{true: "1000", false: "0"}[planted("end-of-array")] + "; j < len(x) && same; j++ {\n\t\tswitch`},
	{Name: "objects-alike", // all objects that are returned have one number
		Old: "	table := c.object(0, 2*MostObjects)\n", New: "	if planted(\"objects-alike\") {\n		c.out[0] = 1\n		return ctlNext\n	}\n	table := c.object(0, 2*MostObjects)\n"},
}

func sweptSources(t *testing.T) planting.Sources {
	t.Helper()
	texts := planting.Sources{}
	for _, dir := range []string{"harness", "recognise", "vm", "subject"} {
		texts.Read(t, filepath.Join("../../../internal", dir, "*.go"))
	}
	return texts
}

func TestSweptFaults_HaveTheirPlaces(t *testing.T) { sweptSources(t).Check(t, sweptFaults) }

func TestSweptFaults_AreFoundByTheSweep(t *testing.T) {
	if planting.On() != "" {
		t.Skip("faults are planted once")
	}
	level.SkipShort(t, "builds this test with faults, and sweeps with each")
	if !level.More() {
		t.Skip("a minute: -level more plants them")
	}
	shown := func(out string) string {
		for line := range strings.Lines(out) {
			if strings.Contains(line, "shows the fault") {
				return strings.TrimSpace(line)
			}
		}
		return ""
	}
	sweptSources(t).EachFails(t, sweptFaults, shown, "-test.run", "^TestSweep_", "-test.v", "-test.timeout", "5m")
}
