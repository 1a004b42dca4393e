// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"pangolin"
	"pangolin/internal/front"
	"pangolin/internal/test/flags"
	"pangolin/report/story"
	"pangolin/verdict"
)

// Pages of twins: small types of testdata, each with one beside it that is wrong. Their verdicts are computed by each run of the tests and compared with
// the page; states and processor time are those of the run that wrote it.

// twins is a type and its wrong twin, in one package of testdata.
type twins struct {
	pkg, right, wrong string
	scope             pangolin.Scope
}

// types are both, the right one first.
func (w *twins) types() []string { return []string{w.pkg + "." + w.right, w.pkg + "." + w.wrong} }

// asker asks about the types beneath a directory.
type asker struct {
	t    *testing.T
	dir  string
	page string // the text of the page as it is; "" if it is written
	ctx  context.Context
	cpu  time.Duration // of the last answer
}

func newAsker(t *testing.T, dir, page string) *asker {
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	a := &asker{t: t, dir: dir, ctx: front.Share(t.Context())}
	if !flags.Update() {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		a.page = string(text)
	}
	return a
}

// known is the line of the page that begins so; "" if there is none.
func (a *asker) known(begin string) string {
	for line := range strings.Lines(a.page) {
		if strings.HasPrefix(line, begin) {
			return line
		}
	}
	return ""
}

// asked are the verdicts on one type, searched by one worker in the scope and no other.
func (a *asker) asked(typ string, r pangolin.Request) []verdict.Verdict {
	a.t.Helper()
	r.Dir, r.Packages = a.dir, []string{"./" + typ}
	if r.Engine == "" {
		r.Scope.Prove = "off"
	}
	r.Search.NoCache, r.Search.Workers = true, 1
	began := processorTime()
	list, err := pangolin.Verify(a.ctx, r)
	a.cpu = processorTime() - began
	if err != nil {
		a.t.Fatalf("%s: %v", typ, err)
	}
	for i := range list {
		if s := list[i].Status; s != verdict.Verified && s != verdict.Violated && s != verdict.Proved {
			a.t.Errorf("%s %s: %s: %s", typ, list[i].Property, s, list[i].Reason)
		}
	}
	return list
}

// one is the only verdict.
func (a *asker) one(typ string, r pangolin.Request) verdict.Verdict {
	a.t.Helper()
	list := a.asked(typ, r)
	if len(list) != 1 {
		a.t.Fatalf("%s: %d verdicts", typ, len(list))
	}
	return list[0]
}

// figures are the last two cells of a row, which are not compared.
func (a *asker) figures(states uint64) string {
	return fmt.Sprintf(" %d | %.2f |\n", states, a.cpu.Seconds())
}

// processorTime is what this process has used.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

var (
	measured = regexp.MustCompile(`(?m) \d+ \| \d+\.\d\d \|$`)
	where    = regexp.MustCompile(` \(where .*\)$`)
)

// seen is what is wrong in a violation, in a cell of a table.
func seen(v *verdict.Verdict) string {
	if v.Violation == nil {
		return ""
	}
	return strings.ReplaceAll(where.ReplaceAllString(story.Sentence(v.Violation.Execution), ""), "|", "\\|")
}

// says what a type's comment says of it, without directives, from the source.
func (a *asker) says(typ string) string {
	pkg, name, _ := strings.Cut(typ, ".")
	text, err := os.ReadFile(filepath.Join(a.dir, pkg, pkg+".go"))
	if err != nil {
		a.t.Fatal(err)
	}
	comment := regexp.MustCompile(`(?m)^// ` + name + ` ((?:.*\n// )*.*)\n(?://.*\n)*type ` + name + ` `).FindSubmatch(text)
	if comment == nil {
		a.t.Fatalf("%s has no comment that begins with its name", typ)
	}
	return strings.ReplaceAll(string(comment[1]), "\n// ", " ")
}

// compared compares a page with what it is to be, but for what was measured; -update writes it.
func compared(t *testing.T, page, got string) {
	t.Helper()
	if flags.Update() {
		if err := os.WriteFile(page, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	is, want := strings.Split(measured.ReplaceAllString(string(text), ""), "\n"), strings.Split(measured.ReplaceAllString(got, ""), "\n")
	for i := range min(len(is), len(want)) {
		if is[i] != want[i] {
			t.Errorf("%s:%d: %q, now %q: -update writes it", page, i+1, is[i], want[i])
			return
		}
	}
	if len(is) != len(want) {
		t.Errorf("%s has %d lines, now %d: -update writes it", page, len(is), len(want))
	}
}
