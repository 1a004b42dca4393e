// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"pangolin/internal/engine"
	"pangolin/internal/engines"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// Tests that are executed as gc compiles them, under schedules that are drawn (doc/schedules.md).

// compiled compiles tests of one package, and gives the engine that executes them and what ends it; why says that they cannot be executed.
func (r *Request) compiled(ctx context.Context, list []*subject.Test) (e engine.Engine, end func(), why string, err error) {
	of, err := engines.Find(r.Engine, false)
	if err != nil {
		return e, nil, "", err
	}
	return of.Tests(ctx, subject.CompiledTests(list))
}

// compiledTest compiles the test that Packages and Program name, and gives what ends it. The request executes it from then on.
func (r *Request) compiledTest(ctx context.Context) (s *subject.Subject, end func(), err error) {
	list, failed, err := subject.Tests(ctx, r.Dir, r.Packages)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range list {
		if t.Name != r.Program.Test || t.Kind != verdict.ATest {
			continue
		}
		e, end, why, err := r.compiled(ctx, []*subject.Test{t})
		switch {
		case err != nil:
			return nil, nil, err
		case why != "":
			return nil, nil, errors.New(why)
		}
		r.Program.compiled = &e
		return t.Drive(&subject.Program{Dir: r.Dir, Patterns: r.Packages, Args: r.Program.Args, Time: subject.VirtualTime}), end, nil
	}
	if len(failed) > 0 {
		return nil, nil, errors.Join(failed...)
	}
	return nil, nil, fmt.Errorf("there is no test %s in %s", r.Program.Test, strings.Join(r.Packages, " "))
}

// replayTest is Replay for a witness of a test that was executed as gc compiles it.
func replayTest(ctx context.Context, dir string, w *verdict.Witness) (*verdict.Witness, error) {
	r := &Request{Dir: dir, Packages: w.Source.Patterns, Engine: "schedules", Program: Program{Test: w.Source.Test, Args: w.Source.Args}}
	s, end, err := r.compiledTest(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	return r.Program.compiled.Replay(s, w)
}
