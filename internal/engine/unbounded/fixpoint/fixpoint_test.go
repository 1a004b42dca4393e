// SPDX-License-Identifier: BSD-3-Clause

package fixpoint

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/engine/unbounded/content"
	"pangolin/internal/engine/unbounded/shape"
	"pangolin/internal/test/assembler"
	"pangolin/oracle"
)

// The stack of Treiber (1986), right and with faults, in which every instruction is seen.

// task is a stack with a change of its text: what stands there becomes something else.
func task(t *testing.T, change ...string) *Task {
	t.Helper()
	text := assembler.Treiber
	for i := 0; i+1 < len(change); i += 2 {
		if !strings.Contains(text, change[i]) {
			t.Fatalf("no %q", change[i])
		}
		text = strings.Replace(text, change[i], change[i+1], 1)
	}
	p := assembler.Parse(text)
	program := &Program{Prog: p.Program, New: p.Func("New"), Kind: oracle.Stack}
	program.Funcs = append(program.Funcs, p.Func("Push"), p.Func("Pop"))
	program.Operations = []content.Operation{{Name: "Push", Role: oracle.Put, Param: true, Item: -1, OK: -1}, {Name: "Pop", Role: oracle.Take, Item: 0, OK: 1}}
	return &Task{Program: program, Domain: shape.NewDomain(p.Program, false)}
}

func proved(t *testing.T, x *Task) *Invariant {
	t.Helper()
	inv, failure, err := Compute(t.Context(), x, Options{MaxViews: 2000})
	if err != nil || failure != nil {
		t.Fatalf("%+v, %v", failure, err)
	}
	return inv
}

func TestCompute_ProvesTheStack(t *testing.T) {
	inv := proved(t, task(t))
	if err := inv.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if len(inv.Vacuous()) > 0 {
		t.Errorf("never happens: %q", inv.Vacuous())
	}
	if inv.Initial == nil || !inv.Initial.View.Idle() || inv.Find(inv.Initial.View) != inv.Initial {
		t.Error("the new stack is in the table")
	}
}

func TestCompute_RefusesEachFault(t *testing.T) {
	for _, c := range []struct {
		name   string
		change []string
		want   string
	}{
		{"a push that does not compare", []string{"done = atomiccas top old c\n    if done end load", "atomicstore top c\n    jump end"}, "in a way that it should not"},
		{"a pop that does not compare", []string{"done = atomiccas top old n\n    if done taken load", "atomicstore top n\n    jump taken"}, "in a way that it should not"},
		{"a pop that takes two", []string{"n = load next", "m = load next\n    h = eq m nil\n    if h last more\nlast:\n    return 0 false\nmore:\n    g = field m next\n    n = load g"}, ""},
		{"a push of another item", []string{"store i item", "store i 7"}, "adds another item"},
		{"a push that gives up", []string{"if done end load", "if done end end"}, "nothing has been added"},
		{"a push that is made twice", []string{"if done end load", "if done load load"}, ""},
		{"a pop that gives up", []string{"if done taken load", "if done taken none"}, "at no moment since its call"},
		{"a pop of another item", []string{"return x true", "return 7 true"}, "another item than it has taken"},
		{"a pop that looks twice", []string{"empty = eq old nil", "was = atomicload top\n    empty = eq was nil"}, "nil pointer"},
		{"a read that races", []string{"old = atomicload top\n    store", "old = load top\n    store"}, "race"},
		{"a write that races", []string{"done = atomiccas top old c\n    if done end load", "store top c\n    jump end"}, ""},
		{"a swap that always fails beside a read", []string{"done = atomiccas top old n", "done = atomiccas next old n"}, "race"},
		{"an item that is read too late", []string{"n = load next", "n = load next\n    i = field old item\n    store i 0"}, ""},
		{"a new stack that holds something", []string{"s = new Stack", "s = new Stack\n    c = new cell\n    p = field s top\n    store p c"}, "it is not certain that a new collection holds nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			inv, failure, err := Compute(t.Context(), task(t, c.change...), Options{MaxViews: 2000})
			if err != nil || inv != nil || !strings.Contains(failure.Alarm.Message, c.want) {
				t.Fatalf("proved: %t, %v, %+v, want %q", inv != nil, err, failure, c.want)
			}
			if len(failure.Trace) == 0 {
				t.Error("nothing leads to it")
			}
			t.Log(failure.Alarm.Message)
		})
	}
}

// The reason is told with the views that lead there: each from the one before.
func TestCompute_TellsTheWay(t *testing.T) {
	_, failure, _ := Compute(t.Context(), task(t, "return x true", "return 7 true"), Options{})
	var got []string
	for _, s := range failure.Trace {
		got = append(got, s.By.Text)
	}
	if got[0] != "a new collection" || got[len(got)-1] != "step" || !slices.Contains(got, "call of Pop") {
		t.Errorf("%q", got)
	}
	if at := failure.Alarm.Position(task(t, "return x true", "return 7 true").Program.Prog); at == "" {
		t.Error("it is nowhere")
	}
}

func TestCompute_EndsAtItsLimit(t *testing.T) {
	_, _, err := Compute(t.Context(), task(t), Options{MaxViews: 3})
	if limit := (*LimitError)(nil); !errors.As(err, &limit) || limit.Views != 3 {
		t.Errorf("%v", err)
	}
}

// A table without one of its views, or with less of it, leads out of itself, and so does one without an effect.
func TestCheck_MissesWhatIsTakenOut(t *testing.T) {
	inv := proved(t, task(t))
	for i, e := range inv.Entries {
		if i%5 != 0 { // some will do
			continue
		}
		key := string(e.View.Key(nil))
		delete(inv.entries, key)
		if err := inv.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "not inductive") {
			t.Errorf("without %+v: %v", e.View, err)
		}
		inv.entries[key] = e
	}
	missed := map[Cause]bool{} // where the effects are made without which the table leads out of itself
	for key, f := range maps.Clone(inv.effects) {
		delete(inv.effects, key)
		if inv.Check(t.Context()) != nil {
			missed[f.Sites[0]] = true
		}
		inv.effects[key] = f
	}
	for _, f := range inv.Effects { // of one write there may be some that come of views which have grown since: others stand for them
		if !missed[f.Sites[0]] {
			t.Errorf("no effect of the write at %s is missed", inv.Text(f.Sites[0]))
		}
	}
	narrowed := 0
	for i, e := range inv.Entries {
		for n := range e.View.Nodes {
			if d := &e.View.Nodes[n]; i%5 == 0 && d.Summary && d.Kinds != 0 && d.Opt {
				d.Opt = false
				narrowed++
				if err := inv.Check(t.Context()); err == nil {
					t.Errorf("with a chain that is never empty: nothing is missed in %+v", e.View)
				}
				d.Opt = true
			}
		}
	}
	if narrowed == 0 {
		t.Error("no chain may be empty")
	}
	if err := inv.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestFind_IsWhatTheTableCovers(t *testing.T) {
	inv := proved(t, task(t))
	for _, e := range inv.Entries {
		if inv.Find(e.View.Clone()) != e {
			t.Fatal("a view of the table is not found")
		}
		v := e.View.Clone()
		if v.Flags ^= shape.SawPresent; inv.Find(v) != nil {
			t.Fatal("a view with another flag is found")
		}
		v = e.View.Clone()
		for n := range v.Nodes {
			if v.Nodes[n].Summary {
				if v.Nodes[n].Kinds |= 1 << 63; inv.Find(v) != nil {
					t.Fatal("a view with a cell of another kind is found")
				}
			}
		}
	}
}

func TestVacuous_ListsWhatNeverHappens(t *testing.T) {
	inv := proved(t, task(t, "if empty none some", "if empty none check\ncheck:\n    again = eq old nil\n    if again lost some\nlost:\n    return 9 true"))
	got := inv.Vacuous()
	if len(got) != 1 || !strings.HasPrefix(got[0], "text:") {
		t.Errorf("%q, want the one line that nobody reaches", got)
	}
}

func TestAgenda_PutsStepsFirst(t *testing.T) {
	a, b, f := &Entry{}, &Entry{}, &Effect{}
	var todo agenda
	todo.addEffect(f)
	todo.addMeeting(a)
	todo.addStep(b)
	todo.addStep(b) // which is there already
	var got []string
	for {
		step, meeting, effect := todo.next()
		switch {
		case step == b && !step.dirty:
			got = append(got, "step")
		case meeting == a && !meeting.waits:
			got = append(got, "meeting")
		case effect == f && !effect.dirty:
			got = append(got, "effect")
		default:
			if want := []string{"step", "meeting", "effect"}; !slices.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
			return
		}
	}
}
