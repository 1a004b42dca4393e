package study

import (
	"context"
	"fmt"
	"strconv"

	"pangolin"
	"pangolin/verdict"
)

// Progress decides for each of our collections, and each of its operations, which property of progress
// is the strongest that it has, under two threads that make four calls together, and gives the
// verdicts on wait-freedom as they come. Where a limit leaves an operation open, fewer calls are tried.
func Progress(ctx context.Context, opt ThesisOptions, each func(verdict.Verdict)) error {
	found, err := pangolin.Prepare(ctx, pangolin.Request{Dir: opt.Dir, Packages: []string{"pangolin/collections/..."}})
	if err != nil {
		return err
	}
	for _, c := range found.Collections() {
		r := thesisRow{name: c.Name}
		r.pkg, r.typ = packageAndType(c.Name)
		if len(opt.Rows) > 0 && !r.among(opt.Rows) {
			continue
		}
		v, err := r.progress(ctx, opt, len(c.Operations))
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		each(v)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// progress tries four calls, and fewer until all operations are classified.
func (r *thesisRow) progress(ctx context.Context, opt ThesisOptions, operations int) (verdict.Verdict, error) {
	var v verdict.Verdict
	for calls := 4; calls >= 2; calls-- {
		list, err := pangolin.Verify(ctx, pangolin.Request{Dir: opt.Dir, Packages: []string{"pangolin/collections/" + r.pkg}, Type: r.typ,
			Property: pangolin.Properties(verdict.WaitFree),
			Scope:    pangolin.Scope{Threads: "2..2", Steps: pangolin.Range(strconv.Itoa(calls)), PreAdds: "0..0", Values: 2},
			Search:   pangolin.Search{Timeout: opt.Timeout, MaxStates: opt.MaxStates, MaxMemory: opt.MaxMemory}})
		if err != nil {
			return v, err
		}
		if v = list[0]; len(v.Progress) == operations {
			break
		}
	}
	return v, nil
}
