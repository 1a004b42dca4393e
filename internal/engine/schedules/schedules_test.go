// SPDX-License-Identifier: BSD-3-Clause

package schedules_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/engine/schedules"
	"pangolin/internal/native"
	"pangolin/internal/test/flags"
	"pangolin/internal/test/level"
	"pangolin/internal/test/planting"
	"pangolin/verdict"
)

// expected is what a type of testdata/subjects is found to be: the class of its violation with a smallest client, or "" for a right one.
type expected struct {
	typ, class, client string
	reason             string // a part of it, of a verdict that is unknown for another reason than that testing proves nothing
	schedules          int    // 0: 800
	small              bool   // tried at every level
}

func subjects() []expected {
	return []expected{
		{typ: "plain.Racy", class: "race", client: "1: Inc() | 2: Inc()", small: true},
		{typ: "plain.Torn", class: "history", client: "1: Inc(), Get() | 2: Inc() or 1: Inc() | 2: Inc() | 3: Get()", small: true},
		{typ: "plain.Crossed", class: "deadlock", client: "1: Inc() | 2: Get()"},
		{typ: "plain.Panicking", class: "panic", client: "1: Get() | 2: Get() | 3: Put() or 1: Put(), Get() | 2: Get()", schedules: 6000},
		{typ: "plain.Spinning", class: "livelock", client: "1: Inc() | 2: Get(), Inc()"},
		{typ: "plain.Left", class: "panic", client: "1: Inc(), Inc() or 1: Inc() | 2: Inc()", small: true},
		{typ: "plain.Group"},
		{typ: "plain.Queue"},
		{typ: "plain.Line"},
		{typ: "plain.Flaky", reason: "did not repeat themselves"},
		{typ: "reflected.Broken", class: "history", client: "1: Inc() | 2: Inc()", small: true},
		{typ: "reflected.Counter"},
		{typ: "assembled.Broken", class: "history", client: "1: Inc() | 2: Inc()", small: true},
		{typ: "assembled.Counter"},
		{typ: "filed.Broken", class: "history", client: "1: Inc() | 2: Inc()", small: true},
		{typ: "filed.Counter"},
		{typ: "connected.Broken", class: "history", client: "1: Inc() | 2: Inc()", small: true},
		{typ: "connected.Counter"},
	}
}

const module = "testdata/subjects"

func tested(t testing.TB, typ string, change func(*pangolin.Request)) verdict.Verdict {
	t.Helper()
	r := pangolin.Request{Dir: module, Packages: []string{"./" + typ}, Engine: "schedules"}
	r.Scope.Schedules = 800
	if change != nil {
		change(&r)
	}
	list, err := pangolin.Verify(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 {
		t.Fatalf("%d verdicts", len(list))
	}
	return list[0]
}

// sketch is a client without the values of its arguments, its threads in the order of their texts.
func sketch(client string) string {
	var threads []string
	for part := range strings.SplitSeq(client, "|") {
		_, calls, _ := strings.Cut(strings.TrimSpace(part), ": ")
		threads = append(threads, withoutArguments(calls))
	}
	slices.Sort(threads)
	return strings.Join(threads, " | ")
}

func withoutArguments(calls string) string {
	var b strings.Builder
	inside := false
	for _, r := range calls {
		if r == ')' {
			inside = false
		}
		if !inside {
			b.WriteRune(r)
		}
		if r == '(' {
			inside = true
		}
	}
	return b.String()
}

// wrongWith says what is wrong with the verdict of a type; "" if nothing is.
func wrongWith(t testing.TB, want expected) string {
	v := tested(t, want.typ, func(r *pangolin.Request) { r.Scope.Schedules = cmp.Or(want.schedules, r.Scope.Schedules) })
	switch {
	case v.Status == verdict.Verified || v.Status == verdict.Proved:
		return "testing verifies nothing"
	case want.class == "" && v.Violation != nil:
		return fmt.Sprintf("%s with %s, and it is right", v.Violation.Class, v.Violation.Client)
	case want.class == "" && want.reason == "" && (v.Cause != verdict.Testing || !strings.Contains(v.Reason, "this is testing, not proof")):
		return fmt.Sprintf("%s: %s", v.Cause, v.Reason)
	case want.class == "" && (v.Status != verdict.Unknown || !strings.Contains(v.Reason, want.reason) || verdict.ExitCode([]verdict.Verdict{v}) != verdict.ExitUnknown):
		return fmt.Sprintf("%s: %s", v.Status, v.Reason)
	case want.class == "":
		return ""
	case v.Violation == nil:
		return fmt.Sprintf("no violation: %s", v.Reason)
	case v.Violation.Class != want.class || !slices.ContainsFunc(strings.Split(want.client, " or "), func(c string) bool { return sketch(c) == sketch(v.Violation.Client) }):
		return fmt.Sprintf("%s with %s, want %s with %s", v.Violation.Class, v.Violation.Client, want.class, want.client)
	}
	text, err := v.Violation.Execution.Text()
	if err != nil {
		return err.Error()
	}
	w, err := verdict.Parse(text)
	if err != nil {
		return err.Error()
	}
	again, err := pangolin.Replay(context.Background(), module, w)
	if err != nil {
		return "it does not replay: " + err.Error()
	}
	if now, err := again.Text(); err != nil || string(now) != string(text) {
		return fmt.Sprintf("it replays as another witness: %v", err)
	}
	return ""
}

func TestSchedules_OfTypesThatTheMachineDoesNotExecute(t *testing.T) {
	level.SkipShort(t, "builds each type on a changed runtime")
	for _, want := range subjects() {
		t.Run(want.typ, func(t *testing.T) {
			if !want.small && !level.More() {
				t.Skip("-level more tries all types")
			}
			if why := wrongWith(t, want); why != "" {
				t.Error(why)
			}
		})
	}
}

// The same seed gives the same bytes.
func TestSchedules_AreTheSameForASeed(t *testing.T) {
	level.SkipShort(t, "builds each type on a changed runtime")
	of := func(seed uint64) string {
		v := tested(t, "plain.Torn", func(r *pangolin.Request) { r.Scope.Seed = seed })
		text, err := v.Violation.Execution.Text()
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	one := of(1)
	if one != of(1) {
		t.Error("the same seed gives another witness")
	}
	if one == of(2) {
		t.Error("another seed gives the same witness")
	}
}

// What this engine cannot do is said.
func TestSchedules_SayWhatTheyDoNotDo(t *testing.T) {
	for _, c := range []struct {
		change func(*pangolin.Request)
		says   string
	}{
		{func(r *pangolin.Request) { r.Property = "lock-free" }, "lock-free"},
		{func(r *pangolin.Request) { r.Roles = "Dequeue:last" }, "role"},
		{func(r *pangolin.Request) { r.Scope.Hash = "nondet(2,2)" }, "-hash"},
		{func(r *pangolin.Request) { r.Packages = []string{"container/list.List"} }, "standard library"},
	} {
		v := tested(t, "plain.Queue", c.change)
		if v.Status != verdict.Unknown || !strings.Contains(v.Reason, c.says) {
			t.Errorf("%s: %s, want %q", v.Status, v.Reason, c.says)
		}
	}
}

// faults of the engine, each of which a type of the table shows.
func faults() []planting.Fault {
	return []planting.Fault{
		{Name: "not-repeated", Old: "\tif again == nil {", New: "\tif again == nil && !planted(\"not-repeated\") {", Wrong: "what is found is shown though it does not repeat itself"},
		{Name: "verified", Old: "v := verdict.Verdict{Status: verdict.Unknown, Cause: verdict.Testing,", New: "v := verdict.Verdict{Status: map[bool]verdict.Status{true: verdict.Verified, false: verdict.Unknown}[planted(\"verified\")], Cause: verdict.Testing,", Wrong: "where nothing is found the verdict is verified"},
		{Name: "race-lost", Old: "if len(d.Races) > 0 && !s.job.NoRaces {", New: "if len(d.Races) > 0 && !s.job.NoRaces && !planted(\"race-lost\") {", Wrong: "data races are not told"},
		{Name: "panic-lost", Old: "\tif d.Ending == native.Panic {", New: "\tif d.Ending == native.Panic && planted(\"panic-lost\") {\n\t\treturn nil, nil\n\t}\n\tif d.Ending == native.Panic {", Wrong: "panics are not told"},
		{Name: "panic-of-a-goroutine-known", Old: "h.ending == native.Panic && h.thread != 0 && firstLine", New: "h.ending == native.Panic && (h.thread != 0 || planted(\"panic-of-a-goroutine-known\")) && firstLine", Wrong: "a panic of a goroutine that a call has left counts as known when one thread shows it"},
		{Name: "deadlock-lost", Old: "\tcase d.Ending == native.Cut:\n", New: "\tcase d.Ending == native.Cut || d.Ending == native.Deadlock && planted(\"deadlock-lost\"):\n", Wrong: "a deadlock counts as cut off"},
		{Name: "livelock-is-deadlock", Old: "\tcase d.Ending == native.Deadlock:\n", New: "\tcase d.Ending == native.Deadlock || planted(\"livelock-is-deadlock\"):\n", Wrong: "going round in circles counts as a deadlock"},
		{Name: "history-lost", Old: "\tcase f == nil:\n", New: "\tcase f == nil || f.class == classHistory && planted(\"history-lost\"):\n", Wrong: "wrong results are not told"},
		{Name: "pre-adds-forgotten", Old: "\tstarts, err := s.after(pre)\n", New: "\tif planted(\"pre-adds-forgotten\") {\n\t\tpre = nil\n\t}\n\tstarts, err := s.after(pre)\n", Wrong: "the oracle begins without the calls before the threads"},
		{Name: "calls-stay", Old: "\tfor again := true; again; {", New: "\tfor again := !planted(\"calls-stay\"); again; {", Wrong: "no call is dropped from a witness"},
		{Name: "alone-without-state", Old: "\tcalls = append(calls, native.Call{Op: c.Op,", New: "\tif planted(\"alone-without-state\") {\n\t\tcalls, before = nil, nil\n\t}\n\tcalls = append(calls, native.Call{Op: c.Op,", Wrong: "the code that judges itself begins anew with each call"},
		{Name: "witness-of-another", Old: "c := &verdict.Compiled{Threads: [][]verdict.Call{},", New: "if planted(\"witness-of-another\") {\n\t\td.Decisions = d.Decisions[:len(d.Decisions)-1]\n\t}\n\tc := &verdict.Compiled{Threads: [][]verdict.Call{},", Wrong: "a witness lacks its last decision"},
	}
}

func texts(t *testing.T) planting.Sources {
	s := planting.Sources{}
	s.Read(t, filepath.Join(".", "*.go"))
	return s
}

var faultsSection = planting.Section{Page: "../../../doc/monitor-faults.md", Title: "Schedules of compiled code"}

func TestFaults_CanBePlanted(t *testing.T) {
	texts(t).Check(t, faults())
	faultsSection.Check(t, faults())
}

// TestFaults_AreFound plants each fault and looks which type shows it.
func TestFaults_AreFound(t *testing.T) {
	if !level.More() {
		t.Skip("-level more plants each fault: minutes")
	}
	by := texts(t).EachIsFound(t, faults(), "TestFault_IsFound")
	if flags.Update() {
		faultsSection.Write(t, faults(), by)
	}
}

// TestFault_IsFound runs in the binary with the faults and says which type shows the one that is switched on.
func TestFault_IsFound(t *testing.T) {
	if planting.On() == "" {
		t.Skip("a part of TestFaults_AreFound")
	}
	if _, err := os.Stat(module); err != nil {
		t.Fatal(err)
	}
	for _, want := range subjects()[:10] {
		if why := wrongWith(t, want); why != "" {
			t.Logf("FOUND %s: %s", want.typ, why)
			return
		}
	}
	for _, want := range subjects()[10:12] {
		if why := wrongWith(t, want); why != "" {
			t.Logf("FOUND %s: %s", want.typ, why)
			return
		}
	}
}

// moody follows schedules in no process but each n-th (n from 1 on, counted by Restart), as code does that depends on what no schedule decides.
type moody struct {
	schedules.Runner
	n, process int
}

func (m *moody) Restart() { m.process++; m.Runner.Restart() }

func (m *moody) Draw(ctx context.Context, q native.Sampling) (native.Sample, error) {
	a, err := m.Runner.Draw(ctx, q)
	if q.Follow != nil && !q.Loose && m.process > 0 && m.process%m.n != 0 {
		return native.Sample{Failed: "it has another goroutine go on than can"}, nil
	}
	return a, err
}

// A schedule that does not show its violation in a new process is followed in others, and the verdict says in how many.
func TestSchedules_OfAWitnessAreFollowedInSeveralProcesses(t *testing.T) {
	level.SkipShort(t, "builds a type on a changed runtime")
	with := func(n int) verdict.Verdict {
		defer schedules.RunWith(func(ctx context.Context, s native.Subject) (schedules.Runner, error) {
			r, err := native.NewSampler(ctx, s, native.Options{})
			return &moody{Runner: r, n: n}, err
		})()
		return tested(t, "plain.Torn", nil)
	}
	const of = "processes that followed the schedule"
	v := with(1)
	if v.Violation == nil || strings.Contains(strings.Join(v.Assumptions, " "), of) {
		t.Errorf("each process shows it: %s, %q", v.Status, v.Assumptions)
	}
	v = with(4)
	if v.Violation == nil || !strings.Contains(strings.Join(v.Assumptions, " "), "of 4 "+of) {
		t.Errorf("the fourth process shows it: %s, %q", v.Status, v.Assumptions)
	}
	v = with(1000)
	if v.Violation != nil || !strings.Contains(v.Reason, "does not show that again in another process") {
		t.Errorf("no process shows it: %s, %s", v.Status, v.Reason)
	}
}
