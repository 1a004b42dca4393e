// SPDX-License-Identifier: BSD-3-Clause

package text_test

import (
	"fmt"
	"strings"
	"testing"

	"pangolin/report/text"
	"pangolin/verdict"
)

// example is an execution of two threads in which thread 1 reads for a long time and
// the last steps repeat.
func example() *verdict.Witness {
	w := &verdict.Witness{Class: "livelock", Message: "operations run for ever, and nothing can make them return",
		Client: "1: Get()  |  2: Put(1)", Threads: 2,
		Account: verdict.Account{History: []verdict.Event{{Thread: 1, Operation: "Get", Invoked: 1}, {Thread: 2, Operation: "Put", Args: []string{"1"}, Invoked: 14, Responded: 15}},
			Explanation: &verdict.Explanation{Kind: verdict.NoOrder, Property: "linear", Calls: []int{1, 2}, Stuck: []int{1},
				Tried: []verdict.Order{{Calls: []int{2}, Rejected: []verdict.Rejection{{Call: 1, Allowed: []verdict.Returned{{Results: []string{"1"}}}}}}}},
			Waiting: []verdict.Situation{{Thread: 1, Operation: "Get", Place: verdict.Place{Function: "(*Box).Get", File: "box.go", Line: 7}}}}}
	reads := verdict.Step{Thread: 1, Operation: "Get", Place: verdict.Place{File: "box/box.go", Line: 7},
		Source: "for b.full.Load() && !b.closed.Load() && someVeryLongCondition(b, 1, 2, 3) {",
		Access: &verdict.Access{Kind: verdict.Read, Atomic: true, Object: "Box#1", Field: ".full", Old: "false"}}
	w.Steps = append(w.Steps, verdict.Step{Thread: 1, Operation: "Get", Call: 1, Phase: verdict.Invoke})
	for range 12 {
		w.Steps = append(w.Steps, reads)
	}
	w.Steps = append(w.Steps, verdict.Step{Thread: 2, Operation: "Put", Call: 2, Phase: verdict.Invoke},
		verdict.Step{Thread: 2, Operation: "Put", Call: 2, Phase: verdict.Respond}, reads)
	w.Loop = len(w.Steps)
	return w
}

func render(print func(*text.Printer)) string {
	var b strings.Builder
	print(text.New(&b, text.Options{}))
	return b.String()
}

func TestWitness_ShowsWhatRepeatsAndWhoGoesOn(t *testing.T) {
	got := render(func(p *text.Printer) { p.Witness(example()) })
	for _, want := range []string{
		"Get() of thread 1 goes on for ever", "from here on it repeats for ever (step 16)", "  16│ 1 ", "and again from step 16",
		"Put(1)   done", "1  [Get()", "waiting", "thread 1, Get: goes on at box.go:7 in (*Box).Get", "then 1:Get() never returns: but here it can return, Get() = 1",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestWitness_FoldsReadsOfWhatNobodyChanges(t *testing.T) {
	got := render(func(p *text.Printer) { p.Witness(example()) })
	if !strings.Contains(got, "Get() +12 ") || !strings.Contains(got, "12 reads of what nobody else changes") {
		t.Errorf("nothing folded in\n%s", got)
	}
	steps := 0
	whole := render(func(p *text.Printer) { p.Step(example(), func() bool { steps++; return true }) })
	if steps != 15 || strings.Contains(whole, "+12") { // Put begins and ends in one line
		t.Errorf("%d steps one by one\n%s", steps, whole)
	}
}

func TestStep_EndsWhenItIsToldTo(t *testing.T) {
	got := render(func(p *text.Printer) { p.Step(example(), func() bool { return false }) })
	if strings.Contains(got, "   2  1 ") {
		t.Errorf("it goes on:\n%s", got)
	}
}

func line(name string, s verdict.Status) verdict.Verdict {
	return verdict.Verdict{Subject: verdict.Subject{Collection: name, Kind: "set", Property: "linear"}, Status: s,
		Scope:       verdict.Scope{Bounds: &verdict.Bounds{Preset: "D", Threads: [2]int{1, 3}, Steps: [2]int{1, 3}, PreAdds: [2]int{0, 1}, Values: 4, Hash: "identity", Fair: true}},
		Assumptions: []string{"the scheduler is strongly fair: other endless executions do not count"}, Effort: verdict.Effort{Clients: "8108", States: 15714, Seconds: 0.214}}
}

func TestVerdict_IsOneLine(t *testing.T) {
	got := render(func(p *text.Printer) { p.Verdict(line("list.LazyList", verdict.Verified)) })
	if want := "list.LazyList set linear verified D 0.21s\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	var b strings.Builder
	text.New(&b, text.Options{All: true}).Verdict(line("list.LazyList", verdict.Verified))
	if want := "list.LazyList set linear verified D clients 8108 states 15714 0.21s\n"; b.String() != want {
		t.Errorf("with -v got\n%swant\n%s", b.String(), want)
	}
}

// A proof beside a search says in the same line which operations it does not cover.
func TestVerdict_SaysWhatIsNotProved(t *testing.T) {
	v := line("list.LazyList", verdict.Verified)
	for covers, want := range map[string]string{
		"for any number of threads and calls, values 0..2":                      "list.LazyList set linear verified, proved D 0.21s\n",
		"without Walk, Reset, for any number of threads and calls, values 0..2": "list.LazyList set linear verified, proved without Walk, Reset D 0.21s\n",
	} {
		v.Proof = &verdict.Proof{By: "cmp", For: covers}
		if got := render(func(p *text.Printer) { p.Verdict(v) }); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
}

// A verdict that is not the one that the author says is marked where it stands.
func TestVerdict_SaysThatAnotherWasExpected(t *testing.T) {
	v := line("list.LazyList", verdict.Verified)
	v.Expected = verdict.Violated
	if got := render(func(p *text.Printer) { p.Verdict(v) }); !strings.Contains(got, "\n    violated was expected\n") {
		t.Errorf("got\n%s", got)
	}
	v.Expected = verdict.Verified
	if got := render(func(p *text.Printer) { p.Verdict(v) }); strings.Contains(got, "was expected") {
		t.Errorf("got\n%s", got)
	}
}

func TestVerdict_TellsWhyItIsUnknown(t *testing.T) {
	v := line("list.LazyList", verdict.Unknown)
	v.Reason = "the limit on states was reached after 10 states"
	if got := render(func(p *text.Printer) { p.Verdict(v) }); !strings.Contains(got, "    the limit on states") {
		t.Errorf("got\n%s", got)
	}
}

// What all verdicts assume is one sentence; what one type assumes is a mark on its line, explained once; a text for which there are no words
// is a mark with a number. With -v each text stands there in full.
func TestFooter_SaysWhatIsAssumed(t *testing.T) {
	a, b, c := line("a.A", verdict.Verified), line("a.B", verdict.Verified), line("a.C", verdict.Verified)
	b.Assumptions = append(b.Assumptions, "Range is given functions that return one of two results at once; more", "a text that nobody knows")
	c.Assumptions = append(c.Assumptions, "there are no data races: they were not looked for", "Each is given functions that return one of two results at once; more")
	for _, x := range []struct {
		all  bool
		want []string
	}{
		{false, []string{"a.A set linear verified D 0.21s\n", "a.B set linear verified D 0.21s *functions return at once *1\n", "a.C set linear verified D 0.21s *functions return at once\n",
			"assumed  up to 3 threads with 3 calls in all (D), up to 1 item before, values\n         0..3; a fair scheduler; data races were not looked for (a.C)\n",
			"marks    *1: a text that nobody knows; *functions return at once: with one of\n         two results; they do not panic\n"}},
		{true, []string{"0.21s\n    *functions return at once *1\n", "the scheduler is strongly fair: other endless executions do not count\n", "a text that nobody knows (*1) [a.B]", "they were not looked for [a.C]",
			"scope    configuration D, threads 1..3", "(*functions return at once) [a.B]"}},
	} {
		var out strings.Builder
		p := text.New(&out, text.Options{All: x.all})
		for _, v := range []verdict.Verdict{a, b, c} {
			p.Verdict(v)
		}
		p.Footer()
		for _, want := range x.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("-v %v: no %q in\n%s", x.all, want, out.String())
			}
		}
	}
}

// What is seen in no search is on the line, and so is what is searched in a small scope only.
func TestFooter_MarksWhatIsNotSearched(t *testing.T) {
	for said, mark := range map[string]string{
		"what Clone gives is used by who got it, beside the original, in 2x3":                        "copies in a small scope",
		"nothing of the Snap that Get returns is compared":                                           "results not compared",
		"what Put is given as any is an int, though the code asks for its type":                      "any is an int",
		"there is one of it, and it is made once: what several do to each other by next is not seen": "one instance",
		"of a Full the field Err error, but for its type and text, is not compared":                  "not all compared",
		"of the *T that Get returns is compared which object it is, and not what it holds":           "1",
		"the functions that Do is given change nothing of what they are given":                       "functions change nothing",
	} {
		v := line("a.A", verdict.Verified)
		v.Assumptions = append(v.Assumptions, said)
		var out strings.Builder
		p := text.New(&out, text.Options{Width: 300})
		p.Verdict(v)
		p.Footer()
		if line, _, _ := strings.Cut(out.String(), "\n"); !strings.HasSuffix(line, " *"+mark) {
			t.Errorf("%q: no *%s in %q", said, mark, line)
		}
	}
}

// The sentence is about the scope that it names. What a longer one has beside it, or the scope of another type, is no claim about this one.
func TestFooter_ClaimsNoMoreThanEachScope(t *testing.T) {
	a, b := line("a.A", verdict.Verified), line("a.B", verdict.Verified)
	wide := *a.Scope.Bounds
	wide.Preset, wide.Threads, wide.PreAdds, wide.Values = "1x5x3", [2]int{1, 1}, [2]int{0, 3}, 8
	a.Scope.And = []verdict.Bounds{wide}
	more := *b.Scope.Bounds
	more.Values++
	b.Scope.Bounds = &more
	for _, x := range []struct {
		seen []verdict.Verdict
		want string
	}{
		{[]verdict.Verdict{a}, "(D), more (+), up to 1 item before, values 0..3;"},
		{[]verdict.Verdict{b}, "(D), up to 1 item before, values 0..4;"},
		{[]verdict.Verdict{a, b}, "(D), more (+), up to 1 item before, values 0..3 or more;"},
		{[]verdict.Verdict{b, a}, "(D), more (+), up to 1 item before, values 0..3 or more;"},
	} {
		var out strings.Builder
		p := text.New(&out, text.Options{Width: 200})
		for _, v := range x.seen {
			p.Verdict(v)
		}
		p.Footer()
		if !strings.Contains(out.String(), x.want) {
			t.Errorf("no %q in\n%s", x.want, out.String())
		}
	}
}

// Of many marks some are not explained without -v; a number is, because it says nothing by itself.
func TestFooter_ExplainsEachNumber(t *testing.T) {
	v := line("a.A", verdict.Verified)
	v.Assumptions = append(v.Assumptions, "the clock stands still", "timers fire at any moment", "time is virtual", "finalizers never run", "there are 2 processors", "the network is the loopback interface",
		"it is made by New", "it is made as its zero value", "hash tries have the same seed", "addresses that the code prints", "a float that does not fit", "goroutines are numbered from 1")
	for i := range 12 {
		v.Assumptions = append(v.Assumptions, strings.Repeat("a text that nobody knows ", 3)+fmt.Sprint(i))
	}
	var out strings.Builder
	p := text.New(&out, text.Options{Width: 40})
	p.Verdict(v)
	p.Footer()
	got := strings.Join(strings.Fields(out.String()), " ")
	for i := range 12 {
		if want := fmt.Sprintf("*%d: %s%d", i+1, strings.Repeat("a text that nobody knows ", 3), i); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// With -q there are the lines and what they are about, and no sentence: so the line tells all that it does not cover.
func TestFooter_QuietIsNothing(t *testing.T) {
	v := line("a.A", verdict.Verified)
	v.Kind, v.Oracle = "object", "self"
	for quiet, want := range map[bool]string{true: "a.A object linear verified (one thread unchecked) D 0.21s\n", false: "a.A object linear verified D 0.21s\n\nassumed"} {
		var out strings.Builder
		p := text.New(&out, text.Options{Quiet: quiet})
		p.Verdict(v)
		p.Footer()
		if got := out.String(); !strings.HasPrefix(got, want) || quiet && got != want {
			t.Errorf("-q %v: got\n%s", quiet, got)
		}
	}
}

func TestPrinter_UsesColoursOnlyIfAsked(t *testing.T) {
	var plain, colour strings.Builder
	text.New(&plain, text.Options{}).Verdict(line("a.A", verdict.Violated))
	text.New(&colour, text.Options{Colour: true}).Verdict(line("a.A", verdict.Violated))
	if strings.Contains(plain.String(), "\x1b") || !strings.Contains(colour.String(), "\x1b[") {
		t.Errorf("plain %q, colour %q", plain.String(), colour.String())
	}
}

// A verdict by points has a mark; with -v it names the points.
func TestVerdict_SaysByWhatItWasJudged(t *testing.T) {
	v := line("stack.Stack", verdict.Verified)
	v.ByPoints = &verdict.ByPoints{Scopes: []string{"D"}, Found: "2t 3s 1p", Outcomes: []verdict.EffectAt{{Operation: "Push", Points: []verdict.Point{{Place: verdict.Place{File: "stack.go", Line: 7}}}}}}
	for all, want := range map[bool]string{false: "*by points", true: "judged    D by points that were found in 2t 3s 1p: Push at stack.go:7"} {
		var b strings.Builder
		text.New(&b, text.Options{All: all}).Verdict(v)
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
}

// Of several scopes the line names the widest if there is no room for all; with -v the footer says each in full.
func TestVerdict_OfSeveralScopesNamesThem(t *testing.T) {
	v := line("list.LazyList", verdict.Verified)
	two := *v.Scope.Bounds
	two.Preset, two.Threads, two.Steps = "2x5", [2]int{1, 2}, [2]int{1, 5}
	v.Scope.And = []verdict.Bounds{two}
	var b strings.Builder
	p := text.New(&b, text.Options{All: true})
	p.Verdict(v)
	p.Footer()
	for _, want := range []string{" verified D+2x5 clients 8108 ", "scope    configuration D, threads 1..3, steps 1..3", "and configuration 2x5, threads 1..2, steps 1..5"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
	long := v
	long.Collection = "lists.WithANameThatIsLongerThanUsual"
	long.Scope.And = append(long.Scope.And, two, two, two, two)
	got := render(func(p *text.Printer) {
		p.Verdict(long)
		p.Footer()
	})
	for _, want := range []string{" verified D+ 0.21s\n", "up to 3 threads with 3 calls in all (D), more (+)"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

// Where operations take effect is told within the width, but for lines of source; a step that ends its call says so.
func TestPoints_KeepToTheWidth(t *testing.T) {
	var b strings.Builder
	source := verdict.Point{Place: verdict.Place{File: "collections/list/lockfree.go", Line: 81}, Column: 32, When: "swapped", By: "Add, Remove",
		Source: "if !pred.next.CompareAndSet(curr, succ, false, false) {"}
	w := example()
	w.Loop = 0
	w.Steps = append(w.Steps, verdict.Step{Thread: 1, Operation: "Get", Call: 1, Place: verdict.Place{File: "box/box.go", Line: 9},
		Access: &verdict.Access{Kind: verdict.Write, Object: "Box#1", Field: ".full", Old: "false", New: "true"}},
		verdict.Step{Thread: 1, Operation: "Get", Call: 1, Phase: verdict.Respond})
	w.History[0].Responded, w.History[0].Results = len(w.Steps), []string{"2"}
	text.New(&b, text.Options{Width: 60}).Points(verdict.Points{Subject: verdict.Subject{Collection: "list.LockFreeList", Kind: "set"}, Searches: 78, States: 244298,
		Outcomes: []verdict.PointOf{{Operation: "Contains", Outcome: "false", Points: []verdict.Point{source}, Reasons: []*verdict.Witness{w}}}})
	for line := range strings.Lines(b.String()) {
		if len([]rune(strings.TrimSuffix(line, "\n"))) > 60 && !strings.HasSuffix(line, source.Source+"\n") {
			t.Errorf("too long: %s", line)
		}
	}
	for _, want := range []string{"lockfree.go:81:32 in another thread's Add, Remove,", "Put(1), returns", "returns 2 (:9)"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
