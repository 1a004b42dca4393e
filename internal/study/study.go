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
	"slices"
	"strings"
	"time"

	"pangolin"
	"pangolin/internal/front"
	"pangolin/verdict"
)

// Study is an experiment that is repeated.
type Study struct {
	Name string
	// Takes are the names of the options that are about it, as the command line has them, beside those of the search and -rows.
	Takes []string
	// Limit is on the time of each row, unless another one is asked for; 0: none.
	Limit time.Duration
	// Columns are the columns of its table; nil: a row has one line.
	Columns []string
	// Judged says that its lines have a published verdict, or another one to agree with: Line.Judgement.
	Judged bool
	// Long says that lines are told to people who wait, also if they are printed as JSON.
	Long bool
	// Rows are those that the options ask for but for their names and columns.
	Rows func(ctx context.Context, o *Options) ([]Row, error)
	// Page writes what lines come to, which took so many seconds together; 0: that was another time.
	Page func(p *Page, lines []Line, seconds float64)
	// Parse reads a line that was printed as JSON; nil: nobody keeps them.
	Parse func(*json.Decoder) (Line, error)
	// Sort puts the lines of one or more runs into their order; nil: that is how they come.
	Sort func([]Line) ([]Line, error)
}

// All lists the studies.
func All() []Study {
	return []Study{
		{Name: "collect", Takes: []string{"config", "short", "others", "preempt", "out"}, Columns: Configs(), Judged: true, Rows: collectRows, Page: cellsPage(Configs())},
		{Name: "mutants", Takes: []string{"config", "max", "from"}, Limit: 30 * time.Second, Long: true, Rows: mutantRows, Page: mutantsPage, Parse: parse[MutantRow], Sort: sortMutants},
		{Name: "scopes", Takes: []string{"config", "max", "from", "packages"}, Limit: 30 * time.Second, Long: true, Rows: scopesRows, Page: scopesPage, Parse: parse[ScopesRow]},
		{Name: "thesis", Takes: []string{"others", "out"}, Limit: time.Minute, Judged: true, Rows: thesisRows, Page: refinementsPage},
		{Name: "cmp", Takes: []string{"others", "out", "from"}, Limit: time.Minute, Judged: true, Rows: cmpRows, Page: cmpPage, Parse: parse[CMPRow]},
		{Name: "progress", Limit: time.Minute, Rows: progressRows, Page: progressPage},
		{Name: "gobench", Takes: []string{"out"}, Limit: time.Minute, Judged: true, Long: true, Rows: kernelRows, Page: kernelsPage},
		{Name: "policies", Takes: []string{"config", "out", "from"}, Limit: time.Minute, Columns: policyColumns, Judged: true, Rows: policyRowsOf, Page: cellsPage(policyColumns),
			Parse: parse[Cell], Sort: sortPolicies},
	}
}

// Names are those of the studies that take an option; "": of all.
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

// Options say which part of a study to run and how.
type Options struct {
	Dir     string   // in which the go command runs; it must be in this module
	Configs []string // the columns, or the scopes; none: all
	Rows    []string // by name; none: all
	// Packages are those whose collections take the place of ours, one in each.
	Packages []string
	Short    bool // configurations A and B only
	Others   bool // also rows that the paper does not have
	Workers  int
	// Preempt bounds the preemptions in E, as the paper did; 0: no bound.
	Preempt int
	// Limits for each row; 0: none.
	Timeout   time.Duration
	MaxStates uint64
	MaxMemory int64
	// MaxMutants is how many mutants of a collection are tried at most, spread evenly; 0:
	// all.
	MaxMutants int
	// Note is told what is worth knowing and no error; nil: nobody.
	Note func(string)
	// Out is where witnesses are written; "": nowhere.
	Out string
}

// limited is a request with the options' directory and limits.
func (o *Options) limited(r pangolin.Request) pangolin.Request {
	r.Dir, r.Out = o.Dir, o.Out
	r.Search.Workers, r.Search.Timeout, r.Search.MaxStates, r.Search.MaxMemory = o.Workers, o.Timeout, o.MaxStates, o.MaxMemory
	return r
}

// request is about one of our collections, "list" and "LazyList".
func (o *Options) request(pkg, typ string) pangolin.Request {
	return o.limited(pangolin.Request{Packages: []string{"pangolin/collections/" + pkg}, Type: typ})
}

// Row is what is asked.
type Row struct {
	Names   []string // by which it is asked for; the first one is told
	Column  string   // of its table; "": it has none
	Package string   // of the collection, by its path; "": the go command is asked when it is needed
	Ask     func(ctx context.Context) (Line, error)
}

// Line is what came of a row. With -json it is printed as it is.
type Line interface {
	// Told is the line in brief, for people who wait.
	Told() string
	// Judgement is unknown if ours is, violated if it is not as published and nothing says why.
	Judgement() verdict.Status
}

// Run asks the rows one after the other, and gives a line for each. It ends with an error if one cannot be asked at all: tool trouble,
// not a verdict. A collection that is not verified, so that its mutants say nothing, is noted and passed over.
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
	// Nobody changes the collections meanwhile. To tell which files packages have takes the go command longer than many a row takes: it is
	// asked once, for all.
	var packages []string
	for _, r := range rows {
		if r.Package != "" && !slices.Contains(packages, r.Package) {
			packages = append(packages, r.Package)
		}
	}
	ctx = front.Share(ctx, packages...)
	for i := range rows {
		l, err := rows[i].Ask(ctx)
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

// choose keeps the rows and columns that are asked for. One that does not exist is an error.
func (s *Study) choose(rows []Row, o *Options) ([]Row, error) {
	for _, name := range o.Rows {
		if !slices.ContainsFunc(rows, func(r Row) bool { return slices.Contains(r.Names, name) }) {
			return nil, fmt.Errorf("there is no row %q", name)
		}
	}
	for _, name := range o.Configs {
		if s.Columns != nil && !slices.Contains(s.Columns, name) {
			return nil, fmt.Errorf("there is no column %q: choose from %s", name, strings.Join(s.Columns, ", "))
		}
	}
	return slices.DeleteFunc(rows, func(r Row) bool {
		named := func(name string) bool { return slices.Contains(r.Names, name) }
		return len(o.Rows) > 0 && !slices.ContainsFunc(o.Rows, named) || r.Column != "" && len(o.Configs) > 0 && !slices.Contains(o.Configs, r.Column)
	}), nil
}

// parse reads a line.
func parse[T any, L interface {
	*T
	Line
}](d *json.Decoder) (Line, error) {
	line := L(new(T))
	return line, d.Decode(line)
}

// Read reads lines as -json prints them, and puts them into their order.
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

// of is lines by their type.
func of[T any](lines []Line) []*T {
	list := make([]*T, len(lines))
	for i, l := range lines {
		list[i] = any(l).(*T)
	}
	return list
}

// Page is Markdown, written line by line until that is not possible.
type Page struct {
	out io.Writer
	err error
}

// Print writes the page of lines.
func (s *Study) Print(out io.Writer, lines []Line, seconds float64) error {
	p := &Page{out: out}
	s.Page(p, lines, seconds)
	return p.err
}

// text writes a text as it is.
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

// decimals is a number with so many digits behind the point.
func decimals(x float64, digits int) string { return fmt.Sprintf("%.*f", digits, x) }

// wrong is the class of a violation, and a note: in a line what its witness shows, with the client, or the reason of another verdict.
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

// packageAndType takes the name of a collection, pkg.Type, apart.
func packageAndType(name string) (pkg, typ string) {
	pkg, typ, _ = strings.Cut(name, ".")
	return pkg, typ
}
