// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"pangolin/internal/engine"
	"pangolin/internal/engines"
	"pangolin/internal/find"
	"pangolin/internal/subject"
	"pangolin/internal/task"
	"pangolin/verdict"
)

// Field is a field of a Request as text. The table of fields is the only place that names them: the command line's flags, the directives in
// a type's comment, the flags in studies and expectations, and the JSON form of a Request are made from it.
type Field struct {
	Flag  string // "threads", of the command line
	Path  string // "Request.Scope.Threads", in Go
	Group Group
	// Doc describes the field, with its range and default; the placeholder of the value is in back quotes, as in package flag.
	Doc string
	// Switch: the field is true or false, and true without a text.
	Switch bool
	// Directive is the field's name in a type's comment; "": none.
	Directive string
	// Values are values that it may have, for completion: all, or the usual ones.
	Values []string
	// List: it is a list with commas, and several directives of a type add to it.
	List bool

	get func(*Request) string // "" if it is not set
	set func(*Request, string) error
}

// Group tells what a field is about.
type Group uint8

// The groups.
const (
	OfSubject Group = iota // what is verified, and against what
	OfScope                // within which bounds
	OfSearch               // how to search, whatever the engine
	OfWitness              // how to search for a collection's violations, and what to do with them
	OfProgram              // which program is run
	OfLeaks                // which goroutines must not be left behind
	OfTime                 // what time is
	OfCache                // where results are kept
	OfPart                 // which of the collections are verified
	OfResume               // whether interrupted searches go on
	OfSwarm                // whether many searches are made in place of one
)

// Fields lists the fields in the order of help texts.
func Fields() []Field { return slices.Clone(allFields()) }

// allFields is Fields, made once: each subcommand makes flags of them when the command starts.
var allFields = sync.OnceValue(func() []Field {
	return slices.Concat(subjectFields(), scopeFields(), witnessFields(), searchFields(), timeFields(), programFields(), leakFields(), cacheFields(), partFields(), swarmFields())
})

// Text is the field's value in a request; "" if it is not set.
func (f *Field) Text(r *Request) string { return f.get(r) }

// Set sets the field of a request.
func (f *Field) Set(r *Request, text string) error { return f.set(r, text) }

// Set sets the field with the name of a flag.
func (r *Request) Set(flag, text string) error {
	for _, f := range allFields() {
		if f.Flag == flag {
			if err := f.set(r, text); err != nil {
				return fmt.Errorf("%s %q: %w", f.Path, text, err)
			}
			return nil
		}
	}
	return fmt.Errorf("a request has no field %q", flag)
}

// Register adds flags for the fields of the given groups, or of all groups if none is given, to a flag set.
func (r *Request) Register(fs *flag.FlagSet, groups ...Group) {
	for _, f := range allFields() {
		if len(groups) == 0 || slices.Contains(groups, f.Group) {
			fs.Var(&fieldFlag{f, r}, f.Flag, f.Doc)
		}
	}
}

// fieldFlag is a field of one request as a flag.
type fieldFlag struct {
	Field
	request *Request
}

func (f *fieldFlag) String() string {
	if f.request == nil { // package flag asks a zero value
		return ""
	}
	return f.get(f.request)
}

func (f *fieldFlag) Set(text string) error { return f.set(f.request, text) }

func (f *fieldFlag) IsBoolFlag() bool { return f.Switch }

// MarshalJSON writes the packages and the fields that are set.
func (r *Request) MarshalJSON() ([]byte, error) {
	fields := map[string]any{}
	if len(r.Packages) > 0 {
		fields["packages"] = r.Packages
	}
	for _, f := range allFields() {
		if text := f.get(r); text != "" {
			fields[f.Flag] = text
		}
	}
	return json.Marshal(fields)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Request) UnmarshalJSON(text []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	for name, value := range fields {
		if name == "packages" {
			if err := json.Unmarshal(value, &r.Packages); err != nil {
				return err
			}
			continue
		}
		var s string
		if err := json.Unmarshal(value, &s); err != nil {
			return err
		}
		if err := r.Set(name, s); err != nil {
			return err
		}
	}
	return nil
}

func subjectFields() []Field {
	return []Field{
		textField(Field{Flag: "type", Path: "Request.Type", Doc: "verify only this `type`, exported or not, possibly with type arguments"},
			func(r *Request) *string { return &r.Type }, nil),
		textField(Field{Flag: "new", Path: "Request.New", Directive: "new", Doc: "make the collection with this Go `expression` of the package"},
			func(r *Request) *string { return &r.New }, nil),
		textField(Field{Flag: "prefix", Path: "Request.Prefix", Directive: "prefix", Doc: "execute these Go `statements` of the package first, alone: it.Put(1); the collection is called it, and judged by itself"},
			func(r *Request) *string { return &r.Prefix }, nil),
		{Flag: "ops", Path: "Request.Ops", Directive: "ops", Doc: "comma separated `methods` that are the operations",
			get: func(r *Request) string { return strings.Join(r.Ops, ",") }, set: setOps},
		textField(Field{Flag: "give", Path: "Request.Give", Directive: "give", Doc: "give operations these `functions` of the package instead of generated ones: Update=double; Walk=keep; Subscribe=it.Cancel functions that call Cancel of the same object; All=iter.Pull takes the iterator that All gives step by step; Clone=copy uses the copies that Clone gives; Do=sharing does not compare the bool of Do, which tells whether others share its result; the collection is judged by itself"},
			func(r *Request) *string { return &r.Give }, check(parseGiven)),
		textField(Field{Flag: "roles", Path: "Request.Roles", Directive: "roles", Doc: "which thread calls what: Put:1 only thread 1, Get:* any, Len:~1 any but 1; Close:once, one thread, once at most; Close:last, that and behind all others; Set:first, before all others; Reset:alone, while no other call is in progress; Add:not-Wait+Stop, while no call of Wait or Stop is (comma separated `roles`)"},
			func(r *Request) *string { return &r.Roles }, nil),
		textField(Field{Flag: "invariant", Path: "Request.Specification.Invariants", Directive: "invariant", List: true, Doc: "`methods` without parameters that have to return true while no call is in progress: Sorted; or in every state: Linked:always (comma separated); they are no operations"},
			func(r *Request) *string { return &r.Invariants }, check(find.ParseInvariants)),
		boolField(Field{Flag: "contracts", Path: "Request.Scope.NoContracts", Doc: "what is violated is tried with what the documentation restricts: must be called before, only by one goroutine, at most once; and with calls that give up because their context is cancelled (default true)"},
			false, func(r *Request) *bool { return &r.Scope.NoContracts }),
		textField(Field{Flag: "kind", Path: "Request.Kind", Directive: "kind", Values: kinds, Doc: "`kind` of collection: auto, set, queue, stack, pqueue, deque, map, counter, register, lock or object"},
			func(r *Request) *string { return &r.Kind }, nil),
		textField(Field{Flag: "protocol", Path: "Request.Protocol", Directive: "protocol", Values: []string{"nonblocking", "blocking", "bounded(2)", "synchronous"}, Doc: "`protocol`: nonblocking, blocking, bounded(N) or synchronous (default: found)"},
			func(r *Request) *string { return &r.Protocol }, check(find.ParseProtocol)),
		textField(Field{Flag: "oracle", Path: "Request.Oracle", Directive: "oracle", Values: append(slices.Clone(kinds), "self"), Doc: "what judges it: auto, self (the code itself, run sequentially), a kind's `name`, or a Go type PKG.Type"},
			func(r *Request) *Oracle { return &r.Oracle }, nil),
		textField(Field{Flag: "property", Path: "Request.Property", Directive: "property", Values: append(namesOf(verdict.Properties()), "all"), Doc: alternatives(namesOf(verdict.OfHistories())) + ", several separated by commas, or all for the strongest that `hold`; " + alternatives(namesOf(verdict.OfProgress())) + " (default linear)"},
			func(r *Request) *Properties { return &r.Property }, check(task.ParseProperties)),
		textField(Field{Flag: "overlaps", Path: "Request.Specification.Overlaps", Directive: "overlaps", List: true, Values: []string{"Len", "Len:between", "Range:parts", "Sum:some", "Size:quiet", "Get:stale(1)", "Len:eventually", "Take:within(2)", "Exchange:interval"},
			Doc: "`operations` that promise less than linearizability, with what they promise (" + strings.Join(verdict.Meanings(), ", ") + "; default parts, doc/weaker.md): Len,Sum:some; none whatever a directive says"},
			func(r *Request) *string { return &r.Overlaps }, check(parseOverlaps)),
		textField(Field{Flag: "expect", Path: "Request.Specification.Expect", Directive: "expect", Values: []string{"violated", "sc:violated", "quiescent:violated"}, Doc: "`verdicts` that are no surprise: violated, of linearizability, or sc:violated (comma separated); they are told apart at the end"},
			func(r *Request) *string { return &r.Expect }, check(task.ParseExpected)),
		boolField(Field{Flag: "tests", Path: "Request.Tests", Doc: "the packages' test files belong to them"},
			true, func(r *Request) *bool { return &r.Tests }),
		textField(Field{Flag: "engine", Path: "Request.Engine", Values: engineNames(), Doc: "the `engine` that decides: " + engineList()},
			func(r *Request) *string { return &r.Engine }, engines.Known),
	}
}

// kinds are the kinds of collections.
var kinds = []string{"auto", "set", "queue", "stack", "pqueue", "deque", "map", "counter", "register", "lock", "object"}

// engineNames names the engines for collections.
func engineNames() (names []string) {
	for _, e := range engines.All() {
		if !e.Program {
			names = append(names, e.Name)
		}
	}
	return names
}

// namesOf are the names of properties, as flags have them.
func namesOf(list []verdict.Property) (names []string) {
	for _, p := range list {
		names = append(names, string(p))
	}
	return names
}

// alternatives joins names for a text: "linear, sc or quiescent".
func alternatives(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// engineList lists the engines for collections; the first is the default.
func engineList() string {
	var list []string
	for _, e := range engines.All() {
		if e.Program {
			continue
		}
		text := e.Name + ", " + e.Doc
		if len(list) == 0 {
			text = e.Name + " (default), " + e.Doc
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

func scopeFields() []Field {
	return []Field{
		textField(Field{Flag: "config", Path: "Request.Scope.Config", Group: OfScope, Directive: "config",
			Values: []string{"A", "B", "C", "D", "E", "2x3", "2x5", "2xany"}, Doc: "bounds of configuration `X`: A to E of COLLECT's Table 1, or such as 2x5: up to 2 threads, 5 calls in all, 1 pre-add (2x5x0: none), 2xany: any number of calls; D+2x5 is both, one after the other (default " + engine.UsualConfig + ", and what is cheap of " + strings.Join(engine.Extras(), ", ") + "; 2x3 and 3x3x0 where " + engine.UsualConfig + " has too many states); the flags below override it"},
			func(r *Request) *string { return &r.Scope.Config }, nil),
		rangeField(Field{Flag: "threads", Path: "Request.Scope.Threads", Group: OfScope, Doc: "number of threads, `a..b`"},
			func(r *Request) *Range { return &r.Scope.Threads }),
		textField(Field{Flag: "steps", Path: "Request.Scope.Steps", Group: OfScope, Doc: "total number of calls, `a..b`; any: each thread calls for ever (with few -threads, -values and -items)"},
			func(r *Request) *Range { return &r.Scope.Steps }, check(parseSteps)),
		rangeField(Field{Flag: "preadds", Path: "Request.Scope.PreAdds", Group: OfScope, Doc: "number of calls that add before the threads start, `a..b`"},
			func(r *Request) *Range { return &r.Scope.PreAdds }),
		countField(Field{Flag: "per-thread", Path: "Request.Scope.PerThread", Group: OfScope, Doc: "instead of -steps: every thread makes exactly `n` calls"},
			func(r *Request) *int { return &r.Scope.PerThread }),
		countField(Field{Flag: "values", Path: "Request.Scope.Values", Group: OfScope, Doc: "keys and compared items are 0 to `n`-1 (default: as many as can be added)"},
			func(r *Request) *int { return &r.Scope.Values }),
		countField(Field{Flag: "items", Path: "Request.Scope.Items", Group: OfScope, Doc: "with -steps any: calls that put an item wait while `n` items are in use; for the engine cmp: the collection holds up to n items at a time, of n values (default 2)"},
			func(r *Request) *int { return &r.Scope.Items }),
		switchField(Field{Flag: "thread-sym", Path: "Request.Scope.ThreadSymmetry", Group: OfScope, Doc: "count clients once that differ in the order of threads only"},
			On, func(r *Request) *Switch { return &r.Scope.ThreadSymmetry }),
		switchField(Field{Flag: "generic-values", Path: "Request.Scope.GenericValues", Group: OfScope, Doc: "number the items instead of choosing them"},
			On, func(r *Request) *Switch { return &r.Scope.GenericValues }),
		switchField(Field{Flag: "adds-dominant", Path: "Request.Scope.AddsDominant", Group: OfScope, Doc: "no clients that remove more than they add; usually off where the type's own code judges"},
			On, func(r *Request) *Switch { return &r.Scope.AddsDominant }),
		switchField(Field{Flag: "distinct-priorities", Path: "Request.Scope.DistinctPriorities", Group: OfScope, Doc: "no two items with the same priority"},
			On, func(r *Request) *Switch { return &r.Scope.DistinctPriorities }),
		textField(Field{Flag: "hash", Path: "Request.Scope.Hash", Group: OfScope, Values: []string{"identity", "nondet(2,2)"}, Doc: "`model` of hash functions: identity or nondet(m,N)"},
			func(r *Request) *string { return &r.Scope.Hash }, check(engine.ParseHash)),
		{Flag: "preempt", Path: "Request.Search.Preempt", Group: OfScope, Doc: "explore executions with at most `k` preemptions only (unsound; -1: all)",
			get: func(r *Request) string { return optional(r.Search.Preempt) }, set: setPreempt},
		countField(Field{Flag: "schedules", Path: "Request.Scope.Sample.Schedules", Group: OfScope, Doc: fmt.Sprintf("engine schedules: make `n` executions (default %d)", engine.DefaultSchedules)},
			func(r *Request) *int { return &r.Scope.Schedules }),
		{Flag: "seed", Path: "Request.Scope.Sample.Seed", Group: OfScope, Doc: "engine schedules: draw clients and schedules with this `seed` (default 1)",
			get: func(r *Request) string {
				return choice(r.Scope.Seed > 0, strconv.FormatUint(r.Scope.Seed, 10), "")
			}, set: setSeed},
		textField(Field{Flag: "ways", Path: "Request.Scope.Sample.Ways", Group: OfScope, Values: engine.Ways, Doc: "engine schedules: how schedules are drawn, a comma separated `list` of random; pct, by random priorities (ASPLOS 2010); preempt, with at most -preempt preemptions (default all, in turn)"},
			func(r *Request) *string { return &r.Scope.Ways }, check(engine.ParseWays)),
		countField(Field{Flag: "depth", Path: "Request.Scope.Sample.Depth", Group: OfScope, Doc: fmt.Sprintf("engine schedules: depth `d` of the way pct, which changes priorities d-1 times (default %d)", engine.DefaultDepth)},
			func(r *Request) *int { return &r.Scope.Depth }),
		switchField(Field{Flag: "fair", Path: "Request.Search.Unfair", Group: OfScope, Directive: "unfair", Doc: "only strongly fair cycles count as nontermination; -fair=false: any cycle does (default true)"},
			Off, func(r *Request) *Switch { return &r.Search.Unfair }),
	}
}

func witnessFields() []Field {
	return []Field{
		boolField(Field{Flag: "races", Path: "Request.Search.NoRaces", Group: OfWitness, Doc: "data races are violations (default true)"},
			false, func(r *Request) *bool { return &r.Search.NoRaces }),
		textField(Field{Flag: "prove", Path: "Request.Scope.Prove", Group: OfWitness, Values: []string{"auto", "off"}, Doc: "`whether` what is verified is to be proved for any number of threads as well: auto, where that is cheap (default, but in a scope of your own); or off"},
			func(r *Request) *string { return &r.Scope.Prove }, validProve),
		boolField(Field{Flag: "min", Path: "Request.Search.Min", Group: OfWitness, Doc: "look for a shortest witness: fewest operations, then preemptions, then steps"},
			true, func(r *Request) *bool { return &r.Search.Min }),
		boolField(Field{Flag: "small", Path: "Request.Search.AsFound", Group: OfWitness, Doc: "drop calls and preemptions from a witness, for some seconds (default true)"},
			false, func(r *Request) *bool { return &r.Search.AsFound }),
		{Flag: "mode", Path: "Request.Search.Clients", Group: OfWitness, Values: []string{"mgc", "clients"}, Doc: "mgc: one most general client; clients: client by client (`mode`, default mgc)",
			get: func(r *Request) string { return choice(r.Search.Clients, "clients", "") }, set: setMode},
		textField(Field{Flag: "out", Path: "Request.Out", Group: OfWitness, Doc: "`directory` to which witnesses are written (default pangolin in the user's cache directory; '' for none)"},
			func(r *Request) *string { return &r.Out }, nil),
	}
}

func searchFields() []Field {
	return []Field{
		{Flag: "timeout", Path: "Request.Search.Timeout", Group: OfSearch, Doc: "end after a `duration` such as 30s or 5m and say how far it got (default: no limit)",
			get: func(r *Request) string { return choice(r.Search.Timeout != 0, r.Search.Timeout.String(), "") }, set: setTimeout},
		{Flag: "max-states", Path: "Request.Search.MaxStates", Group: OfSearch, Doc: "end after `n` states (default: no limit)",
			get: func(r *Request) string {
				return choice(r.Search.MaxStates > 0, strconv.FormatUint(r.Search.MaxStates, 10), "")
			}, set: setMaxStates},
		{Flag: "max-memory", Path: "Request.Search.MaxMemory", Group: OfSearch, Doc: "end when the search takes so many `bytes`, e.g. 500M (default 4G)",
			get: func(r *Request) string { return choice(r.Search.MaxMemory != 0, formatBytes(r.Search.MaxMemory), "") }, set: setMaxMemory},
		countField(Field{Flag: "j", Path: "Request.Search.Workers", Group: OfSearch, Doc: "search with `n` workers (default: the number of CPUs; with -max-states one searches each collection, so that the same states are covered each time)"},
			func(r *Request) *int { return &r.Search.Workers }),
		textField(Field{Flag: "reduce", Path: "Request.Search.Reduce", Group: OfSearch,
			Values: append([]string{"all", "none"}, strings.Split(engine.AllReductions.String(), ", ")...), Doc: "reductions to use: a comma separated `list` of " + engine.AllReductions.String() + "; all, or none for the raw search"},
			func(r *Request) *Reduce { return &r.Search.Reduce }, check(engine.ParseReductions)),
	}
}

func programFields() []Field {
	return []Field{
		textField(Field{Flag: "test", Path: "Request.Program.Test", Group: OfProgram, Doc: "run this test `function` of the package instead of its main"},
			func(r *Request) *string { return &r.Program.Test }, nil),
	}
}

func leakFields() []Field {
	return []Field{
		textField(Field{Flag: "leaks", Path: "Request.Program.Leaks", Group: OfLeaks, Directive: "leaks", Values: []string{"all", "main", "none"}, Doc: "`which` goroutines are leaks, of those that main or the calls of a collection leave behind: all (default) that wait for what nobody who may still move can reach; main: of a program or test, without those that main or the test starts itself; or none"},
			func(r *Request) *string { return &r.Program.Leaks }, validLeaks),
	}
}

func timeFields() []Field {
	return []Field{
		textField(Field{Flag: "time", Path: "Request.Search.Time", Group: OfTime, Values: []string{"any", "virtual"}, Doc: "`when` timers fire: any, at any moment (default); or virtual: the clock goes on to the next timer only when nobody can move"},
			func(r *Request) *string { return &r.Search.Time }, check(subject.ParseTime)),
	}
}

func cacheFields() []Field {
	return []Field{
		textField(Field{Flag: "cache", Path: "Request.Search.Cache", Group: OfCache, Doc: "`directory` of results that are not computed again (default that of pangolin cache; study: none)"},
			func(r *Request) *string { return &r.Search.Cache }, nil),
		boolField(Field{Flag: "no-cache", Path: "Request.Search.NoCache", Group: OfCache, Doc: "compute every result, and keep none"},
			true, func(r *Request) *bool { return &r.Search.NoCache }),
		boolField(Field{Flag: "resume", Path: "Request.Search.Resume", Group: OfResume, Doc: "go on with a search that was interrupted, from the checkpoint in the directory of results; begin if there is none"},
			true, func(r *Request) *bool { return &r.Search.Resume }),
	}
}

func swarmFields() []Field {
	return []Field{countField(Field{Flag: "swarm", Path: "Request.Search.Swarm", Group: OfSwarm,
		Doc: "hunt for a violation by `n` searches of -max-states each, in different orders and with different bounds on preemptions; never verified (doc/swarm.md)"},
		func(r *Request) *int { return &r.Search.Swarm })}
}

func partFields() []Field {
	return []Field{
		textField(Field{Flag: "since", Path: "Request.Search.Part.Since", Group: OfPart,
			Doc: "verify only packages that differ from git `revision` rev, in their files or in those of a package that they import; the others are listed as unchanged"},
			func(r *Request) *string { return &r.Search.Part.Since }, nil),
		textField(Field{Flag: "shard", Path: "Request.Search.Part.Shard", Group: OfPart,
			Doc: "verify `i/n`, one of n parts of the collections, which machines share (pangolin merge puts results of -record together)"},
			func(r *Request) *string { return &r.Search.Part.Shard }, check(find.ParseShard)),
		textField(Field{Flag: "costs", Path: "Request.Search.Part.Costs", Group: OfPart,
			Doc: "split the shards by the seconds of an earlier run, which -json or -record has written to `file`; all shards need the same file"},
			func(r *Request) *string { return &r.Search.Part.Costs }, nil),
	}
}

// leaksOfMain is the value of Request.Program.Leaks with which what main starts itself may be left behind.
const leaksOfMain = "main"

func validProve(text string) error {
	if text != "" && text != "auto" && text != "off" {
		return fmt.Errorf("choose auto or off")
	}
	return nil
}

func validLeaks(text string) error {
	if text != "" && text != "all" && text != leaksOfMain && text != "none" {
		return fmt.Errorf("unknown leaks %q: there are all, main and none", text)
	}
	return nil
}

// check makes a validity check of a parser.
func check[T any](parse func(string) (T, error)) func(string) error {
	return func(text string) error {
		_, err := parse(text)
		return err
	}
}

func choice(yes bool, this, that string) string {
	if yes {
		return this
	}
	return that
}

// textField is a field whose value is the text itself, if it is valid.
func textField[T ~string](f Field, at func(*Request) *T, valid func(string) error) Field {
	f.get = func(r *Request) string { return string(*at(r)) }
	f.set = func(r *Request, text string) error {
		if valid != nil {
			if err := valid(text); err != nil {
				return err
			}
		}
		*at(r) = T(text)
		return nil
	}
	return f
}

func rangeField(f Field, at func(*Request) *Range) Field {
	return textField(f, at, check(func(text string) (*engine.Range, error) { return Range(text).read() }))
}

// parseSteps parses a number of calls.
func parseSteps(text string) (*engine.Range, error) {
	if Range(text) == AnySteps {
		return nil, nil
	}
	r, err := Range(text).read()
	if err != nil {
		err = errors.New("want a range such as 1..3, or any")
	}
	return r, err
}

// parseGiven parses which functions operations are given.
func parseGiven(text string) (map[string]string, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	given := map[string]string{}
	for item := range strings.SplitSeq(text, ";") {
		method, function, _ := strings.Cut(item, "=")
		method, function = strings.TrimSpace(method), strings.TrimSpace(function)
		if !token.IsIdentifier(method) || !token.IsIdentifier(strings.TrimPrefix(function, find.Back)) && function != find.Pull || given[method] != "" {
			return nil, fmt.Errorf("%q: want METHOD=FUNCTION, METHOD=it.OPERATION or METHOD=iter.Pull, each method once, separated by ;", strings.TrimSpace(item))
		}
		given[method] = function
	}
	return given, nil
}

// parseOverlaps parses the field Overlaps; "none" is the empty list.
func parseOverlaps(text string) ([]verdict.Promise, error) {
	if text == "" || text == "none" {
		return nil, nil
	}
	return verdict.ParsePromises(text)
}

// countField is a number that is at least 1 if it is set.
func countField(f Field, at func(*Request) *int) Field {
	f.get = func(r *Request) string { return choice(*at(r) != 0, strconv.Itoa(*at(r)), "") }
	f.set = func(r *Request, text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return errors.New("want a whole number, at least 1")
		}
		*at(r) = n
		return nil
	}
	return f
}

// switchField is a field of type Switch; whenTrue is the position for the text "true".
func switchField(f Field, whenTrue Switch, at func(*Request) *Switch) Field {
	f.Switch = true
	f.get = func(r *Request) string {
		if *at(r) == Default {
			return ""
		}
		return strconv.FormatBool(*at(r) == whenTrue)
	}
	f.set = func(r *Request, text string) error {
		on, err := parseBool(text)
		*at(r) = SwitchOf(on == (whenTrue == On))
		return err
	}
	return f
}

// boolField is a field of type bool; whenTrue is the value for the text "true".
func boolField(f Field, whenTrue bool, at func(*Request) *bool) Field {
	f.Switch = true
	f.get = func(r *Request) string { return choice(*at(r), strconv.FormatBool(whenTrue), "") }
	f.set = func(r *Request, text string) error {
		on, err := parseBool(text)
		*at(r) = on == whenTrue
		return err
	}
	return f
}

func parseBool(text string) (bool, error) {
	on, err := strconv.ParseBool(text)
	if err != nil {
		return false, errors.New("want true or false")
	}
	return on, nil
}

func setOps(r *Request, text string) error {
	r.Ops = nil
	for op := range strings.SplitSeq(text, ",") {
		if op = strings.TrimSpace(op); op != "" {
			r.Ops = append(r.Ops, op)
		}
	}
	return nil
}

func optional(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

func setPreempt(r *Request, text string) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		return errors.New("want a whole number")
	}
	r.Search.Preempt = &n
	return nil
}

func setMode(r *Request, text string) error {
	if text != "mgc" && text != "clients" {
		return fmt.Errorf("unknown mode %q: there are mgc and clients", text)
	}
	r.Search.Clients = text == "clients"
	return nil
}

func setTimeout(r *Request, text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return errors.New("want a duration above 0, such as 30s or 5m")
	}
	r.Search.Timeout = d
	return nil
}

func setMaxStates(r *Request, text string) error {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return errors.New("want a whole number")
	}
	r.Search.MaxStates = n
	return nil
}

func setSeed(r *Request, text string) error {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n == 0 {
		return errors.New("want a whole number, at least 1")
	}
	r.Scope.Seed = n
	return nil
}

func setMaxMemory(r *Request, text string) error {
	n, err := parseBytes(text)
	if err != nil {
		return err
	}
	r.Search.MaxMemory = n
	return nil
}
