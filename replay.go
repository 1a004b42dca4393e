// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"pangolin/internal/engines"
	"pangolin/internal/find"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// Replay loads the collection, or the program, of a witness from the module of a directory ("": the current one), executes the recorded
// decisions without any reduction, confirms that the violation shows, and returns the witness with the present steps. The error says that
// the code has changed so much that the execution is no longer possible, or that the violation does not show.
func Replay(ctx context.Context, dir string, w *verdict.Witness) (*verdict.Witness, error) {
	if w.Source.Program && w.Schedule.Compiled != nil {
		return replayTest(ctx, dir, w)
	}
	if w.Source.Program {
		return replayProgram(ctx, dir, w)
	}
	t, err := targetOf(ctx, dir, &w.Source)
	if err != nil {
		return nil, err
	}
	name, load := "", t.Load
	if w.Schedule.Compiled != nil {
		name, load, t.Overrides.Anonymous = "schedules", t.Drive, true
	}
	s, err := load(ctx)
	if err != nil {
		return nil, err
	}
	e, err := engines.Find(name, false)
	if err != nil {
		return nil, err
	}
	return e.Replay(s, w)
}

// Harness repeats a witness as Replay does, and gives the Go file through which the operations of its collection can be called, with what
// each call has returned.
func Harness(ctx context.Context, dir string, w *verdict.Witness) (*verdict.Harness, error) {
	again, err := Replay(ctx, dir, w)
	if err != nil {
		return nil, err
	}
	t, err := targetOf(ctx, dir, &w.Source)
	if err != nil {
		return nil, err
	}
	file, text, functions, err := t.Harness(ctx)
	if err != nil {
		return nil, err
	}
	h := &verdict.Harness{File: file, Text: text, New: functions[0], Ops: functions[1:]}
	for i := range again.History {
		h.Returned = append(h.Returned, again.History[i].Words)
	}
	return h, nil
}

// replayProgram is Replay for a witness about a whole program, whose files are in the directory.
func replayProgram(ctx context.Context, dir string, w *verdict.Witness) (*verdict.Witness, error) {
	r := &Request{Dir: dir, Packages: w.Source.Patterns, Program: Program{Test: w.Source.Test, Args: w.Source.Args}, Search: Search{Time: w.Source.Time}}
	s, err := r.program(ctx)
	if err != nil {
		return nil, err
	}
	e, err := r.engine(true)
	if err != nil {
		return nil, err
	}
	return e.Replay(s, w)
}

// program loads the program that Packages name.
func (r *Request) program(ctx context.Context) (*subject.Subject, error) {
	p := subject.Program{Dir: r.Dir, Patterns: r.Packages, Args: r.Program.Args, Test: r.Program.Test, Time: subject.Time(r.Search.Time)}
	s, err := p.Load(ctx)
	if err != nil && ctx.Err() != nil {
		return nil, fmt.Errorf("loading the program was interrupted: %w", context.Cause(ctx))
	}
	return s, err
}

// targetOf describes how to load the collection of a witness or a certificate.
func targetOf(ctx context.Context, dir string, w *verdict.Source) (*subject.Order, error) {
	r := &Request{Dir: dir, Packages: w.Patterns, Type: w.Type, New: w.New, Ops: w.Ops, Kind: w.Kind, Protocol: w.Protocol, Oracle: Oracle(w.Oracle),
		Tests: w.Tests, Search: Search{Time: w.Time}}
	places, err := r.query().Places(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w (the file is about package %s of module %s)", err, w.Package, w.Module)
	}
	o, err := r.wishes()
	if err != nil {
		return nil, err
	}
	o.Type, o.Whole, o.Again = places[0].Type, w.Whole, w.Again
	if w.Agreeing {
		o.Agreeing = w.Agreed + 1
	}
	if w.Years {
		o.Clock, o.Ops = find.YearsPass, slices.DeleteFunc(o.Ops, func(name string) bool { return name == find.YearPasses })
	}
	o.Given, o.Readings, o.Waits, o.Known, o.Fewer = w.Given, w.Readings, w.Waits, find.Knows(w.Known), find.Fewer(w.Fewer)
	o.Clues = find.Filled(places[0].Listed)
	if o.Invariants, err = find.ParseInvariants(strings.Join(w.Invariants, ",")); err != nil {
		return nil, err
	}
	return &subject.Order{Listed: places[0].Listed, Patterns: places[0].Patterns, Overrides: o, Dir: dir, Annotated: w.Annotated}, nil
}

// CheckCertificate loads the collection of a certificate from the module of a directory ("": the current one) and decides whether the
// certificate holds for it. If draw is not nil, the views are drawn there for people. The error says why there is nothing to check: the
// collection does not exist, or the certificate is damaged.
func CheckCertificate(ctx context.Context, dir string, text []byte, draw io.Writer) (*verdict.Checked, error) {
	source, method, err := verdict.CertificateSource(text)
	if err != nil {
		return nil, err
	}
	t, err := targetOf(ctx, dir, source)
	if err != nil {
		return nil, err
	}
	t.Overrides.Anonymous = true // as for every engine that proves
	s, err := t.Load(ctx)
	if err != nil {
		return nil, err
	}
	e, err := engines.Find(method, false)
	if err != nil {
		return nil, err
	}
	return e.CheckText(ctx, s, text, draw)
}
