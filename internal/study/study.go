// SPDX-License-Identifier: BSD-3-Clause

// Package study repeats the experiments of published papers and puts what Pangolin
// finds beside what was published.
//
// A Study is rows, each with what is asked and what was published, and the page that their lines come to. One runner
// (Run) asks row after row; a new study is a file with a Study, and a line of All:
//
//	{Name: "collect", Rows: collectRows, Page: cellsPage, Columns: Configs(), ...}
//	LazyList in A          asks pangolin.Verify, and gives a Cell
//	| LazyList | 0.02 / 1.04 | ...        its part of the page
//
// The package asks package pangolin, as any program can; only the study of transition systems needs these systems themselves, and asks
// engine/refine and lts for them. It does not judge: a line that differs from the paper says so, and why if the expectations
// know.
package study

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"pangolin"
	"pangolin/internal/front"
	"pangolin/internal/task"
	"pangolin/verdict"
)

// Study is an experiment that can be repeated.
type Study struct {
	Name string
	// Takes lists the names of the command-line options that the study uses, besides -rows and the limits of each row. Any other is an error.
	Takes []string
	// Limit is the usual time limit of each row; 0: none.
	Limit time.Duration
	// Columns are the columns of its table; nil: a row has one line.
	Columns []string
	// Judged: Line.Judgement compares with a published verdict, or another one.
	Judged bool
	// Long: progress is reported on stderr even if the lines are printed as JSON.
	Long bool
	// Rows lists all rows for the options; the runner then selects by row and column names.
	Rows func(ctx context.Context, o *Options) ([]Row, error)
	// Page writes the page of the lines. seconds is the time that they took together; 0: unknown, because they were read from a file.
	Page func(p *Page, lines []Line, seconds float64)
	// Parse reads a line that was printed as JSON; nil: the study cannot be read from a file.
	Parse func(*json.Decoder) (Line, error)
	// Sort sorts the lines of one or more runs; nil: they stay in order.
	Sort func([]Line) ([]Line, error)
}

// All lists the studies.
func All() []Study {
	return []Study{
		{Name: "collect", Takes: []string{"config", "short", "others", "preempt", "out", "cache", "reduce", "j", "on"}, Columns: Configs(), Judged: true, Rows: collectRows, Page: cellsPage(Configs())},
		{Name: "mutants", Takes: []string{"config", "max", "from", "cache", "reduce", "j", "on"}, Limit: 30 * time.Second, Long: true, Rows: mutantRows, Page: mutantsPage, Parse: parse[MutantRow], Sort: sortMutants},
		{Name: "scopes", Takes: []string{"config", "max", "from", "packages", "cache", "reduce", "j", "on"}, Limit: 30 * time.Second, Long: true, Rows: scopesRows, Page: scopesPage, Parse: parse[ScopesRow]},
		{Name: "thesis", Takes: []string{"others", "out", "cache"}, Limit: time.Minute, Judged: true, Rows: thesisRows, Page: refinementsPage},
		{Name: "cmp", Takes: []string{"others", "out", "from", "cache", "on"}, Limit: time.Minute, Judged: true, Rows: cmpRows, Page: cmpPage, Parse: parse[CMPRow]},
		{Name: "progress", Takes: []string{"cache", "reduce"}, Limit: time.Minute, Rows: progressRows, Page: progressPage},
		{Name: "gobench", Takes: []string{"out", "dir", "reduce", "j", "time", "cache"}, Limit: time.Minute, Judged: true, Long: true, Rows: kernelRows, Page: kernelsPage},
		{Name: "policies", Takes: []string{"config", "out", "from", "cache", "reduce", "j"}, Limit: time.Minute, Columns: policyColumns, Judged: true, Rows: policyRowsOf, Page: policiesPage,
			Parse: parse[Cell], Sort: sortPolicies},
	}
}

// Names lists the studies that take an option, as text ("mutants, scopes and cmp"); "" lists all.
func Names(option string) string {
	var names []string
	for _, s := range All() {
		if option == "" || slices.Contains(s.Takes, option) {
			names = append(names, s.Name)
		}
	}
	last := len(names) - 1
	return strings.TrimPrefix(strings.Join(names[:last], ", ")+" and "+names[last], " and ")
}

// Options select a part of a study and limit it.
type Options struct {
	Dir     string   // the directory in which the go command runs; it must be in this module
	Configs []string // names of columns, or scopes; none: all
	Rows    []string // by name; none: all
	// Packages are packages with one collection each that are used in place of ours.
	Packages []string
	// Checkout is the directory of a checkout of GoBench, whose kernels take the place of those of Go's distribution.
	Checkout string
	Short    bool // configurations A and B only
	Others   bool // also rows that the paper does not have
	Workers  int
	// Preempt bounds the preemptions in E, as the paper did; 0: no bound.
	Preempt int
	// Limits for each row; 0: none.
	Timeout   time.Duration
	MaxStates uint64
	MaxMemory int64
	Reduce    pangolin.Reduce // the reductions of the searches; "": all
	Time      string          // when timers fire, see pangolin.Search; "": at any moment
	// MaxMutants is the greatest number of mutants of a collection that are tried, spread evenly; 0: all.
	MaxMutants int
	// Note is called with messages that are not errors; nil: they are dropped.
	Note func(string)
	// Out is the directory for witnesses; "": none are written.
	Out string
	// Cache is the directory of results that are not computed again; "": all are computed.
	Cache string
	// Elsewhere computes verdicts on other machines; nil: they are computed here.
	Elsewhere task.Elsewhere
}

// limited adds the options' directory and limits to a request.
func (o *Options) limited(r pangolin.Request) pangolin.Request {
	r.Dir, r.Out, r.Search.Time, r.Search.Reduce = o.Dir, o.Out, o.Time, o.Reduce
	r.Search.Workers, r.Search.Timeout, r.Search.MaxStates, r.Search.MaxMemory = o.Workers, o.Timeout, o.MaxStates, o.MaxMemory
	r.Search.Cache, r.Events.Elsewhere = o.Cache, o.Elsewhere
	return r
}

// request makes the request about one of our collections: "list", "LazyList".
func (o *Options) request(pkg, typ string) pangolin.Request {
	return o.limited(pangolin.Request{Packages: []string{"pangolin/collections/" + pkg}, Type: typ})
}

// Row is one question of a study.
type Row struct {
	Names   []string // names by which it can be selected; the first one is printed
	Column  string   // its column in the table; "": the table has one line a row
	Package string   // of the collection, by its path; "": the go command is asked when it is needed
	Ask     func(ctx context.Context) (Line, error)
}

// Line is the result of a row. With -json it is printed as it is.
type Line interface {
	// Told describes the line in one line of progress.
	Told() string
	// Judgement is unknown if our verdict is; violated if it differs from the published one without an explanation; else verified.
	Judgement() verdict.Status
}

// Run asks the selected rows one after the other, and calls each with their lines. It returns an error if a row cannot be asked at all.
// A collection that is not verified, so that its mutants would show nothing, is reported to Options.Note and skipped.
func (s *Study) Run(ctx context.Context, o Options, each func(Line) error) error {
	if o.Timeout == 0 {
		o.Timeout = s.Limit
	}
	rows, err := s.Rows(ctx, &o)
	if err != nil {
		return err
	}
	if rows, err = s.choose(rows, &o); err != nil {
		return err
	}
	// Asking the go command for the files of a package takes longer than many rows, and the collections do not change meanwhile: so it is
	// asked once, for all.
	var packages []string
	for _, r := range rows {
		if r.Package != "" && !slices.Contains(packages, r.Package) {
			packages = append(packages, r.Package)
		}
	}
	ctx = front.Share(ctx, packages...)
	ask := askOne
	if o.Elsewhere != nil {
		ask = askMany
	}
	for i, answer := range ask(ctx, rows) {
		l, err := answer.line, answer.err
		var not *pangolin.NotVerified
		switch {
		case errors.As(err, &not):
			if o.Note != nil {
				o.Note(err.Error())
			}
			continue
		case err != nil && rows[i].Column != "":
			return fmt.Errorf("%s in %s: %w", rows[i].Names[0], rows[i].Column, err)
		case err != nil:
			return fmt.Errorf("%s: %w", rows[i].Names[0], err)
		}
		if err := each(l); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// answer is what a row has come to.
type answer struct {
	line Line
	err  error
}

// askOne asks rows one after the other.
func askOne(ctx context.Context, rows []Row) iter.Seq2[int, answer] {
	return func(yield func(int, answer) bool) {
		for i := range rows {
			l, err := rows[i].Ask(ctx)
			if !yield(i, answer{l, err}) {
				return
			}
		}
	}
}

// mostAsked is how many rows wait for other machines at the same time. Each has its types in memory.
const mostAsked = 16

// askMany asks several rows at the same time, and yields what they have come to in their order.
func askMany(ctx context.Context, rows []Row) iter.Seq2[int, answer] {
	return func(yield func(int, answer) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		answers, free := make([]chan answer, len(rows)), make(chan struct{}, mostAsked)
		for i := range answers {
			answers[i] = make(chan answer, 1)
		}
		go func() {
			for i := range rows {
				free <- struct{}{}
				go func() {
					defer func() { <-free }()
					if ctx.Err() != nil {
						return
					}
					l, err := rows[i].Ask(ctx)
					answers[i] <- answer{l, err}
				}()
			}
		}()
		for i := range rows {
			select {
			case a := <-answers[i]:
				if !yield(i, a) {
					return
				}
			case <-ctx.Done():
				yield(i, answer{err: context.Cause(ctx)})
				return
			}
		}
	}
}

// choose selects the rows and columns that the options name. One that does not exist is an error.
func (s *Study) choose(rows []Row, o *Options) ([]Row, error) {
	for _, name := range o.Rows {
		if !slices.ContainsFunc(rows, func(r Row) bool { return slices.Contains(r.Names, name) }) {
			return nil, fmt.Errorf("this study has no row %q: without -rows all rows are run, each with its name", name)
		}
	}
	for _, name := range o.Configs {
		if s.Columns != nil && !slices.Contains(s.Columns, name) {
			return nil, fmt.Errorf("this study has no column %q: choose from %s", name, strings.Join(s.Columns, ", "))
		}
	}
	return slices.DeleteFunc(rows, func(r Row) bool {
		named := func(name string) bool { return slices.Contains(r.Names, name) }
		return len(o.Rows) > 0 && !slices.ContainsFunc(o.Rows, named) || r.Column != "" && len(o.Configs) > 0 && !slices.Contains(o.Configs, r.Column)
	}), nil
}

// parse reads one line of JSON.
func parse[T any, L interface {
	*T
	Line
}](d *json.Decoder) (Line, error) {
	line := L(new(T))
	return line, d.Decode(line)
}

// Read reads and sorts lines that -json has printed.
func (s *Study) Read(from io.Reader) (list []Line, err error) {
	for d := json.NewDecoder(from); ; {
		l, err := s.Parse(d)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		list = append(list, l)
	}
	if s.Sort != nil {
		return s.Sort(list)
	}
	return list, nil
}

// of converts lines to their type.
func of[T any](lines []Line) []*T {
	list := make([]*T, len(lines))
	for i, l := range lines {
		list[i] = any(l).(*T)
	}
	return list
}

// Page is a Markdown document that is written piece by piece; after the first error nothing more is written.
type Page struct {
	out io.Writer
	err error
}

// Print writes the page of the lines to out.
func (s *Study) Print(out io.Writer, lines []Line, seconds float64) error {
	p := &Page{out: out}
	s.Page(p, lines, seconds)
	return p.err
}

// text writes a text unchanged.
func (p *Page) text(text string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.out, text)
	}
}

// line writes a line.
func (p *Page) line(format string, args ...any) {
	p.text(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

// row writes the row of a table.
func (p *Page) row(cells ...any) {
	for _, c := range cells {
		p.text(fmt.Sprintf("| %v ", c))
	}
	p.text("|\n")
}

// header writes the first two lines of a table: its head, and an alignment for each cell of it, "---:".
func (p *Page) header(head []string, align string) {
	p.text("| " + strings.Join(head, " | ") + " |\n" + align + "\n")
}

// decimals formats a number with so many digits after the point.
func decimals(x float64, digits int) string { return fmt.Sprintf("%.*f", digits, x) }

// wrong returns the class of a violation, and a note: its summary and client, or else the verdict's reason.
func wrong(v *verdict.Verdict) (class, note string) {
	if b := v.Violation; b != nil {
		return b.Class, firstLine(b.Class+": "+b.Summary) + "; " + b.Client
	}
	return "", v.Reason
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// packageAndType splits the name of a collection, pkg.Type.
func packageAndType(name string) (pkg, typ string) {
	pkg, typ, _ = strings.Cut(name, ".")
	return pkg, typ
}
