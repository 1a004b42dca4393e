// SPDX-License-Identifier: BSD-3-Clause

package refine_test

import (
	"cmp"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// said is a verdict in a table.
func said(v verdict.Verdict) string {
	if v.Violation != nil {
		return string(v.Status) + ": " + string(v.Violation.Class)
	}
	return string(v.Status)
}

// TestEngine_AgreesWithTheBoundedOne compares verdicts, with the oracle and with the code itself as the
// abstract side. What the bounded engine finds besides wrong results is left out.
func TestEngine_AgreesWithTheBoundedOne(t *testing.T) {
	level.SkipShort(t, "verifies three packages in four ways")
	packages, calls := []string{"stack", "queue", "list"}, 1
	if !level.More() {
		packages = packages[:1] // of the others, other tests verify some
	}
	if level.All() {
		packages, calls = []string{"stack", "queue", "list", "deque", "hashset", "skiplist", "pqueue", "threadlocal", "lock", "conditional"}, 2
	}
	for _, pkg := range packages {
		for _, oracle := range []string{"", "self"} {
			if pkg == "lock" && oracle == "self" {
				continue // critical sections have no sequential use
			}
			t.Run(pkg+" "+oracle, func(t *testing.T) {
				ask := func(engine string) map[string]verdict.Verdict {
					list, err := pangolin.Verify(repository, pangolin.Request{
						Packages: []string{"pangolin/collections/" + pkg}, Oracle: pangolin.Oracle(oracle), Engine: engine, Property: "linear",
						Scope: pangolin.Scope{Threads: "2..2", PerThread: calls, Values: 2, PreAdds: "0..0",
							DistinctPriorities: pangolin.Off, AddsDominant: pangolin.Off},
						Search: pangolin.Search{NoRaces: true, MaxStates: 6_000_000},
					})
					if err != nil {
						t.Fatal(err)
					}
					of := map[string]verdict.Verdict{}
					for _, v := range list {
						of[v.Collection] = v
					}
					return of
				}
				bounded, refine := ask("bounded"), ask("refine")
				for name, v := range bounded {
					r, ok := refine[name]
					t.Logf("| %s | %s | %s | %s | %d | %d | %.2f | %.2f |", name, cmp.Or(oracle, "oracle"), said(v), said(r), v.States, r.States, v.Seconds, r.Seconds)
					switch {
					case !ok:
						t.Errorf("%s: no verdict of refine", name)
					case v.Status == verdict.Unknown || r.Status == verdict.Unknown:
						t.Logf("%s: unknown: %s%s", name, v.Reason, r.Reason)
					case v.Violation != nil && v.Violation.Class != "history" && v.Violation.Class != "panic" && r.Violation == nil:
						t.Logf("%s: %s, which refine does not judge", name, v.Violation.Class)
					case v.Status != r.Status:
						t.Errorf("%s: bounded says %s (%s), refine %s (%s)", name, v.Status, v.Reason, r.Status, r.Reason)
					}
				}
			})
		}
	}
}
