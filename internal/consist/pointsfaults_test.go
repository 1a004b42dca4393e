// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"strings"
	"testing"

	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
)

// judgeFaults each let the monitor of points say something wrong.
func judgeFaults() []planting.Fault {
	return []planting.Fault{
		{Name: "any-result", Old: "if _, found := slices.BinarySearch(s.effects[thread].results(), uint16(r)); !found {", New: "if _, found := slices.BinarySearch(s.effects[thread].results(), uint16(r)); !found && !planted(\"any-result\") {"},
		{Name: "results-before-the-change", Old: "*e = effect{changed: true, n: 1, few: [fewResults]uint16{uint16(r)}}", New: "if planted(\"results-before-the-change\") {\n\t\t\te.add(uint16(r))\n\t\t\te.changed = true\n\t\t} else {\n\t\t\t*e = effect{changed: true, n: 1, few: [fewResults]uint16{uint16(r)}}\n\t\t}"},
		{Name: "change-without-effect", Old: "\t\ts.state = next\n", New: "\t\tif !planted(\"change-without-effect\") {\n\t\t\ts.state = next\n\t\t}\n"},
		{Name: "effect-twice", Old: "if e.changed {\n\t\t\tn |= 1", New: "if e.changed && !planted(\"effect-twice\") {\n\t\t\tn |= 1"},
		{Name: "changes-justify-themselves", Old: "\t\tif e.Next == s.state {\n\t\t\ts.effects[thread].add", New: "\t\tif e.Next == s.state || planted(\"changes-justify-themselves\") {\n\t\t\ts.effects[thread].add"},
		{Name: "stuck-behind-the-change", Old: "(s.effects[t].changed || !p.auto.MayBlock(", New: "(s.effects[t].changed && !planted(\"stuck-behind-the-change\") || !p.auto.MayBlock("},
		{Name: "everybody-may-wait", Old: "|| !p.auto.MayBlock(s.state, s.calls.get(t))) {\n\t\t\treturn t", New: "|| !planted(\"everybody-may-wait\") && !p.auto.MayBlock(s.state, s.calls.get(t))) {\n\t\t\treturn t"},
		{Name: "effects-stay-in-place", Old: "s.calls[to], s.effects[to] = calls[t], effects[t]", New: "s.calls[to] = calls[t]\n\t\tif !planted(\"effects-stay-in-place\") {\n\t\t\ts.effects[to] = effects[t]\n\t\t}"},
		{Name: "outcomes-of-all-calls", Old: "key := uint32(c)<<16 | uint32(r)", New: "key := uint32(r)\n\tif !planted(\"outcomes-of-all-calls\") {\n\t\tkey |= uint32(c) << 16\n\t}"},
		{Name: "no-site", Old: "outcome >= 0 && p.guess.allows", New: "outcome >= 0 && !planted(\"no-site\") && p.guess.allows"},
	}
}

func judgeSources(t *testing.T) planting.Sources {
	return planting.Room(t)
}

func TestJudgeFaults_CanBePlanted(t *testing.T) { judgeSources(t).Check(t, judgeFaults()) }

// TestJudgeFaults_AreFound plants each fault: TestPointsMonitor_AcceptsOnlyWhatIsLinearizable fails with it.
func TestJudgeFaults_AreFound(t *testing.T) {
	if !level.More() {
		t.Skip("-level more plants each fault: a minute")
	}
	judgeSources(t).EachFails(t, judgeFaults(), func(out string) string {
		_, text, found := strings.Cut(out, "points_test.go:")
		if !found || strings.Contains(out, "panic:") {
			return ""
		}
		return text[:min(len(text), 80)]
	}, "-test.run=^TestPointsMonitor_AcceptsOnlyWhatIsLinearizable$")
}
