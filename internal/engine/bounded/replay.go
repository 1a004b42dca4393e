// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"errors"
	"fmt"

	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/engine"
	"pangolin/internal/interleave"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// A recording is all that is needed to execute a violation again: decisions, and who
// executed how many instructions. It holds no state and no address, so that it outlives the
// process and survives changes of the code that do not touch the way.

// Recording is an execution as the decisions that lead to it. Everything else about
// it follows from the code.
type Recording struct {
	Class   Class
	Threads int
	Hash    client.Hash
	Pre     []client.Step // called before the threads start
	Start   []uint32      // decisions of the constructor and of Pre
	Begun   []vm.Ran      // what was executed before the first turn, if there are goroutines then
	Turns   []interleave.Turn
	Calls   []client.Step // of each turn that begins with an invocation, in order
	Cycle   int           // of an execution without end: index of the turn from which on it repeats; -1
}

// ErrNotReplayed is wrapped by the error of Replay if the code does not behave as it
// did when the recording was made.
var ErrNotReplayed = errors.New("the recorded execution does not show this violation")

// Replay executes a recording without any reduction, and confirms that it shows a
// violation of its class.
func Replay(s *subject.Subject, p consist.Property, rec Recording) (*Violation, error) {
	return replay(s, p, rec, false)
}

// replay is Replay, with scenes if they are wanted.
func replay(s *subject.Subject, p consist.Property, rec Recording, scenes bool) (*Violation, error) {
	sys, err := replaySystem(s, p, rec)
	if err != nil {
		return nil, err
	}
	r := newReplayer(sys, rec)
	r.scenes = scenes
	if err := r.run(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotReplayed, err)
	}
	if len(r.calls) > 0 {
		return nil, fmt.Errorf("%w: calls are left over", ErrNotReplayed)
	}
	if err := r.confirm(p); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotReplayed, err)
	}
	r.w.Damage = r.damage()
	return r.w, nil
}

// replaySystem is the system in which a recording is executed.
func replaySystem(s *subject.Subject, p consist.Property, rec Recording) (*system, error) {
	img, err := s.Image()
	if err != nil {
		return nil, err
	}
	monitor, err := consist.NewMonitor(oracle.NewAutomaton(s.Spec), monitored(p), rec.Threads)
	if err != nil {
		return nil, err
	}
	return &system{
		subject: s, img: img, monitor: monitor, threads: rec.Threads,
		opt:     systemOptions{preempt: -1},
		machine: interleave.Operations(engine.HashModel(rec.Hash)), starts: new(starts),
	}, nil
}
