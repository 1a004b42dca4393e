package reproduce

import (
	"bytes"
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"pangolin/verdict"
)

var (
	table  = flag.Bool("table", false, "find all violations of the repository again, and compare with doc/reproduced.md")
	update = flag.Bool("update", false, "with -table: write doc/reproduced.md")
)

// found is a violation of the repository, found by the command in a module's directory.
type found struct {
	name    string
	dir     string
	witness *verdict.Witness
}

// TestViolations_OfTheRepositoryAreReproduced finds the violations that the collections
// and the cases of the command expect, follows their schedules natively, and compares what
// comes of them with the published table.
func TestViolations_OfTheRepositoryAreReproduced(t *testing.T) {
	if !*table {
		t.Skip("verifies all collections; ask for it with -table")
	}
	binary := filepath.Join(t.TempDir(), "pangolin")
	if out, err := exec.Command("go", "build", "-o", binary, "../../cmd/pangolin").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	list := slices.Concat(published(t), rows(t, binary), cases(t, binary))
	var b strings.Builder
	b.WriteString(head)
	byDir := map[string][]int{}
	var dirs []string
	for i, f := range list {
		if byDir[f.dir] == nil {
			dirs = append(dirs, f.dir)
		}
		byDir[f.dir] = append(byDir[f.dir], i)
	}
	lines := make([]string, len(list))
	reproduced := 0
	for _, dir := range dirs {
		var witnesses []*verdict.Witness
		for _, i := range byDir[dir] {
			witnesses = append(witnesses, list[i].witness)
		}
		results, err := Witnesses(context.Background(), dir, witnesses)
		if err != nil {
			t.Fatal(err)
		}
		for k, i := range byDir[dir] {
			r, w := results[k], list[i].witness
			verdict := "reproduced"
			switch {
			case r.Cannot:
				verdict = "cannot: " + r.Why
			case !r.Reproduced:
				verdict = "not reproduced: " + r.Why
			default:
				reproduced++
			}
			lines[i] = fmt.Sprintf("| %s | %s | %s | %s | %s |\n", list[i].name, w.Subject.Collection, w.Class, strings.ReplaceAll(w.Client, "|", "\\|"), verdict)
			t.Log(lines[i])
		}
	}
	b.WriteString(strings.Join(lines, ""))
	fmt.Fprintf(&b, "\n%d of %d are reproduced.\n", reproduced, len(list))
	const page = "../../doc/reproduced.md"
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(page)
	if err != nil || string(want) != b.String() {
		t.Errorf("%s is not what comes out (%v); -table -update writes it", page, err)
	}
}

const head = `# Violations, executed by compiled code

Every violation that the repository knows, followed along its schedule by the second
opinion: compiled by gc, on Go's runtime, with a turn before each access
(internal/native, internal/reproduce). This page is written by

    go test ./internal/reproduce -run Violations -table -update

| where | collection | class | client | natively |
|---|---|---|---|---|
`

// published are the witnesses of doc/defects.
func published(t *testing.T) []found {
	files, err := filepath.Glob("../../doc/defects/witnesses/*.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []found
	for _, file := range files {
		list = append(list, found{"doc/defects/witnesses/" + filepath.Base(file), "../..", read(t, file)})
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
func rows(t *testing.T, binary string) []found {
	files, err := filepath.Glob("../../collections/*/EXPECT.csv")
	if err != nil {
		t.Fatal(err)
	}
	var list []found
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		records, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		dir := "./collections/" + filepath.Base(filepath.Dir(file))
		for _, r := range records[1:] {
			cell := slices.Index(r[7:12], "violated")
			if cell < 0 {
				continue
			}
			constructors := strings.Split(r[2], ";")
			args := append([]string{"-type", r[1], "-new", constructors[min(cell, len(constructors)-1)], "-kind", r[3], "-protocol", r[4],
				"-property", r[5], "-config", string("ABCDE"[cell])}, strings.Fields(r[6])...)
			for _, w := range verify(t, binary, "../..", append(args, dir)) {
				list = append(list, found{dir + " " + string("ABCDE"[cell]), "../..", w})
			}
		}
	}
	return list
}

var caseCommand = regexp.MustCompile(`(?m)^! pangolin verify (.*)$`)

var word = regexp.MustCompile(`'[^']*'|\S+`)

// cases are the violations of the command's case files.
func cases(t *testing.T, binary string) []found {
	files, err := filepath.Glob("../../cmd/pangolin/testdata/case/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	var list []found
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		write(t, dir, "go.mod", "module example\n\ngo 1.26.0\n\nrequire pangolin v0.0.0\n\nreplace pangolin => "+root+"\n")
		for _, f := range archive.Files {
			write(t, dir, f.Name, string(f.Data))
		}
		for _, m := range caseCommand.FindAllStringSubmatch(string(archive.Comment), -1) {
			var args []string
			for _, a := range word.FindAllString(strings.ReplaceAll(m[1], "-out ''", ""), -1) {
				args = append(args, strings.Trim(a, "'"))
			}
			for _, w := range verify(t, binary, dir, args) {
				list = append(list, found{"case " + strings.TrimSuffix(filepath.Base(file), ".txtar"), dir, w})
			}
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

// verify runs the command and gives the witnesses that it has written.
func verify(t *testing.T, binary, dir string, args []string) []*verdict.Witness {
	out := t.TempDir()
	cmd := exec.Command(binary, append([]string{"verify", "-out", out, "-timeout", "300s"}, args...)...)
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	files, _ := filepath.Glob(filepath.Join(out, "*.json"))
	if len(files) == 0 {
		t.Errorf("no witness in %s: verify %q: %v\n%s", dir, args, err, text)
	}
	var list []*verdict.Witness
	for _, file := range files {
		list = append(list, read(t, file))
	}
	return list
}
