// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// wanted matches a test of the table, with what pangolin test says of it.
var wanted = regexp.MustCompile(`(?m)^(// ALONE:.*\n)?// WANT: (.*)\nfunc (\w+)`)

// TestTest_ExecutesWhatTestsUse runs the tests of the table, each of which uses one thing that package testing has, as pangolin test does, and
// natively.
func TestTest_ExecutesWhatTestsUse(t *testing.T) {
	level.SkipShort(t, "compiles packages with their tests")
	table, err := txtar.ParseFile("testdata/testing/features.txtar")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	table.Files = append(table.Files, txtar.File{Name: "go.sum", Data: sums},
		txtar.File{Name: "go.mod", Data: []byte("module example\n\ngo 1.26.0\n\nrequire golang.org/x/sync v0.24.0\n")})
	dir := t.TempDir()
	want, alone := map[string]string{}, map[string]bool{}
	for _, f := range table.Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, m := range wanted.FindAllSubmatch(f.Data, -1) {
			test := filepath.Dir(f.Name) + "." + string(m[3])
			want[test], alone[test] = string(m[2]), len(m[1]) > 0
		}
	}
	list, err := pangolin.Test(repository, pangolin.Request{Dir: dir, Packages: []string{"./..."}, Out: t.TempDir(), Search: pangolin.Search{Time: "virtual"}},
		pangolin.Testing{Short: true, Parallel: 2})
	if err != nil {
		t.Error(err)
	}
	if len(list) != len(want) {
		t.Errorf("%d tests, want %d", len(list), len(want))
	}
	var whole []string
	for _, r := range list {
		is := string(r.Result)
		if r.Result == verdict.TestFound {
			is += ": " + r.Found[0].As
		}
		test := strings.TrimSuffix(strings.TrimPrefix(r.Package, "example/"), "_test") + "." + r.Name
		switch {
		case is != want[test]:
			t.Errorf("%s: %s, want %s: %s %v", test, is, want[test], r.Why, r.Found)
		case r.Result == verdict.TestNotExecutable && r.Why == "":
			t.Errorf("%s: no reason", test)
		case r.Result == verdict.TestNotExecutable:
			t.Logf("%s: %s", test, r.Why)
		case r.Result == verdict.TestWhole && !alone[test]:
			whole = append(whole, r.Name)
		}
	}
	native := exec.Command("go", "test", "-short", "-vet=off", "-count=1", "-run", "^("+strings.Join(whole, "|")+")$", "./...")
	native.Dir = dir
	if out, err := native.CombinedOutput(); err != nil {
		t.Errorf("what is whole fails natively: %v\n%s", err, out)
	}
}
