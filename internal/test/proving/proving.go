// SPDX-License-Identifier: BSD-3-Clause

// Package proving is for tests of engines that prove, and of those that check certificates: it loads the types of a directory, says whether the
// bounded engine finds something wrong with one, and compares what came of many with a file. It asks for no proofs.
package proving

import (
	"context"
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

// Order is the order of a type of a directory. It is made by, and has the protocol of, the directives of its comment.
func Order(t testing.TB, dir, typ string) *subject.Order {
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

// Load compiles a type of a directory.
func Load(t testing.TB, dir, typ string) *subject.Subject {
	t.Helper()
	s, err := Order(t, dir, typ).Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Scope is what GoesWrong searches: up to so many threads and calls, and so many values.
type Scope struct{ Threads, Steps, Values int }

// GoesWrong is the class of what the bounded engine finds wrong with a type: a wrong result, a panic, a race, or that all wait for ever; "": nothing.
func GoesWrong(t testing.TB, s *subject.Subject, scope Scope) string {
	t.Helper()
	r, err := bounded.Run(context.Background(), bounded.Options{Job: engine.Job{Subject: s, Property: verdict.Linear, Search: engine.Search{Reduce: vm.AllReductions, MaxStates: 200_000},
		Scope: engine.Scope{Preempt: -1, Fair: true, Clients: client.Scope{Threads: client.Range{From: 1, To: scope.Threads}, Steps: client.Range{From: 1, To: scope.Steps}, Values: scope.Values, ThreadSymmetry: true}}}})
	if err != nil {
		t.Logf("%s: %v", s.About.Collection, err)
		return ""
	}
	if v := r.Violation; v != nil {
		return string(v.Class)
	}
	return ""
}

// Compare compares lines with those of a file, or writes them there with -update.
func Compare(t *testing.T, file string, lines []string) {
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
