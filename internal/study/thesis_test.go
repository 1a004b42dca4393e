// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// The rows with two threads have the thesis's verdicts under both equivalences, and what is wrong
// with the queue is its Figure 5.1, in an execution that replays.
func TestThesis_HasThePublishedVerdicts(t *testing.T) {
	level.SkipShort(t, "generates and compares transition systems")
	rows, err := publishedRows()
	if err != nil || len(rows) != 13 {
		t.Fatalf("%d rows, want 13: %v", len(rows), err)
	}
	opt := &Options{Out: t.TempDir()}
	for i := range rows {
		if rows[i].threads > 2 {
			continue
		}
		t.Run(rows[i].typ, func(t *testing.T) {
			r, err := rows[i].run(repository, opt)
			if err != nil {
				t.Fatal(err)
			}
			if r.Judgement() != verdict.Verified {
				t.Errorf("%s, bisimilar %v, same weak traces %v; the thesis says %s", r.Verdict, *r.Branching, *r.WeakTraces, r.Expected)
			}
			if r.Expected == "violated" {
				replays(t, r)
			}
		})
	}
	if files, _ := filepath.Glob(filepath.Join(opt.Out, "*.json")); len(files) != 1 {
		t.Errorf("witnesses: %q, want one", files)
	}
}

// replays executes the witness of a row, and compares its trace with Figure 5.1 up to the names of
// threads and items.
func replays(t *testing.T, r *Refinement) {
	t.Helper()
	want := []string{"call(1, Enqueue(2))", "call(2, Dequeue())", "return(1, Enqueue)", "call(1, Enqueue(4))", "return(2, Dequeue, 4)"}
	if len(r.Trace) != len(want) {
		t.Errorf("trace %q, want %q", r.Trace, want)
	}
	text, err := os.ReadFile(r.Witness)
	if err != nil {
		t.Fatal(err)
	}
	w, err := verdict.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	now, err := pangolin.Replay(repository, "", w)
	if err != nil || now.Class != "history" {
		t.Errorf("replayed: %v, %v", now, err)
	}
}

// BenchmarkThesis decides the rows on the fly, as refine does, without loading.
func BenchmarkThesis(b *testing.B) {
	rows, err := publishedRows()
	if err != nil {
		b.Fatal(err)
	}
	for i := range rows {
		r := &rows[i]
		b.Run(fmt.Sprintf("%s_%dx%d", r.typ, r.threads, r.calls), func(b *testing.B) {
			p, err := pangolin.Prepare(repository, r.request(&Options{}))
			if err != nil {
				b.Fatal(err)
			}
			jobs, err := p.Jobs(repository)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				var out Refinement
				if _, err := r.decide(repository, jobs[0], &out, &Options{}); err != nil || string(out.Verdict) != r.expected {
					b.Fatalf("%s, %v", out.Verdict, err)
				}
			}
		})
	}
}
