// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// The sample of doc/published-sample.md: types of published modules that were chosen before any of them had been tried, each verified as first typed.

const (
	sampleRows = "testdata/published-sample.csv"
	samplePage = "doc/published-sample.md"
)

// sampleRow is a row of the file: what a person says is right, and what was measured.
type sampleRow struct {
	module, version, pkg, typ string
	right                     string // by hand, from the code and its documentation
	verdict                   string // as measured: a verdict.Status, or "none" where the command ends with an error
	class                     string // of the violation
	fit                       string // "right", "unknown", "false alarm" or "none", by hand
	seconds                   string // of CPU, of the whole command
	note                      string // why it falls short
}

func sample(t *testing.T) (rows []sampleRow) {
	t.Helper()
	f, err := os.Open(sampleRows)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list[1:] {
		rows = append(rows, sampleRow{r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9]})
	}
	return rows
}

const sampleHead = `# A sample of published code, as first typed

Sixty types of thirty modules that stood on none of these pages were chosen by their names and documentation, before any of them was tried; none was exchanged. What is right was
written down by hand from code and documentation, for most violations by following the witness: "by hand" is not blind. Each was verified by ` + "`pangolin verify -no-cache -type T PKG`" + ` in a module that requires it, without other flags, on a machine of two
processors that some thirty processes shared, so a limit on CPU seconds (6 to 12) took the place of ` + "`-timeout 20s`" + `; where it ended a search beside configuration D, the verdict is
that of D. Several rows were measured before later mends that do not concern them. The rows are in ` + "`testdata/published-sample.csv`" + `; this page is written anew by
` + "`PANGOLIN_PUBLISHED=page go test . -run TestPublishedSample`" + `, and the verdicts are measured anew (with the time of the test process) by ` + "`PANGOLIN_PUBLISHED=update`" + `, which needs the modules in the cache.

A verdict counts as right if what it says is true of the code: "violated" where the behaviour is by design is one, and says so. A false alarm accuses what documentation allows.

`

// page is the whole page.
func page(rows []sampleRow) string {
	var b strings.Builder
	b.WriteString(sampleHead)
	count := map[string]int{}
	var cpu []float64
	modules := map[string]bool{}
	for _, r := range rows {
		count[r.fit]++
		modules[r.module] = true
		if n, err := strconv.ParseFloat(r.seconds, 64); err == nil && r.fit != "unknown" && r.fit != "none" {
			cpu = append(cpu, n)
		}
	}
	slices.Sort(cpu)
	share := func(n int) string { return fmt.Sprintf("%d of %d (%d %%)", n, len(rows), 100*n/len(rows)) }
	fmt.Fprintf(&b, "| | asked | is |\n|---|---|---|\n| right as first typed | 75 %% | %s |\n| false alarms | none | %d |\n| empty \"verified\" | none | %d |\n| unknown | | %d |\n| no verdict, an error | none | %d |\n| median CPU seconds to a verdict | 0.5 | %.1f |\n\n",
		share(count["right"]), count["false alarm"], count["empty"], count["unknown"], count["none"], cpu[len(cpu)/2])
	b.WriteString("Right with flags was not measured.\n\n| module | type | right by hand | verdict | | CPU-s | why it falls short, remarks |\n|---|---|---|---|---|--:|---|\n")
	for _, r := range rows {
		got := r.verdict
		if r.class != "" {
			got = "**" + got + "**: " + r.class
		}
		fmt.Fprintf(&b, "| %s %s | `%s` | %s | %s | %s | %s | %s |\n", strings.TrimPrefix(r.module, "github.com/")+r.pkg, short(r.version), r.typ, r.right, got, r.fit, r.seconds, r.note)
	}
	return b.String()
}

// short leaves out the time and hash of a version without a tag.
func short(version string) string {
	if tag, _, ok := strings.Cut(version, "-20"); ok {
		return tag
	}
	return version
}

// The page is that of the rows, which are sixty types of thirty modules; of those whose modules are in the module cache one in twenty has the verdict
// that its row says, and with -level more each that took a second.
func TestPublishedSample(t *testing.T) {
	rows := sample(t)
	modules := map[string]bool{}
	for _, r := range rows {
		modules[r.module] = true
	}
	if len(rows) != 60 || len(modules) != 30 {
		t.Errorf("%d types of %d modules", len(rows), len(modules))
	}
	mode := os.Getenv("PANGOLIN_PUBLISHED")
	if mode == "" {
		level.SkipShort(t, "verifies published types where the module cache has them")
	}
	for i := range rows {
		r := &rows[i]
		if seconds, _ := strconv.ParseFloat(r.seconds, 64); mode != "update" && (mode == "page" || i%20 != 1 && !level.More() || seconds > 1 || r.verdict == "none") {
			continue
		}
		t.Run(strings.ReplaceAll(r.module+r.pkg, "/", ".")+" "+r.typ, func(t *testing.T) { r.verify(t, mode == "update") })
	}
	if mode != "" {
		if err := os.WriteFile(samplePage, []byte(page(rows)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if mode == "update" {
		writeSample(t, rows)
	}
	if text, err := os.ReadFile(samplePage); err != nil || string(text) != page(rows) {
		t.Errorf("%s is not that of %s, %v: PANGOLIN_PUBLISHED=page go test . -run TestPublishedSample", samplePage, sampleRows, err)
	}
}

// verify compares a row with the verdict, or takes it.
func (r *sampleRow) verify(t *testing.T, update bool) {
	dir := scratch(t, []string{r.module + r.pkg}, r.module+" "+r.version+"\n")
	request := pangolin.Request{Dir: dir, Packages: []string{r.module + r.pkg}, Type: r.typ}
	request.Search.Timeout = 20 * time.Second
	began := time.Now()
	list, err := pangolin.Verify(repository, request)
	if !update {
		if err != nil {
			t.Fatal(err)
		}
		hasVerdict(t, list, verdict.Status(r.verdict), r.class)
		return
	}
	r.seconds = fmt.Sprintf("%.1f", time.Since(began).Seconds())
	was := r.verdict + r.class
	if r.verdict, r.class = "none", ""; err == nil && len(list) == 1 {
		r.verdict = string(list[0].Status)
		if b := list[0].Violation; b != nil {
			r.class = b.Class
		}
	}
	if r.verdict+r.class != was {
		t.Log(errors.Join(fmt.Errorf("it was %s: look whether column fit is true", was), err))
	}
}

func writeSample(t *testing.T, rows []sampleRow) {
	t.Helper()
	f, err := os.Create(sampleRows)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := csv.NewWriter(f)
	list := [][]string{{"module", "version", "package", "type", "right", "verdict", "class", "fit", "cpu_seconds", "note"}}
	for _, r := range rows {
		list = append(list, []string{r.module, r.version, r.pkg, r.typ, r.right, r.verdict, r.class, r.fit, r.seconds, r.note})
	}
	if err := w.WriteAll(list); err != nil {
		t.Fatal(err)
	}
}
