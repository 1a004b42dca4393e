package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/bits"
	"path"
	"slices"
	"strings"

	"pangolin"
	"pangolin/verdict"
)

// core is the scope that lies in all candidates: what it kills tells them not apart.
const core = "2x3"

// Candidates are the scopes among which the usual ones were chosen: threads x calls in all (x
// pre-adds; 1). D is 3x3.
func Candidates() []string {
	return []string{"D", "1x5", "1x5x3", "2x4", "2x4x2", "2x5x0", "2x5", "2x6", "3x4x0", "3x4", "4x4"}
}

// ScopesRow is which scopes kill which mutants of one collection.
type ScopesRow struct {
	Type    string      `json:"type"` // "scopes"
	Row     string      `json:"row"`
	Kind    string      `json:"kind"`
	Core    string      `json:"core"` // a scope within all the others
	Mutants int         `json:"mutants"`
	Left    []int       `json:"left"` // those that it does not kill, by number
	Scopes  []ScopeRuns `json:"scopes"`
}

// ScopeRuns is what became of the mutants that the core leaves in one scope, and what the
// scope costs if there is no fault.
type ScopeRuns struct {
	Config  string         `json:"config"`
	Verdict verdict.Status `json:"verdict"` // on the collection itself; unknown if it takes too long
	States  uint64         `json:"states"`
	Seconds float64        `json:"seconds"`
	Killed  []int          `json:"killed"`
	Unknown []int          `json:"unknown"` // a limit was reached
}

// Scopes tries the mutants of the case studies that are expected to be correct, or of the
// rows asked for, or of packages, in each of the configurations (none: Candidates), and gives what became of
// them, collection by collection. The timeout is for each mutant; the collection itself may
// take ten times as long.
func Scopes(ctx context.Context, files fs.FS, opt Options, give func(ScopesRow)) error {
	if len(opt.Configs) == 0 {
		opt.Configs = Candidates()
	}
	if len(opt.Packages) > 0 {
		return packageScopes(ctx, opt, give)
	}
	return eachCorrect(ctx, files, opt, func(ctx context.Context, row *Expectation) error {
		s, err := scopesOf(ctx, row.name(), func(config string) pangolin.Request { return row.within(config, opt) }, opt)
		if err == nil {
			give(*s)
		}
		return err
	})
}

// packageScopes is Scopes for packages, each with one collection. Those that are not verified in the core
// have no row.
func packageScopes(ctx context.Context, opt Options, give func(ScopesRow)) error {
	for _, pkg := range opt.Packages {
		r := pangolin.Request{Dir: opt.Dir, Packages: []string{pkg}}
		r.Search.Workers, r.Search.Timeout, r.Search.MaxMemory = opt.Workers, opt.Timeout, opt.MaxMemory
		s, err := scopesOf(ctx, path.Base(pkg), func(config string) pangolin.Request {
			r.Scope.Config = config
			return r
		}, opt)
		var not *pangolin.NotVerified
		switch {
		case errors.As(err, &not):
			if opt.Note != nil {
				opt.Note(err.Error())
			}
		case err != nil:
			return fmt.Errorf("%s: %w", pkg, err)
		default:
			give(*s)
		}
	}
	return nil
}

// scopesOf tries the mutants of one collection; within is the verification in one scope.
func scopesOf(ctx context.Context, name string, within func(config string) pangolin.Request, opt Options) (*ScopesRow, error) {
	row := &ScopesRow{Type: "scopes", Row: name, Core: core, Left: []int{}, Scopes: []ScopeRuns{}}
	sum, err := pangolin.Mutate(ctx, within(core), pangolin.Mutation{Max: opt.MaxMutants,
		Baseline: func(v verdict.Verdict) { row.Kind = v.Kind },
		Mutant: func(m verdict.Mutant) {
			if m.Outcome == verdict.Survived || m.Outcome == verdict.Undecided {
				row.Left = append(row.Left, m.ID)
			}
		}})
	if err != nil {
		return nil, err
	}
	row.Mutants = sum.Mutants - sum.Invalid
	if len(row.Left) == 0 {
		return row, nil
	}
	for _, config := range opt.Configs {
		s, err := row.try(ctx, within(config), config)
		if err != nil {
			return nil, err
		}
		row.Scopes = append(row.Scopes, *s)
	}
	return row, nil
}

// within is the verification in one scope.
func (e *Expectation) within(config string, opt Options) pangolin.Request {
	opt.Configs = []string{"D"}
	r := e.request(opt)
	r.Scope.Config = config
	return r
}

// try tries the mutants that are left in a scope.
func (row *ScopesRow) try(ctx context.Context, r pangolin.Request, config string) (*ScopeRuns, error) {
	s := &ScopeRuns{Config: config, Killed: []int{}, Unknown: []int{}}
	_, err := pangolin.Mutate(ctx, r, pangolin.Mutation{Only: row.Left,
		Baseline: func(v verdict.Verdict) { s.Verdict, s.States, s.Seconds = v.Status, v.States, v.Seconds },
		Mutant: func(m verdict.Mutant) {
			switch m.Outcome {
			case verdict.Killed:
				s.Killed = append(s.Killed, m.ID)
			case verdict.Undecided:
				s.Unknown = append(s.Unknown, m.ID)
			}
		}})
	var not *pangolin.NotVerified
	if errors.As(err, &not) {
		err = nil
	}
	return s, err
}

// union is several scopes of a table, by their places in it.
type union uint

func (u union) name(configs []string) string {
	var parts []string
	for i, c := range configs {
		if u>>i&1 != 0 {
			parts = append(parts, c)
		}
	}
	return strings.Join(parts, "+")
}

// score is what a union comes to over some rows.
type score struct {
	killed  int
	states  uint64
	seconds float64
	slowest float64  // seconds for one row
	undone  []string // rows that a limit kept from being verified
}

// rate sums up a union over rows.
func (u union) rate(rows []ScopesRow) score {
	var s score
	for i := range rows {
		killed := map[int]bool{}
		seconds, done := 0.0, true
		for k := range rows[i].Scopes {
			one := &rows[i].Scopes[k]
			if u>>k&1 == 0 {
				continue
			}
			for _, id := range one.Killed {
				killed[id] = true
			}
			s.states += one.States
			seconds += one.Seconds
			done = done && one.Verdict == verdict.Verified
		}
		s.killed += len(killed)
		s.seconds += seconds
		s.slowest = max(s.slowest, seconds)
		if !done {
			s.undone = append(s.undone, rows[i].Row)
		}
	}
	return s
}

// mostScopes is how many scopes a union of the table has at most.
const mostScopes = 3

// best are the unions of which no other kills as many in less time, cheapest first.
func best(rows []ScopesRow, configs []string) (list []union, scores map[union]score) {
	scores = map[union]score{}
	var all []union
	for u := union(1); u < 1<<len(configs); u++ {
		if bits.OnesCount(uint(u)) <= mostScopes {
			all, scores[u] = append(all, u), u.rate(rows)
		}
	}
	slices.SortStableFunc(all, func(a, b union) int {
		return cmp.Or(cmp.Compare(scores[a].seconds, scores[b].seconds), cmp.Compare(scores[b].killed, scores[a].killed))
	})
	most := 0
	for _, u := range all {
		if s := scores[u]; s.killed > most {
			most, list = s.killed, append(list, u)
		}
	}
	return list, scores
}

// scopesHeader says how the tables were taken.
const scopesHeader = `# Which scopes kill mutants

The faults of [mutants.md](mutants.md) were tried in several scopes, to choose the one that is
usual, without flags. A scope is named threads x calls in all (x pre-adds; 1 if none are
named); each includes fewer of everything. D is 3x3. What a small scope kills, which lies in all
the others, is left out. *States* and *seconds* are what the scopes cost for
the collections without a fault; *not finished* are collections that were not verified there,
because of the limit on time or, those that hold few priorities, because the scope has more.

What the figures say:

  - More calls by two threads kill what D misses in queues and stacks at D's price; beyond
    five calls little is gained but in the lock-free queue. Only elimination and the
    synchronous queues want a third thread with a fourth call.
  - One thread alone with more pre-adds (1x5x3) costs next to nothing, and is what shows faults in
    heaps and freed nodes that only a fuller collection meets: see FineGrainedHeapPatched and
    LockFreeQueueRecycle in mutants.md.
  - No fixed union is right for all: 2x5 costs a stack some thousand states and a skip list
    millions. So the scopes beside D are searched as long as that is cheap (see
    soundness.md, extra scopes), from those that cost least per mutant on.
  - Objects (types of no kind, judged by their own code) gain nothing from a third thread: of 319
    faults in 16 of them D kills none that 2x3 leaves. One thread with five calls kills 10 for the
    least (code that is wrong alone panics, or waits), two threads with four 9, both 11 in three
    seconds; 2x6 kills 2 more, for eleven times as much. So beside what they are asked (see
    soundness.md, extra scopes) objects are searched in 1x5 and 2x4 if that is cheap.

This file is generated: "pangolin study scopes -json" prints scopes.jsonl, and "pangolin study
scopes -from doc/scopes.jsonl" this text. Of collections with many states some mutants were
taken, spread evenly over the source (-max 60, 40 or 24), in fewer scopes (-config), each with a limit on time
of 2 to 5 s and the collection itself of ten times as much, on a machine that did other work as well. The objects are the
packages of testdata/packages that are such, of those that are verified in seconds, each by itself in a module of its own, with "-max 24
-packages ./NAME". Not measured: objects with goroutines of their own (flusher, keylock, pubsub, tokenbucket, ttlcache
take minutes in D), and kinds other than those below (deques, maps, counters, locks).
`

// ScopesTable prints rows as Markdown: by kind what each scope kills and costs, and the unions
// of which no other kills as many in less time. Rows that were tried in different scopes are
// kept apart.
func ScopesTable(w io.Writer, rows []ScopesRow) error {
	fmt.Fprint(w, scopesHeader)
	for _, of := range groups(rows, func(r *ScopesRow) string { return strings.Join(r.configs(), ", ") }) {
		configs := of[0].configs()
		if len(configs) == 0 {
			scopesNothing(w, of)
			continue
		}
		kinds := groups(of, func(r *ScopesRow) string { return r.Kind })
		for _, kind := range kinds {
			scopesSection(w, kind[0].Kind, kind, configs)
		}
		if len(kinds) > 1 {
			scopesSection(w, "together", of, configs)
		}
	}
	return nil
}

// configs are the scopes in which a row's mutants were tried.
func (row *ScopesRow) configs() (list []string) {
	for i := range row.Scopes {
		list = append(list, row.Scopes[i].Config)
	}
	return list
}

// groups collects rows with the same key, in the order of their first ones.
func groups(rows []ScopesRow, key func(*ScopesRow) string) [][]ScopesRow {
	var out [][]ScopesRow
	at := map[string]int{}
	for i := range rows {
		k := key(&rows[i])
		if _, ok := at[k]; !ok {
			at[k] = len(out)
			out = append(out, nil)
		}
		out[at[k]] = append(out[at[k]], rows[i])
	}
	return out
}

// scopesNothing names the rows that have nothing to tell.
func scopesNothing(w io.Writer, rows []ScopesRow) {
	var names []string
	for i := range rows {
		names = append(names, rows[i].Row)
	}
	fmt.Fprintf(w, "\n%s kills every mutant of %s.\n", core, strings.Join(names, ", "))
}

func scopesSection(w io.Writer, title string, rows []ScopesRow, configs []string) {
	left, all, names := 0, 0, []string(nil)
	for i := range rows {
		left, all, names = left+len(rows[i].Left), all+rows[i].Mutants, append(names, rows[i].Row)
	}
	fmt.Fprintf(w, "\n## %s\n\n%s: %d of %d mutants are not killed by %s.\n\n", title, strings.Join(names, ", "), left, all, core)
	fmt.Fprintln(w, "| scope | killed | states | seconds | of the slowest | not finished |\n|---|---:|---:|---:|---:|---|")
	list, scores := best(rows, configs)
	print := func(u union) {
		s := scores[u]
		fmt.Fprintf(w, "| %s | %d | %d | %.1f | %.1f | %s |\n", u.name(configs), s.killed, s.states, s.seconds, s.slowest, strings.Join(s.undone, " "))
	}
	for i := range configs {
		print(1 << i)
	}
	fmt.Fprint(w, "\nUnions of which none kills as many in less time:\n\n")
	fmt.Fprintln(w, "| scope | killed | states | seconds | of the slowest | not finished |\n|---|---:|---:|---:|---:|---|")
	for _, u := range list {
		print(u)
	}
}
