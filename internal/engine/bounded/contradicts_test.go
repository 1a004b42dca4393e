// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/subject"
	"pangolin/oracle"
	"pangolin/verdict"
)

// A violation that is not confirmed is a fault of the search, unless the oracle has run out of time meanwhile: then it is undecided.
func TestViolation_IsUndecidedWhereTheOracleHasFailed(t *testing.T) {
	dir := modules.Dir(t, `package example

import "sync/atomic"

type Counter struct{ n atomic.Int64 }

func (c *Counter) Inc()       { n := c.n.Load(); go c.n.Load(); c.n.Store(n + 1) }
func (c *Counter) Get() int64 { return c.n.Load() }
`)
	job := func() *engine.Job { // with an oracle that has been asked nothing
		return jobsOf(t, pangolin.Request{Dir: dir, Oracle: "self", Scope: pangolin.Scope{Threads: "2..2", Steps: "1..3"}})[0]
	}
	res, err := bounded.Run(t.Context(), bounded.Options{Job: *job()})
	if err != nil || res.Violation == nil {
		t.Fatal(err)
	}
	says := func(ctx context.Context) error {
		s := job().Subject
		spec := s.Spec
		subject.Within(ctx, spec, 0)
		for op := range s.Operations {
			spec.MayBlock(spec.Initial(), oracle.Call{Op: op})
		}
		err, wrong := bounded.Contradicts(s, verdict.Linear, res.Violation.Recording, errors.New("an order fits"))
		if wrong != nil {
			t.Fatal(wrong)
		}
		return err
	}
	if err := says(t.Context()); !strings.Contains(err.Error(), engine.Failed) || errors.Is(err, subject.ErrUndecided) {
		t.Errorf("in time: %v", err)
	}
	late, cancel := context.WithCancel(t.Context())
	cancel()
	if err := says(late); strings.Contains(err.Error(), engine.Failed) || !errors.Is(err, subject.ErrUndecided) {
		t.Errorf("when the time is up: %v", err)
	}
}
