package main

import (
	"context"
	"time"

	"pangolin/internal/study"
)

// policies repeats Fig. 6 of the paper on linearization policies.
func (f *studyFlags) policies(ctx context.Context, con *console) error {
	if f.short || f.preempt != 0 || f.others {
		return &usageError{"study", "-short, -preempt and -others are not about policies"}
	}
	opt := study.Options{Configs: list(f.configs), Rows: list(f.rows), Workers: f.workers(),
		Timeout: f.request.Search.Timeout, MaxMemory: f.request.Search.MaxMemory, Out: f.out}
	if opt.Timeout == 0 {
		opt.Timeout = time.Minute
	}
	return f.table(con, study.PolicyColumns(), func(each func(study.Cell)) error {
		return study.Policies(ctx, opt, each)
	})
}
