// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin/collections"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/internal/test/sources"
	"pangolin/verdict"
)

// Verdicts and numbers of states are those that stand beside the case studies.

const root = "../../collections"

// repository is a context in which nobody changes the collections.
var repository = sources.Repository

var pinnedHeader = []string{"row", "config", "verdict", "class", "clients", "states"}

// pinned are the lines of a package's PINNED.csv, by row and configuration.
func pinned(t *testing.T, pkg string) map[string][]string {
	t.Helper()
	lines := map[string][]string{}
	f, err := os.Open(filepath.Join(root, pkg, "PINNED.csv"))
	if err != nil {
		if flags.Update() {
			return lines
		}
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records[1:] {
		lines[r[0]+" "+r[1]] = r
	}
	return lines
}

func write(t *testing.T, pkg string, lines map[string][]string) {
	t.Helper()
	var list [][]string
	for _, l := range lines {
		list = append(list, l)
	}
	slices.SortFunc(list, slices.Compare)
	f, err := os.Create(filepath.Join(root, pkg, "PINNED.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := csv.NewWriter(f).WriteAll(append([][]string{pinnedHeader}, list...)); err != nil {
		t.Fatal(err)
	}
}

// Each row of Table 2, and each collection of ours, has the verdict and the number of
// states that stand beside its code, and the published verdict unless EXPECT.csv says why
// not.
func TestCollect_FindsWhatIsPinned(t *testing.T) {
	rows, err := Expectations(collections.Expectations)
	if err != nil {
		t.Fatal(err)
	}
	configs := []string{"A"}
	switch {
	case level.All():
		configs = []string{"A", "B", "C", "D"}
	case level.More():
		configs = []string{"A", "B"}
	}
	packages := map[string]map[string][]string{}
	for i := range rows {
		if !flags.Update() && level.Out(i, 6) {
			continue // some rows will do; -level more checks all
		}
		e := &rows[i]
		pkg := strings.TrimPrefix(e.Package, "pangolin/collections/")
		if packages[pkg] == nil {
			packages[pkg] = pinned(t, pkg)
		}
		for _, config := range configs {
			checkCell(t, e, config, packages[pkg])
		}
	}
	if flags.Update() {
		for pkg, lines := range packages {
			write(t, pkg, lines)
		}
	}
}

func checkCell(t *testing.T, e *Expectation, config string, lines map[string][]string) {
	t.Helper()
	if config == "C" && !e.hashes() {
		return
	}
	c, err := e.run(repository, config, &Options{Workers: 1, Reduce: "all,-points", MaxMemory: 4 << 30}) // the pinned numbers are those of the monitor
	if err != nil {
		t.Errorf("%s %s: %v", e.name(), config, err)
		return
	}
	if c.Differs && !c.Explained || c.Verdict == verdict.Unknown {
		t.Errorf("%s %s: %s, published %s (%s)", c.Row, config, c.Verdict, c.Expected, c.Note)
	}
	got := []string{c.Row, config, string(c.Verdict), c.Class, c.Clients.String(), fmt.Sprint(c.States)}
	if flags.Update() {
		lines[c.Row+" "+config] = got
		return
	}
	if want := lines[c.Row+" "+config]; !slices.Equal(got, want) {
		t.Errorf("found %v, pinned %v", got, want)
	}
}

func TestExpectations_HaveEveryRowOfTheTable(t *testing.T) {
	rows, err := Expectations(collections.Expectations)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(order) {
		if n := len(slices.DeleteFunc(slices.Clone(rows), func(e Expectation) bool { return e.Row != name })); n != 1 {
			t.Errorf("%d lines for %s", n, name)
		}
	}
}
