package native

import (
	"context"
	"slices"
	"testing"

	"pangolin/internal/test/corpus"
	"pangolin/internal/test/level"
)

// TestOutcomes_RacesAreWhatNothingOrders has a race, by clocks over what gc has compiled, where one half
// tells the other without ordering it, and none where it orders it.
func TestOutcomes_RacesAreWhatNothingOrders(t *testing.T) {
	level.SkipShort(t, "builds programs natively")
	var programs []Program
	var rows []corpus.Told
	for i, a := range corpus.Tellings() {
		if a.Name == "NumGoroutine" { // the goroutines of the driver count as well
			continue
		}
		if level.Out(i, 4) {
			continue
		}
		rows = append(rows, a)
		programs = append(programs, Program{Name: a.Name, Files: map[string]string{"main.go": a.Source()}})
	}
	reports, err := Outcomes(context.Background(), programs, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range rows {
		r := reports[i]
		got := slices.ContainsFunc(r.Outcomes, func(o Outcome) bool { return o.Kind == Race })
		if r.Fault != "" || r.TooBig != "" || got != a.Race {
			t.Errorf("%s: race %v, want %v; %s %s %v", a.Name, got, a.Race, r.Fault, r.TooBig, r.Outcomes)
		}
	}
}

// SPDX-License-Identifier: BSD-3-Clause
