// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"pangolin/internal/task"
	"pangolin/verdict"
)

// results does tasks: each by one inquiry, or by a swarm of them.
func (s *Search) results(ctx context.Context, here *task.Here, tasks iter.Seq[*task.Task]) iter.Seq2[*task.Task, task.Result] {
	if s.Swarm > 0 {
		here.AtOnce = s.Workers
		return here.Swarm(ctx, s.Swarm, tasks)
	}
	return here.Run(ctx, tasks)
}

// swarms returns an error if the request for a swarm contradicts other fields.
func (r *Request) swarms() error {
	s := &r.Search
	switch asked, err := r.Property.read(); {
	case err != nil:
		return err
	case s.Swarm > mostSwarm: // what is negative is refused as a field
		return fmt.Errorf("Request.Search.Swarm %d: want 1 to %d", s.Swarm, mostSwarm)
	case s.MaxStates == 0:
		return errors.New("Request.Search.Swarm wants Request.Search.MaxStates, at which each of its searches ends, such as 1000000")
	case r.Engine != "" && r.Engine != "bounded" || slices.ContainsFunc(asked.Properties, verdict.Property.IsProgress):
		return errors.New("Request.Search.Swarm is for the engine bounded and its properties: other engines have no order of moves")
	case asked.Strongest:
		return errors.New("Request.Search.Swarm and Request.Property all contradict each other: a swarm verifies nothing, so that no property is found to hold")
	case s.Min || s.Clients || r.Scope.endless():
		return errors.New("Request.Search.Swarm does not go with Request.Search.Min, Request.Search.Clients or any number of calls (-steps any), whose searches have an order of their own")
	case s.Resume:
		return errors.New("Request.Search.Swarm and Request.Search.Resume contradict each other: a swarm's searches leave no checkpoints, but the results of those that have ended are kept")
	case r.Scope.Prove == "auto":
		return errors.New("Request.Search.Swarm and Request.Scope.Prove auto contradict each other: a swarm verifies nothing, so that there is nothing to prove")
	}
	return nil
}

// mostSwarm is the greatest number of searches of a swarm: each is a task.
const mostSwarm = 100_000

// endless reports whether the user asks for any number of calls, by AnySteps or by a configuration such as 2xany.
func (s *Scope) endless() bool {
	return s.Steps == AnySteps || slices.ContainsFunc(strings.Split(s.Config, "+"), func(c string) bool { return strings.HasSuffix(c, "xany") })
}
