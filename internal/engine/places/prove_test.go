// SPDX-License-Identifier: BSD-3-Clause

package places

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pangolin/internal/engine"
	"pangolin/internal/subject"
	"pangolin/internal/test/proving"
	"pangolin/verdict"
)

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
		v, text := attempt(t, proving.Load(t, c.dir, c.typ))
		lines = append(lines, c.typ+": "+text)
		if v.Status != verdict.Proved || len(v.Proof.Unreached) > 0 || !v.Proof.Checked {
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
	proving.Compare(t, "testdata/subjects.txt", lines)
}

// What is in package wrong is wrong, but for Small, which is refused because its proof would be of another protocol.
func TestWrong_IsWrong(t *testing.T) {
	var lines []string
	for _, typ := range wrongs {
		s := proving.Load(t, wrong, typ)
		class := ""
		for _, scope := range [][2]int{{2, 3}, {2, 4}, {3, 4}, {2, 5}} {
			if class = proving.GoesWrong(t, s, proving.Scope{Threads: scope[0], Steps: scope[1], Values: scope[1]}); class != "" {
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
		if class := proving.GoesWrong(t, proving.Load(t, c.dir, c.typ), proving.Scope{Threads: 3, Steps: 4, Values: 4}); class != "" {
			t.Errorf("%s: %s", c.typ, class)
		}
	}
}

// A table that is too large, and a search that has no time, are no proofs.
func TestAttempt_HasLimits(t *testing.T) {
	s := proving.Load(t, queues, "HerlihyWingQueue")
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
