package force_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/force"
	"pangolin/verdict"
)

var all = flag.Bool("all", false, "force every schedule of doc/defects, not one of each class")

// TestTest_ForcesThePublishedDefects forces schedules of doc/defects on the runtime as it
// comes: without -all the first of each class.
func TestTest_ForcesThePublishedDefects(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles copies of the collections")
	}
	files, err := filepath.Glob("../../doc/defects/witnesses/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	seen := map[string]bool{}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			w, err := verdict.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if seen[w.Class] && !*all {
				t.Skip("another schedule of this class is forced; -all forces all")
			}
			seen[w.Class] = true
			test, dir, err := force.Test(context.Background(), "../..", w)
			if errors.Is(err, force.ErrCannot) {
				t.Log(err)
				if w.Class != "infinite" && w.Scope.Hash == "identity" {
					t.Error("it should be possible")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			r, err := force.Run(context.Background(), test, dir)
			if err != nil || !r.Reproduced {
				t.Errorf("%v\n%.3000s", err, r.Output)
			}
		})
	}
}

// forced finds a violation of a package and forces it.
func forced(t *testing.T, source string) (*verdict.Witness, force.Result) {
	t.Helper()
	if testing.Short() {
		t.Skip("compiles a copy of a package")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example\n\ngo 1.26\n", "example.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	list, err := pangolin.Verify(t.Context(), pangolin.Request{Dir: dir})
	if err != nil || len(list) != 1 || list[0].Violation == nil {
		t.Fatal(err, list)
	}
	w := list[0].Violation.Execution
	text, where, err := force.Test(t.Context(), dir, w)
	if err != nil {
		t.Fatal(err)
	}
	r, err := force.Run(t.Context(), text, where)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "pangolin/") {
		t.Error("the test imports something of ours")
	}
	return w, r
}

// The detector reports the two accesses of a race, though they are forced to meet.
func TestTest_LetsTheDetectorReportARace(t *testing.T) {
	w, r := forced(t, `package example

type Counter struct{ n int }

func (c *Counter) Inc() { c.n++ }

func (c *Counter) Get() int { return c.n }
`)
	if w.Class != "race" || !r.Reproduced || !strings.Contains(r.Output, "WARNING: DATA RACE") {
		t.Errorf("%s\n%s", w.Class, r.Output)
	}
}

// A schedule whose code has been corrected since does not show anything, and the test fails.
func TestTest_FailsWhenTheCodeIsCorrect(t *testing.T) {
	const wrong = `package example

import "sync/atomic"

type Counter struct{ n atomic.Int64 }

func (c *Counter) Inc() { c.n.Store(c.n.Load() + 1) }

func (c *Counter) Get() int64 { return c.n.Load() }
`
	w, r := forced(t, wrong)
	if !r.Reproduced {
		t.Fatalf("%s", r.Output)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example\n\ngo 1.26\n",
		"example.go": strings.Replace(wrong, "c.n.Store(c.n.Load() + 1)", "c.n.Add(1)", 1)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, where, err := force.Test(t.Context(), dir, w)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := force.Run(t.Context(), text, where); err != nil || r.Reproduced {
		t.Errorf("%v, reproduced %t\n%s", err, r.Reproduced, r.Output)
	}
}
