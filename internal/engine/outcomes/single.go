// SPDX-License-Identifier: BSD-3-Clause

package outcomes

import (
	"context"

	"pangolin/internal/engine"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// single executes one schedule of a program and gives its outcome. A fault of the machine (an instruction that it does
// not support, or its memory is used up) is an error, as are those of engine.Single.Run.
func single(ctx context.Context, s *subject.Subject, o engine.Single) (verdict.Outcome, error) {
	img, err := vm.NewImage(s.Prog)
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
