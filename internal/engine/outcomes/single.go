// SPDX-License-Identifier: BSD-3-Clause

package outcomes

import (
	"context"

	"pangolin/internal/engine"
	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// single executes one schedule of a program and returns its outcome. The error is one of engine.Single.Run, or the machine's fault if
// it does not support an instruction or its memory is used up.
func single(ctx context.Context, s *subject.Subject, o engine.Single) (verdict.Outcome, error) {
	prog := s.Prog
	if prog.Clock.Form != ir.ClockCounts { // no state is met again, so the most general form will do
		prog = withForm(prog, ir.ClockNumbers)
	}
	img, err := vm.NewImage(prog)
	if err != nil {
		return verdict.Outcome{}, err
	}
	m, err := o.Run(ctx, img)
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
