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

// Policy is a policy made from points that were found: the texts of the files with directives, by path, and the list of directives.
type Policy struct {
	Texts   map[string][]byte
	Written []policy.Written
	// Left lists the outcomes that have no fixed points and need rules written by hand.
	Left []string
}

// Write makes a policy from the points of a job, and checks it. How a variable is compared with zero is found by trying, because types
// are not known where the text is made. Find shows that some passage of a point is the moment; a directive says that every passage is.
// If that is rejected, outcomes that change nothing are written with "may", and then all.
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

// errRejected is the error of a policy that compiles and is wrong.
var errRejected = errors.New("rejected")

// all returns the texts of all files, changed ones included.
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

// accepted reports whether the policy in the package's texts is right within the job's scope.
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

// proposals lists the rules for the outcomes that need some, and the outcomes without fixed points. At level 1 outcomes that change
// nothing get "may", at level 2 all.
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

// results writes the results that identify an outcome in a directive: "" for every result, "?" where the specification gives the item of a
// change.
func results(o *verdict.PointOf, op *subject.Operation) string {
	switch {
	case o.Outcome == "":
		return ""
	case o.Changes && strings.Contains(o.Outcome, "_") || op.Binding.Role == oracle.Role(""):
		return "?"
	}
	return o.Outcome
}
