// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/internal/test/mutation/on"
)

// Tests that each mutant of a small program makes it print something else, that all of them together print what the program prints, and that
// the page is a record that can be read.

const root = "../../.."

func TestMutants_OfASampleShow(t *testing.T) {
	level.SkipShort(t, "compiles a program")
	u, err := newUniverse(root)
	if err != nil {
		t.Fatal(err)
	}
	const dir = "internal/test/mutation/testdata/sample"
	all, err := u.all(room{"sample", []string{dir + "/*.go"}})
	if err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(m mutant) bool { return !u.compiles(&m) || strings.Contains(m.name, ": main: ") })
	operators := map[string]int{}
	numbers := map[int]mutant{}
	for i, m := range all {
		operators[m.operator]++
		numbers[i+1] = m
	}
	for _, op := range []string{"condition is true", "condition is false", "side is true", "side is false", "loop ends at once",
		"bound takes in or leaves out equal values", "constant is greater by one", "continue becomes break", "break becomes continue", "+ becomes -, or - becomes +",
		"operand is zero", "result is the opposite", "result is zero", "statement is left out"} {
		if operators[op] == 0 {
			t.Errorf("no mutant of the sample: %s", op)
		}
	}

	s, file := u.loaded[dir], dir+"/sample.go"
	with := filepath.Join(t.TempDir(), "sample.go")
	if err := os.WriteFile(with, []byte(planted(s.texts[file], s.name, numbers)), 0o666); err != nil {
		t.Fatal(err)
	}
	from, err := filepath.Abs(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{from: with}})
	if err != nil {
		t.Fatal(err)
	}
	overlay, binary := filepath.Join(t.TempDir(), "overlay.json"), filepath.Join(t.TempDir(), "sample")
	if err := os.WriteFile(overlay, list, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := goCommand(root, "build", "-overlay", overlay, "-o", binary, "./"+dir); err != nil {
		t.Fatal(err)
	}
	run := func(k int) string {
		cmd := exec.CommandContext(t.Context(), binary)
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", on.Mutant, k))
		out, err := cmd.CombinedOutput()
		return fmt.Sprint(string(out), err)
	}
	const want = "false false true true true false 4 1 6 16none  many many <nil>"
	if got := strings.ReplaceAll(run(0), "\n", ""); got != want {
		t.Errorf("without a mutant the sample prints %q, want %q", got, want)
	}
	// In between, the second comparison has nothing left to decide; say gets no nil.
	alike := 0
	for k, m := range all {
		if run(k+1) == run(0) {
			alike++
			if !strings.Contains(m.name, "between: ") && !strings.Contains(m.name, "say: ") {
				t.Errorf("%s changes nothing", m.name)
			}
		}
	}
	if alike == 0 || alike > len(all)/4 {
		t.Errorf("%d of %d mutants change nothing", alike, len(all))
	}
}

// Where the quick tests do not find a mutant, the test that the page names is run at its usual level. The page is not believed if that test passes with the mutant, or
// fails without it.
func TestAgain_RunsTheTestThatThePageNames(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "tests") // TestFar fails with mutant 1 alone, TestAlways in any case, and neither is run with -test.short
	text := "#!/bin/sh\ncase \"$*\" in *-test.short*) exit 0;; *'^TestAlways$'*) echo '--- FAIL: TestAlways (0s)'; exit 1;; *'^TestFar$'*) test $" + on.Mutant + " != 1 && exit 0; echo '--- FAIL: TestFar (0s)'; exit 1;; esac\n"
	if err := os.WriteFile(binary, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	b := &bench{root: dir, with: "-test.short", mutants: make([]mutant, 2), suites: []*suite{{Binary: binary, Reaches: map[int]bool{1: true, 2: true}, limit: time.Minute}}}
	for i, claims := range []map[string]string{
		{".: TestFar": ".: TestFar", ".: TestAlways": "", ".: TestOther": "", "internal/vm: TestFar": "", "": ""},
		{".: TestFar": "", ".: TestAlways": ""},
	} {
		if found := b.find(i, time.Minute); found != "" {
			t.Errorf("with -test.short %s finds mutant %d", found, i+1)
		}
		for claimed, want := range claims {
			if got := b.again(i, claimed); got != want {
				t.Errorf("mutant %d, %q: %q, want %q", i+1, claimed, got, want)
			}
		}
	}
}

// A mutant is first tried by the test that the page names, alone and with the flags of all; it is not believed if it passes with the mutant or fails without it, or does not reach it.
func TestStill_TriesTheTestThatThePageNames(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "tests") // TestNear fails with mutant 1 alone, TestAlways in any case, and all together with mutant 2
	text := "#!/bin/sh\ncase \"$*\" in *-test.run*) ;; *) test $" + on.Mutant + " = 2 && exit 1; exit 0;; esac\ncase \"$*\" in *-test.short*'^TestAlways$'*) echo '--- FAIL: TestAlways (0s)'; exit 1;; *-test.short*'^TestNear$'*) test $" + on.Mutant + " != 1 && exit 0; echo '--- FAIL: TestNear (0s)'; exit 1;; esac\n"
	if err := os.WriteFile(binary, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	b := &bench{root: dir, with: "-test.short", mutants: make([]mutant, 3), suites: []*suite{{Binary: binary, Reaches: map[int]bool{1: true, 2: true}, limit: time.Minute}}}
	for i, claims := range []map[string]string{
		{".: TestNear": ".: TestNear", ".: TestAlways": "", ".: TestOther": "", ".: a panic": "", "internal/vm: TestNear": "", "": ""},
		{".: TestNear": "", ".: a panic": ".: a panic", ".: does not end": ".: does not end"},
		{".: TestAlways": "", ".: a panic": ""},
	} {
		for claimed, want := range claims {
			if got := b.still(i, claimed); got != want {
				t.Errorf("mutant %d, %q: %q, want %q", i+1, claimed, got, want)
			}
		}
	}
}

// What is drawn of one function does not depend on what else there is.
func TestDrawn_StaysWhenOthersChange(t *testing.T) {
	var some, more []mutant
	for i := range 40 {
		m := mutant{name: fmt.Sprint("mutant ", i)}
		if more = append(more, m); i%4 == 0 {
			some = append(some, m)
		}
	}
	isSome := func(m mutant) bool { return slices.ContainsFunc(some, func(x mutant) bool { return x.name == m.name }) }
	if a, b := drawn(some, 1), slices.DeleteFunc(drawn(more, 1), func(m mutant) bool { return !isSome(m) }); !reflect.DeepEqual(a, b) {
		t.Errorf("%v and %v", a, b)
	}
	if reflect.DeepEqual(drawn(more, 1), drawn(more, 2)) || reflect.DeepEqual(drawn(more, 1), more) {
		t.Error("the seed makes no difference")
	}
}

// The page is what its outcomes and arguments come to, and each argument is about one of its mutants.
func TestPage_IsOfItsOutcomes(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	all, counts := parse(string(text))
	if flags.Update() {
		now, err := written(all, counts)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, page), []byte(now), 0o666); err != nil {
			t.Fatal(err)
		}
		text = []byte(now)
	}
	if got, err := written(all, counts); err != nil || got != string(text) {
		t.Errorf("%s is not what its outcomes come to (%v): -update writes it\n%s", page, err, got)
	}
	reasons, err := argued()
	if err != nil {
		t.Fatal(err)
	}
	for name := range reasons {
		if !slices.ContainsFunc(all, func(o outcome) bool { return o.Name == name && o.Found == "" }) {
			t.Errorf("argued.csv is about %q, which the page does not list as not found", name)
		}
	}
}

func TestParse_ReadsWhatIsWritten(t *testing.T) {
	counts := map[string]int{}
	for i, r := range rooms() {
		counts[r.name] = 100 + i
	}
	all := []outcome{
		{"internal/consist/a.go: f: side is true: a || b", "consist", "internal/consist: TestX"},
		{"internal/vm/races.go: g: result is zero: x", "races", "internal/engine/outcomes: does not end"},
		{"oracle/b.go: h: condition is true: n == 0", "oracle", ""},
	}
	text, err := written(all, counts)
	if err != nil {
		t.Fatal(err)
	}
	got, of := parse(text)
	slices.SortFunc(got, func(a, b outcome) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(all, func(a, b outcome) int { return strings.Compare(a.Name, b.Name) })
	if !reflect.DeepEqual(got, all) || !reflect.DeepEqual(of, counts) {
		t.Errorf("%v %v\n%s", got, of, text)
	}
}
