// SPDX-License-Identifier: BSD-3-Clause

package sandbox

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"pangolin/internal/find"
	"pangolin/internal/task"
)

// spent is the CPU time of this process so far, and of its processes that have ended.
func spent(b *testing.B) time.Duration {
	b.Helper()
	sum := int64(0)
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var u unix.Rusage
		if err := unix.Getrusage(who, &u); err != nil {
			b.Fatal(err)
		}
		sum += u.Utime.Nano() + u.Stime.Nano()
	}
	return time.Duration(sum)
}

// The CPU time of a mutant that is judged in this process, in a process that does up to 64 of them, and in a process of its own. All three compile the mutant;
// the differences are what processes cost (doc/farm.md, "What it costs").
func BenchmarkRun(b *testing.B) {
	dir := sources(b, simple)
	of, _ := job(b, dir, "Queue")
	list := mutants(b, of)
	for _, way := range []string{"here", "shared", "fresh"} {
		b.Run(way, func(b *testing.B) {
			s := box(b)
			s.shares(1)
			ctx := find.NewAnswers().Within(b.Context())
			here := &task.Here{Dir: dir, Original: &task.Original{}}
			before := spent(b)
			for i := range b.N {
				j := *list[i%len(list)]
				j.Fresh = way == "fresh"
				var err error
				if way == "here" {
					_, _, err = here.Answer(ctx, j.Task)
				} else {
					_, err = s.Run(b.Context(), &j, nil)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			s.Close()
			b.ReportMetric(float64((spent(b)-before).Microseconds())/1000/float64(b.N), "CPU-ms/op")
		})
	}
}
