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
// distribution's tests name. The kernels are read from the installed distribution; this repository has no copy.

// KernelRow is one kernel.
type KernelRow struct {
	Name     string         `json:"name"`
	Wanted   int            `json:"wanted"`            // leaks that the tests of the distribution name
	Found    int            `json:"found"`             // how many of these are found
	Missing  []string       `json:"missing,omitempty"` // those that are not found, as regular expressions
	Further  []string       `json:"further,omitempty"` // leaks that the tests do not name
	Others   []string       `json:"others,omitempty"`  // other abnormal ends, once each: "deadlock", "panic"
	Verdict  verdict.Status `json:"verdict"`
	Reason   string         `json:"reason,omitempty"`
	Complete bool           `json:"complete"`
	States   uint64         `json:"states"`
	Seconds  float64        `json:"seconds"`
}

// Told is the row as one line of progress.
func (r *KernelRow) Told() string {
	return fmt.Sprintf("%-24s %d of %d leaks, %d further, %s, %d states, %.2f s%s", r.Name, r.Found, r.Wanted, len(r.Further), r.Verdict, r.States, r.Seconds, r.note())
}

// Judgement is verified if the named leaks are found and, where none is named, no other.
func (r *KernelRow) Judgement() verdict.Status {
	switch {
	case len(r.Missing) > 0 && !r.Complete:
		return verdict.Unknown
	case len(r.Missing) > 0 || r.Wanted == 0 && len(r.Further) > 0:
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
	for _, text := range r.Further {
		notes = append(notes, "also "+text)
	}
	notes = append(notes, r.Others...)
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

// ask explores a kernel and compares its leaks with the named ones.
func (k *kernel) ask(ctx context.Context, o *Options) (*KernelRow, error) {
	dir, err := os.MkdirTemp("", "pangolin-kernel")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	source, err := k.program()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, strings.ToLower(k.name)+".go")
	if err := os.WriteFile(file, source, 0o666); err != nil {
		return nil, err
	}
	r := o.limited(pangolin.Request{Packages: []string{file}})
	r.Dir = dir
	v, err := pangolin.Run(ctx, r)
	if v.Outcomes == nil {
		return &KernelRow{Name: k.name, Wanted: len(k.leaks), Missing: texts(k.leaks), Verdict: verdict.Unknown, Reason: firstLine(err.Error())}, nil
	}
	return k.row(&v), nil
}

// row makes the row from the verdict about a kernel.
func (k *kernel) row(v *verdict.Verdict) *KernelRow {
	r := &KernelRow{Name: k.name, Wanted: len(k.leaks), Verdict: v.Status, Complete: v.Outcomes.Complete,
		States: v.States, Seconds: v.Seconds, Reason: v.Outcomes.Limit + v.Outcomes.Fault}
	found := map[string]bool{}
	for i := range v.Outcomes.List {
		switch out := &v.Outcomes.List[i]; {
		case out.Kind == verdict.Leaked:
			r.leak(k, found, &out.Involved[0])
		case !out.Good() && !slices.Contains(r.Others, string(out.Kind)):
			r.Others = append(r.Others, string(out.Kind))
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
	p.header([]string{"kernel", "leaks named", "found", "further", "whole", "states", "s", "notes"}, "|---|---:|---:|---:|---|---:|---:|---|")
	found, wanted := 0, 0
	for _, r := range of[KernelRow](lines) {
		whole := "yes"
		if !r.Complete {
			whole = "no"
		}
		p.row(r.Name, r.Wanted, r.Found, len(r.Further), whole, r.States, decimals(r.Seconds, 2), strings.ReplaceAll(strings.TrimPrefix(r.note(), "; "), "|", "\\|"))
		found, wanted = found+r.Found, wanted+r.Wanted
	}
	p.line("")
	p.line("%d of %d named leaks are found, in %d kernels and %s s.", found, wanted, len(lines), decimals(seconds, 0))
}
