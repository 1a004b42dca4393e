package main

import (
	"flag"
	"strconv"
	"strings"

	"pangolin"
)

// subjectFlags are the flags that say what is verified and within which bounds; they
// are common to verify and clients.
type subjectFlags struct {
	request pangolin.Request
	ops     string
	preempt int
	bounded bool // -preempt was given
}

const (
	collectionKinds = "auto, set, queue, stack, pqueue, deque, map, counter, register, lock or object"
	presetsNames    = "A, B, C, D or E of COLLECT's Table 1"
)

// register adds the flags to a flag set.
func (f *subjectFlags) register(fs *flag.FlagSet) {
	r, s := &f.request, &f.request.Scope
	fs.StringVar(&r.Type, "type", "", "verify only this type, exported or not, possibly with type arguments")
	fs.StringVar(&r.New, "new", "", "make the collection with this Go `expression` of the package")
	fs.StringVar(&f.ops, "ops", "", "comma separated `methods` that are the operations")
	fs.StringVar(&r.Roles, "roles", "", "which thread calls what: Put:1 only thread 1, Get:* any, Len:~1 any but 1 (comma separated `roles`)")
	fs.StringVar(&r.Kind, "kind", "", "`kind` of collection: "+collectionKinds)
	fs.StringVar(&r.Protocol, "protocol", "", "nonblocking, bounded(N) or synchronous (default: found)")
	fs.StringVar(&r.Oracle, "oracle", "", "what judges it: auto, self (the code itself, run sequentially), a kind's `name`, or a Go type PKG.Type")
	fs.StringVar(&s.Config, "config", "", "bounds of configuration `X`: "+presetsNames+" (default D); the flags below override it")
	fs.StringVar(&s.Threads, "threads", "", "number of threads, `a..b`")
	fs.StringVar(&s.Steps, "steps", "", "total number of calls, `a..b`")
	fs.StringVar(&s.PreAdds, "preadds", "", "number of calls that add before the threads start, `a..b`")
	fs.Var(positive{&s.PerThread}, "per-thread", "instead of -steps: every thread makes exactly `n` calls")
	fs.Var(positive{&s.Values}, "values", "keys and compared items are 0 to `n`-1 (default: as many as can be added)")
	fs.Var(switchFlag{&s.ThreadSymmetry}, "thread-sym", "count clients once that differ in the order of threads only")
	fs.Var(switchFlag{&s.GenericValues}, "generic-values", "number the items instead of choosing them")
	fs.Var(switchFlag{&s.AddsDominant}, "adds-dominant", "no clients that remove more than they add")
	fs.Var(switchFlag{&s.DistinctPriorities}, "distinct-priorities", "no two items with the same priority")
	fs.StringVar(&s.Hash, "hash", "", "`model` of hash functions: identity or nondet(m,N)")
	fs.Func("preempt", "explore executions with at most `k` preemptions only (unsound; -1: all)", func(text string) error {
		k, err := strconv.Atoi(text)
		f.preempt, f.bounded = k, true
		return err
	})
	fs.Func("property", "linear, sc or quiescent, several separated by commas, or all for the strongest that `hold` (default linear)", func(text string) error {
		r.Property = text
		return nil
	})
	fs.Var(fairFlag{&r.Search.Unfair}, "fair", "only weakly fair cycles count as nontermination; -fair=false: any cycle does (default true)")
}

// finish completes the request with what the command line holds.
func (f *subjectFlags) finish(args []string) *pangolin.Request {
	r := f.request
	r.Packages = args
	if f.ops != "" {
		for op := range strings.SplitSeq(f.ops, ",") {
			r.Ops = append(r.Ops, strings.TrimSpace(op))
		}
	}
	if f.bounded {
		r.Search.Preempt = &f.preempt
	}
	return &r
}

// switchFlag is a flag that may be left as the configuration has it.
type switchFlag struct{ to *pangolin.Switch }

func (f switchFlag) String() string { return "" }

func (f switchFlag) IsBoolFlag() bool { return true }

func (f switchFlag) Set(text string) error {
	on, err := strconv.ParseBool(text)
	*f.to = pangolin.SwitchOf(on)
	return err
}

// fairFlag is the opposite of the switch that it sets.
type fairFlag struct{ unfair *pangolin.Switch }

func (f fairFlag) String() string { return "" }

func (f fairFlag) IsBoolFlag() bool { return true }

func (f fairFlag) Set(text string) error {
	on, err := strconv.ParseBool(text)
	*f.unfair = pangolin.SwitchOf(!on)
	return err
}
