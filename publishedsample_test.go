// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
	right                     string   // by hand, from the code and its documentation
	typed                     measured // without flags
	flags                     string   // what one who knows the type types; "": nothing more is needed, or nothing helps
	with                      measured // with these flags
	note                      string   // why it falls short
}

// measured is what the command says of a row's type, and what that costs.
type measured struct {
	verdict string // a verdict.Status, or "none" where the command ends with an error
	class   string // of the violation
	fit     string // "right", "unknown", "false alarm" or "none", by hand
	seconds string // of CPU, of the whole command
}

// fields are the columns of the file.
func (r *sampleRow) fields() []*string {
	return []*string{&r.module, &r.version, &r.pkg, &r.typ, &r.right, &r.typed.verdict, &r.typed.class, &r.typed.fit, &r.typed.seconds,
		&r.flags, &r.with.verdict, &r.with.class, &r.with.fit, &r.with.seconds, &r.note}
}

// sampleColumns are their names.
var sampleColumns = strings.Split("module,version,package,type,right,verdict,class,fit,cpu_seconds,flags,verdict_with,class_with,fit_with,cpu_seconds_with,note", ",")

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
		var row sampleRow
		for i, to := range row.fields() {
			*to = r[i]
		}
		rows = append(rows, row)
	}
	return rows
}

const sampleHead = `# A sample of published code, as first typed

Sixty types of thirty modules that stood on none of these pages were chosen by their names and documentation, before any of them was tried; none was exchanged. What is right was
written down by hand from code and documentation, for most violations by following the witness: "by hand" is not blind. Each is verified by ` + "`pangolin verify -no-cache -timeout 20s -type T PKG`" + ` in a module that requires it, without other flags; some once more
with the flags of their rows. How the verdicts of today were measured, and where that was otherwise, stands in [published.md](published.md#how-the-sample-was-measured). The rows are in ` + "`testdata/published-sample.csv`" + `; this page is written anew by
` + "`PANGOLIN_PUBLISHED=page go test . -run TestPublishedSample`" + `, and the verdicts are measured anew by ` + "`PANGOLIN_PUBLISHED=update`" + `, which builds the command, counts the CPU seconds of its processes and needs the modules in the cache.

A verdict counts as right if what it says is true of the code: "violated" where the behaviour is by design is one, and says so. A false alarm accuses what documentation allows.

`

// best is what is known of a row's type by one who knows it.
func (r *sampleRow) best() measured {
	if r.flags == "" || r.typed.fit == "right" {
		return r.typed
	}
	return r.with
}

// page is the whole page.
func page(rows []sampleRow) string {
	var b strings.Builder
	b.WriteString(sampleHead)
	count, with := map[string]int{}, map[string]int{}
	var cpu []float64
	for _, r := range rows {
		count[r.typed.fit]++
		with[r.best().fit]++
		if n, err := strconv.ParseFloat(r.typed.seconds, 64); err == nil && r.typed.fit != "unknown" && r.typed.fit != "none" {
			cpu = append(cpu, n)
		}
	}
	slices.Sort(cpu)
	share := func(n int) string { return fmt.Sprintf("%d of %d (%d %%)", n, len(rows), 100*n/len(rows)) }
	flagged := "| right with flags | 90 % | not measured |\n"
	if slices.ContainsFunc(rows, func(r sampleRow) bool { return r.flags != "" }) {
		flagged = "| right with flags | 90 % | " + share(with["right"]) + " |\n"
	}
	fmt.Fprintf(&b, "| | asked | is |\n|---|---|---|\n| right as first typed | 75 %% | %s |\n%s| false alarms | none | %d |\n| empty \"verified\" | none | %d |\n| unknown | | %d |\n| no verdict, an error | none | %d |\n| median CPU seconds to a verdict | 0.5 | %.1f |\n\n",
		share(count["right"]), flagged, count["false alarm"], count["empty"], count["unknown"], count["none"], cpu[len(cpu)/2])
	b.WriteString("| module | type | right by hand | verdict | | CPU-s | with flags | why it falls short, remarks |\n|---|---|---|---|---|--:|---|---|\n")
	for _, r := range rows {
		flags := ""
		if r.flags != "" {
			flags = fmt.Sprintf("`%s`: %s, %s (%s CPU-s)", r.flags, r.with.text(), r.with.fit, r.with.seconds)
		}
		fmt.Fprintf(&b, "| %s %s | `%s` | %s | %s | %s | %s | %s | %s |\n", strings.TrimPrefix(r.module, "github.com/")+r.pkg, short(r.version), r.typ, r.right, r.typed.text(), r.typed.fit, r.typed.seconds, flags, r.note)
	}
	return b.String()
}

func (m *measured) text() string {
	if m.class == "" {
		return m.verdict
	}
	return "**" + m.verdict + "**: " + m.class
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
	binary := ""
	if mode == "update" {
		binary = filepath.Join(t.TempDir(), "pangolin")
		if out, err := exec.Command("go", "build", "-o", binary, "./cmd/pangolin").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	for i := range rows {
		r := &rows[i]
		if seconds, _ := strconv.ParseFloat(r.typed.seconds, 64); mode != "update" && (mode == "page" || i%20 != 1 && !level.More() || seconds > 1 || r.typed.verdict == "none") {
			continue
		}
		t.Run(strings.ReplaceAll(r.module+r.pkg, "/", ".")+" "+r.typ, func(t *testing.T) {
			if mode == "update" {
				r.measure(t, binary)
			} else {
				r.verify(t)
			}
		})
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

// verify compares a row with the verdict.
func (r *sampleRow) verify(t *testing.T) {
	request := pangolin.Request{Dir: r.scratch(t), Packages: []string{r.module + r.pkg}, Type: r.typ}
	request.Search.Timeout = 20 * time.Second
	list, err := pangolin.Verify(repository, request)
	if err != nil {
		t.Fatal(err)
	}
	hasVerdict(t, list, verdict.Status(r.typed.verdict), r.typed.class)
}

func (r *sampleRow) scratch(t *testing.T) string {
	return scratch(t, []string{r.module + r.pkg}, r.module+" "+r.version+"\n")
}

// measure executes the command, as first typed and with flags, and takes what it says.
func (r *sampleRow) measure(t *testing.T, binary string) {
	dir := r.scratch(t)
	r.typed.measure(t, r.command(binary, dir, ""))
	if r.flags != "" {
		r.with.measure(t, r.command(binary, dir, r.flags))
	}
}

// command verifies the type, with flags, which are separated by blanks outside of single quotes.
func (r *sampleRow) command(binary, dir, flags string) *exec.Cmd {
	args := []string{"verify", "-no-cache", "-q", "-json", "-timeout", "20s", "-type", r.typ}
	for i, quoted := range strings.Split(flags, "'") {
		if i%2 == 1 {
			args = append(args, quoted)
		} else {
			args = append(args, strings.Fields(quoted)...)
		}
	}
	cmd := exec.Command(binary, append(args, r.module+r.pkg)...)
	cmd.Dir = dir
	return cmd
}

// measure executes a command. The seconds are those that its process spent on a processor.
func (m *measured) measure(t *testing.T, cmd *exec.Cmd) {
	was := m.verdict + m.class
	out, err := cmd.Output()
	m.seconds = fmt.Sprintf("%.1f", (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds())
	m.verdict, m.class = "none", ""
	for line := range strings.Lines(string(out)) {
		var v verdict.Verdict
		if json.Unmarshal([]byte(line), &v) == nil && v.Type == "verdict" {
			m.verdict = string(v.Status)
			if v.Violation != nil {
				m.class = v.Violation.Class
			}
		}
	}
	if m.verdict+m.class != was {
		t.Logf("it was %s, look whether column fit is true: %v", was, err)
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
	list := [][]string{sampleColumns}
	for i := range rows {
		var row []string
		for _, field := range rows[i].fields() {
			row = append(row, *field)
		}
		list = append(list, row)
	}
	if err := w.WriteAll(list); err != nil {
		t.Fatal(err)
	}
}
