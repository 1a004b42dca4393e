// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"time"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin"
	"pangolin/internal/engine"
	"pangolin/internal/engine/refine"
	"pangolin/internal/explore"
	"pangolin/internal/lts"
	"pangolin/verdict"
)

// The subcommand lts: the engine refine generates the transition system of each collection; this file writes it, or its quotient, in the
// requested formats.

const ltsHelp = `Lts makes the labelled transition system of a collection under a client in which
every thread makes calls of its choice: invocations (call) and responses
(return) are visible, with thread, operation, arguments and result; everything
else is internal.

-against makes the abstract side instead: self, the same code with each
operation executed in one step; oracle, what the oracle allows.

Without -o only the size is printed. Without flags for the scope it is that of
configuration D: three threads, three calls, with one pre-added element and
without. All clients of the scope are explored, also those that remove more than
they add and those with equal priorities.

Examples:

  pangolin lts -threads 2 -per-thread 2 -o queue.aut ./queue.Queue
  pangolin lts -threads 2 -per-thread 2 -against self -o self.aut ./queue.Queue
  pangolin compare queue.aut self.aut
  pangolin lts -threads 2 -steps 2 -equiv branching -o queue.dot ./queue.Queue`

// ltsFlags are the flags of lts.
type ltsFlags struct {
	requestFlags
	systemFlags
	against, equiv, out string
	json                bool
}

func newLTS(con *console) *ffcli.Command {
	f := &ltsFlags{}
	fs := flag.NewFlagSet("lts", flag.ContinueOnError)
	without(fs, append([]string{"property", "expect"}, unread...), func(all *flag.FlagSet) {
		f.requestFlags.register(all, pangolin.OfSubject, pangolin.OfScope, pangolin.OfSearch)
	})
	systemUsage(fs)
	fs.Lookup("config").Usage = "bounds of configuration `X`: A to E of COLLECT's Table 1, or such as 2x5: up to 2 threads, 5 calls in all, 1 pre-add (2x5x0: none); the flags below override it (default D)"
	fs.StringVar(&f.against, "against", "", "make the abstract `side`: self or oracle")
	fs.StringVar(&f.equiv, "equiv", "", "write the quotient under an `equivalence` instead of the system")
	fs.StringVar(&f.out, "o", "", "write the system into `file`: .aut, .dot or .svg (a picture), and .gz behind it to compress")
	fs.BoolVar(&f.cadp, "cadp", false, "write .aut as CADP does: i for internal steps")
	fs.BoolVar(&f.json, "json", false, "print sizes as JSON objects")
	return &ffcli.Command{
		Name:       "lts",
		ShortUsage: "pangolin lts [flags] PKG.Type",
		ShortHelp:  "the labelled transition system of a collection",
		LongHelp:   ltsHelp,
		FlagSet:    fs,
		Exec:       func(ctx context.Context, args []string) error { return f.run(ctx, args, con) },
	}
}

func (f *ltsFlags) run(ctx context.Context, args []string, con *console) error {
	equiv := lts.Equivalence("")
	if f.equiv != "" {
		var err error
		if equiv, err = lts.ParseEquivalence(f.equiv); err != nil {
			return &usageError{"lts", err.Error()}
		}
	}
	make, ok := sides[f.against]
	if !ok {
		return &usageError{"lts", fmt.Sprintf("-against %q: there are self and oracle", f.against)}
	}
	if f.out != "" {
		if _, err := f.format(f.out); err != nil {
			return err
		}
	}
	jobs, code, err := con.jobs(ctx, f.about(args), "D")
	if err != nil {
		return err
	}
	if len(jobs) > 1 && f.out != "" {
		return &usageError{"lts", fmt.Sprintf("-o %s is one file, and there are %d collections: name one of them, as PKG.Type", filepath.Base(f.out), len(jobs))}
	}
	for _, j := range jobs {
		if err := f.system(ctx, j, make, equiv, con); err != nil {
			return fmt.Errorf("%s: %w", j.Subject.About.Collection, err)
		}
	}
	return exitWith(code)
}

// jobs prepares the collections of a request for subcommands that call an engine themselves; config is the configuration if the request has
// none. The exit code is that of what was named and is no collection.
func (con *console) jobs(ctx context.Context, r pangolin.Request, config string) (jobs []*engine.Job, code int, err error) {
	r.Scope.Config = cmp.Or(r.Scope.Config, config)
	r.Events.Note = con.note
	found, err := pangolin.Prepare(ctx, r)
	if err != nil {
		return nil, 0, err
	}
	if err := found.Mistakes(); err != nil {
		return nil, 0, err
	}
	jobs, err = found.Jobs(ctx)
	return jobs, verdict.ExitCode(found.Missed()), err
}

// side generates a system of a job.
type side func(context.Context, *engine.Job, refine.Limits) (*lts.System, error)

// sides are the systems that lts makes, by the value of -against.
var sides = map[string]side{
	"": func(ctx context.Context, j *engine.Job, lim refine.Limits) (*lts.System, error) {
		return refine.Concrete(ctx, j.Subject, refine.ClientOf(j), lim)
	},
	"self": func(ctx context.Context, j *engine.Job, lim refine.Limits) (*lts.System, error) {
		return refine.Atomic(ctx, j.Subject, refine.ClientOf(j), lim)
	},
	"oracle": func(ctx context.Context, j *engine.Job, lim refine.Limits) (*lts.System, error) {
		return refine.Specified(ctx, j.Subject, refine.ClientOf(j), lim)
	},
}

// system makes the system of one collection, writes it and prints its size.
func (f *ltsFlags) system(ctx context.Context, j *engine.Job, make side, equiv lts.Equivalence, con *console) error {
	if j.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, j.Timeout)
		defer cancel()
	}
	bar := newProgress(con.err, columns(con.err))
	began := time.Now()
	s, err := make(ctx, j, refine.Limits{States: j.MaxStates, Bytes: j.MaxBytes, Progress: func(p explore.Progress) {
		bar.report(j.Subject.About.Collection, pangolin.Progress{Collection: j.Subject.About.Collection, States: p.States, Transitions: p.Transitions, Bytes: p.Bytes, Depth: p.Depth})
	}})
	bar.end()
	if err != nil {
		return err
	}
	name := "code"
	if f.against != "" {
		name = f.against
	}
	sizes := []verdict.System{size(j.Subject.About.Collection, name, s, time.Since(began))}
	if equiv != "" {
		began = time.Now()
		s = s.Quotient(equiv)
		sizes = append(sizes, size(j.Subject.About.Collection, "quotient under "+string(equiv), s, time.Since(began)))
	}
	if f.out != "" {
		if err := f.writeSystem(f.out, s); err != nil {
			return err
		}
		sizes[len(sizes)-1].File = f.out
	}
	return show(con, f.json, sizes)
}
