// SPDX-License-Identifier: BSD-3-Clause

package force_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"pangolin/collections"
	"pangolin/internal/force"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// Every violation in the repository is reproduced with compiled code: doc/reproduced.md.

// page is the published table.
const page = "../../doc/reproduced.md"

// source is where violations come from: what stands in the first column, and how they are found.
type source struct {
	where string
	find  func() []found
}

// found is a violation of the repository, found by the command in a module's directory.
type found struct {
	name    string
	dir     string
	witness *verdict.Witness
}

// TestViolations_OfTheRepositoryAreReproduced finds the violations that the collections
// and the cases of the command expect, forces their schedules, and compares what
// comes of them with the published table.
func TestViolations_OfTheRepositoryAreReproduced(t *testing.T) {
	if !level.All() {
		t.Skip("verifies all collections: -level all")
	}
	binary := filepath.Join(t.TempDir(), "pangolin")
	if out, err := exec.Command("go", "build", "-o", binary, "../../cmd/pangolin").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var lines []string
	done := map[string]bool{}
	all := slices.Concat(published(t), rows(t, binary), cases(t, binary))
	for _, s := range all {
		if done[s.where] {
			continue
		}
		done[s.where] = true
		if !flags.Only(s.where) {
			lines = append(lines, printed(t, s.where)...)
			continue
		}
		var list []found
		for _, o := range all {
			if o.where == s.where {
				list = append(list, o.find()...)
			}
		}
		lines = append(lines, tried(t, list)...)
	}
	reproduced := 0
	for _, l := range lines {
		if strings.HasSuffix(l, "| reproduced |\n") {
			reproduced++
		}
	}
	text := head + strings.Join(lines, "") +
		fmt.Sprintf("\nOf %d, %d are reproduced.\n", len(lines), reproduced)
	if flags.Update() {
		if err := os.WriteFile(page, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(page)
	if err != nil || string(want) != text {
		t.Errorf("%s is not what comes out (%v); -level all -update writes it", page, err)
	}
}

// printed are the rows of the published table with such a first column.
func printed(t *testing.T, where string) []string {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "| "+where+" | ") {
			lines = append(lines, line)
		}
	}
	return lines
}

// tried are the rows of some violations, in their order.
func tried(t *testing.T, list []found) (lines []string) {
	for _, f := range list {
		w := f.witness
		lines = append(lines, fmt.Sprintf("| %s | %s | %s | %s | %s |\n", f.name, w.Subject.Collection, w.Class, strings.ReplaceAll(w.Client, "|", "\\|"), outcome(t, f.dir, w)))
		t.Log(lines[len(lines)-1])
	}
	return lines
}

// outcome is what came of a witness on the runtime as it comes.
func outcome(t *testing.T, dir string, w *verdict.Witness) string {
	test, err := force.Test(t.Context(), dir, w, drive(dir, w))
	if errors.Is(err, force.ErrCannot) {
		return err.Error()
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := test.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r.Cannot != "" {
		return "cannot: " + r.Cannot
	}
	if !r.Reproduced {
		t.Logf("%s\n%.3000s", w.Client, r.Output)
		return "not reproduced"
	}
	return "reproduced"
}

const head = `# Violations, executed by compiled code

Every violation that the repository knows (doc/defects, collections, the case files of the
command), as compiled by gc, by a test that forces its schedule on Go's runtime as it
comes (internal/force). *Not reproduced* stands where the runtime decided otherwise than the
witness: which of two addresses is the lower, say. This page is written by

    go test ./internal/force -run Violations -level all -update

and in pieces with -only PATTERN, which leaves the other rows as they are.

| where | collection | class | client | go test |
|---|---|---|---|---|
`

// published are the witnesses of doc/defects.
func published(t *testing.T) []source {
	files, err := filepath.Glob("../../doc/defects/witnesses/*.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []source
	for _, file := range files {
		where := "doc/defects/witnesses/" + filepath.Base(file)
		list = append(list, source{where, func() []found { return []found{{where, "../..", read(t, file)}} }})
	}
	return list
}

func read(t *testing.T, file string) *verdict.Witness {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	w, err := verdict.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// rows are those of the collections' EXPECT.csv with a violation, each in the first
// configuration that shows it.
func rows(t *testing.T, binary string) []source {
	rows, err := collections.Rows(collections.Expectations)
	if err != nil {
		t.Fatal(err)
	}
	var list []source
	for _, r := range rows {
		cell := strings.IndexFunc("ABCDE", func(config rune) bool { return r[string(config)] == "violated" })
		if cell < 0 {
			continue
		}
		config, dir := "ABCDE"[cell:cell+1], "./collections/"+r["package"]
		constructors := strings.Split(r["new"], ";")
		args := append([]string{"-type", r["collection"], "-new", constructors[min(cell, len(constructors)-1)], "-kind", r["kind"], "-protocol", r["protocol"],
			"-property", r["property"], "-config", config}, strings.Fields(r["flags"])...)
		list = append(list, violations(t, binary, dir+" "+config, "../..", append(args, dir)))
	}
	return list
}

var caseCommand = regexp.MustCompile(`(?m)^! pangolin verify (.*)$`)

var word = regexp.MustCompile(`'[^']*'|\S+`)

// ownOut is where a case has its witnesses written.
var ownOut = regexp.MustCompile(`-out[= ]('[^']*'|\S*) `)

// cases are the violations of the command's case files.
func cases(t *testing.T, binary string) []source {
	files, err := filepath.Glob("../../cmd/pangolin/testdata/case/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	var list []source
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		for _, f := range archive.Files {
			write(t, dir, f.Name, string(f.Data))
		}
		write(t, dir, "go.work", "go 1.26.0\n\nuse (\n\t.\n\t"+root+"\n)\n") // for package mark
		for _, m := range caseCommand.FindAllStringSubmatch(string(archive.Comment), -1) {
			var args []string
			for _, a := range word.FindAllString(ownOut.ReplaceAllString(m[1], ""), -1) {
				args = append(args, strings.Trim(a, "'"))
			}
			list = append(list, violations(t, binary, "case "+strings.TrimSuffix(filepath.Base(file), ".txtar"), dir, args))
		}
	}
	return list
}

func write(t *testing.T, dir, name, text string) {
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// violations are those that the command finds with some arguments in a module's directory.
func violations(t *testing.T, binary, where, dir string, args []string) source {
	return source{where, func() (list []found) {
		for _, w := range verify(t, binary, dir, args) {
			list = append(list, found{where, dir, w})
		}
		return list
	}}
}

// verify runs the command and gives the witnesses that it has written: one at least, unless the command found none (exit code 3).
func verify(t *testing.T, binary, dir string, args []string) []*verdict.Witness {
	out := t.TempDir()
	cmd := exec.Command(binary, append([]string{"verify", "-out", out, "-timeout", "300s"}, args...)...)
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	files, _ := filepath.Glob(filepath.Join(out, "*.json"))
	if len(files) == 0 && cmd.ProcessState.ExitCode() != 3 {
		t.Errorf("no witness in %s: verify %q: %v\n%s", dir, args, err, text)
	}
	var list []*verdict.Witness
	for _, file := range files {
		list = append(list, read(t, file))
	}
	return list
}
