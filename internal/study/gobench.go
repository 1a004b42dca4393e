// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"pangolin"
	"pangolin/verdict"
)

// This study explores the kernels of GoBench (T. Yuan and others, CGO 2021) that Go's distribution contains as tests of its goroutine
// leak profile, and the other leak patterns there. It compares the goroutines that leak under some schedule with those that the
// distribution's tests name. Where there is a repair (repairs.txt), the repaired kernel is explored as well, and nothing may be found. The
// kernels are read from the installed distribution; this repository has no copy. With a checkout of GoBench its own tests are explored
// instead (checkout.go).

// KernelRow is one kernel.
type KernelRow struct {
	Name     string         `json:"name"`
	About    bug            `json:"about"`             // GoBench's classification
	Test     bool           `json:"test,omitempty"`    // it is a test of a checkout of GoBench
	Wanted   int            `json:"wanted"`            // leaks that the tests of the distribution name
	Found    int            `json:"found"`             // how many of these are found
	Missing  []string       `json:"missing,omitempty"` // those that are not found, as regular expressions
	Further  []string       `json:"further,omitempty"` // leaks that the tests do not name
	As       []string       `json:"as,omitempty"`      // the kinds of abnormal outcomes, once each: "leak", "panic"
	Verdict  verdict.Status `json:"verdict"`
	Reason   string         `json:"reason,omitempty"`
	Complete bool           `json:"complete"`
	States   uint64         `json:"states"`
	Seconds  float64        `json:"seconds"`
	Cached   bool           `json:"cached,omitempty"`   // what it shows was kept (-cache), with the seconds of the search that led to it
	Repaired *RepairedRow   `json:"repaired,omitempty"` // nil: there is no repair
}

// RepairedRow is the exploration of a repaired kernel.
type RepairedRow struct {
	How      string   `json:"how"`          // what the repair does
	As       []string `json:"as,omitempty"` // the kinds of abnormal outcomes; none is right
	Complete bool     `json:"complete"`
	States   uint64   `json:"states"`
	Seconds  float64  `json:"seconds"`
	Reason   string   `json:"reason,omitempty"`
}

// text is the repair's cell of the table.
func (r *RepairedRow) text() string {
	switch {
	case r == nil:
		return "-"
	case len(r.As) > 0:
		return "**" + strings.Join(r.As, ", ") + "**"
	case !r.Complete:
		return "? " + r.Reason
	}
	return fmt.Sprintf("clean, %d", r.States)
}

// Told is the row as one line of progress.
func (r *KernelRow) Told() string {
	found := fmt.Sprintf("%d of %d leaks, %d further", r.Found, r.Wanted, len(r.Further))
	if r.Test {
		found = r.as()
	}
	return fmt.Sprintf("%-24s %s, %s, %d states, %.2f s%s, repaired %s%s", r.Name, found, r.Verdict, r.States, r.Seconds, hit(r.Cached), r.Repaired.text(), r.note())
}

// as is the text of the kinds of abnormal outcomes.
func (r *KernelRow) as() string {
	if len(r.As) == 0 {
		return "-"
	}
	return strings.Join(r.As, ", ")
}

// exceptions are the kernels of which not every named leak is found, with the reason.
var exceptions = map[string]string{
	"Moby27782": "no schedule leaks: readLogs holds the mutex that Close takes until it returns",
}

// Judgement is verified if the named leaks are found (or exceptions says why not) and, where none is named, no other; and if nothing is found where it is repaired. A
// checkout's kernel has to end as its part says.
func (r *KernelRow) Judgement() verdict.Status {
	fixed := r.Repaired
	switch {
	case fixed != nil && len(fixed.As) > 0, r.Test && r.Complete && !r.FoundBug():
		return verdict.Violated
	case fixed != nil && !fixed.Complete, r.Test && !r.FoundBug():
		return verdict.Unknown
	case len(r.Missing) > 0 && !r.Complete:
		return verdict.Unknown
	case len(r.Missing) > 0 && exceptions[r.Name] == "" || r.Wanted == 0 && len(r.Further) > 0:
		return verdict.Violated
	}
	return verdict.Verified
}

// note is the text in the table's last column.
func (r *KernelRow) note() string {
	var notes []string
	for _, text := range r.Missing {
		notes = append(notes, "missing "+text)
	}
	if why := exceptions[r.Name]; why != "" && len(r.Missing) > 0 {
		notes = append(notes, why)
	}
	for _, text := range r.Further {
		notes = append(notes, "also "+text)
	}
	if r.Reason != "" {
		notes = append(notes, r.Reason)
	}
	if len(notes) == 0 {
		return ""
	}
	return "; " + strings.Join(notes, "; ")
}

// kernelRows lists the kernels that the distribution's tests name.
func kernelRows(_ context.Context, o *Options) ([]Row, error) {
	if o.Checkout != "" {
		return checkoutRows(o.Checkout, o)
	}
	all, err := kernels()
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, k := range all {
		rows = append(rows, Row{Names: []string{k.name}, Ask: func(ctx context.Context) (Line, error) { return k.ask(ctx, o) }})
	}
	return rows, nil
}

// ask explores a kernel and compares its leaks with the named ones; and the repaired one, if there is a repair.
func (k *kernel) ask(ctx context.Context, o *Options) (*KernelRow, error) {
	v, err := k.explore(ctx, o, nil)
	var r *KernelRow
	switch {
	case v.Outcomes != nil:
		r = k.row(&v)
	case err != nil:
		r = &KernelRow{Name: k.name, Wanted: len(k.leaks), Missing: texts(k.leaks), Verdict: verdict.Unknown, Reason: firstLine(err.Error())}
	}
	r.About = bugOf(k.file)
	if fix := repairs[k.name]; fix != nil {
		v, err := k.explore(ctx, o, fix)
		r.Repaired = &RepairedRow{How: fix.how, States: v.States, Seconds: v.Seconds}
		if v.Outcomes == nil {
			r.Repaired.Reason = firstLine(err.Error())
			return r, nil
		}
		r.Repaired.As, r.Repaired.Complete, r.Repaired.Reason = kinds(&v), v.Outcomes.Complete, v.Outcomes.Limit+v.Outcomes.Fault
	}
	return r, nil
}

// explore explores a kernel, repaired if fix is not nil. Its error says why there are no outcomes.
func (k *kernel) explore(ctx context.Context, o *Options, fix *repair) (verdict.Verdict, error) {
	dir, err := os.MkdirTemp("", "pangolin-kernel")
	if err != nil {
		return verdict.Verdict{}, err
	}
	defer os.RemoveAll(dir)
	source, err := k.program(fix)
	if err != nil {
		return verdict.Verdict{}, err
	}
	file := filepath.Join(dir, strings.ToLower(k.name)+".go")
	if err := os.WriteFile(file, source, 0o666); err != nil {
		return verdict.Verdict{}, err
	}
	r := o.limited(pangolin.Request{Packages: []string{file}})
	r.Dir = dir
	return o.run(ctx, "gobench", r)
}

// row makes the row from the verdict about a kernel.
func (k *kernel) row(v *verdict.Verdict) *KernelRow {
	r := &KernelRow{Name: k.name, Wanted: len(k.leaks), Verdict: v.Status, Complete: v.Outcomes.Complete,
		States: v.States, Seconds: v.Seconds, Cached: v.Cached, Reason: v.Outcomes.Limit + v.Outcomes.Fault, As: kinds(v)}
	found := map[string]bool{}
	for i := range v.Outcomes.List {
		if out := &v.Outcomes.List[i]; out.Kind == verdict.Leaked {
			r.leak(k, found, &out.Involved[0])
		}
	}
	for _, want := range k.leaks {
		if !found[want.String()] {
			r.Missing = append(r.Missing, want.String())
		}
	}
	r.Found = len(found)
	return r
}

// leak adds a leaked goroutine to the named ones that were found, or to the others.
func (r *KernelRow) leak(k *kernel, found map[string]bool, s *verdict.Situation) {
	text := fmt.Sprintf("%s() [%s]", inner.ReplaceAllString(s.Goroutine, "$1.$2"), s.For)
	wanted := false
	for _, want := range k.leaks {
		if want.MatchString(text) {
			found[want.String()], wanted = true, true
		}
	}
	if !wanted && !slices.Contains(r.Further, text) {
		r.Further = append(r.Further, text)
	}
}

// inner matches a function within a function, which gc calls f.func1.2 and Pangolin f.func1.func2.
var inner = regexp.MustCompile(`(\.func\d+)\.func(\d+)`)

// kernelsPage is a table with a row for each kernel.
func kernelsPage(p *Page, lines []Line, seconds float64) {
	rows := of[KernelRow](lines)
	if len(rows) > 0 && rows[0].Test {
		testsPage(p, rows, seconds)
		return
	}
	p.header([]string{"kernel", "class", "leaks named", "found", "further", "found as", "whole", "states", "s", "repaired", "notes"}, "|---|---|---:|---:|---:|---|---|---:|---:|---|---|")
	found, wanted, clean, repaired := 0, 0, 0, 0
	for _, r := range rows {
		p.row(r.Name, r.About.class(), r.Wanted, r.Found, len(r.Further), r.as(), whole(r.Complete), r.States, decimals(r.Seconds, 2), r.Repaired.text(), r.notes())
		found, wanted = found+r.Found, wanted+r.Wanted
		if fix := r.Repaired; fix != nil {
			repaired++
			if fix.Complete && len(fix.As) == 0 {
				clean++
			}
		}
	}
	p.line("")
	p.line("%d of %d named leaks are found, in %d kernels and %s s. %d of %d repaired kernels are clean in every schedule.", found, wanted, len(lines), decimals(seconds, 0), clean, repaired)
	p.line("%s", publishedTotals)
}

// testsPage is the table of a checkout.
func testsPage(p *Page, rows []*KernelRow, seconds float64) {
	p.header([]string{"kernel", "part", "class", "found as", "whole", "states", "s", "notes"}, "|---|---|---|---|---|---:|---:|---|")
	found, all := map[string]int{}, map[string]int{}
	for _, r := range rows {
		p.row(r.Name, r.About.Part, r.About.class(), r.as(), whole(r.Complete), r.States, decimals(r.Seconds, 2), r.notes())
		all[r.About.Part]++
		if r.FoundBug() {
			found[r.About.Part]++
		}
	}
	p.line("")
	p.line("Found: %d of %d blocking ones, %d of %d others, in %s s.", found["blocking"], all["blocking"], found["nonblocking"], all["nonblocking"], decimals(seconds, 0))
	p.line("%s", publishedTotals)
}

// publishedTotals is what the paper reports of GoKer, section V.
const publishedTotals = "Published (CGO 2021): of 68 blocking ones goleak finds 42, go-deadlock 28, dingo-hunter 1; of 35 others the race detector finds 32."

func whole(complete bool) string {
	if complete {
		return "yes"
	}
	return "no"
}

// notes is the last cell of a row.
func (r *KernelRow) notes() string {
	return strings.ReplaceAll(strings.TrimPrefix(r.note(), "; "), "|", "\\|")
}
