// SPDX-License-Identifier: BSD-3-Clause

package outcomes_test

import (
	"slices"
	"testing"

	"pangolin/internal/engine/outcomes"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
)

// Faults in what time is.

// timeFaults each change one decision of vm/clock.go.
func timeFaults() []planting.Fault {
	return []planting.Fault{
		{Name: "longest-first", Old: "other < turn || other == turn && least < wait {", New: "other < turn || other == turn && (least < wait) != planted(\"longest-first\") {"},
		{Name: "time-does-not-wait", Old: "if turn == turnNow {\n", New: "if turn == turnNow || planted(\"time-does-not-wait\") {\n"},
		{Name: "registers-stay", Old: "live[k].Reg == r+1 {\n\t\t\t\t\tmove(", New: "live[k].Reg == r+1 && !planted(\"registers-stay\") {\n\t\t\t\t\tmove("},
		{Name: "memory-stays", Old: "o.Info.Type.Size > 1 && move(", New: "o.Info.Type.Size > 1 && !planted(\"memory-stays\") && move("},
		{Name: "others-are-not-over", Old: "if a && b || c.m.clock().Virtual && (a || b) {", New: "if !planted(\"others-are-not-over\") && (a && b || c.m.clock().Virtual && (a || b)) {"},
		{Name: "numbers-are-no-look", Old: "func (m *Machine) looksAtTime(needed ir.ClockForm) {\n", New: "func (m *Machine) looksAtTime(needed ir.ClockForm) {\n\tif needed == ir.ClockNumbers && planted(\"numbers-are-no-look\") {\n\t\treturn\n\t}\n"},
		{Name: "the-clock-stands", Old: "\tsteps = append(steps, max(0,", New: "\tif planted(\"the-clock-stands\") {\n\t\treturn\n\t}\n\tsteps = append(steps, max(0,"},
		{Name: "no-moment-between", Old: "if at >= 0 && moments[i+1] > at+1 &&", New: "if at >= 0 && !planted(\"no-moment-between\") && moments[i+1] > at+1 &&"},
		{Name: "numbers-stand", Old: "if m.clock().Form == ir.ClockNumbers {\n", New: "if m.clock().Form == ir.ClockNumbers && planted(\"numbers-stand\") {\n\t\t} else if m.clock().Form == ir.ClockNumbers {\n"},
	}
}

func TestTimeFaults_CanBePlanted(t *testing.T) { leakSources(t).Check(t, timeFaults()) }

// TestTimeFaults_AreFound plants each fault and looks which program of the table shows it.
func TestTimeFaults_AreFound(t *testing.T) {
	if !level.More() {
		t.Skip("-level more plants each fault: minutes")
	}
	leakSources(t).EachIsFound(t, timeFaults(), "TestTimeFault_IsFound")
}

// TestTimeFault_IsFound runs in the binary with the faults and says which program shows the one that is switched on.
func TestTimeFault_IsFound(t *testing.T) {
	if planting.On() == "" {
		t.Skip("a part of TestTimeFaults_AreFound")
	}
	loads := together(t, timedSources())
	for i, p := range timedPrograms {
		for time, want := range map[subject.Time][]string{subject.AnyTime: p.any, subject.VirtualTime: p.virtual} {
			if got := p.endings(t, loads[i], time, outcomes.Options{Reductions: outcomes.Applicable}); !slices.Equal(got, want) {
				t.Logf("FOUND %s, time %s: %q, want %q", p.name, time, got, want)
				return
			}
		}
	}
}
