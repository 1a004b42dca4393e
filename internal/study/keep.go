// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"context"

	"pangolin/internal/task"
	"pangolin/verdict"
)

// Lines that are kept as they are (Options.Cache): of the study of transition systems, which does not ask package pangolin for its verdicts.

// keep is Ask of a row whose line is kept under a key of the row, the limit on states, the package's sources and this program. What cannot be kept is
// noted, and costs no line; two different lines under one key are an error.
func (r *thesisRow) keep(ctx context.Context, o *Options) (*Refinement, error) {
	if o.Cache == "" {
		return r.run(ctx, o)
	}
	path := "pangolin/collections/" + r.pkg
	k, err := task.Keep(ctx, o.Cache, task.Named{Dir: o.Dir, Packages: []string{path}})
	key := ""
	if err == nil { // what else the row asks is part of this program, of which the key has a digest
		key, err = k.Whole(struct {
			Study, Row, Type string
			Threads, Calls   int
			Elements         []int64
			MaxStates        uint64
		}{"thesis", r.name, r.typ, r.threads, r.calls, r.elements, o.MaxStates})
	}
	if err != nil || key == "" {
		if o.Note != nil && err != nil {
			o.Note("a line is not cached: " + err.Error())
		}
		return r.run(ctx, o)
	}
	line := &Refinement{}
	switch found, err := k.Recall(key, line); {
	case err != nil:
		return nil, err
	case found:
		line.Cached = true
		return line, nil
	}
	if line, err = r.run(ctx, o); err != nil || !line.whole() {
		return line, err
	}
	same := *line
	same.Cost = Cost{}
	return line, k.Remember(key, line, &same, path)
}

// whole says that both systems were compared: no limit had a part in the line. A witness is a file of this run.
func (r *Refinement) whole() bool {
	return r.Verdict != verdict.Unknown && r.Branching != nil && r.WeakTraces != nil && r.Witness == ""
}
