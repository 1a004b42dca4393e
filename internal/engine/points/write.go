// SPDX-License-Identifier: BSD-3-Clause

package points

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/engine"
	"pangolin/internal/policy"
	"pangolin/internal/subject"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Policy is a policy made of points that were found: the texts of the files with directives, by
// path, and what was written.
type Policy struct {
	Texts   map[string][]byte
	Written []policy.Written
	// Left are outcomes that have no fixed points and would need a rule.
	Left []string
}

// Write makes a policy of the points of a job, and checks it. How a variable is compared with zero is found by
// trying, for types are not known where the text is made. What was found is that some passage of a point
// is the moment, and a directive says that each is: where that is rejected, those whose outcome changes
// nothing are written with "may", and if need be all.
func Write(ctx context.Context, o subject.Order, j *engine.Job, found *verdict.Points) (*Policy, error) {
	files, err := subject.Files(ctx, o.Listed)
	if err != nil {
		return nil, err
	}
	o.Annotated = true
	var last error
	for level := range 3 {
		list, left := proposals(j, found, level)
		for _, zero := range policy.Zeros {
			texts, written, err := policy.Write(files, list, zero)
			if err != nil {
				return nil, err
			}
			right, err := accepted(ctx, o, j, all(files, texts))
			if right {
				return &Policy{texts, written, left}, nil
			}
			last = err
			if !strings.Contains(fmt.Sprint(err), ":") { // it compiles: other zeros make no difference
				break
			}
		}
	}
	return nil, fmt.Errorf("no policy of the points that were found is right, so nothing is written: %w", last)
}

// errRejected says that a policy compiles and is wrong.
var errRejected = errors.New("rejected")

// all are the texts of files, changed ones among them.
func all(files []policy.File, changed map[string][]byte) map[string][]byte {
	texts := map[string][]byte{}
	for _, f := range files {
		texts[f.Path] = f.Text
		if text, ok := changed[f.Path]; ok {
			texts[f.Path] = text
		}
	}
	return texts
}

// accepted says whether the policy in the package's texts is right within the job's scope.
func accepted(ctx context.Context, o subject.Order, j *engine.Job, texts map[string][]byte) (bool, error) {
	o.Listed = o.Listed.Overlay(texts)
	s, err := o.Load(ctx)
	if err != nil {
		return false, err
	}
	again := *j
	again.Subject, again.Workers = s, 1
	e := Engine()
	v, err := e.Decide(ctx, &again, engine.Events{})
	switch {
	case err != nil:
		return false, err
	case v.Status != verdict.Verified:
		return false, errRejected
	}
	return true, nil
}

// proposals are the rules for the outcomes that need some. At level 1 those that change nothing may take
// effect, at level 2 all.
func proposals(j *engine.Job, found *verdict.Points, level int) (list []policy.Proposal, left []string) {
	keyed := j.Subject.Keyed()
	for i := range found.Outcomes {
		o := &found.Outcomes[i]
		at := slices.IndexFunc(j.Subject.Operations, func(op subject.Operation) bool { return op.Name == o.Operation })
		if !o.Changes && keyed[at] {
			continue
		}
		if !o.Fixed {
			left = append(left, strings.TrimSuffix(o.Operation+" = "+o.Outcome, " = "))
			continue
		}
		for _, p := range o.Points {
			list = append(list, policy.Proposal{File: p.File, Line: p.Line, Col: p.Column, Access: p.When, Op: o.Operation,
				Results: results(o, &j.Subject.Operations[at]), May: level == 2 || level == 1 && !o.Changes})
		}
	}
	return list, left
}

// results are those of an outcome as they are known, where they tell it from others; an item is none of that. Of a change with an item
// they are what the specification gives.
func results(o *verdict.PointOf, op *subject.Operation) string {
	switch {
	case o.Outcome == "":
		return ""
	case o.Changes && strings.Contains(o.Outcome, "_") || op.Binding.Role == oracle.Role(""):
		return "?"
	}
	return o.Outcome
}
