package study

import (
	"context"
	"fmt"

	"pangolin"
	"pangolin/verdict"
)

// Progress decides for each of our collections, and each of its operations, which property of progress
// is the strongest that it has, under two threads that make four calls together, and gives the
// verdicts on wait-freedom as they come.
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
		list, err := pangolin.Verify(ctx, pangolin.Request{Dir: opt.Dir, Packages: []string{"pangolin/collections/" + r.pkg}, Type: r.typ,
			Property: string(verdict.WaitFree),
			Scope:    pangolin.Scope{Threads: "2..2", Steps: "4", PreAdds: "0..0", Values: 2},
			Search:   pangolin.Search{Timeout: opt.Timeout, MaxStates: opt.MaxStates, MaxMemory: opt.MaxMemory}})
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		each(list[0])
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}
