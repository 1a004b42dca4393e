package study

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"pangolin"
	"pangolin/internal/front"
	"pangolin/verdict"
)

// Options say which part of a study to run and how.
type Options struct {
	Dir     string   // in which the go command runs; it must be in this module
	Configs []string // none: A to E
	Rows    []string // none: the paper's; a type for one that the paper does not have
	// Packages are those whose collections take the place of ours, one in each (Scopes).
	Packages []string
	Others   bool // also collections that the paper does not have
	Workers  int
	// Preempt bounds the preemptions in E, as the paper did; 0: no bound.
	Preempt int
	// Limits for each cell; 0: none.
	Timeout   time.Duration
	MaxMemory int64
	// MaxMutants is how many mutants of a collection are tried at most, spread evenly; 0:
	// all.
	MaxMutants int
	// Note is told what is worth knowing and no error; nil: nobody.
	Note func(string)
	// Out is where witnesses are written; "": nowhere.
	Out string
}

// Configs are the configurations of COLLECT's Table 1.
func Configs() []string { return []string{"A", "B", "C", "D", "E"} }

// Collect runs COLLECT's Table 2 row by row and gives each cell as it is done. It ends
// with an error if a cell cannot be verified at all: tool trouble, not a verdict.
func Collect(ctx context.Context, files fs.FS, opt Options, cell func(Cell)) error {
	rows, err := Expectations(files)
	if err != nil {
		return err
	}
	if rows, err = choose(rows, opt); err != nil {
		return err
	}
	wanted := opt.Configs
	if len(wanted) == 0 {
		wanted = Configs()
	}
	// A cell of A takes a fiftieth of a second, and the go command a tenth to tell which files packages have: it is
	// asked in the first cell, for all rows.
	ctx = front.Share(ctx, packagesOf(rows)...)
	for i := range rows {
		for _, config := range wanted {
			if config == "C" && !rows[i].hashes() {
				continue
			}
			c, err := rows[i].run(ctx, config, opt)
			if err != nil {
				return fmt.Errorf("%s in %s: %w", rows[i].name(), config, err)
			}
			cell(c)
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
	}
	return nil
}

// order is that of the paper's table.
const order = `CoarseList FineList OptimisticList LazyList LockFreeList LockFreeListOriginal
BoundedQueue UnboundedQueue LockFreeQueue SynchronousQueue SynchronousDualQueue SynchronousDualQueuePatched
CoarseHashSet StripedHashSet RefinableHashSet LockFreeHashSet LockFreeHashSetPatched StripedCuckooHashSet RefinableCuckooHashSet
SimpleLinear SimpleTree FineGrainedHeap FineGrainedHeapFair SkipQueueOriginal SkipQueueQC SkipQueueSC`

// choose picks the rows that are asked for, the paper's first and in its order.
func choose(rows []Expectation, opt Options) ([]Expectation, error) {
	for _, name := range opt.Rows {
		if !slices.ContainsFunc(rows, func(e Expectation) bool { return e.name() == name }) {
			return nil, fmt.Errorf("there is no row %q", name)
		}
	}
	places := strings.Fields(order)
	slices.SortStableFunc(rows, func(a, b Expectation) int { return place(places, a.Row) - place(places, b.Row) })
	return slices.DeleteFunc(rows, func(e Expectation) bool {
		if len(opt.Rows) > 0 {
			return !slices.Contains(opt.Rows, e.name())
		}
		return e.Row == "" && !opt.Others
	}), nil
}

// packagesOf are the packages of rows, each once.
func packagesOf(rows []Expectation) []string {
	var list []string
	for i := range rows {
		list = append(list, rows[i].Package)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// place is where a row stands in the table; rows that the paper does not have come last.
func place(places []string, row string) int {
	if i := slices.Index(places, row); i >= 0 {
		return i
	}
	return len(places)
}

// run verifies one cell.
func (e *Expectation) run(ctx context.Context, config string, opt Options) (Cell, error) {
	r := e.Request(config)
	r.Dir, r.Out = opt.Dir, opt.Out
	r.Search.Workers, r.Search.Timeout, r.Search.MaxMemory = opt.Workers, opt.Timeout, opt.MaxMemory
	r.Search.AsFound = true // the seconds of both tables are those to the verdict
	began := time.Now()
	v, err := e.verify(ctx, r, opt.Preempt)
	if err != nil {
		return Cell{}, err
	}
	return e.cell(config, v, time.Since(began)), nil
}

// paperBound is the paper's bound on preemptions in E.
const paperBound = 2

// verify makes the verdict of a cell. In E the bound on preemptions is the given one, or
// none: except that where the paper found a violation within its bound, that is tried
// first, since a violation is one, bound or no bound; and where a limit is reached
// without a bound, the paper's is tried last, which a reason says.
func (e *Expectation) verify(ctx context.Context, r pangolin.Request, bound int) (*verdict.Verdict, error) {
	bounds := []int{-1}
	switch {
	case r.Scope.Config != "E":
	case bound > 0:
		bounds = []int{bound}
	case e.cells["E"].published == string(verdict.Violated):
		bounds = []int{paperBound, -1}
	default:
		bounds = []int{-1, paperBound}
	}
	p, err := pangolin.Prepare(ctx, r)
	if err != nil {
		return nil, err
	}
	var v *verdict.Verdict
	reached := ""
	for _, b := range bounds {
		r.Search.Preempt = &b
		list, err := p.Verify(ctx, r.Search)
		if err != nil {
			return nil, err
		}
		v = &list[0]
		if v.Status == verdict.Violated || v.Status == verdict.Verified && (b < 0 || reached != "") {
			break
		}
		if v.Status == verdict.Unknown && b < 0 {
			reached = v.Reason
		}
	}
	if reached != "" && v.Status == verdict.Verified {
		v.Reason = fmt.Sprintf("verified within %d preemptions only; without that bound %s", paperBound, reached)
	}
	return v, nil
}

// cell puts a verdict beside the published one.
func (e *Expectation) cell(config string, v *verdict.Verdict, took time.Duration) Cell {
	at := e.cells[config]
	c := Cell{Type: "cell", Study: "collect", Row: e.name(), Config: config, Verdict: v.Status, Expected: at.published,
		Seconds: took.Seconds(), Published: at.publishedSeconds(), Clients: v.Clients, States: v.States,
		Preempt: v.Scope.Preempt, Note: v.Reason}
	got := string(v.Status)
	if v.Violation != nil {
		c.Class, c.Note = v.Violation.Class, firstLine(v.Violation.Class+": "+v.Violation.Summary)+"; "+v.Violation.Client
		if c.Class == Infinite {
			got = Infinite
		}
	}
	c.Differs = at.published != "" && got != at.published
	c.Explained = c.Differs && at.why != ""
	if at.why != "" && (c.Differs || at.published == "") {
		c.Note = strings.TrimPrefix(c.Note+". "+at.why, ". ")
	}
	return c
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
