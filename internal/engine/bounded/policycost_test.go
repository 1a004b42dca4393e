package bounded_test

import (
	"syscall"
	"testing"
	"time"

	"pangolin"
	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/engine/points"
	"pangolin/verdict"
)

// annotated are the algorithms of Fig. 6 of the paper on policies, which have policies in their sources.
var annotated = []struct{ pkg, typ string }{
	{"stack", "LockFreeStack"}, {"stack", "EliminationBackoffStack"},
	{"queue", "UnboundedQueue"}, {"queue", "LockFreeQueue"}, {"queue", "DGLMQueue"}, {"queue", "EliminationQueue"}, {"queue", "HerlihyWingQueue"},
	{"list", "FineList"}, {"list", "OptimisticList"}, {"list", "LazyList"}, {"list", "HindsightList"}, {"list", "DerivedList"}, {"list", "DerivedListDCAS"},
	{"list", "HarrisList"}, {"list", "MichaelList"}, {"list", "LockFreeList"}, {"list", "UnorderedList"},
	{"conditional", "CCAS"}, {"conditional", "RDCSS"},
}

// BenchmarkPolicies compares, in configuration D with one worker, what it costs to check a policy (policy-s), to verify without
// it (verify-s), and to search alone without any monitor, with the ghost code of the policy or without (ghost-s, bare-s):
// processor time of the searches, loading not counted.
func BenchmarkPolicies(b *testing.B) {
	for _, c := range annotated {
		b.Run(c.typ, func(b *testing.B) {
			plain, with := policyJob(b, c.pkg, c.typ, ""), policyJob(b, c.pkg, c.typ, "points")
			verify, check := bounded.Engine(), points.Engine()
			var sums [4]time.Duration
			var states [4]uint64
			for range b.N {
				for i, run := range []struct {
					engine *engine.Engine
					job    *engine.Job
				}{{&check, with}, {&verify, plain}, {&check, with}, {&verify, plain}} {
					over := func() {}
					if i >= 2 {
						over = bounded.Unjudged()
					}
					began := processor(b)
					v, err := run.engine.Decide(b.Context(), run.job, engine.Events{})
					sums[i] += processor(b) - began
					over()
					if err != nil || v.Status != verdict.Verified {
						b.Fatal(v.Status, v.Reason, err)
					}
					states[i] = v.States
				}
			}
			for i, name := range []string{"policy", "verify", "ghost", "bare"} {
				b.ReportMetric(1000*sums[i].Seconds()/float64(b.N), name+"-ms")
				b.ReportMetric(float64(states[i]), name+"-states")
			}
			b.ReportMetric(sums[0].Seconds()/sums[1].Seconds(), "policy/verify")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// policyJob is the question of an engine about a collection in configuration D.
func policyJob(b *testing.B, pkg, typ, name string) *engine.Job {
	scope := pangolin.Scope{Config: "D"}
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
