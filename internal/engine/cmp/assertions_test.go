// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pangolin/internal/engine"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// checked is the source of a proved collection with checks.
func checked(t *testing.T, dir, typ string, items int) []verdict.SourceFile {
	t.Helper()
	o := order(t, dir, typ)
	j := &engine.Job{Subject: load(t, dir, typ), Property: verdict.Linear, Search: engine.Search{Reduce: engine.AllReductions, Checks: true}}
	j.Scope.Items = items
	v, _, err := Attempt(repository, j, engine.Events{})
	if err != nil || v.Status != verdict.Proved {
		t.Fatalf("%v: %s", err, v.Reason)
	}
	files, err := assert(repository, o, j, &v)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// stress is a test for a set that keeps to so many (#) items. It goes on for so many rounds at least, and then until some time
// has passed ($): a fault shows in some round, and which one depends on the machine and on what else it does.
const stress = `package list

import (
	"sync"
	"testing"
	"time"
)

func TestPangolinStress(t *testing.T) {
	began := time.Now()
	for round := 0; round < 100 || time.Since(began) < $*time.Second; round++ {
		l := New@[int]()
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				for k := range 60 {
					switch (i + k) % 5 {
					case 0, 1:
						l.Add((i + k/5) % #)
					case 2, 3:
						l.Remove((i + k/3) % #)
					default:
						l.Contains(k % #)
					}
				}
			})
		}
		wg.Wait()
	}
}
`

// TestAssertions_HoldUnderTheRealRuntimeAndFireOnMutants runs a stress test with the source with checks, as it is and
// with faults.
func TestAssertions_HoldUnderTheRealRuntimeAndFireOnMutants(t *testing.T) {
	level.SkipShort(t, "takes seconds")
	for _, c := range []struct {
		typ   string
		items int
		most  bool
		fault [2]string
	}{
		{"FineList", 1, false, [2]string{"if !curr.is(x) {", "if pred == nil {"}},
		{"LazyList", 1, true, [2]string{"if !pred.marked.Load() && !curr.marked.Load() && pred.next.Load() == curr {", "if pred != nil {"}},
		{"LazyList", 2, true, [2]string{"if !pred.marked.Load() && !curr.marked.Load() && pred.next.Load() == curr {", "if pred != nil {"}},
	} {
		t.Run(c.typ, func(t *testing.T) {
			if c.most && !level.More() {
				t.Skip("-level more")
			}
			stressFor := func(seconds int) string {
				return strings.NewReplacer("@", c.typ, "#", strconv.Itoa(c.items), "$", strconv.Itoa(seconds)).Replace(stress)
			}
			files := checked(t, "../../../collections/list", c.typ, c.items)
			text := string(files[0].Text)
			t.Logf("%d checks", strings.Count(text, "pangolinHolds(")-1)
			if out, err := stressed(t, files[0].Path, text, stressFor(0)); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			faulty := strings.Replace(text, c.fault[0], c.fault[1], 1)
			if faulty == text {
				t.Fatalf("there is no %q in\n%s", c.fault[0], text)
			}
			if out, err := stressed(t, files[0].Path, faulty, stressFor(40)); err == nil || !strings.Contains(out, "panic: pangolin: ") {
				t.Errorf("no check finds the fault: %v\n%s", err, out)
			}
		})
	}
}

// stressed runs a stress test with another text of a file.
func stressed(t *testing.T, path, text, test string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	replace := map[string]string{}
	put := func(as, text string) {
		name := filepath.Join(dir, filepath.Base(as))
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		replace[as] = name
	}
	put(path, text)
	put(filepath.Join(filepath.Dir(path), "pangolin_stress_test.go"), test)
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, list, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(context.Background(), "go", "test", "-vet=off", "-overlay", overlay, "-run", "TestPangolinStress", "-timeout", "1m", ".")
	cmd.Dir = filepath.Dir(path)
	out, err := cmd.CombinedOutput()
	return cmp.Or(string(out), "no output"), err
}
