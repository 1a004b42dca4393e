// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin"
	"pangolin/report/record"
	"pangolin/verdict"
)

// The subcommand merge: records of shards become the results of one run.

const mergeHelp = `Merge puts the records of shards together, and prints what one run without shards
would have printed, in every format (but for seconds), with its exit code.

  pangolin verify -shard 1/3 -record 1.record ./...     on one machine
  pangolin verify -shard 2/3 -record 2.record ./...     on another one
  pangolin verify -shard 3/3 -record 3.record ./...
  pangolin merge -sarif log.sarif -baseline known.txt *.record

The collections are split by their number, or with -costs by what they took, and
never by what a machine happens to have in its cache: all machines split them
in the same way. Merge refuses records of which one is missing, or there twice, and
such as are about other packages, flags, sources, or another build of Pangolin.
A shard that was killed leaves a record without an end: run it again; what
it had decided is in the cache.

The record of a run without shards may be merged as well, to print it again in
another format. What a baseline says is up to merge, not to the shards.

Exit codes: those of pangolin verify.`

func newMerge(con *console) *ffcli.Command {
	f := &verifyFlags{}
	fs := flag.NewFlagSet("merge", flag.ContinueOnError)
	fs.BoolVar(&f.json, "json", false, "print one JSON object a line")
	f.files.register(fs)
	fs.StringVar(&f.baseline, "baseline", "", baselineUsage)
	fs.StringVar(&f.request.Out, "out", witnessDir(), "`directory` to which witnesses are written (default pangolin in the user's cache directory; '' for none)")
	con.register(fs)
	return &ffcli.Command{
		Name:       "merge",
		ShortUsage: "pangolin merge [flags] RECORD ...",
		ShortHelp:  "put the results of shards together",
		LongHelp:   mergeHelp,
		FlagSet:    fs,
		Exec: func(_ context.Context, args []string) error {
			if len(args) == 0 {
				return &usageError{"merge", "merge wants the records of all shards, which pangolin verify -record writes"}
			}
			return f.merge(args, con)
		},
	}
}

// merge prints the records of files as one.
func (f *verifyFlags) merge(args []string, con *console) error {
	if err := con.check(); err != nil {
		return &usageError{"merge", err.Error()}
	}
	whole, err := mergedRecord(args)
	if err != nil {
		return err
	}
	known, err := readBaseline(f.baseline, false)
	if err != nil {
		return err
	}
	if err := f.files.create(); err != nil {
		return err
	}
	face := &verifyFace{con: con, files: &f.files, format: f.form(), quiet: true, named: !whole.End.Brief || con.all, out: f.request.Out, known: known, parted: true}
	events := face.events()
	list := f.replay(whole, &events, con)
	if whole.End.Error != "" {
		err = errors.New(whole.End.Error)
	}
	if err == nil || len(list) > len(face.missed) {
		face.showMissed()
	}
	ending := err
	if whole.End.Interrupted {
		ending = pangolin.ErrInterrupted
	}
	if err := errors.Join(err, face.end(ending)); err != nil {
		return err
	}
	if known != nil {
		for i := range list {
			known.Mark(&list[i])
		}
	}
	code := verdict.ExitCode(list)
	if whole.End.Interrupted {
		fmt.Fprintln(con.err, "pangolin: a shard was interrupted: what it had not verified is listed as not judged")
		code = cmp.Or(code, verdict.ExitUnknown)
	}
	return exitWith(code)
}

// replay tells of a record what was told when it was made, and gives the verdicts.
func (f *verifyFlags) replay(whole *record.Record, e *pangolin.Events, con *console) (list []verdict.Verdict) {
	e.Shard(whole.Shard)
	for _, one := range whole.Results {
		if one.Found != nil {
			e.Position(one.Position)
			e.Found(*one.Found)
		}
	}
	for _, one := range whole.Results {
		v := one.Verdict
		if v == nil {
			continue
		}
		if v.Violation != nil {
			if v.Violation.Witness = ""; f.request.Out != "" {
				if err := pangolin.KeepWitness(f.request.Out, v); err != nil {
					con.note(fmt.Sprintf("%s: the witness is printed only, it cannot be written: %v (-out names another directory)", v.Collection, err))
				}
			}
		}
		list = append(list, *v)
		e.Position(one.Position)
		e.Verdict(*v)
	}
	return list
}

// mergedRecord is the record of all shards, which are in files.
func mergedRecord(names []string) (*record.Record, error) {
	var list []*record.Record
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		one, err := record.Read(name, file)
		file.Close()
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return record.Merge(list)
}
