// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"os"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// documented reads the table of doc/progress.md: by collection, the operations of each class.
func documented(t *testing.T) map[string]map[verdict.Property]string {
	t.Helper()
	text, err := os.ReadFile("../../doc/progress.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]map[verdict.Property]string{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 9 || !strings.Contains(cells[1], ".") {
			continue
		}
		row := map[verdict.Property]string{}
		for i, class := range []verdict.Property{verdict.WaitFree, verdict.LockFree, verdict.ObstructionFree, verdict.Blocking} {
			row[class] = strings.TrimSpace(cells[2+i])
		}
		rows[strings.TrimSpace(cells[1])] = row
	}
	return rows
}

func TestProgress_HasARowForEachCollection(t *testing.T) {
	level.SkipShort(t, "finds all collections")
	found, err := pangolin.Prepare(repository, pangolin.Request{Packages: []string{"pangolin/collections/..."}})
	if err != nil {
		t.Fatal(err)
	}
	rows := documented(t)
	for _, c := range found.Collections() {
		if rows[c.Name] == nil {
			t.Errorf("%s has no row in doc/progress.md: pangolin study progress", c.Name)
		}
		delete(rows, c.Name)
	}
	for name := range rows {
		t.Errorf("doc/progress.md has a row for %s, which is not there", name)
	}
}

func TestProgress_IsWhatTheTableSays(t *testing.T) {
	level.SkipShort(t, "classifies some collections")
	rows := documented(t)
	opt := Options{Rows: []string{"LockFreeStack", "UnboundedQueue", "CoarseList", "Reentrant"}}
	if level.More() {
		opt.Rows = append(opt.Rows, "LockFreeQueue", "LazyList")
	}
	lines := linesOf(t, "progress", opt)
	for _, v := range of[progressLine](lines) {
		for _, o := range v.Progress {
			if !strings.Contains(rows[v.Collection][o.Class], o.Operation) {
				t.Errorf("%s: %s is %s, and the table says %v", v.Collection, o.Operation, o.Class, rows[v.Collection])
			}
		}
	}
	if len(lines) != len(opt.Rows) {
		t.Errorf("%d collections", len(lines))
	}
}
