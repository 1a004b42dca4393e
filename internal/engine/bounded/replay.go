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
)

// A recording contains what is needed to execute a violation again: decisions, and how many instructions each thread executed. It contains
// no state and no address, so it outlives the process and survives changes of code that is not executed.

// Recording is an execution as the decisions that lead to it. Everything else follows from the code.
type Recording struct {
	Class   Class
	Threads int
	Hash    client.Hash
	Pre     []client.Step // called before the threads start
	Start   []uint32      // decisions of the constructor and of Pre
	Begun   []vm.Ran      // instructions before the first turn, if there were goroutines already
	Turns   []interleave.Turn
	Calls   []client.Step // calls of the turns that begin with one, in order
	Cycle   int           // of an execution without end: index of the first turn that repeats; else -1
}

// ErrNotReplayed is wrapped by the error of Replay if the code no longer behaves as it did when the recording was made.
var ErrNotReplayed = errors.New("the recorded execution does not show this violation")

// Replay executes a recording without any reduction, and confirms that it shows a violation of its class.
func Replay(s *subject.Subject, p consist.Property, rec Recording) (*Violation, error) {
	return replay(s, p, rec, false)
}

// replay is Replay, with scenes if they are asked for.
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
		return nil, fmt.Errorf("%w: the execution ends before all recorded calls were made", ErrNotReplayed)
	}
	if err := r.confirm(p); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotReplayed, err)
	}
	r.w.Damage = r.damage()
	return r.w, nil
}

// replaySystem makes the system in which a recording is executed.
func replaySystem(s *subject.Subject, p consist.Property, rec Recording) (*system, error) {
	s, err := meant(s, p)
	if err != nil {
		return nil, err
	}
	img, err := s.Image()
	if err != nil {
		return nil, err
	}
	monitor, err := monitorOfProperty(s, monitored(p), rec.Threads)
	if err != nil {
		return nil, err
	}
	return &system{
		subject: s, img: img, ops: s.ClientOps(), monitor: monitor, threads: rec.Threads,
		opt:     systemOptions{preempt: -1},
		machine: interleave.Operations(engine.HashModel(rec.Hash)), starts: new(starts),
	}, nil
}
