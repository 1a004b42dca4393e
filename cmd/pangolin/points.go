// SPDX-License-Identifier: BSD-3-Clause

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
operation with a key that changes nothing needs no point, unless the policy says "every OP". A call may also take effect in
another thread's step: "for VALUE" announces for the call that "as VALUE" named, and "on
MESSAGE before" when somebody has "broadcast MESSAGE".

-write puts what was found into the source: directives above the statements,
with conditions in Go, "= ?" for the result that the specification gives, and
"may" where not every passage of a statement is the point. The policy is checked
before anything is written.

-compose puts the code in step with a concurrent specification, whose threads
invoke, take effect in one step and return. It checks the directives as -check
does, and says what goes in step: at most one step of the specification with one
of the code, or several, or those of other threads; and for which outcomes one
of several steps is the point. Then an intermediate system stands in the place
of the specification, which has to be linearizable itself, and is looked at as
well.

Points that are accepted show that the collection is linearizable within the scope.
Flags and exit codes are those of verify.

Examples:

  pangolin points -config D ./stack.Stack
  pangolin points -check ./stack.Stack
  pangolin points -compose -config D ./stack.Stack
  pangolin points -check -threads 2 -steps 1..4 -json ./queue`

func newPoints(con *console) *ffcli.Command {
	f := &verifyFlags{}
	fs := flag.NewFlagSet("points", flag.ContinueOnError)
	f.register(fs)
	check := fs.Bool("check", false, "check the points that directives name")
	compose := fs.Bool("compose", false, "put the code in step with a concurrent specification, by the points that directives name")
	write := fs.Bool("write", false, "write what is found into the source, as directives, if it is right as a policy")
	all := fs.Bool("alternatives", false, "find all statements that suffice alone, not one of them")
	return &ffcli.Command{
		Name:       "points",
		ShortUsage: "pangolin points [-check|-compose|-write] [flags] PKG ...",
		ShortHelp:  "linearization points: find them, or check the annotated ones",
		LongHelp:   pointsHelp,
		FlagSet:    fs,
		Exec: func(ctx context.Context, args []string) error {
			switch {
			case *check && *write:
				return &usageError{"points", "-check takes directives from the source, and -write puts them there: choose one"}
			case *compose && (*check || *write):
				return &usageError{"points", "-compose checks directives of the source as well: give it without -check and -write"}
			case *compose && *all:
				return &usageError{"points", "-alternatives is about points that are found, and -compose takes those of directives: choose one"}
			case *compose:
				return f.composePoints(ctx, args, con)
			}
			if *check {
				f.request.Engine = "points"
				return f.run(ctx, args, con)
			}
			return f.findPoints(ctx, pangolin.PointsOptions{Alternatives: *all, Write: *write}, args, con)
		},
	}
}

// aboutPoints makes the request and its face. The usual scope is configuration D.
func (f *verifyFlags) aboutPoints(args []string, con *console) (pangolin.Request, *verifyFace) {
	r := f.about(args)
	if s := r.Scope; s.Config == "" && s.Threads == "" && s.Steps == "" && s.PreAdds == "" {
		r.Scope.Config = "D"
	}
	face := &verifyFace{con: con, format: f.form(), files: &f.files, out: r.Out, results: con.results(f.json)}
	r.Events = face.events()
	return r, face
}

// collected returns a list to which the verdicts of later events are added.
func (v *verifyFace) collected(r *pangolin.Request) *[]verdict.Verdict {
	list, show := new([]verdict.Verdict), r.Events.Verdict
	r.Events.Verdict = func(d verdict.Verdict) {
		*list = append(*list, d)
		show(d)
	}
	return list
}

// composePoints checks collections together with their specifications and prints the results.
func (f *verifyFlags) composePoints(ctx context.Context, args []string, con *console) error {
	r, face := f.aboutPoints(args, con)
	list := face.collected(&r)
	var failed error
	err := pangolin.ComposePoints(ctx, r, func(c verdict.Composition) {
		*list = append(*list, c.Verdict)
		if i := c.Intermediate; i != nil && i.Status != verdict.Verified {
			*list = append(*list, verdict.Verdict{Status: verdict.Unknown})
		}
		if shown := face.results.Show(c); failed == nil {
			failed = shown
		}
	})
	if err == nil || len(*list) > len(face.missed) {
		face.showMissed()
	}
	if err = cmp.Or(err, failed, face.results.Close()); err != nil {
		return err
	}
	return exitWith(verdict.ExitCode(*list))
}

// findPoints finds points and prints them.
func (f *verifyFlags) findPoints(ctx context.Context, opt pangolin.PointsOptions, args []string, con *console) error {
	r, face := f.aboutPoints(args, con)
	list := face.collected(&r)
	var failed error
	err := pangolin.FindPoints(ctx, r, opt, func(p verdict.Points) {
		if p.Verdict != nil {
			*list = append(*list, *p.Verdict)
		}
		if shown := face.results.Show(p); failed == nil {
			failed = shown
		}
	})
	if err == nil || len(*list) > len(face.missed) {
		face.showMissed()
	}
	if err = cmp.Or(err, failed, face.results.Close()); err != nil {
		return err
	}
	return exitWith(verdict.ExitCode(*list))
}
