// SPDX-License-Identifier: BSD-3-Clause

package places

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"pangolin/internal/client"
	"pangolin/internal/collection"
	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/find"
	"pangolin/internal/subject"
	"pangolin/internal/test/flags"
	"pangolin/internal/vm"
	"pangolin/oracle"
	"pangolin/verdict"
)

// orderOf finds a type of a directory. It is made by, and has the protocol of, the directives of its comment.
func orderOf(t testing.TB, dir, typ string) *subject.Order {
	t.Helper()
	q := find.Query{Dir: dir, Packages: []string{"."}, Type: typ, Note: func(string, ...any) {},
		Overrides: func(directives []string) (collection.Overrides, error) {
			o := collection.Overrides{Type: typ}
			for _, d := range directives {
				name, value, _ := strings.Cut(strings.TrimPrefix(d, "//pangolin:"), " ")
				switch name {
				case "new":
					o.New = value
				case "protocol":
					o.Protocol, _ = oracle.ParseProtocol(value)
				}
			}
			return o, nil
		}}
	found, _, err := q.Find(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return &subject.Order{Listed: found[0].Listed, Patterns: found[0].Patterns, Overrides: found[0].Overrides}
}

func load(t testing.TB, dir, typ string) *subject.Subject {
	t.Helper()
	s, err := orderOf(t, dir, typ).Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The subjects.
const (
	queues = "../../../collections/queue"
	right  = "testdata/subjects/right"
	wrong  = "testdata/subjects/wrong"
)

var rights = []struct{ dir, typ string }{{queues, "HerlihyWingQueue"}, {right, "Peeking"}, {right, "Nested"}, {right, "Unused"}, {right, "Fills"}}

// wrongs are types of package wrong. What is shown wrong by two threads with four calls is not shown by most, which are refused because of what
// they might be.
var wrongs = []string{"Rereads", "Downwards", "Twice", "Leaves", "Shared", "Late", "Another", "Drops", "Doubles", "Forgets", "Beyond", "Before", "Looks", "Plain", "Changes", "Resets", "Small", "Ways", "Unsigned"}

// attempt asks for a proof, and says what comes of it.
func attempt(t testing.TB, s *subject.Subject) (v verdict.Verdict, text string) {
	t.Helper()
	j := &engine.Job{Subject: s, Property: verdict.Linear, Search: engine.Search{Certify: true}}
	v, _, err := Attempt(context.Background(), j, engine.Events{})
	switch {
	case err != nil:
		t.Fatal(err)
	case v.Status != verdict.Proved:
		return v, v.Reason
	case len(v.Proof.Unreached) > 0:
		return v, "proved, but never reached: " + strings.Join(v.Proof.Unreached, "; ")
	}
	return v, fmt.Sprintf("proved with %d views and %d effects", v.Proof.Views, v.Proof.Effects)
}

func TestAttempt_SaysWhatItDoesOfEachSubject(t *testing.T) {
	var lines []string
	for _, c := range rights {
		v, text := attempt(t, load(t, c.dir, c.typ))
		lines = append(lines, c.typ+": "+text)
		if v.Status != verdict.Proved || len(v.Proof.Unreached) > 0 || !v.Proof.Checked {
			t.Errorf("%s: %s", c.typ, text)
		}
	}
	for _, typ := range wrongs {
		v, text := attempt(t, load(t, wrong, typ))
		lines = append(lines, typ+": "+text)
		if v.Status != verdict.Unknown {
			t.Errorf("%s: %s", typ, text)
		}
	}
	compare(t, "testdata/subjects.txt", lines)
}

func compare(t *testing.T, file string, lines []string) {
	t.Helper()
	text := strings.Join(lines, "\n") + "\n"
	if flags.Update() {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("%s: got\n%swant\n%s", file, text, want)
	}
}

// goesWrong says whether the bounded engine finds that something goes wrong: a wrong result, a panic, a race, or that all wait for ever. A scope has no more calls than the
// slices have places.
func goesWrong(t testing.TB, s *subject.Subject, threads, steps int) string {
	t.Helper()
	r, err := bounded.Run(context.Background(), bounded.Options{Job: engine.Job{Subject: s, Property: verdict.Linear, Search: engine.Search{Reduce: vm.AllReductions, MaxStates: 200_000},
		Scope: engine.Scope{Preempt: -1, Fair: true, Clients: client.Scope{Threads: client.Range{From: 1, To: threads}, Steps: client.Range{From: 1, To: steps}, Values: steps, ThreadSymmetry: true}}}})
	if err != nil {
		t.Logf("%s: %v", s.About.Collection, err)
		return ""
	}
	if v := r.Violation; v != nil {
		return string(v.Class)
	}
	return ""
}

// What is in package wrong is wrong, but for Small, which is refused because its proof would be of another protocol.
func TestWrong_IsWrong(t *testing.T) {
	var lines []string
	for _, typ := range wrongs {
		s := load(t, wrong, typ)
		class := ""
		for _, scope := range [][2]int{{2, 3}, {2, 4}, {3, 4}, {2, 5}} {
			if class = goesWrong(t, s, scope[0], scope[1]); class != "" {
				break
			}
		}
		if class == "" {
			t.Errorf("%s: nothing goes wrong", typ)
		}
		lines = append(lines, typ+": "+class)
	}
	t.Log(lines)
	for _, c := range rights {
		if class := goesWrong(t, load(t, c.dir, c.typ), 3, 4); class != "" {
			t.Errorf("%s: %s", c.typ, class)
		}
	}
}

// A table that is too large, and a search that has no time, are no proofs.
func TestAttempt_HasLimits(t *testing.T) {
	s := load(t, queues, "HerlihyWingQueue")
	j := &engine.Job{Subject: s, Property: verdict.Linear, Search: engine.Search{MaxStates: 100}}
	if v, _, err := Attempt(context.Background(), j, engine.Events{}); err != nil || v.Cause != verdict.Limited || v.Reason != "not proved: more than 100 views" {
		t.Errorf("%v, %v", v.Reason, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if v, _, err := Attempt(ctx, &engine.Job{Subject: s, Property: verdict.Linear}, engine.Events{}); err != nil && !errors.Is(err, context.Canceled) || v.Status != verdict.Unknown || v.Cause != verdict.Limited {
		t.Errorf("%v, %v", v, err)
	}
	if v, _, err := Attempt(context.Background(), &engine.Job{Subject: s, Property: verdict.LockFree}, engine.Events{}); err != nil || v.Status != verdict.Unknown {
		t.Errorf("%v, %v", v, err)
	}
}
