// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"pangolin"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin/internal/study"
	"pangolin/verdict"
)

// The subcommand study: selects one of the papers' experiments, runs it and prints its rows.

const studyHelp = `Study repeats the experiments of a paper and prints our verdicts and seconds beside
the published ones. NAME is one of

  collect    Table 2 of the COLLECT paper: 26 textbook collections in the
             configurations A to E. The paper used 16 cores and a preemption
             bound of 2 in E; we use none unless -preempt says so.
  mutants    faults planted in those of our collections that are verified, one
             at a time, as "pangolin mutate" does, in configuration D unless
             -config says another; those that survive are tried again in a
             larger scope.
  scopes     which scopes kill those mutants, one after the other and together,
             and what they cost: what the scope without flags was chosen by.
  thesis     Table 6.1 of the thesis about transition systems: the code against
             the same code with each operation in one step, under branching
             bisimulation and weak trace equivalence. -others adds the rows that
             the thesis could not do, and all other collections.
  cmp        Fig. 6 of the paper on lists for any number of threads with one and
             two items: the engine cmp, with what it finds that the proofs need,
             line by line. -others adds more items and all other collections.
  gobench    the kernels of GoBench, real bugs of Go programs, that Go's own
             distribution has for its goroutine leak profile, and the patterns
             beside them: which of the leaks that its tests name are found, and
             that repaired ones have none. -dir takes a checkout of GoBench.
  policies   Fig. 6 of the paper on linearization policies: its algorithms
             verified in configuration D (bounded), with their policy (policy),
             the points found (points), and proved (unbounded), where the
             paper's seconds stand. -config chooses among these columns.
  progress   which operations of our collections are wait-free, lock-free,
             obstruction-free or blocking, under two threads and four calls.

It runs within Pangolin's own module, where the collections are. An exclamation mark
stands for a violation, inf for an infinite state space, ? for unknown; cells whose
verdicts differ are in **bold**. Seconds include loading, but for collect only
the first cell of a package asks the go command which files there are.

Exit codes: 0 all verdicts are the published ones or explained in the notes, 1 one
differs without an explanation, 2 tool error, 3 one is unknown.`

// studyFlags are the flags of study.
type studyFlags struct {
	configs, rows string
	packages, dir string
	short, others bool
	preempt, max  int
	out, from     string
	json          bool
	farm          farmFlags
	requestFlags
}

func newStudy(con *console) *ffcli.Command {
	f := &studyFlags{}
	fs := flag.NewFlagSet("study", flag.ContinueOnError)
	fs.StringVar(&f.configs, "config", "", "the configurations to run, a comma separated `list` such as A,B (default all)")
	fs.StringVar(&f.rows, "rows", "", "the rows to run, a comma separated `list` (default all)")
	fs.StringVar(&f.packages, "packages", "", "scopes: the packages, a comma separated `list` such as ./lru,./pool, whose types take the place of our collections")
	fs.StringVar(&f.dir, "dir", "", "gobench: `directory` of a checkout of GoBench, whose tests take the place of the distribution's kernels")
	fs.BoolVar(&f.short, "short", false, "configurations A and B only: some seconds, for continuous integration")
	fs.BoolVar(&f.others, "others", false, "also our collections that the paper does not have")
	fs.IntVar(&f.preempt, "preempt", 0, "at most `k` preemptions in configuration E, as the paper with 2 (default 0: no bound)")
	fs.StringVar(&f.out, "out", "", "`directory` to which witnesses are written (default none)")
	fs.IntVar(&f.max, "max", 0, "mutants, scopes: try at most `n` of each collection, spread evenly over the source (default: all)")
	fs.StringVar(&f.from, "from", "", study.Names("from")+": print the tables of the `file` that earlier runs wrote with -json")
	f.register(fs, pangolin.OfTime, pangolin.OfSearch)
	fs.StringVar(&f.request.Search.Cache, "cache", "", "keep results in this `directory`, and compute none that it has (default: none are kept, as tables say what verdicts cost)")
	fs.BoolVar(&f.json, "json", false, "print one JSON object a line")
	f.farm.register(fs)
	fs.Lookup("on").Usage = study.Names("on") + ": " + fs.Lookup("on").Usage
	for _, name := range []string{"j", "reduce", "time"} {
		fs.Lookup(name).Usage = study.Names(name) + ": " + fs.Lookup(name).Usage
	}
	fs.Lookup("timeout").Usage = "end each cell after a `duration` (default: no limit; mutants, scopes: 30s; thesis, cmp, progress and policies: 60s)"
	return &ffcli.Command{
		Name:       "study",
		ShortUsage: "pangolin study NAME [flags]",
		ShortHelp:  "a paper's table, ours beside the published figures",
		LongHelp:   studyHelp,
		FlagSet:    fs,
		Exec:       func(ctx context.Context, args []string) error { return f.wherever(ctx, args, con) },
	}
}

// wherever runs the study here, or with verdicts of a farm.
func (f *studyFlags) wherever(ctx context.Context, args []string, con *console) error {
	if _, err := f.study(args); err != nil {
		return err
	}
	return f.farm.wherever(ctx, con, func() error { return f.run(ctx, args, con) })
}

func (f *studyFlags) run(ctx context.Context, args []string, con *console) error {
	s, err := f.study(args)
	if err != nil {
		return err
	}
	began := time.Now()
	results := con.results(f.json)
	var lines []study.Line
	var all []verdict.Status
	show := func(l study.Line) error {
		lines, all = append(lines, l), append(all, l.Judgement())
		if !f.json {
			return nil
		}
		return results.Show(l)
	}
	seconds := 0.0
	if f.from != "" {
		err = f.read(s, show)
	} else {
		err = s.Run(ctx, f.options(con), func(l study.Line) error {
			if s.Long || !f.json {
				fmt.Fprintln(con.err, l.Told())
			}
			return show(l)
		})
		seconds = time.Since(began).Seconds()
	}
	if err == nil && !f.json {
		err = s.Print(con.out, lines, seconds)
	}
	if err != nil || !s.Judged {
		return err
	}
	return exitWith(verdict.ExitOf(all...))
}

// study is the named study. A flag that it does not use is an error.
func (f *studyFlags) study(args []string) (*study.Study, error) {
	all := study.All()
	i := slices.IndexFunc(all, func(s study.Study) bool { return len(args) == 1 && args[0] == s.Name })
	if i < 0 {
		return nil, &usageError{"study", "study wants the name of a study: " + study.Names("")}
	}
	for name, given := range map[string]bool{"config": f.configs != "", "packages": f.packages != "", "dir": f.dir != "", "short": f.short, "others": f.others,
		"preempt": f.preempt != 0, "max": f.max != 0, "out": f.out != "", "from": f.from != "", "cache": f.request.Search.Cache != "", "on": f.farm.on != "",
		"reduce": f.request.Search.Reduce != "", "time": f.request.Search.Time != "", "j": f.request.Search.Workers != 0} {
		if given && !slices.Contains(all[i].Takes, name) {
			return nil, &usageError{"study", fmt.Sprintf("-%s has no effect on the study %s: it is for %s", name, all[i].Name, study.Names(name))}
		}
	}
	if f.farm.on != "" && f.from != "" {
		return nil, &usageError{"study", "-on and -from contradict each other: a table that is read needs no verdicts"}
	}
	if f.short && f.configs != "" {
		return nil, &usageError{"study", "-short and -config contradict each other"}
	}
	return &all[i], nil
}

// options are the options of all studies.
func (f *studyFlags) options(con *console) study.Options {
	s := &f.request.Search
	return study.Options{Configs: list(f.configs), Rows: names(f.rows), Packages: list(f.packages), Checkout: f.dir, Short: f.short, Others: f.others, Workers: f.workers(), Preempt: f.preempt,
		Timeout: s.Timeout, MaxStates: s.MaxStates, MaxMemory: s.MaxMemory, Reduce: s.Reduce, Time: s.Time, MaxMutants: f.max, Note: con.note, Out: f.out, Cache: f.request.Search.Cache, Elsewhere: f.farm.elsewhere()}
}

// read passes on the lines of a file that an earlier run printed with -json.
func (f *studyFlags) read(s *study.Study, each func(study.Line) error) error {
	file, err := os.Open(f.from)
	if err != nil {
		return err
	}
	defer file.Close()
	lines, err := s.Read(file)
	if err != nil {
		return fmt.Errorf("%s: %w", f.from, err)
	}
	for _, l := range lines {
		if err := each(l); err != nil {
			return err
		}
	}
	return nil
}

// names splits a list at commas only: names of the thesis contain blanks.
func names(text string) (list []string) {
	for _, name := range strings.Split(text, ",") {
		if name = strings.TrimSpace(name); name != "" {
			list = append(list, name)
		}
	}
	return list
}

// list splits a list at commas and blanks.
func list(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}
