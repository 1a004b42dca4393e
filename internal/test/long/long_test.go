// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// Tests that the parts name what exists and leave nothing out, and that the page is a record that can be read.

const root = "../../.."

// Each part names files, packages and tests that exist.
func TestParts_NameWhatExists(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range parts() {
		if seen[p.name] || strings.ContainsAny(p.name, " |") || strings.Contains(p.what, "|") {
			t.Errorf("%q is no name of its own, or does not fit into a table", p.name)
		}
		seen[p.name] = true
		for _, place := range p.places() {
			if _, err := os.Stat(filepath.Join(root, place)); err != nil {
				t.Errorf("%s: %v", p.name, err)
			}
		}
		fields := strings.Fields(p.command)
		for i, f := range fields {
			switch {
			case f == "-skip":
				for one := range strings.SplitSeq(strings.Trim(fields[i+1], "'"), "|") {
					if !slices.ContainsFunc(parts(), func(p part) bool { return strings.Contains(p.command, "-run "+one+" ") }) {
						t.Errorf("%s: no part runs %s, which this one skips", p.name, one)
					}
				}
			case strings.HasPrefix(f, "./") || f == ".":
				if _, err := os.Stat(filepath.Join(root, strings.TrimSuffix(f, "/..."))); err != nil {
					t.Errorf("%s: %v", p.name, err)
				}
			case f == "-run" && fields[i+1] != "'^$'":
				dirs := slices.DeleteFunc(slices.Clone(fields[2:i]), func(f string) bool { return !strings.HasPrefix(f, "./") && f != "." })
				named(t, p.name, dirs, top(fields[i+1]))
			}
		}
	}
}

// The parts that try mutants try, together, those of each file that package mutation plants some in, and none twice.
func TestParts_TryEachMutantOnce(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "internal/test/mutation/rooms.go"))
	if err != nil {
		t.Fatal(err)
	}
	files := regexp.MustCompile(`"((?:internal|report|oracle)[^"]*\.go)"`).FindAllStringSubmatch(string(text), -1)
	if len(files) < 12 {
		t.Errorf("%d files are known, want all", len(files))
	}
	for _, file := range files {
		tried := 0
		for _, p := range parts() {
			if _, only, is := strings.Cut(p.command, "internal/test/mutation -each 10s -only '"); is && regexp.MustCompile(strings.TrimSuffix(only, "'")).MatchString(file[1]) {
				tried++
			}
		}
		if tried != 1 {
			t.Errorf("%d parts try mutants in %s", tried, file[1])
		}
	}
}

// Parts that try the collections with some first letters try, together, all of them, and none twice.
func TestParts_TryEachCollectionOnce(t *testing.T) {
	tries := map[string]string{} // for each command without the letters: the letters that its parts try
	for _, p := range parts() {
		if command, letters, split := strings.Cut(p.command, " -only '"); split && strings.HasPrefix(command, "go test ") {
			begins := regexp.MustCompile(strings.TrimSuffix(letters, "'"))
			for c := 'A'; c <= 'Z'; c++ {
				if begins.MatchString(string(c) + "List") {
					tries[command] += string(c)
				}
			}
		}
	}
	if len(tries) == 0 {
		t.Error("no part is split by letters")
	}
	for command, letters := range tries {
		if in := strings.Split(letters, ""); len(in) != 26 || len(slices.Compact(slices.Sorted(slices.Values(in)))) != 26 {
			t.Errorf("%s: its parts try the collections with %s", command, letters)
		}
	}
}

// Each test that tries something only with -level all, or with -plant, is run by a part that says so.
func TestParts_LeaveNothingOut(t *testing.T) {
	for flag, asks := range map[string]string{"-level all": "level.All", "-plant": "flags.Plant"} {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() || strings.HasSuffix(name, "/testdata") || strings.HasSuffix(name, "/test/long") {
				return err
			}
			dir, err := filepath.Rel(root, name)
			if err != nil {
				return err
			}
			if dir != "." {
				dir = "./" + filepath.ToSlash(dir)
			}
			for _, test := range asking(t, name, asks) {
				if !slices.ContainsFunc(parts(), func(p part) bool { return strings.Contains(p.command, flag) && p.runs(dir, test) }) {
					t.Errorf("%s: %s tries more with %s: no part of .ci/long runs it so", dir, test, flag)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// runs says that the command of a part runs a test.
func (p *part) runs(dir, test string) bool {
	fields := strings.Fields(p.command)
	if !slices.Contains(fields, dir) {
		return false
	}
	if strings.HasPrefix(test, "Benchmark") {
		return slices.Contains(fields, "-bench")
	}
	at := slices.Index(fields, "-run")
	return at < 0 || regexp.MustCompile(top(fields[at+1])).MatchString(test)
}

// top is what -run says of tests without their subtests.
func top(pattern string) string {
	pattern, _, _ = strings.Cut(strings.Trim(pattern, "'"), "/")
	return pattern
}

// asking are the tests and benchmarks of a directory that call a function, such as level.All, themselves or by other functions of the package's tests.
func asking(t *testing.T, dir, function string) (tests []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	uses := map[string][]string{} // of each function and, with a dot in front, each method: the names in it
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			of := f.Name.Name
			if f.Recv != nil {
				of = "." + of
			}
			var selected []*ast.Ident
			ast.Inspect(f.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					if selected = append(selected, n.Sel); reflect.TypeOf(n.X) == reflect.TypeFor[*ast.Ident]() {
						uses[of] = append(uses[of], n.X.(*ast.Ident).Name+"."+n.Sel.Name)
					}
					uses[of] = append(uses[of], "."+n.Sel.Name)
				case *ast.Ident:
					if !slices.Contains(selected, n) {
						uses[of] = append(uses[of], n.Name)
					}
				}
				return true
			})
		}
	}
	reaches := map[string]bool{function: true}
	for grown := true; grown; {
		grown = false
		for f, names := range uses {
			if !reaches[f] && slices.ContainsFunc(names, func(n string) bool { return reaches[n] }) {
				reaches[f], grown = true, true
			}
		}
	}
	for f := range uses {
		if reaches[f] && (strings.HasPrefix(f, "Test") || strings.HasPrefix(f, "Benchmark")) && f != "TestMain" {
			tests = append(tests, f)
		}
	}
	slices.Sort(tests)
	return tests
}

// named fails unless each of the packages has a test that the pattern runs, and each alternative of the pattern runs a test of one of them.
func named(t *testing.T, part string, dirs []string, pattern string) {
	t.Helper()
	alternatives := strings.Split(pattern, "|")
	runs := make([]bool, len(alternatives))
	for _, dir := range dirs {
		files, _ := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
		text := ""
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			text += string(b)
		}
		found := false
		for i, a := range alternatives {
			if regexp.MustCompile(`(?m)^func Test\w*` + strings.TrimPrefix(a, "Test") + `\w*\(t \*testing\.T\)`).MatchString(text) {
				found, runs[i] = true, true
			}
		}
		if !found {
			t.Errorf("%s: %s has no test that %q runs", part, dir, pattern)
		}
	}
	for i, a := range alternatives {
		if !runs[i] {
			t.Errorf("%s: none of its packages has a test that %q runs", part, a)
		}
	}
}

// In ten days each part has its turn once, whichever day they begin with; what needs other programs has none.
func TestTenth_IsEachPartInTenDays(t *testing.T) {
	for begin := range 12 {
		turns := map[string]int{}
		for day := range 10 {
			list := tenthOf(parts(), time.Date(2026, 11, 27+begin+day, 23, 59, 59, 0, time.UTC))
			if most := (len(parts()) + 9) / 10; len(list) > most {
				t.Errorf("%d parts of %d on one day", len(list), len(parts()))
			}
			for _, p := range list {
				turns[p.name]++
			}
		}
		for _, p := range parts() {
			if want := map[bool]int{true: 0, false: 1}[p.name == "spin"]; turns[p.name] != want {
				t.Errorf("%s has %d turns in ten days, want %d", p.name, turns[p.name], want)
			}
		}
	}
}

// A part that fails fails the whole, also if it goes on for too long; one that takes longer, and whatever it has started, is ended.
func TestTenth_FailsIfAPartDoes(t *testing.T) {
	for _, c := range []struct {
		command string
		fails   bool
	}{
		{"true", false},
		{"exit 3", true},
		{"echo '--- FAIL: TestX'; sleep 100", true},
		{"echo ok; sleep 100 & sleep 100", false},
	} {
		began := time.Now()
		err := runTenth([]part{{name: "a", command: "true"}, {name: "b", command: c.command}}, 300*time.Millisecond)
		if (err != nil) != c.fails || time.Since(began) > 9*time.Second {
			t.Errorf("%s: %v, %s", c.command, err, time.Since(began))
		}
	}
}

// A part is due when what it checks has changed, or a test that it runs, and not when another test has.
func TestCommits_AreThoseOfWhatThePartRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(files ...string) {
		t.Helper()
		for _, name := range files {
			old, _ := os.ReadFile(name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, append(old, '\n'), 0o666)); err != nil {
				t.Fatal(err)
			}
		}
		for _, args := range [][]string{{"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "change"}} {
			if _, err := git(args...); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := git("init", "-q"); err != nil {
		t.Fatal(err)
	}
	write("x")
	write("internal/vm/a.go")
	write("internal/vm/a_test.go")
	write("internal/vm/state/b_test.go")
	write("internal/other/c.go", "internal/other/c_test.go")
	write("internal/engine/points/d_test.go", "internal/vm/a_test.go")
	for _, c := range []struct {
		p    part
		want int
	}{
		{part{files: "internal/vm", command: "go test ./internal/study -run X"}, 1},
		{part{files: "internal/vm internal/none", command: "d=$(mktemp -d) && go build ./cmd/pangolin && $d/pangolin study collect"}, 1},
		{part{files: "internal/vm", command: "go test ./internal/vm -run X"}, 3},
		{part{files: "internal/vm internal/other", command: "go test ./internal/vm/... -run X"}, 5},
		{part{files: "internal", command: "go test ./internal/vm/state -run X"}, 3},
		{part{files: "internal/vm internal/engine/points", command: "go test ./internal/engine/... -race"}, 2},
		{part{files: "internal/vm", command: "bash .ci/more"}, 4},
	} {
		if got, err := c.p.commits("HEAD~5..HEAD"); got != c.want || err != nil {
			t.Errorf("%s, %s: %d commits, %v, want %d", c.p.files, c.p.command, got, err, c.want)
		}
	}
}

// A command that is ended leaves no temporary files.
func TestWithin_RemovesTemporaryFiles(t *testing.T) {
	for _, command := range []string{"mktemp -d", "mktemp -d; sleep 100"} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		out, _ := within(ctx, command)
		cancel()
		dir := strings.TrimSpace(out)
		if _, err := os.Stat(dir); dir == "" || !os.IsNotExist(err) {
			t.Errorf("%s: its directory %q: %v", command, dir, err)
		}
	}
}

// The page that is there names parts that exist, and is what would be written.
func TestPage_IsOfTheParts(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	ran, err := parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := written(parts(), ran); got != string(text) {
		t.Errorf("%s is not what its outcomes come to: bash .ci/long writes it\n%s", page, got)
	}
}

// What is written is read again, failures too.
func TestParse_ReadsWhatIsWritten(t *testing.T) {
	all := parts()
	want := map[string]outcome{all[0].name: {"0123456789", "2026-01-02", 3.5, passed}, all[2].name: {"abcdef0123", "2026-01-03", 0.1, "failed: exit status 1"}}
	got, err := parse(written(all, want))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v %v", got, err)
	}
	for _, bad := range []string{"| a | b |\n", "| a | b | c | many | e | f |\n"} {
		if _, err := parse(head + bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// A part that was never run, or that has failed, is in no turn.
func TestKnown_LeavesOutWhatHasNotPassed(t *testing.T) {
	list := known([]part{{name: "a"}, {name: "b"}, {name: "c"}}, map[string]outcome{"b": {result: passed}, "c": {result: "failed: exit status 1"}})
	if len(list) != 1 || list[0].name != "b" {
		t.Errorf("got %v", list)
	}
}

// A study passes if it says that all is as published, or that no more lines than its page lists were not decided.
func TestStudy_FailsIfMoreIsNotDecided(t *testing.T) {
	dir := t.TempDir()
	fake := func(code, undecided int) { // a go command that builds something that prints so many lines
		text := fmt.Sprintf("#!/bin/sh\necho '#!/bin/sh' > $3\necho 'for i in $(seq %d); do echo \"{\\\"verdict\\\":\\\"unknown\\\"}\"; done; exit %d' >> $3\nchmod +x $3\n", undecided, code)
		if err := os.WriteFile(filepath.Join(dir, "go"), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		code, undecided int
		passes          bool
	}{{0, 0, true}, {3, 2, true}, {3, 3, false}, {1, 0, false}, {2, 0, false}, {1, 2, false}} {
		fake(c.code, c.undecided)
		cmd := exec.Command("sh", "-c", study("x", 2))
		cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if (err == nil) != c.passes || strings.Count(string(out), "unknown") != c.undecided {
			t.Errorf("exit code %d and %d lines: %v %s", c.code, c.undecided, err, out)
		}
	}
}
