// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"pangolin"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin/verdict"
)

// The subcommand test: a package's own tests, each under every interleaving.

const testHelp = `Test executes the tests of packages, as go test has them, under every interleaving
of their goroutines and with every decision that Go leaves open: tests with
their subtests, examples whose output is compared, and fuzz tests with their
seeds. Each begins in the state of a fresh process, with TestMain around it.

Of each test it says what was explored:

  whole            every interleaving; all pass
  to a limit       so many states, or so much time; all of them pass
  not executable   the test does something that Pangolin does not execute: what
  found            some interleaving fails, panics, has a data race, deadlocks,
                   never ends, or leaves a goroutine that waits for ever

Short tests come first: all are explored within 1,000 states, and those that are
not done then to -max-states, which is a limit that gives the same result on
every machine. What was found is kept as a witness in testdata/pangolin of the
package, or in -out; the next time it is executed first, and where it still
shows, nothing is explored. pangolin replay shows a witness step by step. Results are
kept ("cached") until the package, what it imports, its tests or their seeds change.

With -engine schedules the tests are executed as gc compiles them, natively and with
your rights, each under 1,000 schedules that are drawn at random: for what the machine
does not execute (files, connections, assembly), or what is too large. That is testing:
of what passes it says "to a limit", and never "whole". doc/schedules.md

Exit codes: 0 all were explored whole and pass, 1 something was found, 2 usage,
load or tool error, 3 nothing was found, and some test was explored to a limit or
is not executable. Of several, 2 wins over 1, and 1 over 3.

Examples:

  pangolin test ./...
  pangolin test -run 'TestPut|TestGet' -v ./queue
  pangolin test -short -max-states 100000 -timeout 1m ./...
  pangolin test -engine schedules -run TestServer ./...
  pangolin test -html tests.html ./...          what was found, step by step`

// testFlags are the flags of test.
type testFlags struct {
	requestFlags
	run   string
	short bool
	json  bool
	total time.Duration
	files files
}

func newTest(con *console) *ffcli.Command {
	f := &testFlags{}
	fs := flag.NewFlagSet("test", flag.ContinueOnError)
	fs.StringVar(&f.run, "run", "", "only tests whose names match this `regexp`; subtests are not selected")
	fs.BoolVar(&f.short, "short", false, "testing.Short says true")
	fs.StringVar(&f.request.Out, "out", "", "`directory` to which witnesses are written (default testdata/pangolin of each package)")
	fs.DurationVar(&f.total, "total", 0, "begin no test after this `duration` (default: no limit)")
	without(fs, []string{"test"}, func(all *flag.FlagSet) {
		f.register(all, pangolin.OfProgram, pangolin.OfLeaks, pangolin.OfTime, pangolin.OfSearch)
	})
	those(fs, func(name string) bool { return slices.Contains(compiledFlags, name) }, func(all *flag.FlagSet) { f.request.Register(all, pangolin.OfSubject, pangolin.OfScope) })
	fs.Lookup("engine").Usage = "`engine` that executes the tests: outcomes (default), every interleaving, by the machine; or schedules, as gc compiles them, under schedules that are drawn: natively, with your rights"
	fs.Lookup("schedules").Usage = fmt.Sprintf("engine schedules: make `n` executions of each test (default %d)", pangolin.UsualTestSchedules)
	f.request.Search.Time = "virtual"
	fs.Lookup("time").Usage = "`when` timers fire: virtual (default), the clock goes on to the next timer only when nobody can move; or any, at any moment"
	fs.BoolVar(&f.json, "json", false, "print one JSON object a line")
	f.registerCache(fs)
	f.files.register(fs)
	con.register(fs)
	fs.Lookup("reduce").Usage = reduceUsage(pangolin.Reductions(true))
	fs.Lookup("timeout").Usage = "end the exploration of each test after a `duration` such as 30s (default: no limit)"
	fs.Lookup("max-states").Usage = fmt.Sprintf("end the exploration of each test after `n` states (default %d)", pangolin.UsualTestStates)
	fs.Lookup("j").Usage = "explore `n` tests at a time (default: the number of CPUs)"
	return &ffcli.Command{
		Name:       "test",
		ShortUsage: "pangolin test [flags] PKG ...",
		ShortHelp:  "a package's own tests under every interleaving",
		LongHelp:   testHelp,
		FlagSet:    fs,
		Exec:       func(ctx context.Context, args []string) error { return f.test(ctx, args, con) },
	}
}

// compiledFlags are the flags about tests that are executed as gc compiles them.
var compiledFlags = []string{"engine", "schedules", "seed", "ways", "depth"}

func (f *testFlags) test(ctx context.Context, args []string, con *console) error {
	o := pangolin.Testing{Short: f.short, Parallel: f.workers(), Total: f.total}
	if f.run != "" {
		if strings.Contains(f.run, "/") {
			return &usageError{"test", fmt.Sprintf("-run %q: subtests are not selected, so there is nothing behind a slash", f.run)}
		}
		var err error
		if o.Run, err = regexp.Compile(f.run); err != nil {
			return &usageError{"test", fmt.Sprintf("-run: %v", err)}
		}
	}
	if e := f.request.Engine; e != "" && e != "outcomes" && e != "schedules" {
		return &usageError{"test", fmt.Sprintf("-engine %s: tests are executed by outcomes or by schedules", e)}
	}
	if err := cmp.Or(con.check(), f.files.create()); err != nil {
		return &usageError{"test", err.Error()}
	}
	r := f.about(args)
	r.Search.Workers, r.Search.Scenes = 1, f.files.needScenes()
	r.Search.MaxMemory /= int64(max(o.Parallel, 1))
	var mu sync.Mutex
	r.Events.Note = func(text string) {
		mu.Lock()
		defer mu.Unlock()
		con.note(text)
	}
	results := con.results(f.json)
	var all []verdict.Status
	var shown error
	unable := false // the machine does not execute some test
	o.Each = func(t verdict.Tested) {
		unable = unable || t.Result == verdict.TestNotExecutable && t.Kind == verdict.ATest && r.Engine != "schedules"
		all = append(all, t.Status())
		shown = cmp.Or(shown, results.Show(t))
		f.files.show(t)
	}
	list, err := pangolin.Test(ctx, r, o)
	shown = cmp.Or(shown, results.Close(), f.files.close())
	switch {
	case err != nil:
		return err
	case shown != nil:
		return fmt.Errorf("writing the results: %w", shown)
	case unable:
		con.note("what is not executable can be tested as gc compiles it, natively and with your rights: -engine schedules")
	case len(list) == 0:
		return fmt.Errorf("no tests were found in %s", strings.Join(args, " "))
	}
	return exitWith(verdict.ExitOf(all...))
}
