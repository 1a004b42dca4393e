// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/engine"
	"pangolin/internal/engine/bounded"
	"pangolin/internal/mutant"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/internal/test/proving"
	"pangolin/verdict"
)

// The subjects.
const (
	queues = "../../../collections/queue"
	right  = "testdata/subjects/right"
	wrong  = "testdata/subjects/wrong"
)

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

// rights are proved, but for what the text behind them has is never reached.
var rights = []struct{ dir, typ, unreached string }{
	{queues, "LockFreeQueue", ""}, {queues, "DGLMQueue", ""},
	{queues, "EliminationQueue", "elimination.go:138"}, // another look at the slot: it looks once
	{right, "Tail", ""}, {right, "Short", ""}, {right, "Waits", ""}, {right, "Hands", ""}, {right, "Things", ""}, {right, "Anything", ""}, {right, "Pairs", ""}, {right, "Idle", "right.go:272; right.go:273"},
}

// wrongs are types of package wrong.
var wrongs = []string{"AtTail", "Skips", "Stores", "First", "Nil", "Late", "Twice", "Drops", "Lies", "Gives", "Hurries",
	"Young", "ByFront", "ByTail", "OneMore", "Leaves", "Forgets", "Both", "Clears", "Empties", "Steals", "Renumbers", "Unnumbered", "Stale", "Ignores", "Nothing", "Torn", "Swaps"}

// refused are types of package right that are not proved: the tail of one goes back, the other's constructor makes a choice.
var refused = []string{"Back", "Chooses"}

func TestAttempt_SaysWhatItDoesOfEachSubject(t *testing.T) {
	level.SkipShort(t, "takes seconds")
	var lines []string
	for _, c := range rights {
		v, text := attempt(t, proving.Load(t, c.dir, c.typ))
		lines = append(lines, c.typ+": "+text)
		if v.Status != verdict.Proved || strings.Join(v.Proof.Unreached, "; ") != c.unreached || !v.Proof.Checked {
			t.Errorf("%s: %s", c.typ, text)
		}
	}
	for _, typ := range wrongs {
		v, text := attempt(t, proving.Load(t, wrong, typ))
		lines = append(lines, typ+": "+text)
		if v.Status != verdict.Unknown {
			t.Errorf("%s: %s", typ, text)
		}
	}
	for _, typ := range refused {
		v, text := attempt(t, proving.Load(t, right, typ))
		if lines = append(lines, typ+": "+text); v.Status != verdict.Unknown {
			t.Errorf("%s: %s", typ, text)
		}
	}
	proving.Compare(t, "testdata/subjects.txt", lines)
}

// What is in package wrong is wrong, and what is in package right is right in small scopes.
func TestWrong_IsWrong(t *testing.T) {
	level.SkipShort(t, "takes seconds")
	for _, typ := range append([]string{"Tail", "Short", "Waits", "Hands", "Things", "Anything", "Pairs", "Idle"}, refused...) {
		if class := proving.GoesWrong(t, proving.Load(t, right, typ), proving.Scope{Threads: 3, Steps: 4, Values: 2}); class != "" {
			t.Errorf("%s: %s", typ, class)
		}
	}
	for _, typ := range wrongs {
		s := proving.Load(t, wrong, typ)
		class := ""
		for _, scope := range [][2]int{{2, 3}, {2, 4}, {3, 4}, {2, 5}} {
			if class = proving.GoesWrong(t, s, proving.Scope{Threads: scope[0], Steps: scope[1], Values: 2}); class != "" {
				break
			}
		}
		if class == "" {
			t.Errorf("%s: nothing goes wrong", typ)
		}
		t.Log(typ, class)
	}
}

// endless are the classes of what a proof says nothing of: calls that do not return.
var endless = []string{string(bounded.Livelock), string(bounded.Nontermination), string(bounded.Infinite)}

// Of the mutants of the queues none is proved that goes wrong in a scope, but for calls that do not return, of which a proof says nothing. The table says
// what becomes of each.
func TestAttempt_ProvesNoMutantThatGoesWrong(t *testing.T) {
	if !level.All() {
		t.Skip("takes minutes; -level all")
	}
	var lines []string
	for _, c := range rights {
		lines = append(lines, mutants(t, c.dir, c.typ)...)
	}
	if len(lines) < 60 {
		t.Errorf("there are %d mutants", len(lines))
	}
	proving.Compare(t, "testdata/mutants.txt", lines)
}

// mutants says what becomes of each mutant of a type.
func mutants(t *testing.T, dir, typ string) (lines []string) {
	ctx := context.Background()
	o := proving.Order(t, dir, typ)
	original, err := o.Load(ctx)
	if err != nil {
		t.Fatal(err)
	}
	list, err := mutant.All(ctx, o, original)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		s, err := m.Subject(ctx, o, original)
		if errors.As(err, new(*subject.Invalid)) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		_, text := attempt(t, s)
		if strings.HasPrefix(text, "no proof") {
			t.Errorf("%d: %s\n%s", m.ID, text, m.Diff())
		}
		if strings.HasPrefix(text, "proved") {
			for _, scope := range [][2]int{{2, 5}, {3, 4}, {3, 5}} {
				if class := proving.GoesWrong(t, s, proving.Scope{Threads: scope[0], Steps: scope[1], Values: 2}); class != "" && !slices.Contains(endless, class) {
					t.Errorf("%d is proved, and %d threads with %d calls go wrong (%s):\n%s", m.ID, scope[0], scope[1], class, m.Diff())
				}
			}
		}
		line := fmt.Sprintf("%s %d, line %d, %s: %s", typ, m.ID, m.Line, m.Operator, text)
		t.Log(line)
		lines = append(lines, line)
	}
	return lines
}
