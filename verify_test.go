// SPDX-License-Identifier: BSD-3-Clause

package pangolin_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// Verify when it is interrupted, limited, or has no oracle.

func TestVerify_SaysHowFarItGotWhenInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	list, err := pangolin.Verify(ctx, pangolin.Request{
		Packages: []string{"./collections/queue.LockFreeQueue", "./collections/queue.UnboundedQueue"},
		Scope:    pangolin.Scope{Threads: "3", Steps: "7"},
		Events: pangolin.Events{
			Progress: func(pangolin.Progress) { cancel() },
		},
	})
	if !errors.Is(err, pangolin.ErrInterrupted) || len(list) != 2 || list[0].Status != verdict.Unknown || !strings.Contains(list[0].Reason, "interrupted after") ||
		list[1].Status != verdict.NotJudged || list[1].Collection != "queue.UnboundedQueue" {
		t.Errorf("%v, %+v", err, list)
	}
	if fmt.Sprint(err) != "interrupted: 1 of 2 collections were not verified" {
		t.Errorf("error %v", err)
	}
	if verdict.ExitCode(list) != 3 {
		t.Errorf("exit code %d", verdict.ExitCode(list))
	}
}

// Interrupted while it is compiled or searched, no collection counts as verified.
func TestVerify_SaysThatItWasInterruptedBeforeTheFirst(t *testing.T) {
	level.SkipShort(t, "lists packages anew")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r := pangolin.Request{Packages: []string{"./collections/queue.LockFreeQueue", "./collections/queue.UnboundedQueue"},
		Scope:  pangolin.Scope{Config: "A"},
		Events: pangolin.Events{Found: func(verdict.Collection) { cancel() }}}
	list, err := pangolin.Verify(ctx, r)
	none := func(list []verdict.Verdict) bool {
		return !slices.ContainsFunc(list, func(v verdict.Verdict) bool { return v.Status != verdict.NotJudged || v.Reason != "interrupted" })
	}
	if len(list) != 2 || !none(list) || fmt.Sprint(err) != "interrupted: 2 of 2 collections were not verified" || !errors.Is(err, pangolin.ErrInterrupted) {
		t.Errorf("%v, %v", list, err)
	}
	if list, err := pangolin.Verify(ctx, r); len(list) != 2 || !none(list) || !errors.Is(err, pangolin.ErrInterrupted) {
		t.Errorf("%v, %v", list, err)
	}
	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	r.Events = pangolin.Events{Verdict: func(verdict.Verdict) { cancel() }}
	r.Property = "linear,sc"
	list, err = pangolin.Verify(ctx, r)
	if len(list) != 3 || list[0].Status != verdict.Verified || !none(list[1:]) || !errors.Is(err, pangolin.ErrInterrupted) {
		t.Errorf("%v, %v", list, err)
	}
}

// The limit on time holds for all searches of a verification together: those begun
// again, and those for a shorter witness.
func TestVerify_EndsAtTheLimitOnTime(t *testing.T) {
	large := pangolin.Request{Packages: []string{"./collections/list.LazyList"},
		Scope: pangolin.Scope{Threads: "8", Steps: "1..24"}, Search: pangolin.Search{Timeout: time.Millisecond}}
	list, err := pangolin.Verify(repository, large)
	if err != nil || list[0].Status != verdict.Unknown || !strings.Contains(list[0].Reason, "the limit on time was reached") {
		t.Errorf("%v, %+v", err, list)
	}
}

func TestVerify_IsDeterministic(t *testing.T) {
	level.SkipShort(t, "verifies three times")
	var first []verdict.Verdict
	for range 3 {
		list, err := pangolin.Verify(repository, pangolin.Request{
			Packages: []string{"./collections/list.LockFreeListOriginal"}, Scope: pangolin.Scope{Config: "B"}})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = list
		}
		a, b := first[0], list[0]
		if a.States != b.States || a.Transitions != b.Transitions || a.Violation.Client != b.Violation.Client ||
			len(a.Violation.Execution.Steps) != len(b.Violation.Execution.Steps) {
			t.Errorf("%+v, then %+v", a, b)
		}
	}
}

// An oracle that does not exist is an error for each collection, none of which is judged.
func TestVerify_GivesNoVerdictWithoutAnOracle(t *testing.T) {
	list, err := pangolin.Verify(repository, pangolin.Request{
		Packages: []string{"./collections/queue"}, Oracle: "Nothing.Such", Scope: pangolin.Scope{Config: "A"}})
	if err == nil || len(list) < 10 {
		t.Errorf("%v, %v", list, err)
	}
	for _, v := range list {
		if v.Status != verdict.NotJudged {
			t.Errorf("%+v", v)
		}
	}
}

func TestVerify_ShortestWitnessIsNotLonger(t *testing.T) {
	level.SkipShort(t, "verifies a synchronous queue twice")
	steps := func(how pangolin.Search) int {
		list, err := pangolin.Verify(repository, pangolin.Request{
			Packages: []string{"./collections/queue.SynchronousDualQueue"}, Scope: pangolin.Scope{Config: "D"}, Search: how})
		if err != nil {
			t.Fatal(err)
		}
		return len(list[0].Violation.Execution.Steps)
	}
	found, small, shortest := steps(pangolin.Search{AsFound: true}), steps(pangolin.Search{}), steps(pangolin.Search{Min: true})
	if small >= found || shortest > small {
		t.Errorf("%d steps as found, %d made small, %d with -min", found, small, shortest)
	}
}

func TestVerify_AsFoundAndShortestContradictEachOther(t *testing.T) {
	_, err := pangolin.Verify(repository, pangolin.Request{
		Packages: []string{"./collections/list.LockFreeListOriginal"}, Search: pangolin.Search{AsFound: true, Min: true}})
	if err == nil || !strings.Contains(err.Error(), "contradict each other") {
		t.Errorf("%v", err)
	}
}

// What is searched again within another bound is found once: the verdicts are those of requests of
// their own.
func TestPrepared_VerifiesWithinTheBoundOfEachSearch(t *testing.T) {
	level.SkipShort(t, "verifies a list several times")
	r := pangolin.Request{Packages: []string{"./collections/list.LockFreeListOriginal"}, Property: "linear",
		Scope: pangolin.Scope{Threads: "2", Steps: "2", Values: 2}}
	p, err := pangolin.Prepare(repository, r)
	if err != nil {
		t.Fatal(err)
	}
	zero, one, all := 0, 1, -1
	said := map[string]bool{}
	for _, s := range []pangolin.Search{{}, {Preempt: &zero}, {Preempt: &one}, {Preempt: &all}, {Unfair: pangolin.On}, {}} {
		again, err := p.Verify(repository, s)
		if err != nil {
			t.Fatal(err)
		}
		r.Search = s
		alone, err := pangolin.Verify(repository, r)
		if err != nil {
			t.Fatal(err)
		}
		got, want := summary(&again[0]), summary(&alone[0])
		if got != want {
			t.Errorf("found once: %s\nby itself:  %s", got, want)
		}
		said[got] = true
	}
	if len(said) < 3 {
		t.Errorf("the searches tell too little apart: %v", said)
	}
}

func summary(v *verdict.Verdict) string {
	preempt := "as usual"
	if v.Scope.Preempt != nil {
		preempt = fmt.Sprint(*v.Scope.Preempt)
	}
	return fmt.Sprintf("%s, %d states, preemptions %s, fair %v", v.Status, v.States, preempt, v.Scope.Fair)
}
