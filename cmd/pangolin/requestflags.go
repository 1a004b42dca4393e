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
	"sync"

	"pangolin"
	"pangolin/internal/cache"
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
	registerTags(fs)
}

// registerTags adds the flag about build tags. The go command is told of them by GOFLAGS, as everything that this process asks it.
func registerTags(fs *flag.FlagSet) {
	fs.Func("tags", "comma separated `list` of build tags, as go build has it", func(list string) error {
		return os.Setenv("GOFLAGS", strings.TrimSpace(os.Getenv("GOFLAGS")+" -tags="+list))
	})
}

// registerCache adds the flags about the directory of results, which is the user's own by default.
func (f *requestFlags) registerCache(fs *flag.FlagSet) {
	f.request.Search.Cache, _ = cache.Default() // invoke tells what is wrong
	f.request.Register(fs, pangolin.OfCache)
}

// without adds the flags that register adds, except some that would change nothing in a command.
func without(fs *flag.FlagSet, leave []string, register func(*flag.FlagSet)) {
	those(fs, func(name string) bool { return !slices.Contains(leave, name) }, register)
}

// those adds the flags that register adds, if they are wanted.
func those(fs *flag.FlagSet, wanted func(name string) bool, register func(*flag.FlagSet)) {
	all := flag.NewFlagSet(fs.Name(), flag.ContinueOnError)
	register(all)
	all.VisitAll(func(f *flag.Flag) {
		if wanted(f.Name) {
			fs.Var(f.Value, f.Name, f.Usage)
		}
	})
}

// unread lists the flags of verify that have no meaning for transition systems: a system contains all clients of the scope, its labels name
// threads and values, and one worker makes it.
var unread = []string{"engine", "items", "thread-sym", "generic-values", "adds-dominant", "distinct-priorities", "preempt", "fair", "j"}

// systemUsage adapts the help of flags to transition systems.
func systemUsage(fs *flag.FlagSet) {
	fs.Lookup("reduce").Usage = reduceUsage(refine.Engine().Reductions.String())
}

// about is the request about the packages in args.
func (f *requestFlags) about(args []string) pangolin.Request {
	r := f.request
	r.Packages = args
	r.Search.Workers = f.workers()
	return r
}

// workers is the number of workers: -j, else 1 with a limit on states, else the number of CPUs.
func (f *requestFlags) workers() int {
	s := &f.request.Search
	switch {
	case s.Workers > 0:
		return s.Workers
	case s.MaxStates > 0 && s.Swarm == 0:
		return 1
	}
	return runtime.NumCPU()
}

// witnessDir is the default of -out, in the user's cache directory; in the system's temporary directory if there is none, where another
// user may own a directory of that name.
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

// inFlags replaces fields of requests by flags in the description of a collection.
func inFlags(c verdict.Collection) verdict.Collection {
	c.Reason = asFlags(c.Reason)
	c.Skipped = slices.Clone(c.Skipped)
	for i := range c.Skipped {
		c.Skipped[i].Why = asFlags(c.Skipped[i].Why)
	}
	return c
}

// saidInFlags replaces fields of requests by flags in the texts of a verdict.
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

// asFlags replaces the names of request fields in a text by flags: the library's messages name fields, the command's name flags.
func asFlags(text string) string { return fieldNames().Replace(text) }

// fieldNames replaces names of fields, longer ones first.
var fieldNames = sync.OnceValue(func() *strings.Replacer {
	fields := pangolin.Fields()
	slices.SortFunc(fields, func(a, b pangolin.Field) int { return cmp.Compare(len(b.Path), len(a.Path)) })
	pairs := []string{"Execution.MaxSteps", "-max-steps"}
	for _, f := range fields {
		pairs = append(pairs, f.Path, "-"+f.Flag)
	}
	return strings.NewReplacer(pairs...)
})
