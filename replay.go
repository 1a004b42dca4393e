package pangolin

import (
	"context"
	"errors"
	"fmt"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/consist"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/explore"
	"pangolin/internal/trace"
	"pangolin/internal/vm"
	"pangolin/verdict"
)

// Replay loads the collection of a witness from the module of a directory ("" is the
// current one), executes the recorded decisions without any reduction, confirms that
// the violation shows, and gives the witness with the steps as they are now. It is an
// error if the code has changed so much that the execution is not possible any more or
// that the violation does not show.
func Replay(ctx context.Context, dir string, w *verdict.Witness) (*verdict.Witness, error) {
	t, err := targetOf(ctx, dir, w)
	if err != nil {
		return nil, err
	}
	l, err := t.load(ctx)
	if err != nil {
		return nil, err
	}
	rec, err := recordingOf(w)
	if err != nil {
		return nil, err
	}
	b, err := bounded.Replay(l.subject, consist.Property(w.Subject.Property), rec)
	if errors.Is(err, bounded.ErrNotReplayed) {
		return nil, fmt.Errorf("the witness does not replay, so the code has changed since: %w", err)
	}
	if err != nil {
		return nil, err
	}
	now := *w
	l.source.describe(&now, b)
	return &now, nil
}

// targetOf finds the collection of a witness.
func targetOf(ctx context.Context, dir string, w *verdict.Witness) (*target, error) {
	r := Request{Dir: dir, Packages: w.Source.Patterns, Type: w.Source.Type, New: w.Source.New, Ops: w.Source.Ops,
		Kind: w.Source.Kind, Protocol: w.Source.Protocol, Oracle: w.Source.Oracle}
	places, err := r.list(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w (the witness is about package %s of module %s)", err, w.Source.Package, w.Source.Module)
	}
	o, err := r.overrides(places[0].typ)
	if err != nil {
		return nil, err
	}
	return &target{listed: places[0].listed, patterns: places[0].patterns, overrides: o, request: r}, nil
}

// scheduleOf is a recording as a witness holds it.
func scheduleOf(r *bounded.Recording) verdict.Schedule {
	s := verdict.Schedule{PreAdds: []verdict.Call{}, Start: r.Start, Turns: []verdict.Turn{}, Cycle: r.Cycle + 1}
	for _, c := range r.Pre {
		s.PreAdds = append(s.PreAdds, callOf(c))
	}
	calls := r.Calls
	for _, t := range r.Turns {
		turn := verdict.Turn{Thread: t.Thread + 1, Decisions: t.Decisions}
		if t.Move>>8 > 0 {
			c := callOf(calls[0])
			turn.Call, calls = &c, calls[1:]
		}
		for _, ran := range t.Ran {
			turn.Ran = append(turn.Ran, [2]int{ran.Thread + 1, ran.Instructions})
		}
		s.Turns = append(s.Turns, turn)
	}
	return s
}

func callOf(s client.Step) verdict.Call {
	c := verdict.Call{Op: s.Op, Args: []int64{}}
	for i := range s.Args.Len() {
		c.Args = append(c.Args, s.Args.At(i).Int)
	}
	return c
}

func stepOf(c verdict.Call) client.Step { return client.Step{Op: c.Op, Args: history.Ints(c.Args...)} }

// recordingOf is the recording that a witness holds.
func recordingOf(w *verdict.Witness) (bounded.Recording, error) {
	hash, err := parseHash(w.Scope.Hash, client.Hash{})
	if err != nil {
		return bounded.Recording{}, err
	}
	s := &w.Schedule
	r := bounded.Recording{Class: bounded.Class(w.Class), Threads: w.Threads, Hash: hash, Start: s.Start, Cycle: s.Cycle - 1}
	for _, c := range s.PreAdds {
		r.Pre = append(r.Pre, stepOf(c))
	}
	for _, t := range s.Turns {
		turn := trace.Turn{Thread: t.Thread - 1, Decisions: t.Decisions}
		if t.Call != nil {
			turn.Move = explore.Move(1 << 8)
			r.Calls = append(r.Calls, stepOf(*t.Call))
		}
		for _, ran := range t.Ran {
			turn.Ran = append(turn.Ran, vm.Ran{Thread: ran[0] - 1, Instructions: ran[1]})
		}
		r.Turns = append(r.Turns, turn)
	}
	return r, nil
}
