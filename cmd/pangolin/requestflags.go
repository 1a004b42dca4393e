// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"cmp"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"pangolin"
	"pangolin/internal/engine/refine"
	"pangolin/verdict"
)

// defaultMemory is the default of -max-memory.
const defaultMemory = 4 << 30

// requestFlags are the flags that are fields of a request.
type requestFlags struct{ request pangolin.Request }

// register adds the flags of some groups to a flag set.
func (f *requestFlags) register(fs *flag.FlagSet, groups ...pangolin.Group) {
	if slices.Contains(groups, pangolin.OfSearch) {
		f.request.Search.MaxMemory = defaultMemory
	}
	if slices.Contains(groups, pangolin.OfWitness) {
		f.request.Out = witnessDir()
	}
	f.request.Register(fs, groups...)
}

// without adds the flags that another function adds, but for some: a command has no flag that would change
// nothing.
func without(fs *flag.FlagSet, leave []string, register func(*flag.FlagSet)) {
	all := flag.NewFlagSet(fs.Name(), flag.ContinueOnError)
	register(all)
	all.VisitAll(func(f *flag.Flag) {
		if !slices.Contains(leave, f.Name) {
			fs.Var(f.Value, f.Name, f.Usage)
		}
	})
}

// unread are the flags of verify that mean nothing where transition systems are made: all clients of the scope are
// in a system, threads and values are named in it, and one worker makes it.
var unread = []string{"engine", "items", "thread-sym", "generic-values", "adds-dominant", "distinct-priorities", "preempt", "fair", "j"}

// systemUsage lets flags say what they mean where transition systems are made.
func systemUsage(fs *flag.FlagSet) {
	fs.Lookup("reduce").Usage = reduceUsage(refine.Engine().Reductions.String())
}

// about is the request about the packages that args name.
func (f *requestFlags) about(args []string) pangolin.Request {
	r := f.request
	r.Packages = args
	r.Search.Workers = f.workers()
	return r
}

// workers is the number of workers asked for.
func (f *requestFlags) workers() int {
	s := &f.request.Search
	switch {
	case s.Workers > 0:
		return s.Workers
	case s.MaxStates > 0:
		return 1
	}
	return runtime.NumCPU()
}

// witnessDir is the default of -out. In the system's temporary directory another user
// may own what is called pangolin; it is for those who have no directory of their own.
func witnessDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "pangolin")
}

func reduceUsage(set string) string {
	return "reductions to use: a comma separated `list` of " + set + "; all, or none for the raw search"
}

// inFlags is what was found, with the flags named.
func inFlags(c verdict.Collection) verdict.Collection {
	c.Reason = asFlags(c.Reason)
	c.Skipped = slices.Clone(c.Skipped)
	for i := range c.Skipped {
		c.Skipped[i].Why = asFlags(c.Skipped[i].Why)
	}
	return c
}

// saidInFlags is a verdict with the flags named where it says what to do.
func saidInFlags(v verdict.Verdict) verdict.Verdict {
	v.Reason = asFlags(v.Reason)
	v.LeftOut = slices.Clone(v.LeftOut)
	for i := range v.LeftOut {
		v.LeftOut[i].Why = asFlags(v.LeftOut[i].Why)
	}
	v.Assumptions = slices.Clone(v.Assumptions)
	for i, a := range v.Assumptions {
		v.Assumptions[i] = asFlags(a)
	}
	v.Asked = slices.Clone(v.Asked)
	for i := range v.Asked {
		v.Asked[i].Why, v.Asked[i].Took = asFlags(v.Asked[i].Why), asFlags(v.Asked[i].Took)
	}
	v.Hints = slices.Clone(v.Hints)
	for i, h := range v.Hints {
		v.Hints[i] = asFlags(h)
	}
	return v
}

// asFlags replaces the fields of requests that a text names by their flags: the library
// speaks to programs, this program to the command line.
func asFlags(text string) string {
	fields := pangolin.Fields()
	slices.SortFunc(fields, func(a, b pangolin.Field) int { return cmp.Compare(len(b.Path), len(a.Path)) })
	pairs := []string{"Execution.MaxSteps", "-max-steps"}
	for _, f := range fields {
		pairs = append(pairs, f.Path, "-"+f.Flag)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
