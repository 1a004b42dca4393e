// SPDX-License-Identifier: BSD-3-Clause

package outcomes

import (
	"context"

	"pangolin/internal/engine"
	"pangolin/internal/interleave"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// single executes one schedule of a program and gives how it ends. What the machine could not
// execute is an error.
func single(ctx context.Context, s *subject.Subject, o engine.Single) (verdict.Outcome, error) {
	img, err := vm.NewImage(s.Prog)
	if err != nil {
		return verdict.Outcome{}, err
	}
	run := interleave.Single{Stdout: o.Stdout, Stderr: o.Stderr, Instructions: o.Instructions, HeapBytes: o.HeapBytes}
	m, err := run.Run(ctx, img)
	if err != nil {
		return verdict.Outcome{}, err
	}
	if fault := m.Fault(); fault != nil {
		return verdict.Outcome{}, fault
	}
	end := deadlock
	if m.Ended().Kind != vm.Running {
		end = ended
	}
	outcome := end(m)
	return outcome.facts(), nil
}
