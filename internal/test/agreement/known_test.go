// SPDX-License-Identifier: BSD-3-Clause

package agreement

import (
	"testing"

	"pangolin/internal/native"
	"pangolin/internal/test/corpus"
)

// The excuses for disagreements hold for what they are meant for, and for nothing else.

const clearing = `package types

type T[E comparable] struct {
	s []int
	v [2]E
}

func (o *T[E]) Aop() int {
	defer func() { recover() }()
	return len(o.v)
}

func (o *T[E]) Bop() {
	clear(o.s)
	o.s[0] = 1
}
`

// A race at the clearing of a slice, which gc does not instrument, is excused; one beside it is not.
func TestReason_IsOfRacesAtClearOnly(t *testing.T) {
	if constructs(clearing) == nil {
		t.Fatal("the text cannot be checked")
	}
	c := &claim{Program: Program{Source: clearing}}
	for _, k := range []struct {
		class native.Class
		races [][2]int
		both  bool
		want  bool
	}{
		{native.Racing, [][2]int{{9, 14}}, false, true},
		{native.Racing, [][2]int{{9, 15}}, false, false},
		{native.Racing, [][2]int{{9, 14}}, true, false},
		{native.Racing, nil, false, false},
		{native.History, [][2]int{{9, 14}}, false, false},
	} {
		var j native.Judgement
		if k.both {
			j.Classes = []native.Class{k.class}
		}
		if got := c.reason(alleged{class: k.class, races: k.races}, native.Client{}, j) != ""; got != k.want {
			t.Errorf("%+v: %v", k, got)
		}
	}
}

// Between the misuse of a lock and the fatal error others go on, on either side; nothing else may differ.
func TestKnownReason_OfMisusedLocks(t *testing.T) {
	misuse := func(out string) corpus.Outcome {
		return corpus.Outcome{Stdout: out, Panic: "fatal error: sync: unlock of unlocked mutex", Exit: 2}
	}
	exit := corpus.Outcome{Stdout: "1"}
	for _, c := range []struct {
		machine, native []corpus.Outcome
		known           bool
	}{
		{[]corpus.Outcome{misuse(""), misuse("2")}, []corpus.Outcome{misuse("")}, true},
		{[]corpus.Outcome{misuse("")}, []corpus.Outcome{misuse(""), misuse("2")}, true},
		{[]corpus.Outcome{misuse("")}, []corpus.Outcome{misuse(""), exit}, false},
		{[]corpus.Outcome{misuse(""), exit}, []corpus.Outcome{misuse("")}, false},
		{[]corpus.Outcome{misuse("")}, []corpus.Outcome{exit}, false},
		{[]corpus.Outcome{misuse(""), misuse("1"), exit}, []corpus.Outcome{misuse("")}, true},
		{[]corpus.Outcome{misuse(""), misuse("12"), exit}, []corpus.Outcome{misuse("")}, false},
	} {
		if got := knownReason(clearing, &said{outcomes: c.machine}, &second{outcomes: c.native, complete: true}); (got != "") != c.known {
			t.Errorf("%v and %v: %q", keys(c.machine), keys(c.native), got)
		}
	}
}

// Where gc does not instrument the clearing of a slice, the second opinion has neither the race nor what
// others see between the elements.
func TestKnownReason_OfClearedSlices(t *testing.T) {
	race, one, two := corpus.Outcome{Race: true}, corpus.Outcome{Stdout: "1"}, corpus.Outcome{Stdout: "2"}
	for _, c := range []struct {
		machine, native []corpus.Outcome
		at              [2]int
		known           bool
	}{
		{[]corpus.Outcome{race, one, two}, []corpus.Outcome{one}, [2]int{9, 14}, true},
		{[]corpus.Outcome{race, one, two}, []corpus.Outcome{one}, [2]int{9, 15}, false},
		{[]corpus.Outcome{one, two}, []corpus.Outcome{one}, [2]int{9, 14}, false},
		{[]corpus.Outcome{race, one}, []corpus.Outcome{one, two}, [2]int{9, 14}, false},
	} {
		if got := knownReason(clearing, &said{c.machine, [][2]int{c.at}}, &second{outcomes: c.native, complete: true}); (got != "") != c.known {
			t.Errorf("%v and %v, a race at %v: %q", keys(c.machine), keys(c.native), c.at, got)
		}
	}
}

// Behind a race about several words, or with what a function of the library moves, the second opinion may have
// more; what it shows without a race is a difference.
func TestKnownReason_IsOfWhatComesBehindRaces(t *testing.T) {
	const wide = "package types\n\ntype T struct{ s, r []int; m map[int]int; k int; c chan int }\n\nfunc (o *T) Aop() int {\n\treturn len(o.s)\n}\n\nfunc (o *T) Bop() {\n\to.s = o.r\n\tcopy(o.s, o.r)\n}\n\nfunc (o *T) Cop() {\n\to.m[1] = len(o.m)\n\to.m[1] = 2\n}\n\nfunc (o *T) Dop() {\n\to.k, o.k = o.k, o.k\n\to.m[1]++\n\to.m[1] += 2\n\to.k = len(o.c)\n}\n"
	race, one, two := corpus.Outcome{Race: true}, corpus.Outcome{Stdout: "1"}, corpus.Outcome{Stdout: "2"}
	for _, c := range []struct {
		other second
		at    [2]int
		known bool
	}{
		{second{outcomes: []corpus.Outcome{race, one, two}}, [2]int{6, 10}, true},
		{second{outcomes: []corpus.Outcome{race, one, two}}, [2]int{1, 11}, true},
		{second{outcomes: []corpus.Outcome{race, one, two}, free: []corpus.Outcome{one}}, [2]int{6, 10}, true},
		{second{outcomes: []corpus.Outcome{race, one, two}, free: []corpus.Outcome{two}}, [2]int{6, 10}, false},
		{second{outcomes: []corpus.Outcome{race, one, two}, free: []corpus.Outcome{two}}, [2]int{1, 11}, false},
		{second{outcomes: []corpus.Outcome{race, one, two}}, [2]int{1, 15}, true},
		{second{outcomes: []corpus.Outcome{race, one, two}, free: []corpus.Outcome{two}}, [2]int{1, 15}, false},
		{second{outcomes: []corpus.Outcome{race, one, two}}, [2]int{1, 16}, false},
		{second{outcomes: []corpus.Outcome{race, one, two}}, [2]int{1, 21}, true},
		{second{outcomes: []corpus.Outcome{race, one, two}}, [2]int{1, 22}, true},
		{second{outcomes: []corpus.Outcome{race, two}, complete: true}, [2]int{1, 23}, true},
		{second{outcomes: []corpus.Outcome{race, one, two}, free: []corpus.Outcome{two}}, [2]int{1, 23}, false},
		{second{outcomes: []corpus.Outcome{race, two}, complete: true}, [2]int{1, 15}, false},
		{second{outcomes: []corpus.Outcome{race, one, two}}, [2]int{1, 20}, true},
		{second{outcomes: []corpus.Outcome{race, two}, complete: true}, [2]int{1, 20}, true},
		{second{outcomes: []corpus.Outcome{race, one, two}, free: []corpus.Outcome{two}}, [2]int{1, 20}, false},
		{second{outcomes: []corpus.Outcome{race, one, two}}, [2]int{1, 2}, false},
		{second{outcomes: []corpus.Outcome{one, two}}, [2]int{6, 10}, false},
	} {
		if got := knownReason(wide, &said{[]corpus.Outcome{race, one}, [][2]int{c.at}}, &c.other); (got != "") != c.known {
			t.Errorf("%v, without a race %v, a race at %v: %q", keys(c.other.outcomes), keys(c.other.free), c.at, got)
		}
	}
}

// Only behind a race about something of several words the second opinion may lose its way.
func TestTears_WhereSomethingWideIsWrittenInARace(t *testing.T) {
	const source = "package p\n\ntype T struct {\n\ts []int\n\tn int\n}\n\nfunc (o *T) Aop() {\n\to.s = nil\n\to.n = 1\n}\n"
	for at, want := range map[int]bool{9: true, 10: false} {
		if tears(source, [][2]int{{at, at}}) != want {
			t.Errorf("line %d: %v", at, !want)
		}
	}
	if tears(source, nil) {
		t.Error("without a race")
	}
}

// Natively a panic is the end. Only what the machine finds behind one is excused by that.
func TestReason_IsOfWhatComesBehindPanics(t *testing.T) {
	c := &claim{Program: Program{Source: clearing}}
	for _, k := range []struct {
		panicked bool
		returned []string
		history  string
		want     bool
	}{
		{true, nil, "1:0-1 Aop[]=…; panic panic: x", true},
		{true, nil, "1:0-1 Aop[]=[1]", false},
		{false, []string{"1: Aop[]=[1]"}, "1:0-1 Aop[]=…; panic panic: x", false},
		{false, []string{"1: Aop[]=[1]"}, "1:0-1 Aop[]=[1]; 2:0-2 Bop[0]=…; panic panic: x", true},
		{false, []string{"1: Aop[]=[2]"}, "1:0-1 Aop[]=[1]; 2:0-2 Bop[0]=…; panic panic: x", false},
		{false, []string{"1: Aop[]=[1]"}, "1:0-1 Aop[]=[1]; 2:0-2 Bop[0]=[1]", false},
	} {
		j := native.Judgement{Classes: []native.Class{native.Panicked}, Histories: []string{k.history}}
		if got := c.reason(alleged{class: native.History, panicked: k.panicked, returned: k.returned}, native.Client{}, j) != ""; got != k.want {
			t.Errorf("%+v: %v", k, got)
		}
	}
}

func TestReturned_IsWhatCallsReturnThreadByThread(t *testing.T) {
	for text, want := range map[string]string{
		"2:0-1 Bop[0]=[2 true]; 1:2-3 Aop[]=…; endless ": "1: Aop[]=…; 2: Bop[0]=[2 true]",
		"pre Aop[0]=[]; 1:0-1 Bop[]=[]; 1:2-3 Aop[]=[x]": "1: Bop[]=[]; 1: Aop[]=[x]",
		"1:0-1 Bop[]=…; panic panic: x":                  "",
		"1:0-1 Bop[]=[1]; panic panic: x":                "1: Bop[]=[1]",
	} {
		if got := returnedNatively(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	none, j := &claim{}, native.Judgement{Histories: []string{"1:0-1 Aop[]=[1]"}}
	if none.differentResults(native.Client{}, []string{"1: Aop[]=[1]"}, j) != "" || none.differentResults(native.Client{}, []string{}, j) == "" ||
		none.differentResults(native.Client{}, []string{"1: Aop[]=[1]", "1: Aop[]=[2]"}, j) != "   can return only in the machine: 1: Aop[]=[2]\n" {
		t.Error("what one side returns alone is not what is told")
	}
}
