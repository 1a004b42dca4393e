// SPDX-License-Identifier: BSD-3-Clause

package points

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// broken are faults in the algorithms, with points where the faulty code has them: two for each.
func broken(t *testing.T) (out []struct{ typ, fault, from, to string }) {
	t.Helper()
	list, err := txtar.ParseFile("testdata/broken.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(list.Files); i += 2 {
		name, fault, _ := strings.Cut(list.Files[i].Name, ": ")
		_, typ, _ := strings.Cut(name, " ")
		out = append(out, struct{ typ, fault, from, to string }{typ, fault,
			strings.TrimSuffix(string(list.Files[i].Data), "\n"), strings.TrimSuffix(string(list.Files[i+1].Data), "\n")})
	}
	return out
}

// violated decides a job in configuration D, and if nothing is wrong there with a call more.
func violated(t *testing.T, j *engine.Job, e *engine.Engine) verdict.Verdict {
	t.Helper()
	larger := *j
	larger.Scope.Clients.Steps.To++
	var v verdict.Verdict
	for _, j := range []*engine.Job{j, &larger} {
		var err error
		if v, err = e.Decide(context.Background(), j, engine.Events{}); err != nil {
			t.Fatal(err)
		}
		if v.Status != verdict.Verified {
			break
		}
	}
	return v
}

// A faulty algorithm is rejected with its points and without.
func TestCheck_RejectsBrokenAlgorithms(t *testing.T) {
	level.SkipShort(t, "checks many policies")
	faults := map[string]int{}
	for i, b := range broken(t) {
		faults[b.typ]++
		t.Run(b.typ+" "+b.fault, func(t *testing.T) {
			sampled(t, i)
			for _, c := range annotated {
				if c.typ != b.typ {
					continue
				}
				change := map[string]string{b.from: b.to}
				j, err := bare(t, collectionOf(t, c.pkg, c.typ), change, c.file)
				if err != nil {
					t.Fatal(err)
				}
				e := bounded.Engine()
				if v := violated(t, j, &e); v.Status != verdict.Violated {
					t.Errorf("without points: %s %s", v.Status, v.Reason)
				}
				if j, err = job(t, collectionOf(t, c.pkg, c.typ), change, c.file); err != nil {
					t.Fatal(err)
				}
				e = Engine()
				if v := violated(t, j, &e); v.Status != verdict.Violated {
					t.Errorf("with points: %s %s", v.Status, v.Reason)
				}
			}
		})
	}
	for _, c := range annotated[:19] {
		if faults[c.typ] < 2 {
			t.Errorf("%s has %d faults", c.typ, faults[c.typ])
		}
	}
}

// Of each policy every rule that says for sure that an operation has taken effect is needed, and says so once.
func TestCheck_RejectsPoliciesWithoutARuleOrWithOneTwice(t *testing.T) {
	level.SkipShort(t, "checks many policies")
	rules := 0
	for _, c := range annotated[:19] {
		text, err := os.ReadFile(filepath.Join(repository(t), "collections", c.file))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for line := range strings.Lines(string(text)) {
			_, rule, ok := strings.Cut(line, "//pangolin:point")
			if !ok || !strings.HasPrefix(strings.TrimSpace(line), "//") || strings.Count(string(text), line) != 1 || strings.Contains(rule, " may ") || !strings.Contains(rule, "emit") || seen[rule] {
				continue
			}
			seen[rule] = true
			for _, f := range [][2]string{{"missing", "//\n"}, {"twice", line + line}} {
				fault, to := f[0], f[1]
				if fault == "twice" && (strings.Contains(rule, "false") || strings.Contains(rule, "seen.") || strings.Contains(rule, "Set") || strings.Contains(rule, "Contains")) {
					continue // what changes nothing may be said again
				}
				t.Run(c.typ+" "+fault+strings.TrimSpace(rule), func(t *testing.T) {
					sampled(t, rules)
					rejects(t, c.pkg, c.typ, c.file, line, to)
				})
				rules++
			}
		}
	}
}

// rejects checks a changed policy.
func rejects(t *testing.T, pkg, typ, file, from, to string) {
	t.Helper()
	j, err := job(t, collectionOf(t, pkg, typ), map[string]string{from: to}, file)
	if err != nil {
		if strings.Contains(err.Error(), "receives") || strings.Contains(err.Error(), "broadcasts") {
			return // nobody sends what others wait for
		}
		t.Fatal(err)
	}
	rejected(t, j)
}

// rejected says that a policy is violated, by an execution that can be replayed.
func rejected(t *testing.T, j *engine.Job) {
	t.Helper()
	e := Engine()
	v := violated(t, j, &e)
	if v.Status != verdict.Violated || v.Violation.Class != "point" {
		t.Fatalf("%s %s %+v", v.Status, v.Reason, v.Violation)
	}
	if _, err := bounded.Engine().Replay(j.Subject, v.Violation.Execution); err != nil {
		t.Errorf("the witness does not replay: %v", err)
	}
}
