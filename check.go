// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pangolin/internal/find"
	"pangolin/internal/task"
	"pangolin/report"
	"pangolin/verdict"
)

// Check verifies collections in a test. The zero request is about every collection of
// the package under test:
//
//	func TestQueue(t *testing.T) {
//		pangolin.Check(t, pangolin.Request{Type: "Queue"})
//	}
//
// The test fails with a printed witness if a collection is violated (unless that is expected: Request.Expect, or a directive), with the reason if
// a verdict is unknown, and at once if something cannot be verified at all. Under
// -short it stays within configuration B unless the request has bounds of its own. Some time
// before the test's deadline the search ends, with the verdict unknown.
//
// Witnesses are kept in testdata/pangolin, in a directory with the test's name, unless the request
// says otherwise. The next time they are executed first: what still goes wrong fails the test
// without a search, and what does not is removed.
//
// Results are kept in the user's cache directory, or in the one that the environment variable PANGOLIN_CACHE names ("off": in none), and
// are not computed again for the same sources and request.
//
// Run with -artifacts, the test keeps a page to step through each violation, and each verdict as JSON (of a violation that a kept witness
// still shows, the witness).
//
// The source files of the packages count as inputs of the test: "go test" does not take an old result
// for one of code that has changed, although the test's own package need not import it. (It
// looks at files of the module only.)
func Check(t testing.TB, r Request) []verdict.Verdict {
	t.Helper()
	if isShort(t) && !r.Scope.asked() {
		r.Scope.Config = "B"
	}
	r.Search.Scenes = r.Search.Scenes || keepsArtifacts(t)
	if r.Out == "" {
		r.Out = filepath.Join("testdata", "pangolin", filepath.FromSlash(t.Name()))
	}
	if r.Search.Cache == "" && !r.Search.NoCache {
		dir, err := task.CacheByDefault()
		if err != nil {
			t.Fatalf("pangolin: %v", err)
			return nil
		}
		r.Search.Cache = dir
	}
	ctx, cancel := untilDeadline(t)
	defer cancel()
	p, err := Prepare(ctx, r)
	if err == nil {
		err = p.readFiles(t)
	}
	if err != nil {
		t.Fatalf("pangolin: %v", err)
		return nil // for those whose Fatalf returns
	}
	if p.again(ctx, t) {
		return nil
	}
	list, err := p.verifyAll(ctx, (*target).forget)
	for _, v := range list {
		tell(t, v)
	}
	if err != nil {
		t.Fatalf("pangolin: %v", err)
	}
	return list
}

// The search ends before the test's deadline by a tenth of the remaining time, at least two seconds, but at most half of it.
const (
	marginPart  = 10
	leastMargin = 2 * time.Second
)

func margin(left time.Duration) time.Duration {
	return max(left/marginPart, min(leastMargin, left/2))
}

// answers caches what the go command says about packages, which do not change while their tests run. Asking takes longer than many
// searches.
var answers = find.NewAnswers()

// untilDeadline returns the test's context, which ends before the test's deadline if it has one.
func untilDeadline(t testing.TB) (context.Context, context.CancelFunc) {
	ctx := answers.Within(t.Context())
	timed, ok := t.(interface{ Deadline() (time.Time, bool) })
	if !ok {
		return ctx, func() {}
	}
	end, ok := timed.Deadline()
	if !ok {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, end.Add(-margin(time.Until(end))))
}

// readFiles reads the files of all packages of the module that the collections use.
func (p *Prepared) readFiles(t testing.TB) error {
	var dirs []string
	for _, c := range p.targets {
		dirs = append(dirs, c.Listed.Directories()...)
	}
	return readFiles(t, dirs)
}

// again executes the stored witnesses, and reports the first one that still shows a violation; it removes the others. Those of expected
// violations are no failure, and are left to the search.
func (p *Prepared) again(ctx context.Context, t testing.TB) (fails bool) {
	t.Helper()
	r := &p.request
	files, _ := fs.Glob(os.DirFS(r.Out), "*.json") // the pattern is well formed
	for _, name := range files {
		file := filepath.Join(r.Out, name)
		w, err := readWitness(file)
		if err == nil && (w.Source.Program || p.expects(&w.Subject)) { // those of programs are CheckFunc's
			continue
		}
		if err == nil {
			w, err = Replay(ctx, r.Dir, w)
		}
		if err != nil {
			t.Logf("pangolin: %s no longer shows a violation (%v) and is removed", file, err)
			if err := os.Remove(file); err != nil {
				t.Logf("pangolin: %v", err)
			}
			continue
		}
		t.Errorf("still VIOLATED, by the witness %s:\n%s\n%s", file, printed(t, w), rerun(t))
		keepWitness(t, w.Subject.Collection+"-"+verdict.Property(w.Subject.Property).FileName(), w)
		return true
	}
	return false
}

// expects says that the author of the code expects a violation.
func (p *Prepared) expects(s *verdict.Subject) bool {
	return slices.ContainsFunc(p.targets, func(t *target) bool {
		return t.Name() == s.Collection && t.task.Terms.Expected[verdict.Property(s.Property)] == verdict.Violated
	})
}

func readWitness(file string) (*verdict.Witness, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	w := &verdict.Witness{}
	return w, json.Unmarshal(content, w)
}

// tell reports one verdict to a test.
func tell(t testing.TB, v verdict.Verdict) {
	t.Helper()
	t.Attr("pangolin."+v.Collection+"."+v.Property, fmt.Sprintf("%s clients=%s states=%d", v.Status, v.Clients, v.States))
	text := printed(t, v)
	keep(t, v.Collection+"-"+verdict.Property(v.Property).FileName(), v)
	if v.Status == verdict.Verified || v.Status == verdict.Proved || v.Status == verdict.NotShared || v.Status == verdict.Unchanged || v.AsExpected() {
		t.Log(text)
		return
	}
	t.Error(text + "\n\n" + rerun(t))
}

// printed is a result as text for people.
func printed(t testing.TB, result any) string {
	var b strings.Builder
	if err := render("text", &b, result); err != nil {
		t.Errorf("pangolin: %v", err)
	}
	return strings.TrimSpace(b.String())
}

// render writes one result in a format.
func render(format string, out io.Writer, result any) error {
	p, err := report.New(format, out, report.Options{})
	if err != nil {
		return err
	}
	return errors.Join(p.Show(result), p.Close())
}

// keep writes a page about what is wrong, and JSON about any verdict, to the test's artifacts, if it was run with -artifacts.
func keep(t testing.TB, name string, v verdict.Verdict) {
	keepAs(t, name, "json", v)
	if v.Violation != nil || v.Outcomes != nil && v.Status == verdict.Violated {
		keepAs(t, name, "html", v)
	}
}

// keepWitness does the same for a witness of an earlier run that still shows what is wrong.
func keepWitness(t testing.TB, name string, w *verdict.Witness) {
	keepAs(t, name, "json", w)
	keepAs(t, name, "html", w)
}

// keepAs writes a result to the test's artifacts, in the format that is also the file's ending, if it was run with -artifacts.
func keepAs(t testing.TB, name, format string, result any) {
	if !keepsArtifacts(t) {
		return
	}
	out, err := os.Create(filepath.Join(t.ArtifactDir(), name+"."+format))
	if err == nil {
		err = errors.Join(render(format, out, result), out.Close())
	}
	if err != nil {
		t.Logf("pangolin: the artifact is not written: %v", err)
	}
}

// rerun is the command that runs the test again.
func rerun(t testing.TB) string {
	var parts []string
	for part := range strings.SplitSeq(t.Name(), "/") {
		parts = append(parts, "^"+part+"$")
	}
	return "again: go test -run '" + strings.Join(parts, "/") + "'"
}
