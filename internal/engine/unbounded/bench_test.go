// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package unbounded

import (
	"context"
	"runtime"
	"syscall"
	"testing"
	"time"

	"pangolin/internal/certificate"
	"pangolin/internal/certificate/checker"
	"pangolin/internal/engine/unbounded/content"
	"pangolin/internal/engine/unbounded/fixpoint"
	"pangolin/internal/engine/unbounded/fragment"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/oracle"
)

// BenchmarkCompute finds the invariants, without the gates.
func BenchmarkCompute(b *testing.B) {
	for _, c := range proved {
		b.Run(c.typ, func(b *testing.B) {
			p, err := fragment.Of(load(b, c.pkg, c.typ))
			if err != nil {
				b.Fatal(err)
			}
			d := shape.NewDomain(p.Prog, p.Kind == oracle.Set)
			for _, m := range p.Maps(d) {
				if content.New(d, m, p.Kind, p.Operations).Describe(p.Collection()) != c.content {
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

// BenchmarkProve says what proofs cost in CPU seconds: loading, most of which is the go command's and the type checker's,
// the proof with both gates, the writing of its certificate with the fits, and the check of it.
func BenchmarkProve(b *testing.B) {
	for _, c := range proved {
		b.Run(c.typ, func(b *testing.B) {
			var loading, proving, writing, checking float64
			size := 0
			for range b.N {
				// What the collection before has left is not collected in this one's time.
				runtime.GC()
				began := cpu()
				s := load(b, c.pkg, c.typ)
				loaded := cpu()
				p, err := fragment.Of(s)
				if err != nil {
					b.Fatal(err)
				}
				found, err := Search(context.Background(), p, fixpoint.Options{})
				if err != nil || found.Invariant == nil {
					b.Fatal(err, found)
				}
				done := cpu()
				text, err := checker.Complete(context.Background(), s, found.Invariant.Certificate(certificate.NewHead(s.Source, s.Prog)))
				if err != nil {
					b.Fatal(err)
				}
				written := cpu()
				x, err := certificate.Parse(text)
				if err != nil {
					b.Fatal(err)
				}
				if err := accept(s, x); err != nil {
					b.Fatal(err)
				}
				loading, proving, writing, checking = loading+loaded-began, proving+done-loaded, writing+written-done, checking+cpu()-written
				size = len(text)
			}
			b.ReportMetric(loading/float64(b.N), "load-s")
			b.ReportMetric(proving/float64(b.N), "prove-s")
			b.ReportMetric(writing/float64(b.N), "certify-s")
			b.ReportMetric(checking/float64(b.N), "check-s")
			b.ReportMetric(float64(size), "bytes")
		})
	}
}

// cpu is the CPU time that this process and those that it has started have taken, in seconds.
func cpu() float64 {
	var all float64
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var r syscall.Rusage
		if syscall.Getrusage(who, &r) == nil {
			all += float64(r.Utime.Sec+r.Stime.Sec) + float64(r.Utime.Usec+r.Stime.Usec)/1e6
		}
	}
	return all
}
