// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"bytes"
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
written down by hand from code and documentation, for most violations by following the witness: "by hand" is not blind. Each is verified by ` + "`pangolin verify -no-cache -type T PKG`" + ` in a module that requires it, without other flags; some once more
with the flags of their rows. What takes more than 8 CPU seconds (20 where the verdict came about then) is ended by ` + "`-timeout`" + `. How the verdicts of today were measured, and where that was otherwise, stands in [published.md](published.md#how-the-sample-was-measured). The rows are in ` + "`testdata/published-sample.csv`" + `; this page is written anew by
` + "`PANGOLIN_PUBLISHED=page go test . -run TestPublishedSample`" + `, and the verdicts are measured anew by ` + "`PANGOLIN_PUBLISHED=update`" + ` (` + "`update:lru`" + `: those with lru in package or type), which builds the command, counts the CPU seconds of its processes and needs the modules in the cache.

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
	mode, only, _ := strings.Cut(os.Getenv("PANGOLIN_PUBLISHED"), ":")
	if mode == "" {
		level.SkipShort(t, "verifies published types where the module cache has them")
	}
	if mode == "update" {
		measureAll(t, rows, only)
	}
	for i := range rows {
		r := &rows[i]
		if seconds, _ := strconv.ParseFloat(r.typed.seconds, 64); mode != "" || i%20 != 1 && !level.More() || seconds > 1 || r.typed.verdict == "none" {
			continue
		}
		t.Run(strings.ReplaceAll(r.module+r.pkg, "/", ".")+" "+r.typ, r.verify)
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

// The verdict is what the command says within mostSeconds of CPU, because on a machine that others use as well 20 seconds are more or fewer; within
// longSeconds if it came to a verdict shortly before or behind mostSeconds the last time.
const (
	mostSeconds = 8
	longSeconds = 20
)

// measureAll measures the rows whose package and type (k8s.io/utils/lru.Cache) contain a text, with the command as it is. It measures them one after the
// other: four side by side on two processors took a fifth more processor time each.
func measureAll(t *testing.T, rows []sampleRow, text string) {
	binary := filepath.Join(t.TempDir(), "pangolin")
	if out, err := exec.Command("go", "build", "-o", binary, "./cmd/pangolin").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	fromCache(t)
	for i := range rows {
		r := &rows[i]
		if !strings.Contains(r.module+r.pkg+"."+r.typ, text) {
			continue
		}
		dir := t.TempDir()
		if err := fillScratch(t, dir, []string{r.module + r.pkg}, r.module+" "+r.version+"\n"); err != nil {
			t.Logf("%s%s.%s is not measured: %v", r.module, r.pkg, r.typ, err)
			continue
		}
		r.measure(t, binary, dir)
	}
}

// measure executes the command, as first typed and with flags, and takes what it says.
func (r *sampleRow) measure(t *testing.T, binary, dir string) {
	r.typed.measure(t, r.typed.most(), func(timeout string) *exec.Cmd { return r.command(binary, dir, timeout, "") })
	if r.flags != "" {
		r.with.measure(t, r.with.most(), func(timeout string) *exec.Cmd { return r.command(binary, dir, timeout, r.flags) })
	}
}

// most is how many CPU seconds a command may use.
func (m *measured) most() float64 {
	if was, err := strconv.ParseFloat(m.seconds, 64); err == nil && was > mostSeconds-2 && m.fit == "right" {
		return longSeconds
	}
	return mostSeconds
}

// command verifies the type, with flags, which are separated by blanks outside of single quotes.
func (r *sampleRow) command(binary, dir, timeout, flags string) *exec.Cmd {
	args := []string{"verify", "-no-cache", "-q", "-json", "-timeout", timeout, "-type", r.typ}
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

// measure executes a command until it has used the given CPU seconds. If it is interrupted then, it is executed again with -timeout set to the time that
// this took, so that it says what it says where the time is up. The seconds are those that its process spent on a processor.
func (m *measured) measure(t *testing.T, most float64, command func(timeout string) *exec.Cmd) {
	was := m.verdict + m.class
	begun := time.Now()
	out, seconds, interrupted := until(command("1h"), most)
	if interrupted {
		out, seconds, _ = until(command(time.Since(begun).Round(time.Second).String()), 2*most)
	}
	m.seconds, m.verdict, m.class = fmt.Sprintf("%.1f", seconds), "none", ""
	for line := range strings.Lines(out) {
		var v verdict.Verdict
		if json.Unmarshal([]byte(line), &v) == nil && v.Type == "verdict" {
			m.verdict = string(v.Status)
			if v.Violation != nil {
				m.class = v.Violation.Class
			}
			t.Logf("%s %s in %s, %.1f CPU-s: %s %s", v.Collection, v.Status, v.Scope.Name(), seconds, v.Reason, m.class)
		}
	}
	if m.verdict+m.class != was {
		t.Logf("it was %s, look whether column fit is true", was)
	}
}

// until executes a command, interrupts it when it has used the given CPU seconds, and returns what it prints and what it has used.
func until(cmd *exec.Cmd, most float64) (out string, seconds float64, interrupted bool) {
	var text bytes.Buffer
	cmd.Stdout = &text
	if err := cmd.Start(); err != nil {
		return "", 0, false
	}
	ended := make(chan bool)
	go func() {
		_ = cmd.Wait() // its exit code is that of the verdict
		close(ended)
	}()
	for ; ; interrupted = interrupted || used(cmd.Process.Pid) > most {
		if interrupted {
			_ = cmd.Process.Signal(os.Interrupt) // again, if it has not ended: it has by then
		}
		select {
		case <-ended:
			return text.String(), (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), interrupted
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// used is how many CPU seconds a process has used (Linux: fields 14 and 15 of its line, in hundredths); 0 if that is not known.
func used(pid int) float64 {
	line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(line), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100
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
