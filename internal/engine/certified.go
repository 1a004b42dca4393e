// SPDX-License-Identifier: BSD-3-Clause

package engine

import (
	"context"
	"fmt"
	"io"
	"slices"

	"pangolin/internal/subject"
	"pangolin/verdict"
)

// CheckFunc checks the text of a certificate for a collection, and draws its views on draw if that is not nil. The result says whether the
// certificate holds; an error says why there is nothing to check.
type CheckFunc func(ctx context.Context, s *subject.Subject, text []byte, draw io.Writer) (*verdict.Checked, error)

// Certified checks the certificate of a proof that an engine has just made, whose text is in the verdict. If the certificate does not hold,
// there is no proof: that is a failure of Pangolin. The text is removed if the job did not ask for it.
func Certified(ctx context.Context, j *Job, v *verdict.Verdict, check CheckFunc) error {
	c, err := check(ctx, j.Subject, v.Proof.Text, nil)
	switch {
	case ctx.Err() != nil:
		v.Status, v.Cause, v.Proof = verdict.Unknown, verdict.Limited, nil
		v.Reason = "not proved: the time was up before the certificate of the proof was checked"
		return nil
	case err != nil:
		return Contradiction(fmt.Errorf("the certificate of a proof cannot be checked: %w", err))
	case !c.Holds:
		return Contradiction(fmt.Errorf("the certificate of a proof does not hold: %s", c.Reason))
	}
	v.Seconds += c.Seconds
	v.Proof.Checked = true
	if !j.Certify {
		v.Proof.Text = nil
	}
	return nil
}

// CheckText checks a certificate of the engine, and adds to the result what the certificate states.
func (e *Engine) CheckText(ctx context.Context, s *subject.Subject, text []byte, draw io.Writer) (*verdict.Checked, error) {
	if e.Check == nil {
		return nil, fmt.Errorf("the method %s has no certificates, so that there is nothing to check", e.Name)
	}
	c, err := e.Check(ctx, s, text, draw)
	if err != nil {
		return nil, err
	}
	c.Subject, c.Operations, c.LeftOut = s.About, []string{}, s.LeftOut
	c.Property = string(verdict.Linear)
	if c.Progress != "" {
		c.Property += " and " + string(c.Progress)
	}
	c.Module, c.Package, c.Instance, c.New = s.Source.Module, s.Source.Package, s.Instance, s.Source.New
	for i := range s.Operations {
		c.Operations = append(c.Operations, s.Operations[i].Name)
	}
	c.Assumptions = slices.Concat(OfEnds(c.Progress), c.Assumptions, s.Assumptions, s.Prog.Notes.Sorted())
	return c, nil
}

// OfEnds lists what a proof of a property of progress, or without one (""), assumes about ends of calls.
func OfEnds(p verdict.Property) []string {
	switch p {
	case "":
		return []string{"progress was not asked: a call may wait, or go round, for ever"}
	case verdict.DeadlockFree:
		return []string{"every thread that can go on does so in time"}
	}
	return []string{}
}
