// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"pangolin"
	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/engine/points"
	"pangolin/verdict"
)

// annotated are the algorithms of Fig. 6 of the paper on policies, which have policies in their sources, each with a scope
// of about a second beside configuration D, of as many calls as that allows.
var annotated = []struct{ pkg, typ, large string }{
	{"stack", "LockFreeStack", "3x6x0"}, {"stack", "EliminationBackoffStack", "3x5x0"},
	{"queue", "UnboundedQueue", "3x6x0"}, {"queue", "LockFreeQueue", "3x5x0"}, {"queue", "DGLMQueue", "3x5x0"}, {"queue", "EliminationQueue", "3x4x0"},
	{"queue", "HerlihyWingQueue", "3x4x0"},
	{"list", "FineList", "3x6x0"}, {"list", "OptimisticList", "3x4x0"}, {"list", "LazyList", "3x4x0"}, {"list", "HindsightList", "3x5x0"},
	{"list", "DerivedList", "3x4x0"}, {"list", "DerivedListDCAS", "3x4x0"},
	{"list", "HarrisList", "3x4x0"}, {"list", "MichaelList", "3x4x0"}, {"list", "LockFreeList", "3x4x0"}, {"list", "UnorderedList", "2x4x0"},
	{"conditional", "CCAS", "3x4x0"}, {"conditional", "RDCSS", "2x4x0"},
}

// BenchmarkPolicies compares, with one worker, what it costs to verify without a policy (verify), to check the policy in the same
// scope (policy), and to go through the same interleavings without the policy and without any monitor (bare): processor time
// of the searches, loading not counted. With -benchtime Nx, medians of N rounds in which the three take turns.
// Whatever makes the steps of bare and looks at them as well does not cost less than bare.
func BenchmarkPolicies(b *testing.B) {
	for _, c := range annotated {
		for _, scope := range []string{"D", c.large} {
			b.Run(c.typ+"/"+scope, func(b *testing.B) { policyCost(b, c.pkg, c.typ, scope) })
		}
	}
}

// policyCost measures a row.
func policyCost(b *testing.B, pkg, typ, scope string) {
	plain, with := policyJob(b, pkg, typ, "", scope), policyJob(b, pkg, typ, "points", scope)
	verify, check := bounded.Engine(), points.Engine()
	runs := [...]struct {
		name   string
		engine *engine.Engine
		job    *engine.Job
		bare   bool
		ms     []float64
		states uint64
	}{{name: "verify", engine: &verify, job: plain}, {name: "policy", engine: &check, job: with}, {name: "bare", engine: &verify, job: plain, bare: true}}
	for round := range b.N + 1 { // the first one does not count: what it allocates is there for the others
		for i := range runs {
			r := &runs[i]
			over := func() {}
			if r.bare {
				over = bounded.Unjudged()
			}
			runtime.GC()
			began := processor(b)
			v, err := r.engine.Decide(b.Context(), r.job, engine.Events{})
			if round > 0 {
				r.ms = append(r.ms, 1000*(processor(b)-began).Seconds())
			}
			over()
			if err != nil || v.Status != verdict.Verified {
				b.Fatal(v.Status, v.Reason, err)
			}
			r.states = v.States
		}
	}
	of := median(runs[0].ms)
	for i := range runs {
		r := &runs[i]
		b.ReportMetric(median(r.ms), r.name+"-ms")
		b.ReportMetric(float64(r.states), r.name+"-states")
		if i > 0 {
			b.ReportMetric(median(r.ms)/of, r.name+"/verify")
		}
	}
	b.ReportMetric(0, "ns/op")
}

// median is the middle one of some figures, or the mean of the two in the middle.
func median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// policyJob is the question of an engine about a collection in a scope.
func policyJob(b *testing.B, pkg, typ, name, config string) *engine.Job {
	scope := pangolin.Scope{Config: config}
	if pkg == "conditional" {
		scope.Values = 2
	}
	p, err := pangolin.Prepare(b.Context(), pangolin.Request{Packages: []string{"pangolin/collections/" + pkg}, Type: typ, Engine: name,
		Scope: scope, Search: pangolin.Search{Workers: 1}})
	if err != nil {
		b.Fatal(err)
	}
	jobs, err := p.Jobs(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	return jobs[0]
}

// processor is the processor time that this process has used.
func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
