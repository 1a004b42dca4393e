package unbounded

import (
	"context"
	"testing"
	"time"

	"pangolin/internal/engine/unbounded/content"
	"pangolin/internal/engine/unbounded/fixpoint"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/oracle"
)

// BenchmarkCompute finds the invariants, without the gates.
func BenchmarkCompute(b *testing.B) {
	for _, c := range proved {
		b.Run(c.typ, func(b *testing.B) {
			p, err := programOf(load(b, c.pkg, c.typ))
			if err != nil {
				b.Fatal(err)
			}
			d := shape.NewDomain(p.Prog, p.Kind == oracle.Set)
			for _, m := range content.Candidates(d, p.Collection()) {
				if m.Describe(p.Prog, p.Collection()) != c.content {
					continue
				}
				for range b.N {
					ctx, cancel := context.WithTimeout(context.Background(), 150*time.Second)
					inv, failure, err := fixpoint.Compute(ctx, &fixpoint.Task{Program: p, Domain: shape.NewDomain(p.Prog, p.Kind == oracle.Set), Map: m}, fixpoint.Options{})
					cancel()
					if inv == nil {
						b.Fatal(failure, err)
					}
					b.ReportMetric(float64(len(inv.Entries)), "views")
					b.ReportMetric(float64(len(inv.Effects)), "effects")
					b.ReportMetric(float64(inv.Merges), "merges")
				}
			}
		})
	}
}
