// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"

	"pangolin"
	"pangolin/verdict"
)

// runAll explores every interleaving and prints the outcomes.
func runAll(ctx context.Context, f *runFlags, patterns, args []string, con *console) error {
	r := f.about(patterns)
	r.Program.Args, r.Search.Min = args, f.schedule
	bar := newProgress(con.err, columns(con.err))
	r.Events.Progress = func(p pangolin.Progress) { bar.report("exploring", p) }
	var notes []string
	r.Events.Note = func(text string) { notes = append(notes, text) }
	v, err := pangolin.Run(ctx, r)
	bar.end()
	if v.Status == "" {
		return err
	}
	if err := show(con, f.json, []verdict.Verdict{v}); err != nil {
		return err
	}
	for _, text := range notes {
		con.note(text)
	}
	if err != nil {
		return err
	}
	return exitWith(verdict.ExitCode([]verdict.Verdict{v}))
}
