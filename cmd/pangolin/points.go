package main

import (
	"cmp"
	"context"
	"flag"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin"
	"pangolin/verdict"
)

// The subcommand points: the flags of verify with another engine's question.

const pointsHelp = `Points finds linearization points: for every operation and outcome the statements at
which it takes effect in every execution of the scope, in its own code (fixed), or also
in another thread's (helping), with two executions that show why no point of its own
will do.

-check takes them from directives on statements,

  //pangolin:point when COND emit OP(ARGS) = RESULTS

and checks, in every interleaving of every small client, that what they announce
explains every result: each call is announced within its time, with its result, and
changes the collection once (rules M3 to M6; doc/points.md says what they are). An
operation with a key that changes nothing needs no point. A call may also take effect in
another thread's step: "for VALUE" announces for the call that "as VALUE" named, and "on
MESSAGE before" when somebody has "broadcast MESSAGE".

-write puts what was found into the source: directives above the statements, with conditions
in Go, "= ?" for the result that the specification gives, and "may" where not every
passage of a statement is the point. The policy is checked before anything is written.

Points that are accepted show that the collection is linearizable within the scope.
Flags and exit codes are those of verify.

Examples:

  pangolin points -config D ./stack.Stack
  pangolin points -check ./stack.Stack
  pangolin points -check -threads 2 -steps 1..4 -json ./queue`

func newPoints(con *console) *ffcli.Command {
	f := &verifyFlags{}
	fs := flag.NewFlagSet("points", flag.ContinueOnError)
	f.register(fs)
	check := fs.Bool("check", false, "check the points that directives name")
	write := fs.Bool("write", false, "write what is found into the source, as directives, if it is right as a policy")
	all := fs.Bool("alternatives", false, "find all statements that suffice alone, not one of them")
	return &ffcli.Command{
		Name:       "points",
		ShortUsage: "pangolin points [-check|-write] [flags] PKG ...",
		ShortHelp:  "linearization points: find them, or check the annotated ones",
		LongHelp:   pointsHelp,
		FlagSet:    fs,
		Exec: func(ctx context.Context, args []string) error {
			if *check && *write {
				return &usageError{"points", "-check takes directives from the source, and -write puts them there: choose one"}
			}
			if *check {
				f.request.Engine = "points"
				return f.run(ctx, args, con)
			}
			return f.findPoints(ctx, pangolin.PointsOptions{Alternatives: *all, Write: *write}, args, con)
		},
	}
}

// findPoints finds points and prints them. The usual scope is configuration D.
func (f *verifyFlags) findPoints(ctx context.Context, opt pangolin.PointsOptions, args []string, con *console) error {
	r := f.about(args)
	if r.Scope == (pangolin.Scope{}) {
		r.Scope.Config = "D"
	}
	face := &verifyFace{con: con, json: f.json, out: r.Out, results: con.results(f.json)}
	r.Events = face.events()
	var list []verdict.Verdict
	var failed error
	err := pangolin.FindPoints(ctx, r, opt, func(p verdict.Points) {
		if p.Verdict != nil {
			list = append(list, *p.Verdict)
		}
		if shown := face.results.Show(p); failed == nil {
			failed = shown
		}
	})
	if err = cmp.Or(err, failed, face.results.Close()); err != nil {
		return err
	}
	return exitWith(verdict.ExitCode(list))
}
