package study

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"pangolin"
	"pangolin/internal/front"
	"pangolin/verdict"
)

// From manyStates on a collection is tried with two threads only in the larger scope, and
// from tooManyStates on only those of its mutants are that nothing explains.
const (
	manyStates    = 20_000
	tooManyStates = 200_000
)

// larger is the scope in which the mutants left over of a configuration are tried once
// more: one call more in all, and two threads if three would take long.
func larger(config string, steps int, states uint64) pangolin.Scope {
	s := pangolin.Scope{Config: "D", Threads: "1..3", Steps: pangolin.Range(fmt.Sprintf("1..%d", steps+1))}
	if states >= manyStates || config != "D" {
		s.Threads = "1..2"
	}
	return s
}

// Mutants makes mutants of every case study that is expected to be correct, or of the
// rows asked for, and gives what became of them, collection by collection. opt.Note is told
// of those that are not verified in the configuration. Mutants that are left are tried
// again: with the flags that an explanation says to kill them, else in a larger scope.
// Of the options Configs must be one; the timeout is for each mutant.
func Mutants(ctx context.Context, files fs.FS, opt Options, give func(verdict.MutantRow)) error {
	e, err := newExplainer()
	if err != nil {
		return err
	}
	return eachCorrect(ctx, files, opt, func(ctx context.Context, row *Expectation) error {
		m, err := row.mutants(ctx, opt, e)
		if err == nil {
			give(*m)
		}
		return err
	})
}

// eachCorrect visits the rows that are expected to be correct, or those that are asked for. One
// that turns out not to be verified is noted and passed over.
func eachCorrect(ctx context.Context, files fs.FS, opt Options, visit func(context.Context, *Expectation) error) error {
	rows, err := Expectations(files)
	if err != nil {
		return err
	}
	opt.Others = true
	if rows, err = choose(rows, opt); err != nil {
		return err
	}
	ctx = front.Share(ctx, packagesOf(rows)...) // nobody changes the collections meanwhile, and each is listed many times
	for i := range rows {
		if len(opt.Rows) == 0 && !rows[i].correct() {
			continue
		}
		err := visit(ctx, &rows[i])
		var not *pangolin.NotVerified
		switch {
		case errors.As(err, &not):
			if opt.Note != nil {
				opt.Note(err.Error())
			}
		case err != nil:
			return fmt.Errorf("%s: %w", rows[i].name(), err)
		}
	}
	return nil
}

// correct says that no configuration is expected to show a violation.
func (e *Expectation) correct() bool { return e.Class == "" }

// request is the verification of one configuration with the options' limits.
func (e *Expectation) request(opt Options) pangolin.Request {
	r := e.Request(opt.Configs[0])
	r.Dir = opt.Dir
	r.Search.Workers, r.Search.Timeout, r.Search.MaxMemory = opt.Workers, opt.Timeout, opt.MaxMemory
	return r
}

// mutants tries the mutants of one row.
func (e *Expectation) mutants(ctx context.Context, opt Options, known explainer) (*verdict.MutantRow, error) {
	row := &verdict.MutantRow{Type: "mutants", Row: e.name(), Config: opt.Configs[0], Left: []verdict.LeftMutant{}}
	var states uint64
	baseline := func(v verdict.Verdict) { states = v.States }
	sum, err := pangolin.Mutate(ctx, e.request(opt), pangolin.Mutation{Max: opt.MaxMutants, Baseline: baseline, Mutant: func(m verdict.Mutant) {
		if m.Outcome == verdict.Survived || m.Outcome == verdict.Undecided {
			row.Left = append(row.Left, verdict.LeftMutant{Mutant: m, Flags: known.flags(row.Row, &m)})
		}
	}})
	if err != nil {
		return nil, err
	}
	row.Sum = *sum
	settled := func(m *verdict.LeftMutant) bool {
		return states >= tooManyStates && m.Flags == "" && known.why(row.Row, &m.Mutant) != ""
	}
	for _, flags := range attempts(row, settled) {
		r := e.request(opt)
		r.Search.Timeout *= moreTime
		if flags == "" {
			r.Scope = larger(row.Config, sum.Scope.Steps[1], states)
		} else if err := setFlags(&r, flags); err != nil {
			return nil, err
		}
		if err := (&retry{row, flags, settled}).run(ctx, r); err != nil {
			return nil, err
		}
	}
	return row, nil
}

// moreTime is how many times as long a mutant may take when it is tried again: there is
// more to search.
const moreTime = 2

// attempts are the different flags of the mutants that are left and not settled.
func attempts(row *verdict.MutantRow, settled func(*verdict.LeftMutant) bool) []string {
	var out []string
	for i := range row.Left {
		if m := &row.Left[i]; !settled(m) && !slices.Contains(out, m.Flags) {
			out = append(out, m.Flags)
		}
	}
	return out
}

// retry is about the mutants of a row that are left, not settled, and have these flags.
type retry struct {
	row     *verdict.MutantRow
	flags   string
	settled func(*verdict.LeftMutant) bool
}

// run tries them in a larger scope, if the collection itself is verified there.
func (t *retry) run(ctx context.Context, r pangolin.Request) error {
	row, left := t.row, map[int]*verdict.LeftMutant{}
	for i := range row.Left {
		if m := &row.Left[i]; m.Flags == t.flags && !t.settled(m) {
			left[m.ID] = m
		}
	}
	_, err := pangolin.Mutate(ctx, r, pangolin.Mutation{Only: slices.Sorted(maps.Keys(left)), Mutant: func(m verdict.Mutant) {
		left[m.ID].Larger = &m
	}})
	var not *pangolin.NotVerified
	if errors.As(err, &not) {
		return nil
	}
	if t.flags == "" {
		row.Larger = fmt.Sprintf("-threads %s -steps %s", r.Scope.Threads, r.Scope.Steps)
	}
	return err
}

// setFlags changes a request as the command line's flags of the same names would. The
// scope is configuration D but for them.
func setFlags(r *pangolin.Request, text string) error {
	r.Scope = pangolin.Scope{Config: "D"}
	return parseFlags(r, text)
}

func parseFlags(r *pangolin.Request, text string) error {
	words, err := split(text)
	if err != nil {
		return err
	}
	fs := flag.NewFlagSet("flags", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	r.Register(fs)
	if err := fs.Parse(words); err != nil {
		return fmt.Errorf("flags %q: %w", text, err)
	}
	if fs.NArg() > 0 {
		return fmt.Errorf("flags %q: %q is no flag", text, fs.Arg(0))
	}
	return nil
}

// split separates words at spaces; single quotes keep one together, as in a shell.
func split(text string) ([]string, error) {
	parts := strings.Split(text, "'")
	if len(parts)%2 == 0 {
		return nil, fmt.Errorf("flags %q: a quote has no partner", text)
	}
	var out []string
	for i, part := range parts {
		if i%2 == 1 {
			out = append(out, part)
			continue
		}
		out = append(out, strings.Fields(part)...)
	}
	return out, nil
}
