// SPDX-License-Identifier: BSD-3-Clause

package schedules_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// testModule has tests to be executed.
const testModule = "testdata/tests"

// executed are the results of the tests of a package, by name. Witnesses are kept in a directory of their own.
func executed(t *testing.T, pkg, engine string, change func(*pangolin.Request, *pangolin.Testing)) map[string]verdict.Tested {
	t.Helper()
	r := pangolin.Request{Dir: testModule, Packages: []string{pkg}, Engine: engine, Out: t.TempDir()}
	r.Search.Time = "virtual"
	o := pangolin.Testing{}
	if change != nil {
		change(&r, &o)
	}
	list, err := pangolin.Test(context.Background(), r, o)
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]verdict.Tested{}
	for _, one := range list {
		of[one.Name] = one
	}
	return of
}

// found are the kinds of what was found, once each.
func found(t verdict.Tested) (kinds []string) {
	for _, f := range t.Found {
		kinds = append(kinds, f.As)
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// What the machine has explored whole passes under every schedule that is drawn; where it finds something, schedules find nothing of another kind, and
// something, since each of these needs one preemption.
func TestTests_AgreeWithTheMachine(t *testing.T) {
	level.SkipShort(t, "builds the tests on a changed runtime")
	machine, compiled := executed(t, "./both", "", nil), executed(t, "./both", "schedules", nil)
	if len(machine) < 15 || len(compiled) != len(machine) {
		t.Fatalf("%d and %d tests", len(machine), len(compiled))
	}
	for name, m := range machine {
		c := compiled[name]
		switch {
		case m.Result != verdict.TestWhole && m.Result != verdict.TestFound:
			t.Errorf("%s: the machine's result is %s: %s", name, m.Result, m.Why)
		case m.Result == verdict.TestWhole && (c.Result != verdict.TestToLimit || !strings.Contains(c.Why, "this is testing, not proof")):
			t.Errorf("%s: whole by the machine, %s %s %v here", name, c.Result, c.Why, c.Found)
		case m.Result == verdict.TestFound && (len(found(c)) == 0 || slices.ContainsFunc(found(c), func(as string) bool { return !slices.Contains(found(m), as) })):
			t.Errorf("%s: %v by the machine, %s %s %v here", name, found(m), c.Result, c.Why, c.Found)
		}
	}
}

// outcomesOf are what is found of tests that the machine does not execute, by hand.
var outcomesOf = map[string]struct{ result, text string }{
	"TestFileLocked":   {"to a limit", ""},
	"TestFile":         {"failure", `native_test\.go:39: [01]$`},
	"TestServer":       {"to a limit", ""},
	"TestServerRace":   {"race", `(?s)native/native\.go:\d+ in .*ServeHTTP.*native/native\.go:\d+ in .*ServeHTTP`},
	"TestHere":         {"to a limit", ""},
	"TestLeavesBehind": {"to a limit", ""},
	"TestExits":        {"failure", "exit status 3"},
	"FuzzNothing":      {"not executable", ""},
	"TestPrepared":     {"to a limit", ""},
	"TestFails":        {"failure", "always"},
	"TestDraws":        {"to a limit", ""},
	"TestSkipped":      {"to a limit", "^the test is skipped; no violation in 30 schedules"},
	"TestNotRun":       {"to a limit", "^the test was not run: .*; no violation in 30 schedules"},
	"TestForgiven":     {"to a limit", ""},
}

func TestTests_AreExecutedAsCompiled(t *testing.T) {
	level.SkipShort(t, "builds the tests on a changed runtime")
	all := executed(t, "./native", "schedules", func(r *pangolin.Request, _ *pangolin.Testing) { r.Scope.Schedules = 300 })
	for _, pkg := range []string{"./around", "./unrun"} {
		for name, one := range executed(t, pkg, "schedules", func(r *pangolin.Request, _ *pangolin.Testing) { r.Scope.Schedules = 30 }) {
			all[name] = one
		}
	}
	for name, want := range outcomesOf {
		one := all[name]
		got := string(one.Result)
		if kinds := found(one); one.Result == verdict.TestFound {
			got = strings.Join(kinds, " ")
		}
		if got != want.result {
			t.Errorf("%s: %s %s %v, want %s", name, got, one.Why, one.Found, want.result)
			continue
		}
		if one.Result == verdict.TestToLimit && (!regexp.MustCompile(want.text).MatchString(one.Why) || want.text == "" && !strings.HasPrefix(one.Why, "no violation in ")) {
			t.Errorf("%s: %s, want %q", name, one.Why, want.text)
		}
		for _, f := range one.Found {
			if !regexp.MustCompile(want.text).MatchString(f.Text) {
				t.Errorf("%s: %s, want %s", name, f.Text, want.text)
			}
			if f.Witness == "" {
				t.Errorf("%s: no witness", name)
			}
		}
	}
	if left, err := os.ReadDir(filepath.Join(testModule, "native")); err != nil || len(left) != 3 {
		t.Errorf("the package's directory has %d entries, %v", len(left), err)
	}
}

// A witness replays by itself, is executed first, and is removed when it shows nothing any more.
func TestTests_KeepWitnesses(t *testing.T) {
	level.SkipShort(t, "builds the tests on a changed runtime")
	out := t.TempDir()
	once := func() verdict.Tested {
		return executed(t, "./both", "schedules", func(r *pangolin.Request, o *pangolin.Testing) {
			r.Out, o.Run = out, regexp.MustCompile("^TestLostUpdate$")
		})["TestLostUpdate"]
	}
	first := once()
	if len(first.Found) != 1 || first.Again {
		t.Fatalf("%+v", first)
	}
	w := first.Verdict.Outcomes.List[0].Execution
	again, err := pangolin.Replay(context.Background(), testModule, w)
	if err != nil {
		t.Fatal(err)
	}
	if again.Ending.Stdout != w.Ending.Stdout || len(again.Steps) != len(w.Steps) {
		t.Errorf("%q in %d steps, and again %q in %d", w.Ending.Stdout, len(w.Steps), again.Ending.Stdout, len(again.Steps))
	}
	if second := once(); !second.Again || len(second.Found) != 1 || second.Found[0].Text != first.Found[0].Text {
		t.Errorf("%+v", second)
	}
	damaged := *w
	c := *w.Schedule.Compiled
	c.Decisions = [][2]int{{1, 1 << 20}}
	damaged.Schedule.Compiled = &c
	text, err := damaged.Text()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(first.Found[0].Witness, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if third := once(); third.Again || len(third.Found) != 1 {
		t.Errorf("%+v", third)
	}
}

// The same seed gives the same, and another seed another schedule.
func TestTests_AreTheSameForASeed(t *testing.T) {
	level.SkipShort(t, "builds the tests on a changed runtime")
	of := func(seed uint64) string {
		one := executed(t, "./native", "schedules", func(r *pangolin.Request, o *pangolin.Testing) {
			r.Scope.Seed, o.Run = seed, regexp.MustCompile("^TestFile$")
		})["TestFile"]
		if len(one.Found) == 0 {
			t.Fatalf("%+v", one)
		}
		w := *one.Verdict.Outcomes.List[0].Execution
		text, err := w.Text()
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if one, again := of(1), of(1); one != again {
		t.Errorf("the same seed gives another witness:\n%s\n%s", one, again)
	}
}
