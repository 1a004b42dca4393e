// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"context"
	"encoding/json"
	"strings"

	"pangolin"
	"pangolin/internal/task"
	"pangolin/verdict"
)

// The study gobench asks about whole programs, which no task is about. What came of them is kept under a key of the question itself, beside the
// results of tasks (-cache; doc/cache.md says what a key covers).

// keeper keeps what comes of one question; nil keeps nothing.
type keeper struct {
	kept *task.Kept
	key  string
}

// keeper is that of a question about packages, which is digested with them before they are loaded. Asked is all that the answer depends on.
func (o *Options) keeper(ctx context.Context, packages task.Named, study string, asked any) *keeper {
	if o.Cache == "" {
		return nil
	}
	kept, err := task.Keep(ctx, o.Cache, packages)
	key := ""
	if err == nil {
		key, err = kept.Whole(struct {
			Study string
			Asked any
		}{study, asked})
	}
	if err != nil && ctx.Err() == nil && o.Note != nil {
		o.Note("a row is not cached: " + strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	if err != nil || key == "" {
		return nil
	}
	return &keeper{kept, key}
}

// recall reads what was kept, and reports whether there is something. Two different answers that were kept are an error.
func (k *keeper) recall(into any) (bool, error) {
	if k == nil {
		return false, nil
	}
	return k.kept.Recall(k.key, into)
}

// keep keeps an answer behind which no limit was met. Same is what has to be the same each time; nil: all of it.
func (k *keeper) keep(answer, same any) error {
	if k == nil {
		return nil
	}
	return k.kept.Remember(k.key, answer, same)
}

// asked is a request without what no answer depends on, or what has its own limit.
func asked(r pangolin.Request) pangolin.Request {
	r.Dir, r.Out, r.Packages = "", "", nil
	s := &r.Search
	s.Cache, s.Workers, s.Timeout, s.MaxMemory = "", 0, 0, 0
	return r
}

// run explores a program, or takes what is kept of it. Only what was explored as a whole is kept.
func (o *Options) run(ctx context.Context, study string, r pangolin.Request) (verdict.Verdict, error) {
	tests := r.Program.Test != ""
	k := o.keeper(ctx, task.Named{Dir: r.Dir, Packages: r.Packages, Tests: tests}, study, asked(r))
	var text json.RawMessage
	if ok, err := k.recall(&text); err != nil {
		return verdict.Verdict{}, err
	} else if ok {
		if v, err := verdict.Decode(text); err == nil && v.Outcomes != nil {
			v.Cached = true
			return *v, nil
		}
	}
	v, err := pangolin.Run(ctx, r)
	if err != nil || v.Outcomes == nil || !v.Outcomes.Complete {
		return v, err
	}
	timeless := v
	timeless.Seconds, timeless.PeakBytes = 0, 0
	encode := func(v *verdict.Verdict) json.RawMessage {
		var text json.RawMessage
		if err == nil {
			text, err = verdict.Encode(v)
		}
		return text
	}
	whole, same := encode(&v), encode(&timeless)
	if err != nil {
		return v, err
	}
	return v, k.keep(whole, same)
}
