// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"flag"
	"slices"
	"strings"
	"testing"

	"pangolin"
	"pangolin/collections"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// The case studies have the verdicts of EXPECT.csv.

// TestVerify_GivesTheExpectedVerdicts verifies every case study in the smallest
// configuration (with -level more in B, with all in C and D as well) and compares with the package's
// EXPECT.csv.
func TestVerify_GivesTheExpectedVerdicts(t *testing.T) {
	configs := "A"
	switch {
	case level.All():
		configs = "A,B,C,D"
	case level.More():
		configs = "A,B"
	}
	i := -1
	eachExpectation(t, configs, func(dir string, cell func(string) string, config string) {
		i++
		t.Run(cell("collection")+"/"+cell("property")+"/"+config, func(t *testing.T) {
			if level.Out(i, 6) {
				t.Skip("some rows will do, as internal/study verifies them, too; -level more verifies all")
			}
			expectRow(t, dir, cell, config)
		})
	})
}

// eachExpectation visits the rows of all EXPECT.csv, in each of the configurations in which
// something is expected.
func eachExpectation(t *testing.T, configs string, visit func(dir string, cell func(string) string, config string)) {
	t.Helper()
	rows, err := collections.Rows(collections.Expectations)
	if err != nil || len(rows) == 0 {
		t.Fatalf("no expectations: %v", err)
	}
	for i, row := range rows {
		if level.Short() && i > 0 && row["package"] == rows[i-1]["package"] {
			continue // one of each package: the others take a minute
		}
		cell := func(name string) string { return row[name] }
		for config := range strings.SplitSeq(configs, ",") {
			if cell(config) != "-" {
				visit("collections/"+row["package"], cell, config)
			}
		}
	}
}

// expectRow verifies one row of an expectation file in one configuration.
func expectRow(t *testing.T, dir string, cell func(string) string, config string) {
	r := expectedRequest(t, dir, cell, config)
	r.Search.MaxMemory = 1 << 30
	list, err := pangolin.Verify(repository, r)
	if err != nil {
		t.Fatal(err)
	}
	v := list[0]
	if v.Status == verdict.Unknown && classExpected(cell("class"), config, "infinite") {
		t.Logf("unknown, as COLLECT's search did not end: %s", v.Reason)
		return
	}
	if string(v.Status) != cell(config) {
		t.Fatalf("%s, expected %s: %s", v.Status, cell(config), v.Reason)
	}
	if v.Violation != nil && !classExpected(cell("class"), config, v.Violation.Class) {
		t.Errorf("violation of class %s, expected %s", v.Violation.Class, cell("class"))
	}
	t.Logf("%s clients %s states %d in %.2f s", v.Status, v.Clients, v.States, v.Seconds)
	replayed(t, v)
}

// expectedRequest is the request that a row stands for.
func expectedRequest(t *testing.T, dir string, cell func(string) string, config string) pangolin.Request {
	t.Helper()
	typ, _, _ := strings.Cut(cell("collection"), ":") // behind it what tells this row from others of the type
	r := pangolin.Request{
		Packages: []string{"./" + dir}, Type: typ, New: constructor(cell("new"), config), Kind: cell("kind"),
		Protocol: cell("protocol"), Property: pangolin.Properties(cell("property")), Scope: pangolin.Scope{Config: config},
	}
	applyFlags(t, &r, strings.Fields(cell("flags")))
	return r
}

// constructor picks the expression for a configuration: one for all, or five.
func constructor(list, config string) string {
	exprs := strings.Split(list, ";")
	if len(exprs) == 1 {
		return exprs[0]
	}
	return exprs[strings.Index("ABCDE", config)]
}

func applyFlags(t *testing.T, r *pangolin.Request, flags []string) {
	t.Helper()
	fs := flag.NewFlagSet("flags", flag.ContinueOnError)
	r.Register(fs)
	if err := fs.Parse(flags); err != nil || fs.NArg() > 0 {
		t.Fatalf("flags %q: %v", flags, err)
	}
}

// classExpected compares with "panic", "nontermination or deadlock" or
// "A:nontermination;D:history".
func classExpected(want, config, got string) bool {
	for part := range strings.SplitSeq(want, ";") {
		c, classes, ok := strings.Cut(part, ":")
		if !ok {
			c, classes = config, part
		}
		if c == config {
			return slices.Contains(strings.Split(classes, " or "), got)
		}
	}
	return true // nothing is expected of this configuration
}

// replayed checks that a violation's witness shows it when it is replayed.
func replayed(t *testing.T, v verdict.Verdict) {
	t.Helper()
	if v.Violation == nil {
		return
	}
	w, err := pangolin.Replay(repository, "", v.Violation.Execution)
	if err != nil {
		t.Fatalf("replay: %v", err)
	}
	if w.Class != v.Violation.Class || len(w.Steps) != len(v.Violation.Execution.Steps) {
		t.Errorf("replay shows a %s in %d steps, not a %s in %d", w.Class, len(w.Steps), v.Violation.Class, len(v.Violation.Execution.Steps))
	}
}
