package main

import (
	"errors"
	"flag"
	"runtime"
	"strconv"
	"time"

	"pangolin/internal/vm"
)

// searchFlags are the flags of every command that searches.
type searchFlags struct {
	timeout   time.Duration
	maxStates uint64
	maxMemory byteSize
	workers   int
	reduce    string
	json      bool
}

// defaultMemory is the default of -max-memory.
const defaultMemory byteSize = 4 << 30

// register adds the flags to a flag set.
func (f *searchFlags) register(fs *flag.FlagSet) {
	f.maxMemory = defaultMemory
	fs.Var(positiveDuration{&f.timeout}, "timeout", "end after a `duration` such as 30s or 5m and say how far it got (default: no limit)")
	fs.Uint64Var(&f.maxStates, "max-states", 0, "end after `n` states (default: no limit)")
	fs.Var(&f.maxMemory, "max-memory", "end when the search takes so many `bytes`, e.g. 500M (default 4G)")
	fs.Var(positive{&f.workers}, "j", "search with `n` workers (default: the number of CPUs; 1 with -max-states, so that the same states are covered each time)")
	fs.StringVar(&f.reduce, "reduce", "all", reduceUsage(vm.AllReductions))
	fs.BoolVar(&f.json, "json", false, "print one JSON object a line")
}

func reduceUsage(set vm.Reductions) string {
	return "reductions to use: a comma separated `list` of " + set.String() + "; all, or none for the raw search"
}

// count is the number of workers asked for.
func (f *searchFlags) count() int {
	switch {
	case f.workers > 0:
		return f.workers
	case f.maxStates > 0:
		return 1
	}
	return runtime.NumCPU()
}

// positive is a number that is not given or at least 1.
type positive struct{ to *int }

func (p positive) String() string { return "" }

func (p positive) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return errors.New("want a whole number, at least 1")
	}
	*p.to = n
	return nil
}

// positiveDuration is a limit on time that is not given or passes.
type positiveDuration struct{ to *time.Duration }

func (p positiveDuration) String() string { return "" }

func (p positiveDuration) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return errors.New("want a duration above 0, such as 30s or 5m")
	}
	*p.to = d
	return nil
}
