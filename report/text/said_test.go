// SPDX-License-Identifier: BSD-3-Clause

package text_test

import (
	"fmt"
	"strings"
	"testing"

	"pangolin/report/text"
	"pangolin/verdict"
)

// Sentences of which each was once left out, or said too often, without a test that noticed (doc/mutation.md).

// says fails unless a text has some parts and lacks others.
func says(t *testing.T, got string, want, never []string) {
	t.Helper()
	got = strings.Join(strings.Fields(got), " ")
	for _, part := range want {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in\n%s", part, got)
		}
	}
	for _, part := range never {
		if strings.Contains(got, part) {
			t.Errorf("%q in\n%s", part, got)
		}
	}
}

func TestChecked_CountsOneEffect(t *testing.T) {
	c := verdict.Checked{Holds: true, Views: 3, Effects: 1}
	says(t, render(func(p *text.Printer) { _ = p.Show(c) }), []string{"3 views, 1 effects"}, nil)
	c.Effects = 0
	says(t, render(func(p *text.Printer) { _ = p.Show(c) }), nil, []string{"effects"})
}

func TestHistories_CountThoseThatAreStuck(t *testing.T) {
	h := verdict.Histories{List: []verdict.History{{Events: []string{"1:Get()"}, Stuck: 1}, {Events: []string{"1:Put()", "1="}, Has: []verdict.Property{verdict.Linear}}}}
	got := render(func(p *text.Printer) { _ = p.Show(h) })
	says(t, got, []string{"none (stuck)", "; 1 with calls that never return", ", 1 linear"}, []string{"linear (stuck)"})
}

func TestProof_ShowsTheWayToAnAlarmUnlessThereIsAnExecution(t *testing.T) {
	v := line("list.LazyList", verdict.Unknown)
	v.Proof = &verdict.Proof{Alarm: &verdict.Alarm{Trace: []verdict.AbstractStep{{Text: "call of Add(0)", At: "lazy.go:3", Sees: "lazyNode#2{mu=1}"}}}}
	const way = "on the way there, as the abstraction has it: 1 call of Add(0) at lazy.go:3 lazyNode#2{mu=1}"
	says(t, render(func(p *text.Printer) { p.Verdict(v) }), []string{way}, nil)
	v.Status, v.Violation = verdict.Violated, &verdict.Violation{Class: "history"}
	says(t, render(func(p *text.Printer) { p.Verdict(v) }), nil, []string{"on the way there"})
	var b strings.Builder
	text.New(&b, text.Options{All: true}).Verdict(v)
	says(t, b.String(), []string{way}, nil)
}

func TestLemmas_SayWhatTheyAreGoodFor(t *testing.T) {
	needed := []verdict.Lemma{{At: "lazy.go:54 in Remove", Does: "write of the next", Facts: []string{"a == b", "c != nil"}}}
	for want, l := range map[string]*verdict.Lemmas{
		"9 facts mined, 7 true of any number of threads, and as lemmas alone they would not be enough": {Mined: 9, True: 7},
		"the time was up before it was known which the proof needs":                                    {Unfinished: true},
		"9 facts mined, 7 true of any number of threads, none of them needed":                          {Mined: 9, True: 7, Sufficient: true, Minimal: true},
		"7 true of any number of threads, 2 of them needed at":                                         {Mined: 9, True: 7, Sufficient: true, Minimal: true, Needed: needed},
		"2 of them needed (or fewer: not all was tried) at":                                            {Mined: 9, True: 7, Sufficient: true, Needed: needed},
		"of those given (1 fact) all are true of any number of threads, and they are enough":           {Given: true, True: 1, Sufficient: true},
		"and they are enough; 2 of them are needed":                                                    {Given: true, True: 3, Sufficient: true, Minimal: true, Needed: needed},
	} {
		v := line("list.LazyList", verdict.Proved)
		v.Proof = &verdict.Proof{Lemmas: l}
		says(t, render(func(p *text.Printer) { p.Verdict(v) }), []string{want}, nil)
	}
}

func TestClose_SaysWhatTestsAssume(t *testing.T) {
	got := render(func(p *text.Printer) {
		for _, a := range []string{"timers fire at any moment", "maps have any order"} {
			_ = p.Show(verdict.Tested{Package: "p", Name: "TestA", Result: verdict.TestWhole, Assumptions: []string{a}})
		}
		_ = p.Close()
	})
	says(t, got, []string{"2 tests: 2 whole", "assuming: timers fire at any moment", "assuming: maps have any order"}, nil)
}

// Of many assumptions the last ones are counted; of one that is left over there is room for itself.
func TestClose_CountsTheAssumptionsOfTestsThatAreLeftOut(t *testing.T) {
	for all, want := range map[int]struct{ shown, said int }{1: {1, 0}, text.MostAssumed: {text.MostAssumed, 0}, text.MostAssumed + 1: {text.MostAssumed + 1, 0}, text.MostAssumed + 2: {text.MostAssumed, 2}} {
		test := verdict.Tested{Package: "p", Name: "TestA", Result: verdict.TestWhole}
		for i := range all {
			test.Assumptions = append(test.Assumptions, fmt.Sprintf("assumption %c of this test", 'a'+i))
		}
		got := render(func(p *text.Printer) { _ = p.Show(test); _ = p.Close() })
		if n := strings.Count(got, "assuming: "); n != want.shown || strings.Contains(got, " more assumptions") != (want.said > 0) || want.said > 0 && !strings.Contains(got, fmt.Sprintf("and %d more assumptions (-v)", want.said)) {
			t.Errorf("of %d assumptions %d are shown, want %d and %d more:\n%s", all, n, want.shown, want.said, got)
		}
	}
}

// What was not judged is not unknown, and the column of both says so.
func TestTotals_NameTheColumnOfWhatIsOpen(t *testing.T) {
	for status, want := range map[verdict.Status]string{verdict.Unknown: "violated unknown", verdict.NotJudged: "violated open"} {
		list := many(2, 8)
		for i := range list {
			if list[i].Status == verdict.Unknown {
				list[i].Status = status
			}
		}
		says(t, strings.Join(tail(list, 100), "\n"), []string{want}, nil)
	}
}

// A package with a violation, though it was expected, is named before those with none.
func TestTotals_NameWhatIsViolatedAsExpected(t *testing.T) {
	list := many(30, 1)
	v := line("z.T", verdict.Violated)
	v.Expected, v.Package = verdict.Violated, "example.org/module/collections/z"
	got := strings.Join(tail(append(list, v), 100), "\n")
	says(t, got, []string{"z 0 1 0", fmt.Sprintf("%d other packages", 31-9)}, nil)
}

// What is verified in step with a specification names the outcomes that the specification does not announce: a reader who does not learn of them takes
// each call to have one moment.
func TestComposition_NamesOutcomesWithoutAMoment(t *testing.T) {
	c := verdict.Composition{Subject: verdict.Subject{Collection: "stack.Stack", Kind: "stack"}, Most: 2, Verdict: line("stack.Stack", verdict.Verified)}
	says(t, render(func(p *text.Printer) { _ = p.Show(c) }), []string{"up to 2 of the specification", "none is needed"}, []string{"candidates", "anywhere", "helped"})
	c.Candidates = []verdict.OutcomeOf{{Operation: "Pop", Outcome: "_, true"}}
	c.Anywhere = []verdict.OutcomeOf{{Operation: "Push"}, {Operation: "Pop", Outcome: "0, false"}}
	says(t, render(func(p *text.Printer) { _ = p.Show(c) }),
		[]string{"candidates Pop = _, true: one of several steps", "anywhere Push; Pop = 0, false: announced nowhere"}, nil)
}

// A proof that calls return rests on more than one that results are right.
func TestProof_SaysWhyCallsReturn(t *testing.T) {
	v := line("list.LazyList", verdict.Proved)
	v.Proof = &verdict.Proof{Views: 3, Effects: 2, Content: "the marked cells"}
	says(t, render(func(p *text.Printer) { p.Verdict(v) }), []string{"3 views, 2 effects; held are the marked cells"}, []string{"calls return", "never reached"})
	v.Proof.Progress, v.Proof.Unreached = []string{"locks are taken in the order of keys", "helpers write next"}, []string{"lazy.go:9"}
	says(t, render(func(p *text.Printer) { p.Verdict(v) }),
		[]string{"calls return: locks are taken in the order of keys; helpers write next", "but never reached: lazy.go:9"}, nil)
}

// The headline of a collection is its type: several are printed one below the other.
func TestCollection_BeginsWithItsType(t *testing.T) {
	c := verdict.Collection{Instance: "Queue[int]", New: "NewQueue[int](2)", Kind: "queue", Protocol: "bounded(2)", Oracle: "queue", Reason: "Queue by its Put and Take."}
	got := render(func(p *text.Printer) { _ = p.Show(c); c.Instance = "Ring[int]"; _ = p.Show(c) })
	if !strings.HasPrefix(got, "Queue[int]\n  constructor  NewQueue[int](2)\n") || !strings.Contains(got, "\n\nRing[int]\n  constructor") {
		t.Errorf("got\n%s", got)
	}
	c.Operations = []verdict.Operation{{Signature: "Put(x int)", Role: "put"}, {Signature: "Take() int"}}
	c.Invariants, c.Skipped = []string{"Valid", "Sorted"}, []verdict.Skipped{{Name: "Len", Why: "a number"}, {Name: "Close", Why: "is not modelled"}}
	for _, want := range []string{"  operations   Put(x int) (put)\n               Take() int\n", "  invariants   Valid\n               Sorted\n", "  left out     Len: a number\n               Close: is not modelled\n"} {
		if got := render(func(p *text.Printer) { _ = p.Show(c) }); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// What a run of one shard says is about its share, with -q as without: else it would be taken for the whole.
func TestFooter_SaysWhichShareItIs(t *testing.T) {
	for _, seen := range [][]verdict.Verdict{nil, {line("a.A", verdict.Verified)}} {
		for _, o := range []text.Options{{Quiet: true}, {}, {All: true}} {
			var b strings.Builder
			p := text.New(&b, o)
			_ = p.Show(verdict.Shard{Index: 1, Of: 3, Own: 2, All: 7})
			for _, v := range seen {
				_ = p.Show(v)
			}
			_ = p.Close()
			says(t, b.String(), []string{"shard 1 of 3, which has 2 of 7 collections; other shards have the other 5"}, nil)
			if n := strings.Count(b.String(), "1 of 3"); n != 1 {
				t.Errorf("said %d times in\n%s", n, b.String())
			}
		}
	}
}

// Which items there are before is a restriction of the scope.
func TestFooter_SaysWhichItemsThereAreBefore(t *testing.T) {
	v := line("a.A", verdict.Verified)
	says(t, render(func(p *text.Printer) { p.Verdict(v); p.Footer() }), []string{"up to 1 item before, values"}, nil)
	fixed := *v.Scope.Bounds
	fixed.Adder, fixed.Keys = "Store", verdict.FixedKeys
	v.Scope.Bounds = &fixed
	says(t, render(func(p *text.Printer) { p.Verdict(v); p.Footer() }), []string{"up to 1 item before (Store only, key 0), values"}, nil)
}

// A program that is run shows how the Go runtime would end it.
func TestEnding_IsThatOfTheGoRuntime(t *testing.T) {
	at := verdict.Place{Function: "main.main", File: "main.go", Line: 9}
	deadlock := verdict.Outcome{Kind: verdict.Deadlocked, Panic: "fatal error: all goroutines are asleep - deadlock!", Involved: []verdict.Situation{{Thread: 1, Operation: "main", Place: at}}}
	says(t, render(func(p *text.Printer) { p.Ending(&deadlock) }), []string{"fatal error: all goroutines are asleep - deadlock!", "main.go:9"}, nil)
	panics := verdict.Outcome{Kind: verdict.Panicked, Panic: "panic: no", At: []verdict.Place{at}}
	says(t, render(func(p *text.Printer) { p.Ending(&panics) }), []string{"panic: no at", "main.go:9"}, nil)
	says(t, render(func(p *text.Printer) { p.Ending(&verdict.Outcome{Kind: verdict.Exited}) }), nil, []string{"panic", "fatal", "main"})
}

// Why a call needs several points is shown by an execution: that a call of it panics, or never returns, is the reason.
func TestPoints_SayHowCallsEnd(t *testing.T) {
	w := example()
	w.Loop = 0
	w.Steps = append(w.Steps, verdict.Step{Thread: 1, Operation: "Get", Call: 1, Place: verdict.Place{File: "box/box.go", Line: 9},
		Access: &verdict.Access{Kind: verdict.Write, Object: "Box#1", Field: ".full", Old: "false", New: "true"}},
		verdict.Step{Thread: 1, Operation: "Get", Call: 1, Phase: verdict.Respond})
	w.History[0].Responded, w.History[0].Panicked = len(w.Steps), true
	got := render(func(p *text.Printer) {
		p.Points(verdict.Points{Subject: verdict.Subject{Collection: "box.Box", Kind: "queue"}, Searches: 7, States: 90, Outcomes: []verdict.PointOf{{Operation: "Get", Reasons: []*verdict.Witness{w}}}})
	})
	says(t, got, []string{"box.Box queue: where operations take effect (7 searches, 90 states, 0.0s)", "Put(1), returns", ", panics (:9)"}, nil)
}

// Where the code looks at no value, there are none in the sentence; and a scope with one value has "0..0".
func TestFooter_SaysWhichValuesThereAre(t *testing.T) {
	for _, x := range []struct {
		values  int
		generic bool
		want    string
	}{
		{4, false, "before, values 0..3;"},
		{1, false, "before, values 0..0;"},
		{1, true, "any values, at which the code does not look"},
	} {
		v := line("a.A", verdict.Verified)
		bounds := *v.Scope.Bounds
		bounds.Values, bounds.GenericValues = x.values, x.generic
		v.Scope.Bounds = &bounds
		says(t, render(func(p *text.Printer) { p.Verdict(v); p.Footer() }), []string{x.want}, nil)
	}
	looks, never := line("a.A", verdict.Verified), line("a.B", verdict.Verified)
	bounds := *looks.Scope.Bounds
	looks.Scope.Bounds.Values, bounds.GenericValues = 1, true
	never.Scope.Bounds = &bounds
	says(t, render(func(p *text.Printer) { p.Verdict(looks); p.Verdict(never); p.Footer() }), []string{"before, values 0..0 if the code looks at any;"}, nil)
}

// A scope that begins with two threads leaves out one thread, and says so.
func TestFooter_SaysTheLeastNumberOfThreads(t *testing.T) {
	for threads, want := range map[[2]int]string{
		{0, 3}: "assumed up to 3 threads with", {1, 3}: "assumed up to 3 threads with", {2, 3}: "assumed 2 to 3 threads with", {2, 2}: "assumed exactly 2 threads with",
	} {
		v := line("a.A", verdict.Verified)
		bounds := *v.Scope.Bounds
		bounds.Threads = threads
		v.Scope.Bounds = &bounds
		says(t, render(func(p *text.Printer) { p.Verdict(v); p.Footer() }), []string{want}, nil)
	}
}

// An assumption about some types names them, or those that it is not about, whichever are fewer.
func TestFooter_NamesWhomAnAssumptionIsAbout(t *testing.T) {
	const races = "there are no data races: they were not looked for"
	for about, want := range map[int]string{
		1: "not looked for (a.A0)", 2: "not looked for (a.A0, a.A1)", 3: "not looked for (3 of 9)", 6: "not looked for (6 of 9)", 7: "not looked for (not a.A7, a.A8)", 8: "not looked for (not a.A8)", 9: "not looked for total",
	} {
		got := render(func(p *text.Printer) {
			for i := range 9 {
				v := line(fmt.Sprintf("a.A%d", i), verdict.Verified)
				if i < about {
					v.Assumptions = append(v.Assumptions, races)
				}
				p.Verdict(v)
			}
			p.Footer()
		})
		says(t, got, []string{want}, nil)
	}
}

// A witness that is shown by itself says of what it is one.
func TestShow_SaysOfWhatAWitnessIs(t *testing.T) {
	w := example()
	w.Subject = verdict.Subject{Collection: "box.Box", Property: "linear"}
	if got := render(func(p *text.Printer) { _ = p.Show(w) }); !strings.HasPrefix(got, "box.Box, linear\n\n") {
		t.Errorf("got\n%s", got)
	}
	w.Source.Program, w.Source.Patterns = true, []string{"./cmd/serve"}
	if got := render(func(p *text.Printer) { _ = p.Show(w) }); !strings.HasPrefix(got, "./cmd/serve\n\n") {
		t.Errorf("got\n%s", got)
	}
}

// A sentence that is cut ends with an ellipsis: what is left out must not look like the end.
func TestVerdict_EndsWhatItCutsWithAnEllipsis(t *testing.T) {
	v := line("a.A", verdict.Verified)
	for _, width := range []int{40, 200} {
		var b strings.Builder
		p := text.New(&b, text.Options{Width: width, Brief: true})
		w := example()
		w.Message = strings.Repeat("operations run for ever, ", 3) + "and nothing can make them return"
		v.Status, v.Violation = verdict.Violated, &verdict.Violation{Class: "livelock", Execution: w}
		p.Verdict(v)
		if cut := width < len(w.Message); strings.Contains(b.String(), "…") != cut {
			t.Errorf("in %d columns:\n%s", width, b.String())
		}
	}
}

// One finding stands for others that the same lines report.
func TestTested_CountsWhatIsAlike(t *testing.T) {
	test := verdict.Tested{Package: "p", Name: "TestA", Result: verdict.TestFound, Found: []verdict.TestFinding{{As: "failure", Text: "got 1, want 2", Alike: 3}}}
	says(t, render(func(p *text.Printer) { _ = p.Show(test) }), []string{"failure | got 1, want 2 and 3 other outcomes alike"}, nil)
	test.Found[0].Alike = 0
	says(t, render(func(p *text.Printer) { _ = p.Show(test) }), []string{"| got 1, want 2"}, []string{"alike"})
}

// The sum does not call all of them weaker, where some are linearizable.
func TestTotals_CountWhatIsWeaker(t *testing.T) {
	weaker := func(v verdict.Verdict) verdict.Verdict { v.Property = "linear(Len:interval)"; return v }
	a, b := line("a.A", verdict.Verified), line("a.B", verdict.Verified)
	for want, list := range map[string][]verdict.Verdict{
		"2 verdicts: 2 verified, in":                                  {a, b},
		"2 verdicts: 2 verified (1 of them weaker than linearizable)": {a, weaker(b)},
		"2 verdicts: 2 verified (weaker than linearizable)":           {weaker(a), weaker(b)},
	} {
		says(t, strings.Join(tail(list, 100), "\n"), []string{want}, nil)
	}
}

// Who has given an oracle of one's own reads with -v that it has judged, and which types.
func TestFooter_NamesAnOracleThatIsNotOfTheKind(t *testing.T) {
	for oracle, want := range map[string]string{"set": "", "self": "", "": "", "queue": "oracle queue", "example.com/p.Spec": "oracle example.com/p.Spec"} {
		v := line("a.A", verdict.Verified)
		v.Oracle = oracle
		var b strings.Builder
		p := text.New(&b, text.Options{All: true})
		p.Verdict(v)
		p.Footer()
		if want == "" {
			says(t, b.String(), nil, []string{"oracle"})
		} else {
			says(t, b.String(), []string{want}, nil)
		}
	}
}

// Of several verdicts it is said what can be done about them: first about what is wrong, then about what is open.
func TestFooter_SaysWhatCanBeDoneNext(t *testing.T) {
	verified, unknown, violated := line("a.A", verdict.Verified), line("a.B", verdict.Unknown), line("a.C", verdict.Violated)
	unknown.Cause, violated.Violation = verdict.Limited, &verdict.Violation{Class: "history"}
	const walk, more, prove = "next replay -step walks through a violation", "next -timeout, -max-states, -max-memory allow more", "next prove is for any number of threads"
	const unproved = "no proof is no fault: verify searches all executions of a few threads"
	for _, x := range []struct {
		engine string
		seen   []verdict.Verdict
		want   []string
		never  []string
	}{
		{"bounded", []verdict.Verdict{verified}, nil, []string{"next"}},
		{"bounded", []verdict.Verdict{verified, verified}, []string{prove}, nil},
		{"bounded", []verdict.Verdict{verified, unknown}, []string{more}, []string{prove}},
		{"bounded", []verdict.Verdict{unknown, violated}, []string{walk}, []string{more}},
		{"cmp", []verdict.Verdict{verified, unknown}, []string{unproved}, []string{more, walk}},
		{"cmp", []verdict.Verdict{verified, violated}, []string{walk}, []string{unproved}},
		{"cmp", []verdict.Verdict{unknown, violated}, []string{walk, unproved}, []string{more}},
		{"refine", []verdict.Verdict{unknown, violated}, nil, []string{"next"}},
	} {
		for i := range x.seen {
			x.seen[i].Engine = x.engine
		}
		says(t, render(func(p *text.Printer) {
			for _, v := range x.seen {
				p.Verdict(v)
			}
			p.Footer()
		}), x.want, x.never)
	}
}

// What bounds a verdict without a number of threads and calls stands below, unless each line has it: those of the command prove do, in brief.
func TestFooter_SaysWhatElseIsBounded(t *testing.T) {
	for _, x := range []struct {
		engine string
		brief  bool
		said   bool
	}{{"schedules", true, true}, {"schedules", false, true}, {"cmp", false, true}, {"cmp", true, false}} {
		v := line("a.A", verdict.Verified)
		v.Engine, v.Scope = x.engine, verdict.Scope{Limits: []verdict.Limit{{Name: "items at a time", Value: "2"}}}
		var b strings.Builder
		p := text.New(&b, text.Options{Brief: x.brief})
		p.Verdict(v)
		p.Footer()
		if got := strings.Contains(b.String(), "scope    items at a time 2"); got != x.said {
			t.Errorf("%s, in brief %v: said %v in\n%s", x.engine, x.brief, got, b.String())
		}
	}
}
