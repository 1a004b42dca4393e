// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"context"
	"time"

	"pangolin"
	"pangolin/internal/task"
	"pangolin/verdict"
)

// Lines that are kept as they are (Options.Cache): those for which package pangolin, which keeps verdicts, is not asked for one.

// keeping is a line with what it depends on beside this program.
type keeping struct {
	pkg   string // of the collection, below collections
	asked any    // beside the collection's sources; it is part of the key, as JSON
	line  any
}

// kept fills in a line: with what is kept under a key of what is asked, of a collection's sources and of this program, or by asking. ask returns what
// two runs have in common, without times; nil: the line does not last, since a limit had a part in it. kept reports whether the line was kept. What
// cannot be kept is noted, and costs no line; two different lines under one key are an error.
func (o *Options) kept(ctx context.Context, l keeping, ask func() (lasting any, err error)) (bool, error) {
	if o.Cache == "" {
		_, err := ask()
		return false, err
	}
	path := "pangolin/collections/" + l.pkg
	k, err := task.Keep(ctx, o.Cache, task.Named{Dir: o.Dir, Packages: []string{path}})
	key := ""
	if err == nil { // what else is asked is part of this program, of which the key has a digest
		key, err = k.Whole(l.asked)
	}
	if err != nil || key == "" {
		if o.Note != nil && err != nil {
			o.Note("a line is not cached: " + err.Error())
		}
		_, err := ask()
		return false, err
	}
	if found, err := k.Recall(key, l.line); found || err != nil {
		return found, err
	}
	lasting, err := ask()
	if err != nil || lasting == nil {
		return false, err
	}
	return false, k.Remember(key, l.line, lasting, path)
}

// keep is Ask of a row of the study thesis. A row that may write a witness is asked each time.
func (r *thesisRow) keep(ctx context.Context, o *Options) (*Refinement, error) {
	if o.Out != "" {
		return r.run(ctx, o)
	}
	line := &Refinement{}
	cached, err := o.kept(ctx, keeping{r.pkg, struct {
		Study, Row, Type string
		Threads, Calls   int
		Elements         []int64
		MaxStates        uint64
	}{"thesis", r.name, r.typ, r.threads, r.calls, r.elements, o.MaxStates}, line}, func() (any, error) {
		l, err := r.run(ctx, o)
		if err != nil {
			return nil, err
		}
		if *line = *l; line.Verdict == verdict.Unknown || line.Branching == nil || line.WeakTraces == nil { // a limit was reached
			return nil, nil
		}
		same := *line
		same.Cost = Cost{}
		return &same, nil
	})
	line.Cached = cached
	return line, err
}

// keep is find for a cell whose points are kept once they are found.
func (r *policyRow) keep(ctx context.Context, o *Options, q pangolin.Request, c *Cell) error {
	cached, err := o.kept(ctx, keeping{r.pkg, struct {
		Study, Row string
		MaxStates  uint64
		Reduce     pangolin.Reduce
	}{"points of policies", r.name, o.MaxStates, o.Reduce}, c}, func() (any, error) {
		began := time.Now()
		if err := r.find(ctx, q, c); err != nil || c.Verdict != verdict.Verified {
			return nil, err
		}
		c.Seconds = time.Since(began).Seconds()
		same := *c
		same.Seconds = 0
		return &same, nil
	})
	c.Cached = cached
	return err
}
