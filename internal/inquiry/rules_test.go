// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"pangolin/internal/collection"
	"pangolin/internal/engine"
	"pangolin/internal/find"
	"pangolin/internal/subject"
	"pangolin/internal/test/sources"
	"pangolin/verdict"
)

// The rules are held against an engine that is a table. A question is told as its reading and its scope: "queue bounded(2) alone",
// "counter sc in D"; what the table does not know is verified. What is asked, in its order, and what comes of it is compared.

var modules = sources.New()

func TestMain(m *testing.M) { os.Exit(modules.Main(m)) }

// table is an engine.
type table struct {
	answers map[string]verdict.Verdict
	facts   facts
}

// facts are what the code of a scenario shows.
type facts struct {
	goroutines, once, own, unsynchronized bool
	crowd                                 int // the operation that starts goroutines, by index; 0: none
	crash                                 string
	names                                 []string // what operation naming, by index, gives
	naming                                int
}

func (f facts) Unmade() error                                     { return nil }
func (f facts) Synchronizes() bool                                { return !f.unsynchronized }
func (f facts) StartsGoroutines() bool                            { return f.goroutines }
func (f facts) ReadsClock() bool                                  { return false }
func (f facts) StartsIn(i int) bool                               { return f.crowd > 0 && i == f.crowd }
func (f facts) CallsOnce(context.Context, int) (bool, error)      { return f.once, nil }
func (f facts) OwnResult(context.Context, int, int) (bool, error) { return f.own, nil }
func (f facts) Unreturned(int) string                             { return f.crash }

// Names knows that calls of scope D are given four values that are made up, whatever else is searched beside it.
func (f facts) Names(operation, _, made int) []string {
	if operation != f.naming || made != 4 {
		return nil
	}
	return f.names
}

func (e table) Facts(context.Context, *Reading) (Facts, error) { return e.facts, nil }

func (e table) Decide(_ context.Context, q Question) (verdict.Verdict, error) {
	v, ok := e.answers[told(q)]
	if !ok {
		v = verdict.Verdict{Status: verdict.Verified}
	}
	if v.Reason == "fails" {
		return verdict.Verdict{}, fmt.Errorf("the engine fails")
	}
	if len(v.Scope.Limits) == 0 && v.Scope.Bounds == nil { // those of proofs have limits
		v.Scope = q.Scope.Plain()
	}
	if q.OneThread {
		v.Scope = q.Scope.OneThread().Plain()
	}
	if v.States == 0 {
		v.States = 10
	}
	return v, nil
}

// known are the values that operations are given: Close.0 is "s1".
func known(list []collection.Known) string {
	var parts []string
	for _, k := range list {
		parts = append(parts, fmt.Sprintf("%s.%d of %s is %s", k.Operation, k.Param, k.By, strings.Join(k.Values, " ")))
	}
	return strings.Join(parts, ", ")
}

// told is a question in short.
func told(q Question) string {
	f := q.Reading.Found
	text := string(f.Kind)
	if f.Oracle.String() != text {
		text += "/" + f.Oracle.String()
	}
	if p := f.Protocol.String(); p != "nonblocking" {
		text += " " + p
	}
	o := &q.Reading.Overrides
	for _, also := range []struct {
		holds bool
		text  string
	}{
		{o.Paired, "paired"},
		{o.Careful, "careful"},
		{len(o.Waits) > 0, "waits " + strings.Join(o.Waits, ",")},
		{o.Readings["Toggle"] != "", "Toggle " + o.Readings["Toggle"]},
		{o.Readings["Add"] != "", "Add " + o.Readings["Add"]},
		{o.Readings["Pop"] != "", "Pop " + o.Readings["Pop"]},
		{o.Readings["Push"] != "", "Push " + o.Readings["Push"]},
		{len(o.Again) > 0, "again"},
		{o.Agreeing == 1, "agreeing"}, {o.Agreeing > 1, fmt.Sprintf("agreeing on %d", o.Agreeing)},
		{o.Whole, "whole"},
		{len(o.Given) > 0, "given " + fmt.Sprint(o.Given)},
		{len(o.MayFail) > 0, "may fail " + strings.Join(slices.Sorted(maps.Keys(o.MayFail)), ",")},
		{o.Cancelled, "cancelled"},
		{o.InTurn, "in turn"},
		{o.AnyWait, "any wait"},
		{o.AnyLent, "any lent"},
		{o.ConcurrentArguments, "concurrent arguments"},
		{len(o.Known) > 0, "knowing " + known(o.Known)},
		{len(o.Without) > 0, "without " + strings.Join(slices.Sorted(maps.Keys(o.Without)), ",")},
		{q.Reading.roles != "", q.Reading.roles},
		{q.Property != verdict.Linear, string(q.Property)},
		{q.Usual, "searched"},
		{q.Reading.usual && q.Scope[0].Clients.Values == 1, "one value"},
		{q.Proof, "proof"},
		{q.Moment, "moment"},
		{!q.OneThread && q.Scope[0].Fair && q.Reading.bounds.Unfair, "fair"},
	} {
		if also.holds {
			text += " " + also.text
		}
	}
	if q.OneThread && q.States == oneThreadStates {
		return text + " alone in " + q.Scope.Plain().Name()
	}
	if q.OneThread {
		return text + " alone"
	}
	return text + " in " + q.Scope.Asked().Plain().Name()
}

// call is a call of a history: when it begins and ends, by whom.
type call struct {
	operation          string
	thread, from, till int
}

// history is a violation with a history.
func history(calls ...call) verdict.Verdict {
	w := &verdict.Witness{Class: "history"}
	for _, c := range calls {
		w.History = append(w.History, verdict.Event{Operation: c.operation, Thread: c.thread, Invoked: c.from, Responded: c.till})
	}
	return verdict.Verdict{Status: verdict.Violated, Reason: "no order", Findings: verdict.Findings{Violation: &verdict.Violation{Class: "history", Client: "client", Summary: "history", Execution: w}}}
}

// sections is a proof that each call takes effect at one moment.
func sections() verdict.Verdict {
	return verdict.Verdict{Status: verdict.Proved, Engine: "sections", Findings: verdict.Findings{Proof: &verdict.Proof{}}, Assumptions: append(engine.OfEnds(""), verdict.PanicsAlone, "given", vacuous[1]), Scope: verdict.FewItems{Items: 2, Values: 2}.Scope()}
}

// returningAlone is such a proof that calls return which do when nobody else calls.
func returningAlone() verdict.Verdict {
	v := sections()
	v.Assumptions = []string{verdict.ReturnsAlone, verdict.PanicsAlone}
	return v
}

// crash is a goroutine that an operation has left, the fourth thread, or one that makes calls, the first, and that panics.
func crash(operation string, thread int) verdict.Verdict {
	v := history(call{operation, 1, 1, 2})
	v.Violation.Class, v.Violation.Execution.Crash = "panic", &verdict.Crash{Thread: thread, Text: "negative counter"}
	return v
}

// stuck is a call that waits for ever, for others.
func stuck(operation string) verdict.Verdict {
	w := &verdict.Witness{Class: "deadlock", Account: verdict.Account{Waiting: []verdict.Situation{{Operation: operation, Waits: true, For: "sync.Cond.Wait"}}}}
	return verdict.Verdict{Status: verdict.Violated, Reason: "stuck", Findings: verdict.Findings{Violation: &verdict.Violation{Class: "deadlock", Client: "client", Execution: w}}}
}

// together are calls of one operation by two threads that wait for ever.
func together(operation string) verdict.Verdict {
	v := stuck(operation)
	v.Violation.Execution.Waiting = append(v.Violation.Execution.Waiting, v.Violation.Execution.Waiting...)
	v.Violation.Execution.History = []verdict.Event{{Operation: operation, Thread: 1, Invoked: 1}, {Operation: operation, Thread: 2, Invoked: 2}}
	return v
}

// itself is a call of one thread, behind one of On, that waits for a lock which the thread holds; held is false if nobody holds what it waits for.
func itself(operation string, held bool) verdict.Verdict {
	v := stuck(operation)
	v.Violation.Execution.History = []verdict.Event{{Operation: "On"}}
	s := &v.Violation.Execution.Waiting[0]
	if s.Thread = 1; held {
		s.HeldBy = []int{1}
	}
	return v
}

// one is a history of one thread.
func one(names ...string) verdict.Verdict {
	var list []call
	for i, name := range names {
		list = append(list, call{name, 1, 2*i + 1, 2*i + 2})
	}
	return history(list...)
}

// two is a history in which two threads call an operation at the same time.
func two(name string) verdict.Verdict { return history(call{name, 1, 1, 4}, call{name, 2, 2, 3}) }

// called is that history, with how often each call has called its function.
func called(name, first, second string) verdict.Verdict {
	v := two(name)
	v.Violation.Execution.History[0].Results, v.Violation.Execution.History[1].Results = []string{"1", first}, []string{"1", second}
	return v
}

// large is a history of three threads, which make four calls.
func large(name string) verdict.Verdict {
	return history(call{name, 1, 1, 4}, call{name, 2, 2, 3}, call{name, 3, 5, 6}, call{name, 1, 7, 8})
}

// narrow is verified with two threads and four calls.
func narrow() verdict.Verdict {
	return verdict.Verdict{Status: verdict.Verified, Scope: verdict.Scope{Bounds: &verdict.Bounds{Threads: [2]int{1, 2}, Steps: [2]int{1, 4}}}}
}

// returned are the results of a worker.
func returned(note, done string) verdict.Verdict {
	return verdict.Verdict{Status: verdict.Verified, Engine: "bounded", Findings: verdict.Findings{Returns: []verdict.Returns{{Operation: "Note", Results: []string{note}, Never: note == "panic"}, {Operation: "Close", Results: []string{done}, Never: done == "panic"}}}}
}

// crashed is a panic of a call beside others.
func crashed(text string, threads int) verdict.Verdict {
	w := &verdict.Witness{Class: "panic", Account: verdict.Account{Crash: &verdict.Crash{Thread: 1, Frame: 1}, Frames: []verdict.Frame{{Place: verdict.Place{File: "w.go", Line: 7, Function: "Note"}}}}}
	for i := range threads {
		w.History = append(w.History, verdict.Event{Operation: "Note", Thread: i + 1, Invoked: i + 1, Panicked: true})
	}
	return verdict.Verdict{Status: verdict.Violated, Findings: verdict.Findings{Violation: &verdict.Violation{Class: "panic", Client: "client", Summary: text, Execution: w}}}
}

// inexecutable is unknown for the sake of an operation.
func inexecutable(operation string) verdict.Verdict {
	return verdict.Verdict{Status: verdict.Unknown, Cause: verdict.Unsupported, Reason: "no reflection\n\tin somewhere", Findings: verdict.Findings{Inexecutable: operation}}
}

// untrue is an invariant that is not true.
func untrue(name string) verdict.Verdict {
	w := &verdict.Witness{Class: "invariant"}
	return verdict.Verdict{Status: verdict.Violated, Findings: verdict.Findings{Violation: &verdict.Violation{Class: "invariant", Client: "client", Summary: name, Execution: w}}}
}

// atLimit is an answer that a limit has kept from being one.
func atLimit(why string) verdict.Verdict {
	v := unknown(why)
	v.Cause = verdict.Limited
	return v
}

func unknown(why string) verdict.Verdict {
	return verdict.Verdict{Status: verdict.Unknown, Reason: why}
}

// methods are a type with methods that do nothing.
func methods(typ string, list ...string) string {
	text := "package example\n\ntype " + typ + " struct{ n int }\n"
	for _, m := range list {
		text += "func (b *" + typ + ") " + m + "\n"
	}
	return text
}

const (
	put  = "(v int) {}"
	take = "() (v int, ok bool) { return }"
)

type scenario struct {
	name, source string
	invariants   string
	property     verdict.Property // that is asked for; "" is linearizability
	terms        func(*Terms)
	facts        facts
	answers      map[string]verdict.Verdict
	want         string // the questions, and behind => what comes of them
}

func scenarios() []scenario {
	box := methods("Box", "Push"+put, "Pop"+take)
	added := methods("Set", "Add(v int) bool { return false }", "Contains(v int) bool { return false }")
	bus := methods("Bus", "On(f func(int)) int { return 0 }", "Off(id int) {}")
	queued := methods("Box", "Enqueue"+put, "Dequeue"+take)
	flag := methods("Flag", "Load() bool { return false }", "Store(v bool) {}", "Swap(v bool) bool { return v }", "CompareAndSwap(old, new bool) bool { return true }", "Toggle() bool { return false }")
	more := methods("Queue", "Enqueue"+put, "Dequeue"+take, "Latest() int { return 0 }")
	lined := methods("Queue", "Enqueue"+put, "Dequeue"+take, "Lined() bool { return true }")
	var twelve []string
	for i := range 12 {
		twelve = append(twelve, fmt.Sprintf("M%d(x, y int) int { return x }", i))
	}
	wide := methods("Wide", twelve...)
	worker := methods("Worker", "Note(d int) int { return d }", "Close() {}")
	unbox := func(kind string, from int) map[string]verdict.Verdict {
		all := map[string]verdict.Verdict{kind + " alone": one("Push", "Pop")}
		for n := 1; n <= from; n++ {
			all[fmt.Sprintf("%s bounded(%d) alone", kind, n)] = one("Push")
		}
		return all
	}
	with := func(all map[string]verdict.Verdict, more map[string]verdict.Verdict) map[string]verdict.Verdict {
		for k, v := range more {
			all[k] = v
		}
		return all
	}
	others := map[string]verdict.Verdict{"queue alone": one("Pop"), "stack alone": one("Pop"), "pqueue alone": one("Pop"), "deque alone": one("Pop")}
	limited := strings.Replace(worker, "func (b *Worker) Close() {}", "func (b *Worker) Limit(n int) {}", 1)
	note := "\n// Limit sets it.\n// It must not be modified while anybody works.\n"
	limited = strings.Replace(limited, "func (b *Worker) Limit", note+"func (b *Worker) Limit", 1)
	refusing := "package example\n\nimport \"errors\"\n\n// ErrBusy is for who is refused.\nvar ErrBusy = errors.New(\"busy\")\n\n// Gate lets one in.\ntype Gate struct{}\n\n" +
		"// TryEnter enters.\n// If the lock is held, it returns ErrBusy.\nfunc (g *Gate) TryEnter() error { return nil }\n\n// Leave leaves.\nfunc (g *Gate) Leave(n int) int { return n }\n"
	mayFail := "TryEnter may return ErrBusy while another call is in progress: its documentation says (example.go:12): If the lock is held, it returns ErrBusy."
	locker := methods("Locker", "Lock(name string) {}", "Unlock(name string) {}")
	unbegun := "a use that ends what was not begun: history, client"
	careful := "no call begins that could panic if one thread made all calls, or could let one in progress panic; without this restriction a goroutine panics: client"
	turnstile := methods("Turnstile", "Enter(n int) {}", "Leave(n int) {}")
	inTurn := "a call may meet another one that waits: it may wait in turn behind one of the same operation that wants the same, or be refused while that one waits, if it changes nothing (-contracts=false: only what it does alone)"
	told := "Limit: as its documentation says (example.go:7): It must not be modified while anybody works."
	return []scenario{
		{name: "it is forbidden", source: limited, answers: map[string]verdict.Verdict{"object/self in D": two("Limit")},
			want: "object/self in D; object/self Limit:alone in D => verified, " + told + ", Limit alone, as documented (example.go:7: \"It must not be modified while anybody works.\"); a use that breaks it: history, client"},
		{name: "it is forbidden in a stronger sense", source: limited, answers: map[string]verdict.Verdict{"object/self in D": two("Limit"), "object/self Limit:alone in D": two("Note")},
			want: "object/self in D; object/self Limit:alone in D; object/self Limit:first in D => verified, " + told + ", Limit first, as documented (example.go:7: \"It must not be modified while anybody works.\"); a use that breaks it: history, client"},
		{name: "it is wrong all the same", source: limited, terms: func(t *Terms) { t.Property = true }, answers: map[string]verdict.Verdict{"object/self in D": two("Limit"), "object/self Limit:alone in D": two("Note"), "object/self Limit:first in D": two("Note"), "object/self Limit:1 in D": unknown("")},
			want: "object/self in D; object/self Limit:alone in D; object/self Limit:first in D; object/self Limit:1 in D => violated, its documentation says (example.go:7): It must not be modified while anybody works."},
		{name: "it is not asked for what it forbids", source: limited, terms: func(t *Terms) { t.Property, t.Strict = true, true }, answers: map[string]verdict.Verdict{"object/self in D": two("Limit"), "object/self Limit:1 in D": unknown("")},
			want: "object/self in D; object/self Limit:1 in D => violated"},
		{name: "another operation is wrong", source: limited, terms: func(t *Terms) { t.Property = true }, answers: map[string]verdict.Verdict{"object/self in D": two("Note"), "object/self Note:1 in D": unknown("")},
			want: "object/self in D; object/self Note:1 in D => violated"},
		{name: "it could not be told", source: limited, terms: func(t *Terms) { t.Property = true }, answers: map[string]verdict.Verdict{"object/self in D": two("Limit"), "object/self Limit:alone in D": unknown("too many states"), "object/self Limit:1 in D": unknown("")},
			want: "object/self in D; object/self Limit:alone in D; object/self Limit:1 in D => violated, its documentation says (example.go:7): It must not be modified while anybody works., the rule \"documented\", by which it may be right, has not decided: too many states (doc/inquiry.md)"},
		{name: "what is not forbidden waits, nobody knows for whom", source: limited, answers: map[string]verdict.Verdict{"object/self in D": two("Limit"), "object/self Limit:alone in D": unknown("3 states did not tell whether other calls could let Note " + subject.NotSettled)},
			want: "object/self in D; object/self Limit:alone in D; object/self any wait Limit:alone in D => verified, " + told + ", Limit alone, as documented (example.go:7: \"It must not be modified while anybody works.\"); a use that breaks it: history, client"},
		{name: "what is not forbidden waits, and is wrong", source: limited, terms: func(t *Terms) { t.Property = true }, answers: map[string]verdict.Verdict{"object/self in D": two("Limit"), "object/self Limit:alone in D": unknown("3 states did not tell whether other calls could let Note " + subject.NotSettled), "object/self any wait Limit:alone in D": two("Note"), "object/self Limit:first in D": two("Note"), "object/self Limit:1 in D": unknown("")},
			want: "object/self in D; object/self Limit:alone in D; object/self any wait Limit:alone in D; object/self Limit:first in D; object/self Limit:1 in D => violated, its documentation says (example.go:7): It must not be modified while anybody works."},
		{name: "it is refused", source: refusing, answers: map[string]verdict.Verdict{"object/self in D": two("TryEnter")},
			want: "object/self in D; object/self may fail TryEnter in D => verified, " + mayFail},
		{name: "it is refused, and wrong all the same", source: refusing, terms: func(t *Terms) { t.Property = true }, answers: map[string]verdict.Verdict{"object/self in D": two("TryEnter"), "object/self may fail TryEnter in D": two("Leave"), "object/self may fail TryEnter Leave:1 in D": unknown("")},
			want: "object/self in D; object/self may fail TryEnter in D; object/self may fail TryEnter Leave:1 in D => violated, " + mayFail},
		{name: "it is refused, and the rest is not known", source: refusing, answers: map[string]verdict.Verdict{"object/self in D": two("TryEnter"), "object/self may fail TryEnter in D": unknown("too many states")},
			want: "object/self in D; object/self may fail TryEnter in D => unknown, " + mayFail},
		{name: "who may be refused has no part in it", source: refusing, terms: func(t *Terms) { t.Property = true }, answers: map[string]verdict.Verdict{"object/self in D": two("Leave"), "object/self Leave:1 in D": unknown("")},
			want: "object/self in D; object/self Leave:1 in D => violated"},
		{name: "who is refused counts, by wish", source: refusing, terms: func(t *Terms) { t.Property, t.Strict = true, true }, answers: map[string]verdict.Verdict{"object/self in D": two("TryEnter"), "object/self TryEnter:1 in D": unknown(""), "object/self TryEnter:once in D": unknown(""), "object/self TryEnter:last in D": unknown("")},
			want: "object/self in D; object/self TryEnter:1 in D; object/self TryEnter:once in D; object/self TryEnter:last in D => violated"},
		{name: "a call ends what nobody has begun", source: locker, answers: map[string]verdict.Verdict{"object/self in D": two("Unlock")},
			want: "object/self in D; object/self paired in D => verified, " + unbegun},
		{name: "it is wrong for who has begun it", source: locker, terms: func(t *Terms) { t.Property = true }, answers: map[string]verdict.Verdict{"object/self in D": two("Unlock"), "object/self paired in D": two("Lock"), "object/self paired Lock:1 in D": unknown("")},
			want: "object/self in D; object/self paired in D; object/self paired Lock:1 in D => violated, " + unbegun},
		{name: "it is right for who has begun it, with as many calls", source: locker, terms: usual, facts: facts{unsynchronized: true}, answers: map[string]verdict.Verdict{"object/self in D": large("Unlock")},
			want: "object/self in D; object/self paired in D+3x4+2x4; object/self paired proof in D+2x4 => verified, " + unbegun},
		{name: "it is right for who has begun it, with fewer calls", source: locker, terms: func(t *Terms) { usual(t); expected(t) }, facts: facts{unsynchronized: true},
			answers: map[string]verdict.Verdict{"object/self in D": large("Unlock"), "object/self paired in D+3x4+2x4": narrow()},
			want:    "object/self in D; object/self paired in D+3x4+2x4 => violated"},
		{name: "what is not known of who has begun it", source: locker, terms: func(t *Terms) { t.Property = true }, answers: map[string]verdict.Verdict{"object/self in D": two("Unlock"), "object/self paired in D": unknown("too many states"), "object/self Unlock:1 in D": unknown("")},
			want: "object/self in D; object/self paired in D; object/self Unlock:1 in D => violated, the rule \"paired\", by which it may be right, has not decided: too many states (doc/inquiry.md)"},
		{name: "what no proof decides of who has begun it, a search does", source: locker, terms: func(t *Terms) { t.Property, t.Engine = true, "prover" }, answers: map[string]verdict.Verdict{"object/self in D": two("Unlock"), "object/self paired in D": unknown("no proof")},
			want: "object/self in D; object/self paired in D; object/self paired searched in D => unknown, " + unbegun},
		{name: "what no proof decides of who has begun it is wrong", source: locker, terms: func(t *Terms) { t.Property, t.Engine = true, "prover" }, answers: map[string]verdict.Verdict{"object/self in D": two("Unlock"), "object/self paired in D": unknown("no proof"), "object/self paired searched in D": two("Lock"), "object/self paired Lock:1 in D": unknown("")},
			want: "object/self in D; object/self paired in D; object/self paired searched in D; object/self paired Lock:1 in D => violated, " + unbegun},
		{name: "neither a proof nor a search decides of who has begun it", source: locker, terms: func(t *Terms) { t.Property, t.Engine = true, "prover" }, answers: map[string]verdict.Verdict{"object/self in D": two("Unlock"), "object/self paired in D": unknown("no proof"), "object/self paired searched in D": unknown("too many states"), "object/self Unlock:1 in D": unknown("")},
			want: "object/self in D; object/self paired in D; object/self paired searched in D; object/self Unlock:1 in D => violated, the rule \"paired\", by which it may be right, has not decided: too many states (doc/inquiry.md)"},
		{name: "nobody ends anything in it", source: locker, terms: func(t *Terms) { t.Property = true }, answers: map[string]verdict.Verdict{"object/self in D": two("Lock"), "object/self Lock:1 in D": unknown("")},
			want: "object/self in D; object/self Lock:1 in D => violated"},
		{name: "it may end what nobody has begun, by wish", source: locker, terms: func(t *Terms) { t.Property, t.Strict = true, true }, answers: map[string]verdict.Verdict{"object/self in D": two("Unlock"), "object/self Unlock:1 in D": unknown("")},
			want: "object/self in D; object/self Unlock:1 in D => violated"},
		{name: "a goroutine panics for a call", source: worker, answers: map[string]verdict.Verdict{"object/self in D": crash("Close", 4), "object/self careful in D": returned("5", "")},
			want: "object/self in D; object/self careful in D => verified, " + careful},
		{name: "a goroutine panics all the same", source: worker, terms: func(t *Terms) { t.Property = true }, answers: map[string]verdict.Verdict{"object/self in D": crash("Close", 4), "object/self careful in D": crash("Note", 4)},
			want: "object/self in D; object/self careful in D => violated, " + careful},
		{name: "no call is left", source: worker, terms: func(t *Terms) { t.Property = true }, answers: map[string]verdict.Verdict{"object/self in D": crash("Close", 4), "object/self careful in D": returned("5", "panic")},
			want: "object/self in D; object/self careful in D => violated"},
		{name: "it is not known what is left", source: worker, terms: func(t *Terms) { t.Property = true }, answers: map[string]verdict.Verdict{"object/self in D": crash("Close", 4), "object/self careful in D": unknown("too many states")},
			want: "object/self in D; object/self careful in D => violated, the rule \"careful\", by which it may be right, has not decided: too many states (doc/inquiry.md)"},
		{name: "a call panics", source: worker, terms: func(t *Terms) { t.Property = true }, answers: map[string]verdict.Verdict{"object/self in D": crash("Close", 1)},
			want: "object/self in D => violated"},
		{name: "a goroutine panics, and each call counts, by wish", source: worker, terms: func(t *Terms) { t.Property, t.Strict = true, true }, answers: map[string]verdict.Verdict{"object/self in D": crash("Close", 4)},
			want: "object/self in D => violated"},
		{name: "one thread agrees with what names leave open", source: box, want: "stack alone; stack in D => verified"},
		{name: "it is full at two", source: box, answers: unbox("stack", 1),
			want: "stack alone; stack bounded(1) alone; stack bounded(2) alone; stack bounded(2) in D => verified, it holds 2 items at most, as one thread sees (client)"},
		{name: "it is a queue", source: box, answers: unbox("stack", 8),
			want: "stack alone; 8 x stack bounded alone; queue alone; queue in D => verified, not a stack, it is no stack, by whose oracle one thread is wrong (client), but agrees with a queue"},
		{name: "it is nothing", source: box, answers: with(unbox("stack", 8), others),
			want: "stack alone; 8 x stack bounded alone; queue alone; pqueue alone; stack/self in D => verified, not a stack, no kind agrees with what one thread sees (no stack: client), so only the code itself judges it"},
		{name: "an early guess waits", source: box, answers: map[string]verdict.Verdict{"stack alone": stuck("Pop")},
			want: "stack alone; stack blocking waits Pop alone; stack blocking waits Pop in D => verified, Pop waits where there is nothing, as one thread sees (client); Request.Protocol 'nonblocking' says otherwise"},

		{name: "it waits, which shows behind the answer", source: methods("Queue", "Put"+put, "Get"+take), answers: map[string]verdict.Verdict{"queue in D": stuck("Get"), "queue alone": stuck("Get")},
			want: "queue in D; queue alone; queue blocking waits Get alone; queue blocking waits Get in D => verified, Get waits where there is nothing, as one thread sees (client); Request.Protocol 'nonblocking' says otherwise"},
		{name: "it waits where it is full as well", source: methods("Queue", "Put(v int) bool { return true }", "Get"+take), answers: map[string]verdict.Verdict{"queue in D": stuck("Get"), "queue alone": stuck("Get"),
			"queue blocking waits Get alone": stuck("Put"), "queue blocking waits Get,Put alone": stuck("Put"), "queue bounded(1) waits Get alone": stuck("Put"), "queue bounded(1) waits Get,Put alone": stuck("Put"), "queue bounded(2) waits Get alone": stuck("Put")},
			want: "queue in D; queue alone; queue blocking waits Get alone; queue blocking waits Get,Put alone; queue bounded(1) waits Get alone; queue bounded(1) waits Get,Put alone; queue bounded(2) waits Get alone; queue bounded(2) waits Get,Put alone; queue bounded(2) waits Get,Put in D => verified, it holds 2 items at most, and Get and Put wait, as one thread sees (client); Request.Protocol 'nonblocking' says otherwise"},
		{name: "it waits for a lock", source: methods("Queue", "Put"+put, "Get"+take), answers: map[string]verdict.Verdict{"queue in D": locked()},
			want: "queue in D; queue synchronous in D => violated, holds with Request.Protocol 'synchronous', in this scope: may its operations wait, or fail?"},
		{name: "it never puts anything", source: methods("Queue", "Put(v int) bool { return false }", "Get"+take), answers: map[string]verdict.Verdict{"queue in D": locked(),
			"queue synchronous in D": {Status: verdict.Verified, Findings: verdict.Findings{Returns: []verdict.Returns{{Operation: "Put", Results: []string{"false"}}, {Operation: "Get", Results: []string{"0, false"}}}}}},
			want: "queue in D; queue synchronous in D => violated"},

		{name: "one thread contradicts what it is called", source: methods("Stack", "Push"+put, "Pop"+take), terms: expected, answers: with(unbox("stack", 8), map[string]verdict.Verdict{"stack in D": two("Pop")}),
			want: "stack in D; stack alone; 8 x stack bounded alone => violated, one thread alone is wrong by the oracle stack, which it is called: no order"},
		{name: "one thread contradicts DeleteMin", source: methods("Box", "Add"+put, "DeleteMin"+take), terms: expected, answers: with(unbox("pqueue", 8), map[string]verdict.Verdict{"pqueue in D": two("DeleteMin"), "pqueue alone": one("Add", "DeleteMin")}),
			want: "pqueue in D; pqueue alone; 8 x pqueue bounded alone => violated, one thread alone is wrong by the oracle pqueue, as the name DeleteMin tells: no order"},
		{name: "one thread contradicts something else than DeleteMin", source: methods("Box", "Add"+put, "DeleteMin"+take, "Len() int { return 0 }"), answers: with(unbox("pqueue", 8), map[string]verdict.Verdict{"pqueue in D": two("Len"), "pqueue alone": one("Add", "Len")}),
			want: "pqueue in D; pqueue alone; 8 x pqueue bounded alone; pqueue/self in D => verified, not a pqueue, no kind agrees with what one thread sees (no pqueue: client), so only the code itself judges it"},
		{name: "one thread agrees, two do not", source: methods("Stack", "Push"+put, "Pop"+take), terms: expected, answers: map[string]verdict.Verdict{"stack in D": two("Pop")},
			want: "stack in D; stack alone => violated"},
		{name: "behind the answer it is full", source: queued, answers: map[string]verdict.Verdict{"queue in D": two("Dequeue"), "queue alone": one("Dequeue")},
			want: "queue in D; queue alone; queue bounded(1) alone; queue bounded(1) in D => verified, it holds 1 items at most, as one thread sees (client)"},
		{name: "behind the answer it is a stack", source: queued, answers: with(unbox("queue", 8), map[string]verdict.Verdict{"queue in D": two("Dequeue")}),
			want: "queue in D; queue alone; 8 x queue bounded alone; stack alone; stack in D => verified, not a queue, it is no queue, by whose oracle one thread is wrong (client), but agrees with a stack"},
		{name: "behind the answer it is nothing", source: queued, answers: with(unbox("queue", 8), with(map[string]verdict.Verdict{"queue in D": two("Dequeue")}, others)),
			want: "queue in D; queue alone; 8 x queue bounded alone; stack alone; pqueue alone; queue/self in D => verified, not a queue, no kind agrees with what one thread sees (no queue: client), so only the code itself judges it"},
		{name: "one thread cannot be asked", source: queued, terms: expected, answers: map[string]verdict.Verdict{"queue in D": two("Dequeue"), "queue alone": {Reason: "fails"}},
			want: "queue in D; queue alone (the engine fails) => violated"},

		{name: "the new value", source: flag, want: "register Toggle new alone; register Toggle new in D => verified"},
		{name: "the old value", source: flag, answers: map[string]verdict.Verdict{"register Toggle new alone": one("Toggle")},
			want: "register Toggle new alone; register Toggle old alone; register Toggle old in D => verified"},
		{name: "neither value", source: flag, terms: expected, answers: map[string]verdict.Verdict{"register Toggle new alone": one("Toggle", "Toggle"), "register Toggle old alone": one("Toggle"), "register Toggle new in D": one("Toggle", "Toggle")},
			want: "register Toggle new alone; register Toggle old alone; register Toggle new in D; register Toggle new alone => violated, one thread contradicts either reading of what Toggle returns, the value of before and that of after, one thread alone is wrong by the oracle register, which it is called: no order"},

		{name: "wrong in a small scope", source: worker, terms: func(t *Terms) { usual(t); expected(t) }, facts: facts{goroutines: true}, answers: map[string]verdict.Verdict{"object/self in B": one("Note")},
			want: "object/self in B => violated"},
		{name: "right in a small scope", source: worker, terms: usual, facts: facts{goroutines: true}, want: "object/self in B; object/self in D+2x4 => verified"},
		{name: "right in a small scope, and too large", source: worker, terms: usual, facts: facts{goroutines: true}, answers: map[string]verdict.Verdict{"object/self in D+2x4": atLimit("the time was up")},
			want: "object/self in B; object/self in D+2x4 => unknown, the time was up; B was searched first, and nothing is wrong there"},
		{name: "unknown in a small scope, and too large", source: worker, terms: usual, facts: facts{goroutines: true}, answers: map[string]verdict.Verdict{"object/self in B": atLimit("too many states"), "object/self in D+2x4": atLimit("the time was up")},
			want: "object/self in B; object/self in D+2x4 => unknown, the time was up"},
		{name: "right in a small scope, and not executable", source: worker, terms: usual, facts: facts{goroutines: true}, answers: map[string]verdict.Verdict{"object/self in D+2x4": unknown("not supported")},
			want: "object/self in B; object/self in D+2x4 => unknown"},
		{name: "wrong with one value", source: wide, terms: func(t *Terms) { usual(t); expected(t) }, answers: map[string]verdict.Verdict{"object/self one value in 3t 3s 0p": one("M0")},
			want: "object/self one value in 3t 3s 0p => violated"},
		{name: "right with one value", source: wide, terms: usual, answers: map[string]verdict.Verdict{"object/self in D": two("M0")},
			want: "object/self one value in 3t 3s 0p; object/self in D; object/self M0:1 in D+2x4+3x4+1x5; object/self sc in D+2x4+3x4+1x5 => violated, holds with Request.Roles 'M0:1', in this scope: is it for one thread that calls M0?, holds with Request.Property sc, in this scope"},
		{name: "a scope of the user's is searched at once", source: wide, want: "object/self in D => verified"},
		{name: "no goroutines", source: worker, terms: usual, want: "object/self in D+2x4; object/self proof in D+2x4 => verified"},

		{name: "a function is called again in vain", source: methods("Box", "Update(f func(int) int) int { return f(0) }"), facts: facts{once: true}, answers: map[string]verdict.Verdict{"object/self in D": two("Update")},
			want: "object/self in D; object/self again in D; object/self again given map[Update:it.Update] alone => verified, Update may call a function that it is given again, in vain, if others come in between, functions that Update is given call back in clients of one thread only, each once: Update"},
		{name: "a function is called twice by one", source: methods("Box", "Update(f func(int) int) int { return f(0) }"), terms: expected, answers: map[string]verdict.Verdict{"object/self in D": two("Update")},
			want: "object/self in D => violated"},
		{name: "calls share a result", source: methods("Box", "Do(f func() int) int { return f() }"), facts: facts{own: true}, answers: map[string]verdict.Verdict{"object/self in D": two("Do")},
			want: "object/self in D; object/self agreeing in D; object/self agreeing on 2 in D; object/self agreeing given map[Do:it.Do] alone => verified, functions given to Do return the same: calls at the same time share one result, functions that Do is given call back in clients of one thread only, each once: Do"},
		{name: "calls with the same key share a result", source: methods("Box", "Do(key string, f func(key string) int) int { return f(key) }"), terms: expected, facts: facts{own: true}, answers: map[string]verdict.Verdict{"object/self in D": two("Do"), "object/self agreeing on 2 in D": two("Do")},
			want: "object/self in D; object/self agreeing in D; object/self agreeing on 2 in D => violated, functions given to Do return the same for the same key: calls at the same time share one result"},
		{name: "calls share a result, or an error", source: methods("Box", "Do(f func() (int, error)) (int, error) { return f() }"), facts: facts{own: true}, answers: map[string]verdict.Verdict{"object/self in D": two("Do"), "object/self agreeing on 3 in D": two("Do")},
			want: "object/self in D; object/self agreeing in D; object/self agreeing on 2 in D; object/self agreeing on 3 in D; object/self agreeing on 3 Do:1 in D; object/self agreeing on 3 sc in D => violated, " +
				"functions given to Do return the same: calls at the same time share one result, holds with Request.Roles 'Do:1', in this scope: is it for one thread that calls Do?, holds with Request.Property sc, in this scope"},
		{name: "goroutines of one operation are too many", source: methods("Queue", "Enqueue(x int) {}; func (q *Queue) Dequeue() (int, bool) { return 0, false }; func (q *Queue) Len() int { return 0 }"), terms: usual, facts: facts{crowd: 2}, answers: map[string]verdict.Verdict{"queue in B": atLimit("states")},
			want: "queue in B; queue without Len in D; queue without Len proof in D; queue/self without Len moment in D => verified, without Len: starts goroutines, with which B has more than 32768 states"},
		{name: "goroutines of one operation are few", source: methods("Queue", "Enqueue(x int) {}; func (q *Queue) Dequeue() (int, bool) { return 0, false }; func (q *Queue) Len() int { return 0 }"), terms: usual, facts: facts{crowd: 2},
			want: "queue in B; queue in D; queue proof in D; queue/self moment in D => verified"},
		{name: "goroutines of one operation are wrong", source: methods("Queue", "Enqueue(x int) {}; func (q *Queue) Dequeue() (int, bool) { return 0, false }; func (q *Queue) Len() int { return 0 }"), terms: usual, facts: facts{crowd: 2}, answers: map[string]verdict.Verdict{"queue in B": two("Enqueue")},
			want: "queue in B; queue alone; queue synchronous in B+D; queue Enqueue:1 in B+D; queue sc in B+D => violated, holds with Request.Protocol 'synchronous', in this scope: may its operations wait, or fail?, holds with Request.Roles 'Enqueue:1', in this scope: is it for one thread that calls Enqueue?, holds with Request.Property sc, in this scope"},
		{name: "callers are told that they share a result", source: methods("Box", "Do(f func() int) (v int, shared bool) { return f(), false }"), facts: facts{own: true}, answers: map[string]verdict.Verdict{"object/self in D": two("Do"), "object/self agreeing in D": two("Do")},
			want: "object/self in D; object/self agreeing in D; object/self agreeing given map[Do:sharing] in D; object/self agreeing on 2 given map[Do:sharing] in D => verified, functions given to Do return the same: calls at the same time share one result"},
		{name: "callers are told that they share a result, with an error", source: methods("Box", "Do(f func() int) (v int, shared bool) { return f(), false }"), terms: expected, facts: facts{own: true}, answers: map[string]verdict.Verdict{"object/self in D": two("Do"), "object/self agreeing in D": two("Do"), "object/self agreeing on 2 given map[Do:sharing] in D": two("Do")},
			want: "object/self in D; object/self agreeing in D; object/self agreeing given map[Do:sharing] in D; object/self agreeing on 2 given map[Do:sharing] in D => violated, functions given to Do return the same: calls at the same time share one result"},
		{name: "a bool that may tell anything", source: methods("Box", "Do(f func() int) (v int, ok bool) { return f(), false }"), terms: expected, facts: facts{own: true}, answers: map[string]verdict.Verdict{"object/self in D": two("Do"), "object/self agreeing in D": two("Do")},
			want: "object/self in D; object/self agreeing in D => violated, functions given to Do return the same: calls at the same time share one result"},
		{name: "what shares a result is wrong without its bool", source: methods("Box", "Do(f func() int) (v int, shared bool) { return f(), false }"), terms: expected, facts: facts{own: true}, answers: map[string]verdict.Verdict{"object/self in D": two("Do"), "object/self agreeing in D": two("Do"), "object/self agreeing given map[Do:sharing] in D": two("Do")},
			want: "object/self in D; object/self agreeing in D; object/self agreeing given map[Do:sharing] in D => violated, functions given to Do return the same: calls at the same time share one result"},
		{name: "a bool means the opposite", source: added, terms: expected, answers: map[string]verdict.Verdict{"set in D": one("Add"), "set alone": one("Add")},
			want: "set in D; set alone; set Add not-ok alone; set Add not-ok in D => verified, the bool of Add is true where the item is there already, as one thread sees (client)"},
		{name: "a bool means neither", source: added, terms: expected, answers: map[string]verdict.Verdict{"set in D": one("Add"), "set alone": one("Add"), "set Add not-ok alone": one("Add", "Add")},
			want: "set in D; set alone; set Add not-ok alone => violated, one thread alone is wrong by the oracle set, which it is called: no order, if the bool of Add tells something else than whether it was done: name the result, say so in its documentation, or have it judged by its own code (-kind object)"},
		{name: "another result is wrong", source: added, terms: expected, answers: map[string]verdict.Verdict{"set in D": one("Contains"), "set alone": one("Contains")},
			want: "set in D; set alone => violated, one thread alone is wrong by the oracle set, which it is called: no order"},
		{name: "a bool has a name", source: strings.Replace(added, "Add(v int) bool", "Add(v int) (added bool)", 1), terms: expected, answers: map[string]verdict.Verdict{"set in D": one("Add"), "set alone": one("Add")},
			want: "set in D; set alone => violated, one thread alone is wrong by the oracle set, which it is called: no order"},
		{name: "documentation says what a bool means", source: strings.Replace(added, "func (b *Set) Add", "// Add reports whether v was there.\nfunc (b *Set) Add", 1), terms: expected,
			want: "set Add not-ok in D => verified"},
		{name: "documentation is contradicted", source: strings.Replace(added, "func (b *Set) Add", "// Add reports whether v was added.\nfunc (b *Set) Add", 1), terms: expected, answers: map[string]verdict.Verdict{"set in D": one("Add"), "set alone": one("Add")},
			want: "set in D; set alone => violated, one thread alone is wrong by the oracle set, which it is called: no order"},
		{name: "an early bool means the opposite, and documentation says something of it", source: strings.Replace(methods("Box", "Push"+put, "Pop() (int, bool) { return 0, false }"), "func (b *Box) Pop", "// Pop gives true in the usual case.\nfunc (b *Box) Pop", 1), answers: with(unbox("stack", 8), others),
			want: "stack alone; 8 x stack bounded alone; queue alone; pqueue alone; stack Pop not-ok alone; stack Pop not-ok in D => unknown, the bool of Pop is true where there is nothing, as one thread sees (client)"},
		{name: "an item beside a bool that means the opposite", source: methods("Box", "Push"+put, "Pop() (int, bool) { return 0, false }"), answers: with(unbox("stack", 8), others),
			want: "stack alone; 8 x stack bounded alone; queue alone; pqueue alone; stack/self in D => verified, not a stack, no kind agrees with what one thread sees (no stack: client), so only the code itself judges it"},
		{name: "a bool means that there is no room", source: methods("Queue", "Push(v int) bool { return true }", "Pop"+take), terms: expected,
			answers: with(unbox("queue", 8), map[string]verdict.Verdict{"queue in D": two("Push"), "queue alone": one("Push"), "pqueue alone": one("Push"), "deque alone": one("Push"), "queue Push not-ok alone": one("Push", "Push"), "queue bounded(1) Push not-ok alone": one("Push", "Push")}),
			want:    "queue in D; queue alone; 8 x queue bounded alone; pqueue alone; queue Push not-ok alone; queue bounded(1) Push not-ok alone; queue bounded(2) Push not-ok alone; queue bounded(2) Push not-ok in D => verified, the bool of Push is true where there is no room, it holds 2 items at most, as one thread sees (client)"},
		{name: "a bool tells something else", source: strings.Replace(methods("Queue", "Push(v int) bool { return true }", "Pop"+take), "func (b *Queue) Push", "// Push reports whether it is full now.\nfunc (b *Queue) Push", 1), terms: expected,
			answers: with(unbox("queue", 8), map[string]verdict.Verdict{"queue in D": two("Push"), "queue alone": one("Push"), "pqueue alone": one("Push")}),
			want:    "queue in D; queue alone; queue Push else alone; queue Push else in D; queue/self Push else whole in D => verified, the bool of Push tells something else than whether it was done, and is not held against the oracle queue, Push: judged by the same code run sequentially, together with all other operations"},
		{name: "an early bool tells something else", source: strings.Replace(methods("Box", "Push(v int) bool { return true }", "Pop"+take), "func (b *Box) Push", "// Push reports whether the box was empty.\nfunc (b *Box) Push", 1), answers: map[string]verdict.Verdict{"stack alone": one("Push")},
			want: "stack alone; stack Push else alone; stack Push else in D; stack/self Push else whole in D => verified, the bool of Push tells something else than whether it was done, and is not held against the oracle stack, Push: judged by the same code run sequentially, together with all other operations"},
		{name: "a bool tells something else, and there is no room", source: strings.Replace(methods("Queue", "Push(v int) bool { return true }", "Pop"+take), "func (b *Queue) Push", "// Push reports whether it is full now.\nfunc (b *Queue) Push", 1), terms: expected,
			answers: with(unbox("queue", 8), map[string]verdict.Verdict{"queue in D": two("Push"), "queue alone": one("Push"), "pqueue alone": one("Push"), "queue Push else alone": one("Pop")}),
			want:    "queue in D; queue alone; queue Push else alone; pqueue alone; queue/self in D => verified, not a queue, no kind agrees with what one thread sees (no queue: client), so only the code itself judges it"},
		{name: "calls mix up results", source: methods("Box", "Do(f func() int) int { return f() }"), terms: expected, facts: facts{own: true}, answers: map[string]verdict.Verdict{"object/self in D": called("Do", "1 call", "1 call")},
			want: "object/self in D => violated"},
		{name: "one of the calls joins another", source: methods("Box", "Do(f func() int) int { return f() }"), terms: expected, facts: facts{own: true}, answers: map[string]verdict.Verdict{"object/self in D": called("Do", "1 call", "0 calls"), "object/self agreeing on 2 in D": two("Do")},
			want: "object/self in D; object/self agreeing in D; object/self agreeing on 2 in D => violated, functions given to Do return the same: calls at the same time share one result"},
		{name: "calls keep a result", source: methods("Box", "Do(f func() int) int { return f() }"), terms: expected, answers: map[string]verdict.Verdict{"object/self in D": two("Do")},
			want: "object/self in D => violated"},

		{name: "one takes another one", source: methods("Hits", "Inc() int { return 0 }; func (h *Hits) Merge(o *Hits) {}"), terms: expected,
			want: "counter/self in D; object/self given map[Merge:another] in 2x3 => verified, Merge is given another Hits in clients of two of them, in 2x3"},
		{name: "two wait for each other", source: methods("Hits", "Inc() int { return 0 }; func (h *Hits) Merge(o *Hits) {}"), terms: expected, answers: map[string]verdict.Verdict{"object/self given map[Merge:another] in 2x3": stuck("Merge")},
			want: "counter/self in D; object/self given map[Merge:another] in 2x3 => violated"},
		{name: "what one takes of another is not one step", source: methods("Hits", "Inc() int { return 0 }; func (h *Hits) Merge(o *Hits) {}"), terms: expected, answers: map[string]verdict.Verdict{"object/self given map[Merge:another] in 2x3": two("Merge")},
			want: "counter/self in D; object/self given map[Merge:another] in 2x3 => verified, Merge, given another Hits, is no single step of both: two of them show a history that no order explains (Request.Give 'Merge=another', Request.Kind object)"},

		{name: "two have too many states for three calls", source: methods("Hits", "Inc() int { return 0 }; func (h *Hits) Merge(o *Hits) {}; func (h *Hits) Swap(o *Hits) {}"), terms: expected, answers: map[string]verdict.Verdict{"object/self given map[Merge:another] in 2x3": atLimit("states")},
			want: "counter/self in D; object/self given map[Merge:another] in 2x3; object/self given map[Merge:another] in 2x2; object/self given map[Swap:another] in 2x3 => verified, Merge is given another Hits in clients of two of them, in 2x2, Swap is given another Hits in clients of two of them, in 2x3"},
		{name: "two have too many states", source: methods("Hits", "Inc() int { return 0 }; func (h *Hits) Merge(o *Hits) {}"), terms: expected, answers: map[string]verdict.Verdict{"object/self given map[Merge:another] in 2x3": atLimit("states"), "object/self given map[Merge:another] in 2x2": atLimit("states")},
			want: "counter/self in D; object/self given map[Merge:another] in 2x3; object/self given map[Merge:another] in 2x2 => verified, without Merge: takes another Hits, of which two have too many states; verified with fewer arguments, or with less of its results compared, only"},

		{name: "a copy is used", source: methods("Hits", "Inc() int { return 0 }; func (h *Hits) Clone() *Hits { return nil }"), terms: expected,
			want: "counter/self in D; object/self given map[Clone:copy] in 2x3 => verified, what Clone gives is used by who got it, beside the original, in 2x3"},
		{name: "a copy shares what it is made of", source: methods("Hits", "Inc() int { return 0 }; func (h *Hits) Clone() *Hits { return nil }"), terms: expected, answers: map[string]verdict.Verdict{"object/self given map[Clone:copy] in 2x3": two("Clone")},
			want: "counter/self in D; object/self given map[Clone:copy] in 2x3 => violated"},
		{name: "what is wrong has nothing to do with a copy", source: methods("Hits", "Inc() int { return 0 }; func (h *Hits) Clone() *Hits { return nil }"), terms: expected, answers: map[string]verdict.Verdict{"object/self given map[Clone:copy] in 2x3": two("Inc")},
			want: "counter/self in D; object/self given map[Clone:copy] in 2x3 => verified"},
		{name: "a copy has too many states", source: methods("Hits", "Inc() int { return 0 }; func (h *Hits) Clone() *Hits { return nil }"), terms: expected, answers: map[string]verdict.Verdict{"object/self given map[Clone:copy] in 2x3": atLimit("states")},
			want: "counter/self in D; object/self given map[Clone:copy] in 2x3; object/self given map[Clone:copy] in 2t 3s 0p => verified, what Clone gives is used by who got it, beside the original, in 2t 3s 0p with one value"},
		{name: "a copy shares, as its documentation says", source: strings.Replace(methods("Hits", "Inc() int { return 0 }; func (h *Hits) Clone() *Hits { return nil }"), "func (h *Hits) Clone", "\n// Clone gives one that shares the counts.\nfunc (h *Hits) Clone", 1), terms: expected, answers: map[string]verdict.Verdict{"object/self given map[Clone:copy] in 2x3": two("Clone")},
			want: "counter/self in D; object/self given map[Clone:copy] in 2x3 => verified, the operations of what Clone gives are not called beside others: as its documentation says (example.go:5): Clone gives one that shares the counts."},

		{name: "one tells of calls in progress", source: methods("Group", "Do(key string) {}", "Stop() {}", "Waiting() int { return 0 }"), answers: map[string]verdict.Verdict{"object/self in D": history(call{"Do", 1, 1, 9}, call{"Waiting", 2, 2, 3})},
			want: "object/self in D; object/self without Waiting in D; object/self sc in D => violated, holds without Waiting (Request.Ops Do,Stop), in this scope: does Waiting tell of calls in progress? No order of the calls explains that, holds with Request.Property sc, in this scope"},
		{name: "one tells of what calls have left", source: methods("Group", "Do(key string) {}", "Stop() {}", "Waiting() int { return 0 }"), answers: map[string]verdict.Verdict{"object/self in D": history(call{"Do", 1, 1, 2}, call{"Waiting", 2, 3, 4})},
			want: "object/self in D; object/self sc in D => violated, holds with Request.Property sc, in this scope"},
		{name: "what tells of calls in progress is not all that is wrong", source: methods("Group", "Do(key string) {}", "Stop() {}", "Waiting() int { return 0 }"), answers: map[string]verdict.Verdict{"object/self in D": history(call{"Do", 1, 1, 9}, call{"Waiting", 2, 2, 3}), "object/self without Waiting in D": two("Do")},
			want: "object/self in D; object/self without Waiting in D; object/self sc in D => violated, holds with Request.Property sc, in this scope"},

		{name: "an operation gives ids, and others take them", facts: facts{names: []string{`"s1"`, `"s2"`, `"s3"`}},
			source: methods("Store", "Create(user string) string { return user }", "Put(id, key string) int { return 0 }", "Move(from, to string) int { return 0 }", "Size() int { return 0 }"),
			want:   "object/self knowing Move.0 of Create is \"s1\" \"s2\", Move.1 of Create is \"s1\" \"s2\", Put.0 of Create is \"s1\" \"s2\" in D => verified"},
		{name: "an operation beside those of the kind gives tickets", facts: facts{names: []string{"1001"}, naming: 3},
			source: methods("Queue", "Enqueue"+put, "Dequeue"+take, "Reserve() int64 { return 0 }", "Cancel(ticket int64) bool { return false }"),
			want:   "queue in D; queue/self whole knowing Cancel.0 of Reserve is 1001 0 in D => verified, Cancel, Reserve: judged by the same code run sequentially, together with all other operations"},
		{name: "calls wait in turn", source: turnstile, answers: map[string]verdict.Verdict{"object/self in D": together("Enter")},
			want: "object/self in D; object/self in turn in D => verified, " + inTurn},
		{name: "calls wait in turn, as sequential consistency does not know", source: turnstile, property: verdict.Sequential, answers: map[string]verdict.Verdict{"object/self sc in D": together("Enter")},
			want: "object/self sc in D; object/self in turn sc in D => verified, " + inTurn},
		{name: "calls wait in turn, and nothing else is known", source: turnstile, property: verdict.Sequential, terms: func(t *Terms) { t.Property = true }, answers: map[string]verdict.Verdict{"object/self sc in D": together("Enter"), "object/self in turn sc in D": unknown("too many states"), "object/self Enter:1 sc in D": unknown("")},
			want: "object/self sc in D; object/self in turn sc in D; object/self Enter:1 sc in D => violated, the rule \"in turn\", by which it may be right, has not decided: too many states (doc/inquiry.md)"},
		{name: "calls that wait are wrong all the same", source: turnstile, terms: func(t *Terms) { t.Property = true }, answers: map[string]verdict.Verdict{"object/self in D": together("Enter"), "object/self in turn in D": two("Leave"), "object/self in turn Leave:1 in D": unknown("")},
			want: "object/self in D; object/self in turn in D; object/self in turn Leave:1 in D => violated, " + inTurn},
		{name: "calls wait in turn, and one ends what nobody has begun", source: locker, answers: map[string]verdict.Verdict{"object/self in D": together("Lock"), "object/self in turn in D": two("Unlock")},
			want: "object/self in D; object/self in turn in D; object/self paired in turn in D => verified, " + inTurn + ", " + unbegun},
		{name: "a call ends what nobody has begun, and others wait in turn", source: locker, answers: map[string]verdict.Verdict{"object/self in D": two("Unlock"), "object/self paired in D": together("Lock")},
			want: "object/self in D; object/self paired in D; object/self paired in turn in D => verified, " + unbegun + ", " + inTurn},
		{name: "one call waits", source: turnstile, terms: func(t *Terms) { t.Property = true }, answers: map[string]verdict.Verdict{"object/self in D": stuck("Enter")},
			want: "object/self in D => violated"},
		{name: "calls do not wait in turn, by wish", source: turnstile, terms: func(t *Terms) { t.Property, t.Strict = true, true }, answers: map[string]verdict.Verdict{"object/self in D": together("Enter"), "object/self Enter:1 in D": unknown("")},
			want: "object/self in D; object/self Enter:1 in D => violated"},
		{name: "calls meet others that wait", source: turnstile, answers: map[string]verdict.Verdict{"object/self in D": unknown(subject.MetOnly + " (client)")},
			want: "object/self in D; object/self in turn in D => verified, " + inTurn},
		{name: "calls meet, and it is not known what comes of it", source: turnstile, answers: map[string]verdict.Verdict{"object/self in D": unknown(subject.MetOnly + " (client)"), "object/self in turn in D": unknown("too many states")},
			want: "object/self in D; object/self in turn in D => unknown, " + inTurn},
		{name: "calls meet, whoever waits in turn", source: turnstile, answers: map[string]verdict.Verdict{"object/self in D": unknown(subject.MetOnly + " (client)"), "object/self in turn in D": unknown(subject.MetOnly + " (client)")},
			want: "object/self in D; object/self in turn in D => unknown"},
		{name: "nobody who waits in turn is forgotten", source: turnstile, terms: usual, facts: facts{unsynchronized: true}, answers: map[string]verdict.Verdict{"object/self in D": together("Enter"), "object/self in turn in D": narrow()},
			want: "object/self in D; object/self in turn in D; object/self in turn in 3x4; object/self in turn proof in D => verified, " + inTurn + ", nobody who waits in turn is forgotten by three threads with four calls (3x4)"},
		{name: "one who waits in turn is forgotten", source: turnstile, terms: func(t *Terms) { usual(t); expected(t) }, facts: facts{unsynchronized: true}, answers: map[string]verdict.Verdict{"object/self in D": together("Enter"), "object/self in turn in D": narrow(), "object/self in turn in 3x4": large("Enter")},
			want: "object/self in D; object/self in turn in D; object/self in turn in 3x4 => violated, " + inTurn},
		{name: "three who wait in turn have too many states", source: turnstile, terms: usual, facts: facts{unsynchronized: true}, answers: map[string]verdict.Verdict{"object/self in D": together("Enter"), "object/self in turn in D": narrow(), "object/self in turn in 3x4": atLimit("states")},
			want: "object/self in D; object/self in turn in D; object/self in turn in 3x4; object/self in turn proof in D => verified, " + inTurn + ", whether one of several who wait in turn is forgotten was not decided: three threads with four calls (3x4) have too many states"},
		{name: "a function calls back", source: bus, want: "object/self in D; object/self given map[On:it.Off] alone; object/self given map[On:it.On] alone => verified, " +
			"functions that On is given call back in clients of one thread only, each once: Off, On"},
		{name: "a function calls back and waits for itself", source: bus, answers: map[string]verdict.Verdict{"object/self given map[On:it.On] alone": itself("Off", true)},
			want: "object/self in D; object/self given map[On:it.Off] alone; object/self given map[On:it.On] alone => violated, holds if no function that On is given calls On"},
		{name: "a function calls back and waits for what calls it", source: bus, answers: map[string]verdict.Verdict{"object/self given map[On:it.Off] alone": itself("Off", false)},
			want: "object/self in D; object/self given map[On:it.Off] alone; object/self given map[On:it.On] alone => verified, functions that On is given do not call Off (deadlock): what one thread then meets may be their own fault, and is not judged, functions that On is given call back in clients of one thread only, each once: On"},
		{name: "a function calls back and the search reaches its limit", source: bus, answers: map[string]verdict.Verdict{"object/self given map[On:it.Off] alone": unknown("")},
			want: "object/self in D; object/self given map[On:it.Off] alone; object/self given map[On:it.On] alone => verified, functions that On is given do not call Off: the search for it was not finished, so that it is not judged, " +
				"functions that On is given call back in clients of one thread only, each once: On"},
		{name: "a function calls back what executes it", source: bus, answers: map[string]verdict.Verdict{"object/self given map[On:it.Off] alone": itself("On", true)},
			want: "object/self in D; object/self given map[On:it.Off] alone; object/self given map[On:it.On] alone => verified, functions that On is given do not call Off, which would wait for a lock that the thread holds, " +
				"functions that On is given call back in clients of one thread only, each once: On"},
		{name: "a function uses what it was given for", source: strings.Replace(bus, "On(f func(int)) int { return 0 }", "On(f func(int)) (off func()) { return nil }", 1),
			want: "object/self in D; object/self given map[On:it.Off] alone; object/self given map[On:it.call On] alone; object/self given map[On:it.On] alone => verified, " +
				"functions that On is given call back in clients of one thread only, each once: Off, call On, On"},
		{name: "a function has nothing that a thread keeps", source: bus + "func (b *Bus) Get() *Part { return nil }\ntype Part struct{}\nfunc (p *Part) Use() {}",
			want: "object/self in D; object/self given map[On:it.Off] alone; object/self given map[On:it.On] alone => verified, functions that On is given are not tried to call Part.Use, Get, " +
				"functions that On is given call back in clients of one thread only, each once: Off, On"},
		{name: "what gives a value does not call back", source: strings.Replace(bus, "On(f func(int))", "On(f func(int) int)", 1), answers: map[string]verdict.Verdict{"object/self given map[On:it.Off] alone": itself("Off", true)},
			want: "object/self in D; object/self given map[On:it.Off] alone; object/self given map[On:it.On] alone => verified, functions that On is given do not call Off, which would wait for a lock that the thread holds, " +
				"functions that On is given call back in clients of one thread only, each once: On"},
		{name: "no function may call back", source: strings.Replace(bus, "func (b *Bus) On", "// On calls f, which must not call Off.\nfunc (b *Bus) On", 1),
			answers: map[string]verdict.Verdict{"object/self given map[On:it.Off] alone": itself("Off", true)},
			want:    "object/self in D; object/self given map[On:it.Off] alone => verified, functions that On is given do not call Off: as its documentation says (example.go:4): On calls f, which must not call Off."},

		{name: "an operation cannot be executed", source: worker, answers: map[string]verdict.Verdict{"object/self in D": inexecutable("Note")},
			want: "object/self in D; object/self without Note in D => verified, without Note: is not executable: no reflection"},
		{name: "what is left shows nothing", source: worker, terms: func(t *Terms) { t.Property = true }, answers: map[string]verdict.Verdict{"object/self in D": inexecutable("Note"), "object/self without Note in D": returned("5", "")},
			want: "object/self in D; object/self without Note in D => unknown"},
		{name: "it shows something without it", source: worker, answers: map[string]verdict.Verdict{"object/self in D": inexecutable("Note"), "object/self without Note in D": one("Close")},
			want: "object/self in D; object/self without Note in D; object/self without Note sc in D => violated, without Note: is not executable: no reflection, holds with Request.Property sc, in this scope"},
		{name: "the last one cannot be executed either", source: worker, answers: map[string]verdict.Verdict{"object/self in D": inexecutable("Note"), "object/self without Note in D": inexecutable("Close")},
			want: "object/self in D; object/self without Note in D => unknown, without Note: is not executable: no reflection"},
		{name: "one of the whole type's", source: more, answers: map[string]verdict.Verdict{"queue/self whole in D": inexecutable("Latest")},
			want: "queue in D; queue/self whole in D; queue/self whole without Latest in D => verified, without Latest: is not executable: no reflection; verified with fewer arguments, or with less of its results compared, only"},
		{name: "the whole type", source: more, want: "queue in D; queue/self whole in D => verified, Latest: judged by the same code run sequentially, together with all other operations"},
		{name: "the whole type is wrong", source: more, answers: map[string]verdict.Verdict{"queue/self whole in D": one("Latest")},
			want: "queue in D; queue/self whole in D => violated, holds without Latest, by the oracle queue"},
		{name: "the whole type is too much", source: more, answers: map[string]verdict.Verdict{"queue/self whole in D": unknown("too many states")},
			want: "queue in D; queue/self whole in D => verified, without Latest: could not be judged: too many states; verified with fewer arguments, or with less of its results compared, only"},
		{name: "the whole type is too much, and reads the clock", source: more, answers: map[string]verdict.Verdict{"queue in D": {Status: verdict.Verified, Assumptions: []string{subject.ClockStands}}, "queue/self whole in D": unknown("too many states")},
			want: "queue in D; queue/self whole year-passes:alone in 3t 3s 1p; queue/self whole in D; queue/self whole year-passes:alone in 2t 5s 1p; queue/self whole year-passes:alone in 2t 4s 1p => " +
				"verified, without Latest: could not be judged: too many states; verified with fewer arguments, or with less of its results compared, only, the clock stands still: time.Now is the same moment throughout, in UTC, and nothing expires by it, " +
				"all of it together, where the clock goes on at any moment, could not be judged: too many states, " +
				"it is right, too, where the clock goes on by a year between two calls, for all who call it then, in 3t 3s 1p with one value, in 2t 5s 1p with one value, in 2t 4s 1p with 2 values"},
		{name: "wrong where years pass", source: more, answers: map[string]verdict.Verdict{"queue in D": {Status: verdict.Verified, Assumptions: []string{subject.ClockStands}}, "queue/self whole year-passes:alone in 3t 3s 1p": one("Latest")},
			want: "queue in D; queue/self whole year-passes:alone in 3t 3s 1p => violated, holds while the clock stands still, by the oracle queue, in D"},
		{name: "the whole type fails", source: more, answers: map[string]verdict.Verdict{"queue/self whole in D": {Reason: "fails"}},
			want: "queue in D; queue/self whole in D (the engine fails) => verified, without Latest: cannot be judged: the engine fails; verified with fewer arguments, or with less of its results compared, only"},
		{name: "beside a proof", source: more, answers: map[string]verdict.Verdict{"queue in D": {Status: verdict.Proved}},
			want: "queue in D; queue searched in D; queue/self whole searched in D => proved, that calls return is no part of the proof: verified in D, Latest: no part of the proof; verified with all other operations in D, judged by the same code run sequentially"},
		{name: "wrong beside a proof", source: more, answers: map[string]verdict.Verdict{"queue in D": {Status: verdict.Proved}, "queue/self whole searched in D": one("Latest")},
			want: "queue in D; queue searched in D; queue/self whole searched in D => violated, proved without Latest, "},
		{name: "unknown beside a proof", source: more, answers: map[string]verdict.Verdict{"queue in D": {Status: verdict.Proved}, "queue/self whole searched in D": unknown("too many states")},
			want: "queue in D; queue searched in D; queue/self whole searched in D => proved, without Latest: could not be judged: too many states; verified with fewer arguments, or with less of its results compared, only, that calls return is no part of the proof: verified in D"},
		{name: "beside a proof that calls return", source: more, property: verdict.LockFree, answers: map[string]verdict.Verdict{"queue lock-free in D": {Status: verdict.Proved}},
			want: "queue lock-free in D; queue/self whole searched in D; queue/self whole lock-free searched in D => proved, " +
				"Latest: no part of the proof; verified with all other operations in D, judged by the same code run sequentially, and lock-free with them in D"},
		{name: "calls beside it keep others from returning", source: more, property: verdict.LockFree,
			answers: map[string]verdict.Verdict{"queue lock-free in D": {Status: verdict.Proved}, "queue/self whole lock-free searched in D": stuck("Latest")},
			want:    "queue lock-free in D; queue/self whole searched in D; queue/self whole lock-free searched in D => violated, proved without Latest, "},
		{name: "beside a proof of no deadlocks", source: more, property: verdict.DeadlockFree, answers: map[string]verdict.Verdict{"queue deadlock-free in D": {Status: verdict.Proved}},
			want: "queue deadlock-free in D; queue/self whole searched in D => proved, Latest: no part of the proof; verified with all other operations in D, judged by the same code run sequentially; " +
				"whether it is deadlock-free with them was not decided"},
		{name: "an invariant beside a proof that calls return", source: lined, invariants: "Lined:always", property: verdict.LockFree,
			answers: map[string]verdict.Verdict{"queue lock-free in D": {Status: verdict.Proved}, "queue searched in D": untrue("Lined")},
			want:    "queue lock-free in D; queue searched in D => violated, its results are proved, "},
		{name: "a proof of what does not return", source: queued, answers: map[string]verdict.Verdict{"queue in D": {Status: verdict.Proved}, "queue searched in D": stuck("Get")},
			want: "queue in D; queue searched in D; queue alone => violated, its results are proved, "},
		{name: "a proof once Get may wait", source: queued, answers: map[string]verdict.Verdict{"queue in D": {Status: verdict.Proved}, "queue searched in D": stuck("Get"), "queue alone": stuck("Get"),
			"queue waits Get in D": {Status: verdict.Proved}},
			want: "queue in D; queue searched in D; queue alone; queue waits Get alone; queue waits Get in D; queue waits Get searched in D => proved, " +
				"Get waits where there is nothing, as one thread sees (client); Request.Protocol 'nonblocking' says otherwise, that calls return is no part of the proof: verified in D"},
		{name: "a proof of calls that never return", source: worker, facts: facts{crash: "panics: a nil map"}, answers: map[string]verdict.Verdict{"object/self in D": {Status: verdict.Proved}, "object/self searched in D": returned("panic", "panic")},
			want: "object/self in D; object/self searched in D => unknown, no call of any operation returned in the whole scope, so that nothing was verified: Note panics: a nil map; Close panics: a nil map; it is made by new(Worker) (Request.New names another constructor)"},
		{name: "a proof where one operation never returns", source: worker, answers: map[string]verdict.Verdict{"object/self in D": {Status: verdict.Proved}, "object/self searched in D": returned("1", "panic")},
			want: "object/self in D; object/self searched in D => proved, that calls return is no part of the proof: verified in D"},
		{name: "an invariant beside a proof", source: lined, invariants: "Lined:always", answers: map[string]verdict.Verdict{"queue in D": {Status: verdict.Proved}},
			want: "queue in D; queue searched in D => proved, that calls return is no part of the proof: verified in D, that the invariant Lined is true in every state is no part of the proof: verified in D"},
		{name: "a broken one beside a proof", source: lined, invariants: "Lined:always", answers: map[string]verdict.Verdict{"queue in D": {Status: verdict.Proved}, "queue searched in D": untrue("Lined")},
			want: "queue in D; queue searched in D => violated, its results are proved, "},
		{name: "an undecided one beside a proof", source: lined, invariants: "Lined:always", answers: map[string]verdict.Verdict{"queue in D": {Status: verdict.Proved}, "queue searched in D": unknown("too many states")},
			want: "queue in D; queue searched in D => proved, that calls return is no part of the proof: not decided: too many states, that the invariant Lined is true in every state is no part of the proof: not decided: too many states"},
		{name: "one that cannot be asked", source: lined, invariants: "Lined:always", answers: map[string]verdict.Verdict{"queue in D": {Status: verdict.Proved}, "queue searched in D": {Reason: "fails"}},
			want: "queue in D; queue searched in D (the engine fails) => proved, that calls return is no part of the proof: cannot be asked: the engine fails, that the invariant Lined is true in every state is no part of the proof: cannot be asked: the engine fails"},
		{name: "the whole type in a small scope", source: more, terms: usual, facts: facts{goroutines: true}, answers: map[string]verdict.Verdict{"queue/self whole in B": one("Latest")},
			want: "queue in D; queue/self whole in B => violated, holds without Latest, by the oracle queue, in D+1x5x3+2x4+2x5+3x4+2x6"},

		{name: "also proved", source: queued, terms: usual, answers: map[string]verdict.Verdict{"queue proof in D": {Status: verdict.Proved, Engine: "cmp", Findings: verdict.Findings{Proof: &verdict.Proof{}}, Assumptions: append(engine.OfEnds(""), "hash functions are right"), Scope: verdict.FewItems{Items: 2, Values: 2}.Scope()}},
			want: "queue in D; queue proof in D => verified, no wrong result, panic or data race for any number of threads and calls, items at a time up to 2, values 0..1; of these it is assumed: hash functions are right"},
		{name: "proved for more calls than were searched", source: queued, terms: usual, answers: map[string]verdict.Verdict{"queue proof in D": {Status: verdict.Proved, Engine: "places", Findings: verdict.Findings{Proof: &verdict.Proof{}},
			Scope: verdict.Scope{Limits: []verdict.Limit{{Name: "threads, values", Value: verdict.AnyNumber}, {Name: "calls", Value: "8", Operations: []string{"Put"}}}}}},
			want: "queue in D; queue proof in D => verified, no wrong result, panic or data race for any number of threads and values, at most 8 calls of Put in all"},
		{name: "proved for as few calls as were searched", source: queued, terms: usual, answers: map[string]verdict.Verdict{"queue proof in D": {Status: verdict.Proved, Engine: "places", Findings: verdict.Findings{Proof: &verdict.Proof{}},
			Scope: verdict.Scope{Limits: []verdict.Limit{{Name: "threads, values", Value: verdict.AnyNumber}, {Name: "calls", Value: "3", Operations: []string{"Put"}}}}}},
			want: "queue in D; queue proof in D; queue/self moment in D => verified"},
		{name: "not proved", source: queued, terms: usual, answers: map[string]verdict.Verdict{"queue proof in D": unknown("too many views")},
			want: "queue in D; queue proof in D; queue/self moment in D => verified"},
		{name: "proved without others", source: more, terms: usual, answers: map[string]verdict.Verdict{"queue proof in D": {Status: verdict.Proved, Engine: "cmp", Findings: verdict.Findings{Proof: &verdict.Proof{}}, Scope: verdict.FewItems{Items: 2, Values: 2}.Scope()}},
			want: "queue in D; queue/self whole in D; queue proof in D => verified, no wrong result, panic or data race without Latest, for any number of threads and calls, items at a time up to 2, values 0..1, Latest: judged by the same code run sequentially, together with all other operations, without Latest: verified by the oracle queue, in D+1x5x3+2x4+2x5+3x4+2x6 as well"},
		{name: "no proof without races", source: queued, terms: func(t *Terms) { usual(t); t.Search.NoRaces = true }, want: "queue in D => verified"},
		{name: "no proof if nobody wants one", source: queued, terms: func(t *Terms) { usual(t); t.Prove = "off" }, want: "queue in D => verified"},
		{name: "a proof in a scope of one's own", source: queued, terms: func(t *Terms) { t.Prove = "auto" }, want: "queue in D; queue proof in D; queue/self moment in D => verified"},

		{name: "a proof that each call takes effect at one moment", source: queued, terms: func(t *Terms) { t.Engine = "prover" }, answers: map[string]verdict.Verdict{"queue in D": unknown("no proof"), "queue/self moment in D": sections(),
			"queue alone in 1x5": unknown("too many states")},
			want: "queue in D; queue/self moment in D; queue alone in 1x3; queue alone in 1x4; queue alone in 1x5; queue searched in D => proved, one thread in 1x4, what one thread does is not proved: the oracle queue has verified it in 1x4, that calls return is no part of the proof: verified in D, " + verdict.PanicsAlone + ", given"},
		{name: "one thread is wrong behind such a proof", source: queued, terms: func(t *Terms) { t.Engine = "prover" }, answers: map[string]verdict.Verdict{"queue in D": unknown("no proof"), "queue/self moment in D": sections(), "queue alone in 1x4": one("Dequeue")},
			want: "queue in D; queue/self moment in D; queue alone in 1x3; queue alone in 1x4; queue synchronous in 1x4+D; queue sc in 1x4+D => violated, holds with Request.Protocol 'synchronous', in this scope: may its operations wait, or fail?, holds with Request.Property sc, in this scope"},
		{name: "nothing is known of one thread behind such a proof", source: queued, terms: func(t *Terms) { t.Engine = "prover" }, answers: map[string]verdict.Verdict{"queue in D": unknown("no proof"), "queue/self moment in D": sections(), "queue alone in 1x3": unknown("too many states")},
			want: "queue in D; queue/self moment in D; queue alone in 1x3 => unknown"},
		{name: "no proof of that either", source: queued, terms: func(t *Terms) { t.Engine = "prover" }, answers: map[string]verdict.Verdict{"queue in D": unknown("no proof"), "queue/self moment in D": unknown("two critical sections")},
			want: "queue in D; queue/self moment in D => unknown"},
		{name: "calls return if they do alone", source: more, property: verdict.DeadlockFree, terms: func(t *Terms) { t.Engine = "prover" }, answers: map[string]verdict.Verdict{"queue deadlock-free in D": returningAlone()},
			want: "queue deadlock-free in D; queue searched in D; queue/self whole searched in D => proved, that a call returns when nobody else calls is no part of the proof: verified in D, " + verdict.PanicsAlone + ", Latest: no part of the proof; verified with all other operations in D, judged by the same code run sequentially; whether it is deadlock-free with them was not decided"},
		{name: "such a proof of all operations", source: more, terms: func(t *Terms) { t.Engine = "prover" }, answers: map[string]verdict.Verdict{"queue in D": unknown("no proof"), "queue/self whole moment in D": sections(), "queue alone in 1x4": unknown("too many states")},
			want: "queue in D; queue/self whole moment in D; queue alone in 1x3; queue alone in 1x4; queue/self whole searched in D => proved, one thread in 1x3, what one thread does is not proved: the oracle queue has verified it in 1x3, that calls return is no part of the proof: verified in D, " + verdict.PanicsAlone + ", given"},
		{name: "such a proof that calls return", source: queued, property: verdict.DeadlockFree, terms: func(t *Terms) { t.Engine = "prover" }, answers: map[string]verdict.Verdict{"queue deadlock-free in D": unknown("no proof"), "queue/self deadlock-free moment in D": returningAlone(), "queue alone in 1x4": unknown("too many states")},
			want: "queue deadlock-free in D; queue/self deadlock-free moment in D; queue alone in 1x3; queue alone in 1x4; queue/self searched in D => proved, one thread in 1x3, what one thread does is not proved: the oracle queue has verified it in 1x3, that a call returns when nobody else calls is no part of the proof: verified in D, " + verdict.PanicsAlone},
		{name: "such a proof of calls that do not return", source: queued, property: verdict.DeadlockFree, terms: func(t *Terms) { t.Engine = "prover" }, answers: map[string]verdict.Verdict{"queue deadlock-free in D": unknown("no proof"), "queue/self deadlock-free moment in D": returningAlone(), "queue alone in 1x4": unknown("too many states"), "queue/self searched in D": stuck("Put")},
			want: "queue deadlock-free in D; queue/self deadlock-free moment in D; queue alone in 1x3; queue alone in 1x4; queue/self searched in D => violated"},
		{name: "such a proof beside a search", source: queued, terms: usual, answers: map[string]verdict.Verdict{"queue proof in D": unknown("too many views"), "queue/self moment in D": sections()},
			want: "queue in D; queue proof in D; queue/self moment in D => verified, each call takes effect at one moment, with what its code does when nobody else calls, and without a data race, for any number of threads and calls, items at a time up to 2, values 0..1; of these it is assumed: given"},
		{name: "another proof beside a search", source: queued, terms: usual, answers: map[string]verdict.Verdict{"queue proof in D": {Status: verdict.Proved, Engine: "cmp", Findings: verdict.Findings{Proof: &verdict.Proof{}}, Scope: verdict.FewItems{Items: 2, Values: 2}.Scope()}},
			want: "queue in D; queue proof in D => verified, no wrong result, panic or data race for any number of threads and calls, items at a time up to 2, values 0..1"},

		{name: "no call returns", source: worker, facts: facts{crash: "panics: a nil map"}, answers: map[string]verdict.Verdict{"object/self in D": returned("panic", "panic")},
			want: "object/self in D => unknown, no call of any operation returned in the whole scope, so that nothing was verified: Note panics: a nil map; Close panics: a nil map; it is made by new(Worker) (Request.New names another constructor)"},
		{name: "one operation never returns", source: worker, facts: facts{crash: "panics: a nil map"}, answers: map[string]verdict.Verdict{"object/self in D": returned("1", "panic")},
			want: "object/self in D => verified, without Close: no call of it returned in this scope: it panics: a nil map"},
		{name: "no call returns, as the kind has it", source: methods("Queue", "Put"+put, "Get"+take), answers: map[string]verdict.Verdict{"queue in D": {Status: verdict.Verified, Findings: verdict.Findings{Returns: []verdict.Returns{{Operation: "Get", Waits: true, Never: true}}}}},
			want: "queue in D => verified, without Get: no call of it returned in this scope: they wait for ever"},
		{name: "what was made in a guessed way is nil", source: worker + "type Source interface{ Next() int }\nfunc Dial(s Source) *Worker { return nil }\n", answers: map[string]verdict.Verdict{"object/self in D": crashed("panic: a nil map\nand more", 1)},
			want: "object/self in D => unknown, one thread alone fails (client), at w.go:7 in Note: panic: a nil map; it is made as its zero value; what else returns one is not called: Dial takes s Source, for which there is no obvious argument (Request.New)"},
		{name: "it takes two threads to be nil", source: worker + "type Source interface{ Next() int }\nfunc Dial(s Source) *Worker { return nil }\n", answers: map[string]verdict.Verdict{"object/self in D": crashed("panic: a nil map", 2)},
			want: "object/self in D; object/self Note:1 in D => violated, holds with Request.Roles 'Note:1', in this scope: is it for one thread that calls Note?"},

		{name: "endless, for a fair scheduler", source: methods("Stack", "Push"+put, "Pop"+take), terms: func(t *Terms) { t.Bounds.Unfair = true }, answers: map[string]verdict.Verdict{"stack in D": {Status: verdict.Violated, Findings: verdict.Findings{Violation: &verdict.Violation{Class: "livelock", Execution: &verdict.Witness{}}}}, "stack synchronous fair in D": unknown("")},
			want: "stack in D; stack fair in D; stack synchronous in D => violated, holds if endless executions count only where the scheduler is fair, in this scope, holds with Request.Protocol 'synchronous', in this scope: may its operations wait, or fail?"},
		{name: "one pushes, another one pops", source: methods("Stack", "Push"+put, "Pop"+take), answers: map[string]verdict.Verdict{"stack in D": two("Push"), "stack synchronous in D": two("Push"), "stack Push:1 in D": two("Pop"), "stack sc in D": two("Pop"), "stack quiescent in D": two("Pop")},
			want: "stack in D; stack alone; stack synchronous in D; stack Push:1 in D; stack Push:1,Pop:2 in D; stack sc in D; stack quiescent in D => violated, holds with Request.Roles 'Push:1,Pop:2', in this scope: is it for one thread that calls Push, and one that calls Pop?"},
		{name: "quiescent", source: methods("Counter", "GetAndIncrement() int { return 0 }"), answers: map[string]verdict.Verdict{"counter in D": two("GetAndIncrement"), "counter sc in D": two("GetAndIncrement"), "counter GetAndIncrement:1 in D": unknown("")},
			want: "counter alone; counter in D; counter alone; counter GetAndIncrement:1 in D; counter sc in D; counter quiescent in D => violated, holds with Request.Property quiescent, in this scope"},
		{name: "a read that lasts", source: summed, answers: map[string]verdict.Verdict{"counter in D": one("Inc", "Get")},
			want: "counter alone; counter in D; counter alone; counter linear(Get:parts) in D; counter sc in D => violated, holds with Request.Specification.Overlaps 'Get:parts', in this scope: Get sees each key at a moment of its own during the call, and of calls without a key any that take effect meanwhile, holds with Request.Property sc, in this scope"},
		{name: "a read that is right alone", source: summed, answers: map[string]verdict.Verdict{"counter in D": one("Inc", "Get"), "counter linear(Get:parts) in D": one("Inc", "Get"), "counter linear(Get:some) in D": one("Get"), "counter linear(Get:between) in D": {Reason: "fails"}, "counter linear(Get:eventually) in D": one("Get")},
			want: "counter alone; counter in D; counter alone; counter linear(Get:parts) in D; counter linear(Get:quiet) in D; counter linear(Get:some) in D; counter linear(Get:between) in D (the engine fails); counter linear(Get:eventually) in D; counter sc in D => violated, holds with Request.Specification.Overlaps 'Get:quiet', in this scope: Get is right if no other call overlaps it, and returns anything else, holds with Request.Property sc, in this scope"},
		{name: "a read that is right in the end", source: summed, answers: map[string]verdict.Verdict{"counter in D": one("Inc", "Get"), "counter linear(Get:parts) in D": one("Inc", "Get"), "counter linear(Get:some) in D": one("Get"), "counter linear(Get:between) in D": one("Get")},
			want: "counter alone; counter in D; counter alone; counter linear(Get:parts) in D; counter linear(Get:quiet) in D; counter linear(Get:some) in D; counter linear(Get:between) in D; counter linear(Get:eventually) in D; counter sc in D => violated, holds with Request.Specification.Overlaps 'Get:eventually', in this scope: Get is right if no other call overlaps it, and returns what was right at some moment before its return otherwise, holds with Request.Property sc, in this scope"},
		{name: "not only the read is wrong", source: summed, answers: map[string]verdict.Verdict{"counter in D": one("Inc", "Get"), "counter linear(Get:parts) in D": one("Inc"), "counter linear(Get:quiet) in D": one("Inc"), "counter sc in D": unknown(""), "counter quiescent in D": unknown("")},
			want: "counter alone; counter in D; counter alone; counter linear(Get:parts) in D; counter linear(Get:quiet) in D; counter sc in D; counter quiescent in D => violated"},
		{name: "two reads of which one lasts", source: methods("Set", "Add(k int) bool { return true }", "Contains(k int) bool { return true }", "Len() int { return 0 }"), answers: map[string]verdict.Verdict{"set in D": one("Add", "Len"), "set linear(Len:parts) in D": one("Len"), "set linear(Len:quiet) in D": one("Contains"), "set linear(Contains:some) in D": one("Add"), "set sc in D": unknown(""), "set quiescent in D": unknown("")},
			want: "set in D; set alone; set linear(Len:parts) in D; set linear(Len:quiet) in D; set linear(Contains:quiet,Len:quiet) in D; set linear(Contains:some,Len:some) in D; set linear(Contains:some) in D; set linear(Len:some) in D; set sc in D; set quiescent in D => violated, holds with Request.Specification.Overlaps 'Len:some', in this scope: Len sees every call that has returned before it begins, and any of those that overlap it"},
		{name: "the strongest is asked for", source: summed, terms: func(t *Terms) { t.Property, t.Strongest = true, true }, answers: map[string]verdict.Verdict{"counter in D": one("Inc", "Get")},
			want: "counter alone; counter in D; counter alone; counter linear(Get:parts) in D => violated, holds with Request.Specification.Overlaps 'Get:parts', in this scope: Get sees each key at a moment of its own during the call, and of calls without a key any that take effect meanwhile"},
		{name: "sc is asked for", source: methods("Counter", "GetAndIncrement() int { return 0 }"), terms: func(t *Terms) { t.Property = true }, answers: map[string]verdict.Verdict{"counter in D": two("GetAndIncrement"), "counter GetAndIncrement:1 in D": unknown("")},
			want: "counter alone; counter in D; counter alone; counter GetAndIncrement:1 in D => violated"},
		{name: "for one goroutine", source: strings.Replace(worker, "type Worker", "// A Worker is not safe for concurrent use.\ntype Worker", 1), answers: map[string]verdict.Verdict{"object/self in D": one("Close", "Close", "Note")},
			want: "object/self in D => violated, its documentation says: \"A Worker is not safe for concurrent use.\": callers that share one hold a lock of their own"},
		{name: "called once", source: worker, answers: map[string]verdict.Verdict{"object/self in D": one("Close", "Close", "Note"), "object/self sc in D": unknown(""), "object/self quiescent in D": unknown("")},
			want: "object/self in D; object/self Close:once in D; object/self sc in D; object/self quiescent in D => violated, holds with Request.Roles 'Close:once', in this scope: is Close called once?"},
		{name: "called last", source: worker, answers: map[string]verdict.Verdict{"object/self in D": one("Close", "Note"), "object/self sc in D": unknown(""), "object/self quiescent in D": unknown("")},
			want: "object/self in D; object/self Close:last in D; object/self sc in D; object/self quiescent in D => violated, holds with Request.Roles 'Close:last', in this scope: is Close called when all other calls have returned, and none follows?"},
		{name: "three threads", source: worker, answers: map[string]verdict.Verdict{"object/self in D": history(call{"Note", 1, 1, 2}, call{"Note", 2, 3, 4}, call{"Note", 3, 5, 6}), "object/self sc in D": unknown(""), "object/self quiescent in D": unknown("")},
			want: "object/self in D; object/self in 2t 3s 0p; object/self sc in D; object/self quiescent in D => violated, holds with Request.Scope.Threads 1..2: it takes 3 threads"},
		{name: "a hint is asked for in all of the scope in which it is wrong", source: methods("Counter", "GetAndIncrement() int { return 0 }"), terms: usual, answers: map[string]verdict.Verdict{"counter in D": two("GetAndIncrement")},
			want: "counter alone; counter in D; counter alone; counter GetAndIncrement:1 in D+1x5x3+2x4+2x5+3x4+2x6; counter sc in D+1x5x3+2x4+2x5+3x4+2x6 => violated, holds with Request.Roles 'GetAndIncrement:1', in this scope: is it for one thread that calls GetAndIncrement?, holds with Request.Property sc, in this scope"},
		{name: "and in the small one", source: worker, terms: usual, facts: facts{goroutines: true}, answers: map[string]verdict.Verdict{"object/self in B": one("Close", "Close")},
			want: "object/self in B; object/self Close:once in B+D+2x4; object/self sc in B+D+2x4 => violated, holds with Request.Roles 'Close:once', in this scope: is Close called once?, holds with Request.Property sc, in this scope"},
		{name: "no states are left for hints", source: methods("Counter", "GetAndIncrement() int { return 0 }"), answers: map[string]verdict.Verdict{"counter in D": two("GetAndIncrement"), "counter GetAndIncrement:1 in D": {Status: verdict.Unknown, Effort: verdict.Effort{States: fewestHinted}}},
			want: "counter alone; counter in D; counter alone; counter GetAndIncrement:1 in D => violated"},
		{name: "nobody needs hints", source: methods("Counter", "GetAndIncrement() int { return 0 }"), terms: expected, answers: map[string]verdict.Verdict{"counter in D": two("GetAndIncrement")},
			want: "counter alone; counter in D; counter alone => violated"},
	}
}

// summed is a counter with a read.
var summed = methods("Counter", "Inc() {}", "Get() int { return 0 }")

func expected(t *Terms) {
	t.Expected = map[verdict.Property]verdict.Status{verdict.Linear: verdict.Violated}
}

func usual(t *Terms) { t.Bounds.Config, t.Scope = "", false }

// locked is a call that waits for a lock for ever.
func locked() verdict.Verdict {
	v := stuck("Get")
	v.Violation.Execution.Waiting[0].For = "sync.Mutex.Lock"
	return v
}

// found is the type of a scenario.
func (s *scenario) found(t *testing.T) *find.Target {
	t.Helper()
	dir, done := modules.Take(t, s.source)
	defer done()
	q := find.Query{Dir: dir, Note: func(string, ...any) {}, Overrides: func([]string) (find.Wishes, error) {
		w := find.Wishes{Threads: 3}
		var err error
		w.Invariants, err = find.ParseInvariants(s.invariants)
		return w, err
	}}
	list, _, err := q.Find(modules.Context)
	if err != nil || len(list) != 1 {
		t.Fatal(s.name, err)
	}
	return list[0]
}

// run asks by some rules, and tells what was asked and what came of it.
func (s *scenario) run(t *testing.T, found *find.Target, rules []Rule) string {
	t.Helper()
	terms := &Terms{Bounds: engine.Bounds{Config: "D"}, Scope: true}
	if s.terms != nil {
		s.terms(terms)
	}
	i, err := New(found, terms, nil)
	if err != nil {
		t.Fatal(s.name, err)
	}
	i.rules = rules
	var asked []string
	c, list, err := i.lead(modules.Context, cmp.Or(s.property, verdict.Linear), listening{table{s.answers, s.facts}, &asked})
	if err != nil {
		return strings.Join(asked, "; ") + " => " + err.Error()
	}
	if len(asked) != len(list) {
		t.Errorf("%s: asked %q, and the verdict says %d questions", s.name, asked, len(list))
	}
	for k, a := range list {
		if a.Status == "" {
			asked[k] += " (" + a.Why + ")"
		}
	}
	return fewer(asked) + " => " + outcome(c)
}

// outcome is what came of a case.
func outcome(c Case) string {
	v := &c.Verdict
	parts := []string{string(v.Status)}
	if c.Reading.Unlike != "" {
		parts = append(parts, "not a "+string(c.Reading.Unlike))
	}
	parts = append(parts, c.Reading.Because...)
	if strings.HasPrefix(v.Reason, "one thread alone") || v.Cause == verdict.Vacuous || v.Cause == verdict.Limited {
		parts = append(parts, v.Reason)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Reading.Overrides.Without)) {
		parts = append(parts, "without "+name+": "+c.Reading.Overrides.Without[name])
	}
	for _, l := range v.LeftOut {
		parts = append(parts, "without "+l.Operation+": "+l.Why)
	}
	for i := range v.Contracts {
		parts = append(parts, v.Contracts[i].Text())
	}
	switch {
	case v.Proof.Beside():
		parts = append(parts, v.Proof.Says())
	case v.Proof.OneMoment():
		parts = append(parts, verdict.OneThreadIn+v.Proof.Alone)
	}
	return strings.Join(slices.Concat(parts, v.Assumptions, v.Hints, c.Hinted), ", ")
}

// fewer tells questions; those about many capacities as one: "8 x stack bounded alone".
func fewer(asked []string) string {
	var out []string
	for k := 0; k < len(asked); k++ {
		n := 0
		for k+n < len(asked) && strings.HasSuffix(asked[k+n], fmt.Sprintf(" bounded(%d) alone", n+1)) {
			n++
		}
		if n == mostHeld {
			out = append(out, fmt.Sprintf("%d x %s", n, strings.Replace(asked[k], "(1)", "", 1)))
			k += n - 1
			continue
		}
		out = append(out, asked[k])
	}
	return strings.Join(out, "; ")
}

// listening notes what is asked.
type listening struct {
	table
	asked *[]string
}

func (l listening) Decide(ctx context.Context, q Question) (verdict.Verdict, error) {
	*l.asked = append(*l.asked, told(q))
	return l.table.Decide(ctx, q)
}

func TestRules_AskAndConclude(t *testing.T) {
	for _, s := range scenarios() {
		found := s.found(t)
		if got := s.run(t, found, Rules()); got != s.want {
			t.Errorf("%s:\n got %s\nwant %s", s.name, got, s.want)
		}
	}
}

// inScripts are the rules that need more of a type than a scenario has; scripts of cmd/pangolin show that they matter.
var inScripts = []string{"not shared", "years first", "stand-ins", "lent", "made otherwise", "years instead", "strings of the tests", "told by another", "concurrent arguments", "made up", "order", "some fields alone", "each field", "fields by themselves", "one by one"}

// Each turn of each rule matters to some scenario: left out, something else is asked, or comes of it.
func TestRules_EachTurnMatters(t *testing.T) {
	missed := make([]bool, len(Rules()))
	for _, s := range scenarios() {
		found := s.found(t) // whose directory is the next scenario's, and some rules read it
		if got := s.run(t, found, Rules()); got != s.want {
			t.Fatalf("%s, with all rules:\n got %s\nwant %s", s.name, got, s.want)
		}
		for k := range missed {
			missed[k] = missed[k] || s.run(t, found, slices.Delete(Rules(), k, k+1)) != s.want
		}
	}
	for k, left := range Rules() {
		if missed[k] == slices.Contains(inScripts, left.Name) {
			t.Errorf("the rule %s, the %dth: missed by a scenario: %t", left.Name, k+1, missed[k])
		}
	}
}

// slow answers a question when the time is up, the others at once: late is what is told of the one, failing whether it has no answer then.
type slow struct {
	table
	late    string
	failing bool
}

func (e slow) Decide(ctx context.Context, q Question) (verdict.Verdict, error) {
	if told(q) == e.late {
		<-ctx.Done()
		if e.failing {
			return verdict.Verdict{}, ctx.Err()
		}
	}
	return e.table.Decide(ctx, q)
}

// Where the time is up behind the answer, what is concluded without a question is, and the answer counts.
func TestVerdict_KeepsAnAnswerWhenTheTimeIsUp(t *testing.T) {
	for _, c := range []struct {
		answer verdict.Verdict
		late   string
		fails  bool
		status verdict.Status
	}{
		{returned("panic", "panic"), "object/self in D+2x4", false, verdict.Unknown}, // nothing was done
		{returned("5", ""), "object/self in D+2x4", false, verdict.Verified},
		{returned("5", ""), "object/self proof in D+2x4", true, verdict.Verified},
		{returned("5", ""), "object/self in D+2x4", true, verdict.Unknown},
	} {
		s := scenario{name: "time", source: methods("Worker", "Note(d int) int { return d }", "Close() {}")}
		i, err := New(s.found(t), &Terms{Search: engine.Search{Timeout: 50 * time.Millisecond}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		v, err := i.Verdict(t.Context(), verdict.Linear, slow{table{map[string]verdict.Verdict{"object/self in D+2x4": c.answer}, facts{}}, c.late, c.fails})
		if err != nil || v.Status != c.status {
			t.Errorf("%+v: %s, %s, %v", c, v.Status, v.Reason, err)
		}
	}
}

// What nobody asked for has one budget. When it is spent, questions are listed and not asked.
func TestBudget_IsOne(t *testing.T) {
	s := scenario{name: "budget", source: methods("Box", "Push"+put, "Pop"+take)}
	i, err := New(s.found(t), &Terms{Bounds: engine.Bounds{Config: "D"}, Scope: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	e := listening{table{map[string]verdict.Verdict{}, facts{}}, &asked}
	dear := one("Push")
	dear.States = budget/3 + 1
	for n := 1; n <= mostHeld; n++ {
		e.answers[fmt.Sprintf("stack bounded(%d) alone", n)] = dear
	}
	first := dear
	e.answers["stack alone"] = first
	_, list, err := i.lead(t.Context(), verdict.Linear, e)
	if err != nil || fewer(asked) != "stack alone; stack bounded(1) alone; stack bounded(2) alone; stack/self in D" {
		t.Errorf("asked %q, %v", asked, err)
	}
	unasked := 0
	for _, a := range list {
		if strings.Contains(a.Why, "the budget of 1048576 states") && a.Status == "" && a.States == 0 {
			unasked++
		}
	}
	if unasked != 8 { // six capacities, a queue and a priority queue
		t.Errorf("%d questions are listed that were not asked, of %v", unasked, list)
	}
}
