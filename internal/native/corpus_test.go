package native_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"pangolin/internal/native"
	"pangolin/internal/test/corpus"
	"pangolin/internal/test/level"
)

// Compiled code under every schedule has the outcomes that the corpus declares.

// TestOutcomes_AreThoseOfTheCorpus compares with the outcomes that the corpus declares,
// which were argued by hand.
func TestOutcomes_AreThoseOfTheCorpus(t *testing.T) {
	level.SkipShort(t, "executes some hundred programs under every schedule")
	declared, err := corpus.Programs("../test/corpus")
	if err != nil {
		t.Fatal(err)
	}
	var programs []native.Program
	if !level.More() {
		declared = sample(declared)
	}
	declared = slices.DeleteFunc(declared, func(p corpus.Program) bool { return strings.Contains(p.Source, `"main.`) }) // it would find itself under another name
	declared = slices.DeleteFunc(declared, func(p corpus.Program) bool { return beyondTheDriver[p.Name] != "" })
	for _, p := range declared {
		programs = append(programs, native.Program{Name: p.Name, Files: map[string]string{p.Name + ".go": p.Source}})
	}
	schedules := 2_000
	if level.More() {
		schedules = 20_000
	}
	reports, err := native.Outcomes(context.Background(), programs, native.Options{Schedules: schedules, Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	tooBig := 0
	for i, r := range reports {
		if r.Fault != "" {
			t.Errorf("%s: %s", r.Program, r.Fault)
			continue
		}
		got := asDeclared(r.Outcomes)
		if r.TooBig != "" {
			tooBig++
			t.Logf("%s: too big: %s", r.Program, r.TooBig)
			got = append(got, declared[i].Expect.Outcomes...) // what was not reached is not missed
		}
		if declared[i].Expect.Open != "" { // gc has chosen one of the possibilities
			got = append(got, declared[i].Expect.Outcomes...)
		}
		if report := corpus.Compare(declared[i], nil, corpus.Distinct(got)); !report.OK() {
			t.Errorf("%d schedules: %s", r.Schedules, report)
		}
	}
	t.Logf("%d of %d programs are too big", tooBig, len(reports))
}

// beyondTheDriver are programs that the second opinion executes differently, and why.
var beyondTheDriver = map[string]string{
	"sync_map_clear_in_range":               "its Range looks for each entry in a turn of its own, and does not find what a Clear has taken away (turnRange)",
	"append_writes_what_leads_to_its_place": "the compiler does not see that it appends to its own place, since there is a turn between the two accesses",
	"timer_shows_no_capacity":               "it has goroutines of its own, which NumGoroutine counts",
	"network_deadline":                      "it waits for the network, which readies goroutines out of their turn",
	"network_echo":                          "it waits for the network, which readies goroutines out of their turn",
	"network_errors":                        "it waits for the network, which readies goroutines out of their turn",
	"network_ping":                          "it waits for the network, which readies goroutines out of their turn",
	"iter_pull_goexit":                      "it cannot follow Goexit out of a coroutine",
}

// sample is every sixth program.
func sample(all []corpus.Program) (some []corpus.Program) {
	for i := 0; i < len(all); i += 6 {
		some = append(some, all[i])
	}
	return some
}

// asDeclared gives outcomes the corpus's form, which knows races, but not their places.
func asDeclared(list []native.Outcome) []corpus.Outcome {
	var out []corpus.Outcome
	for _, o := range list {
		f := corpus.Outcome{Stdout: o.Stdout, Stderr: o.Stderr, Exit: o.Exit, Panic: o.Panic, Waits: o.Waits,
			Deadlock: o.Kind == native.Deadlock, Race: o.Kind == native.Race, Endless: o.Kind == native.Endless}
		if f.Race && slices.ContainsFunc(out, func(o corpus.Outcome) bool { return o.Race }) {
			continue
		}
		out = append(out, f)
	}
	return out
}

// SPDX-License-Identifier: BSD-3-Clause
