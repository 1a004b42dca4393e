// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"time"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin"
	"pangolin/verdict"
)

// The subcommand verify. Its flags, which all subcommands about collections share, are made from the table of a request's fields, so that a
// new field needs nothing here.

const verifyHelp = `Verify finds the collections of packages, explores every interleaving of every
small client of each, and says which are correct: every history has an
explanation by a sequential order of its operations, and nothing deadlocks,
panics, races, runs for ever or leaks goroutines.

A verdict is verified (within the scope and under the assumptions that are
printed), violated (with an execution that shows it), or unknown (a limit was
reached, or something is not supported). What is named and has no verdict is
listed as not judged: a type that nobody can make, a package with errors. A type
without synchronisation, or documented as not safe for concurrent use, that a
pattern such as ./... finds is listed as not shared, and not verified.

Exit codes: 0 all are verified, not shared, or as expected (the source declares
the verdict, or the baseline lists the violation), 1 one is violated, 2 usage,
load or tool error, a path that matches nothing, 3 none is violated and one
unknown or not judged. Of several, 2 wins over 1, and 1 over 3.

PKG is a package pattern of the go command, or PKG.Type for one type, .Type for
one of the package in this directory. A type's comment may say how to verify
it, in lines such as

  //pangolin:new NewBoundedQueue[int](2)
  //pangolin:protocol bounded(2)

with new, kind, protocol, oracle, ops, roles, property, config, unfair, leaks,
expect for verdicts that are no surprise, and skip for what is only verified if
it is named; flags win. A method with //pangolin:invariant in its comment has to
return true whenever no call is in progress, with "invariant always" at any
time. The comment of a package clause may have some for types
that are declared elsewhere: //pangolin:of Queue expect violated.

Examples:

  pangolin verify ./queue                      every collection of a package
  pangolin verify -threads 2 -steps 1..6 ./queue.Ring
  pangolin verify -new 'New[int](2)' -protocol 'bounded(2)' ./queue
  pangolin verify -property all -min ./pqueue  what does hold, and why no more
  pangolin verify -swarm 64 -max-states 1000000 -config 3x6 ./queue   a hunt
  pangolin verify -roles 'Put:1,Get:2' ./spsc  one producer, one consumer`

// verifyFlags are the flags of verify.
type verifyFlags struct {
	requestFlags
	format string // of standard output
	json   bool
	quiet  bool
	watch  bool
	total  time.Duration
	// baseline is the file with known violations; write says that those of this run are written to it.
	baseline string
	write    bool
	files    files
	farm     farmFlags
	// certificate is the file into which a proof is written.
	certificate string
	// assertions is the file into which the source with checks is written.
	assertions string
}

func newVerify(con *console) *ffcli.Command {
	f := &verifyFlags{}
	fs := flag.NewFlagSet("verify", flag.ContinueOnError)
	f.register(fs)
	f.registerCache(fs)
	f.request.Register(fs, pangolin.OfPart, pangolin.OfResume, pangolin.OfSwarm)
	con.register(fs)
	f.farm.register(fs)
	fs.BoolVar(&f.watch, "watch", false, watchUsage)
	return &ffcli.Command{
		Name:       "verify",
		ShortUsage: "pangolin verify [flags] PKG ...",
		ShortHelp:  "verify every collection found in packages",
		LongHelp:   verifyHelp,
		FlagSet:    fs,
		Exec:       func(ctx context.Context, args []string) error { return f.runOrWatch(ctx, args, con) },
	}
}

// register adds the flags to a flag set.
func (f *verifyFlags) register(fs *flag.FlagSet) {
	f.requestFlags.register(fs, pangolin.OfSubject, pangolin.OfScope, pangolin.OfWitness, pangolin.OfLeaks, pangolin.OfTime, pangolin.OfSearch)
	fs.Lookup("j").Usage = "verify `n` collections at the same time, or one with n workers (default: the number of CPUs; with -max-states one worker searches, so that the same states are covered each time)"
	fs.BoolVar(&f.json, "json", false, "print one JSON object a line")
	fs.StringVar(&f.format, "format", "text", formatUsage())
	f.files.register(fs)
	fs.BoolVar(&f.quiet, "q", false, "print verdicts and what is wrong, and nothing else: neither what was found, nor progress, nor what is assumed of all")
	fs.StringVar(&f.baseline, "baseline", "", baselineUsage)
	fs.DurationVar(&f.total, "total", 0, "end after a `duration` for all collections together; -timeout is that of each")
}

func (f *verifyFlags) run(ctx context.Context, args []string, con *console) error {
	if err := cmp.Or(con.check(), checkFormat(f.form())); err != nil {
		return &usageError{"verify", err.Error()}
	}
	r := f.about(args)
	if f.total > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, f.total, fmt.Errorf("-total %v is over", f.total))
		defer cancel()
	}
	known, err := readBaseline(f.baseline, f.write)
	if err != nil {
		return err
	}
	if err := f.files.create(); err != nil {
		return err
	}
	con.quiet, r.Search.Scenes = f.quiet, f.files.needScenes()
	face := &verifyFace{con: con, files: &f.files, format: f.form(), quiet: f.quiet || f.form() == "vet", named: f.named(args) || con.all, out: r.Out, certificate: f.certificate, assertions: f.assertions, known: known, elsewhere: f.farm.elsewhere(),
		parted: f.files.wanted("record") || r.Search.Part.Shard != ""}
	r.Events = face.events()
	list, err := pangolin.Verify(ctx, r)
	if err == nil || errors.Is(err, pangolin.ErrInterrupted) || len(list) > len(face.missed) {
		face.showMissed()
	}
	written := face.end(err)
	if known != nil {
		for i := range list {
			known.Mark(&list[i])
		}
	}
	if f.write && (err == nil || errors.Is(err, pangolin.ErrInterrupted)) {
		written = errors.Join(written, known.write(con))
	}
	if errors.Is(err, pangolin.ErrInterrupted) {
		fmt.Fprintf(con.err, "pangolin: %v\n", err)
		if written != nil {
			return written
		}
		return status(cmp.Or(verdict.ExitCode(list), verdict.ExitUnknown))
	}
	if err := errors.Join(err, written); err != nil {
		return err
	}
	if f.write {
		return nil
	}
	return exitWith(verdict.ExitCode(list))
}
