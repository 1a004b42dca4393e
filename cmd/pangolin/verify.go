package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin"
	"pangolin/report"
	"pangolin/verdict"
)

const verifyHelp = `Verify finds the collections of packages, explores every interleaving of every
small client of each, and says which are correct: every history has an
explanation by a sequential order of its operations, and nothing deadlocks,
panics, races or runs for ever.

A verdict is verified (within the scope and under the assumptions that are
printed), violated (with an execution that shows it), or unknown (a limit was
reached, or something is not supported). Exit codes: 0 all are verified, 1 one is
violated, 2 usage, load or tool error, 3 none is violated and one unknown.

PKG is a package pattern of the go command, or PKG.Type for one type. A type's
comment may say how to verify it, in lines such as

  //pangolin:new NewBoundedQueue[int](2)
  //pangolin:protocol bounded(2)

with new, kind, protocol, oracle, ops, roles, property, config, unfair, and skip
for what is only verified if it is named; flags win.

Examples:

  pangolin verify ./queue                      every collection of a package
  pangolin verify -threads 2 -steps 1..6 ./queue.Ring
  pangolin verify -new 'New[int](2)' -protocol 'bounded(2)' ./queue
  pangolin verify -property all -min ./pqueue  what does hold, and why no more
  pangolin verify -roles 'Put:1,Get:2' ./spsc  one producer, one consumer`

// verifyFlags are the flags of verify.
type verifyFlags struct {
	requestFlags
	json bool
}

func newVerify(con *console) *ffcli.Command {
	f := &verifyFlags{}
	fs := flag.NewFlagSet("verify", flag.ContinueOnError)
	f.register(fs)
	con.register(fs)
	return &ffcli.Command{
		Name:       "verify",
		ShortUsage: "pangolin verify [flags] PKG ...",
		ShortHelp:  "verify every collection found in packages",
		LongHelp:   verifyHelp,
		FlagSet:    fs,
		Exec:       func(ctx context.Context, args []string) error { return f.run(ctx, args, con) },
	}
}

// register adds the flags to a flag set.
func (f *verifyFlags) register(fs *flag.FlagSet) {
	f.requestFlags.register(fs, pangolin.OfSubject, pangolin.OfScope, pangolin.OfWitness, pangolin.OfSearch)
	fs.BoolVar(&f.json, "json", false, "print one JSON object a line")
}

func (f *verifyFlags) run(ctx context.Context, args []string, con *console) error {
	if err := con.check(); err != nil {
		return &usageError{"verify", err.Error()}
	}
	r := f.about(args)
	face := &verifyFace{con: con, json: f.json, out: r.Out, results: con.results(f.json)}
	r.Events = face.events()
	list, err := pangolin.Verify(ctx, r)
	written := face.end()
	if errors.Is(err, pangolin.ErrInterrupted) {
		fmt.Fprintf(con.err, "pangolin: %v\n", err)
		return status(cmp.Or(verdict.ExitCode(list), verdict.ExitUnknown))
	}
	if err := cmp.Or(err, written); err != nil {
		return err
	}
	return exitWith(verdict.ExitCode(list))
}

// verifyFace shows a verification: what was found on standard error, verdicts on
// standard output.
type verifyFace struct {
	con      *console
	json     bool
	out      string // where witnesses are to be written
	results  report.Renderer
	progress *progress
	what     string
}

func (v *verifyFace) events() pangolin.Events {
	return pangolin.Events{
		Found: func(c verdict.Collection) {
			v.con.announce(c)
			_ = v.results.Show(verdict.Found{Collection: c})
		},
		Note:     v.con.note,
		Verdict:  v.verdict,
		Progress: v.report,
	}
}

func (v *verifyFace) verdict(d verdict.Verdict) {
	v.clear()
	_ = v.results.Show(d)                                                         // end tells what went wrong
	if v.json && d.Violation != nil && d.Violation.Witness == "" && v.out != "" { // it could not be written
		_ = v.results.Show(d.Violation.Execution)
	}
}

func (v *verifyFace) report(p pangolin.Progress) {
	if what := p.Collection + " " + p.Property; v.progress == nil || v.what != what {
		v.clear()
		v.what, v.progress = what, newProgress(v.con.err, what)
	}
	v.progress.report(p)
}

func (v *verifyFace) clear() {
	if v.progress != nil {
		v.progress.end()
		v.progress = nil
	}
}

// end says whether everything could be printed.
func (v *verifyFace) end() error {
	v.clear()
	return v.results.Close()
}
