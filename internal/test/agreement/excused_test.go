// SPDX-License-Identifier: BSD-3-Clause

package agreement

import (
	"errors"
	"maps"
	"testing"

	"pangolin/internal/native"
	"pangolin/verdict"
)

// A history in which something else has returned than in the violation excuses nothing.
func TestExcused_IsTheSameExecution(t *testing.T) {
	for _, class := range []native.Class{native.Stuck, native.Nontermination, native.Panicked} {
		ends := map[native.Class]string{native.Stuck: "deadlock ", native.Nontermination: "endless ", native.Panicked: "panic panic: x"}[class]
		histories := []string{"2:0-1 Bop[0]=[2]; 1:2-3 Aop[]=…; " + ends}
		for returned, want := range map[string]bool{"2: Bop[0]=[2]": true, "2: Bop[0]=[1]": false, "1: Bop[0]=[2]": true, "1: Cop[]=[]": false} {
			if got := excused(alleged{class: class, returned: []string{returned}}, histories, nil); got != want {
				t.Errorf("%s with %s: %v", class, returned, got)
			}
		}
	}
}

// Threads of a client with fewer of them have other numbers, but no more calls have returned.
func TestAlleged_IsWithinAHistoryByCalls(t *testing.T) {
	a := alleged{returned: []string{"1: Bop[]=[3]", "1: Bop[]=[3]"}}
	for h, want := range map[string]bool{"2:0-1 Bop[]=[3]; 2:2-3 Bop[]=[3]": true, "2:0-1 Bop[]=[3]; 1:2-3 Bop[]=[3]; 1:4-5 Aop[]=…": true, "1:0-1 Bop[]=[3]": false, "1:0-1 Bop[]=[3]; 1:2-3 Bop[]=…": false} {
		if got := a.isWithin(h); got != want {
			t.Errorf("%s: %v", h, got)
		}
	}
}

// Only what a call does that is alone is excused.
func TestExcused_IsWhatACallDoesAlone(t *testing.T) {
	for _, c := range []struct {
		history string
		class   native.Class
		want    bool
	}{
		{"1:0-3 Cop[]=…; 2:1-2 Bop[0]=[1]; deadlock ", native.Stuck, true},
		{"1:0-3 Cop[]=…; 2:1-2 Bop[0]=[1]; panic panic: x", native.Panicked, true},
		{"1:0-2 Aop[]=[1]; 2:1-3 Dop[]=…; panic panic: x", native.Panicked, false},
		{"1:0-1 Bop[0]=[61]; 1:2-3 Aop[1]=…", native.Panicked, true},
		{"1:0-2 Bop[0]=[61]; 2:1-3 Aop[1]=…", native.Panicked, false},
		{"1:0-1 Bop[0]=[61]; 1:2-3 Aop[1]=…", native.Stuck, false},
		{"2:0-1 Bop[0]=[2]; 1:2-3 Aop[]=…; endless ", native.Nontermination, true},
		{"1:0-2 Aop[]=…; 2:1-2 Bop[0]=…; endless ", native.Nontermination, true},
		{"1:0-2 Aop[]=…; 2:1-2 Bop[0]=[1]; endless ", native.Nontermination, false},
		{"2:0-2 Bop[0]=[2]; 1:1-3 Aop[]=…; endless ", native.Nontermination, false},
		{"1:0-1 Aop[]=…; deadlock ", native.Stuck, true},
		{"1:0-1 Aop[]=…; deadlock ", native.Nontermination, false},
		{"1:0-1 Aop[]=…; endless ", native.History, false},
		{"1:0-1 Bop[]=[1]; 1:2-3 Aop[]=[1]; panic panic: send on closed channel", native.Panicked, true},
		{"1:0-2 Bop[]=[1]; 2:1-3 Aop[]=[1]; panic panic: send on closed channel", native.Panicked, false},
		{"1:0-1 Aop[]=…; panic panic: sync: negative WaitGroup counter", native.Panicked, true},
		{"1:0-1 Aop[]=…; panic fatal error: sync: unlock of unlocked mutex", native.Panicked, true},
	} {
		if got := excused(alleged{class: c.class}, []string{"1:0-1 Aop[]=[2]; 2:2-3 Bop[0]=[2]", c.history}, map[string]bool{"Cop[]": true}); got != c.want {
			t.Errorf("%s as %s: %v", c.history, c.class, got)
		}
	}
}

// A panic beside a call that ends in one by itself is excused, any other is not.
func TestAmongPanics_IsBesideOneThatIsExcused(t *testing.T) {
	const alone, beside = "2:0-1 Bop[]=…; panic panic: x", "!panic 2:0-2 Bop[]=…; 1:1-2 Aop[]=…; panic panic: y"
	for _, c := range []struct {
		histories []string
		classes   []native.Class
		want      bool
	}{
		{[]string{beside, alone}, []native.Class{native.Panicked}, true},
		{[]string{beside}, []native.Class{native.Panicked}, false},
		{[]string{beside, "1:0-2 Aop[]=[1]; 2:1-2 Bop[]=[1]"}, []native.Class{native.Panicked}, false},
		{[]string{"!panic 1:0-1 Aop[]=[1]; 2:2-3 Bop[]=…; panic panic: y", alone}, []native.Class{native.Panicked}, true},
		{[]string{"!panic 1:0-1 Aop[]=[1]; 2:2-3 Bop[]=…; panic panic: x", alone}, []native.Class{native.Panicked}, false},
		{[]string{"!panic 1:1-2 Aop[]=…; panic panic: y", alone}, []native.Class{native.Panicked}, false},
		{[]string{beside, alone}, []native.Class{native.Panicked, native.Racing}, false},
		{[]string{alone}, nil, false},
	} {
		j := native.Judgement{Histories: c.histories, Classes: c.classes}
		if (&claim{oracle: "queue"}).amongPanics(j) {
			t.Errorf("%v: a queue's panics are no results", c.histories)
		}
		if got := (&claim{oracle: "self"}).amongPanics(j); got != c.want {
			t.Errorf("%q %v: %v", c.histories, c.classes, got)
		}
	}
}

// A call waits alone if some history shows it with nobody else in progress.
func TestWaitAlone_IsShownByHistories(t *testing.T) {
	got := waitAlone([]native.Judgement{
		{Histories: []string{"1:0-1 Aop[0]=…; deadlock chan receive", "1:0-1 Bop[]=…; panic panic: x", "1:0-1 Bop[]=[1]; endless "}},
		{Histories: []string{"2:0-1 Cop[]=[1]; 1:2-4 Dop[]=…; 2:3-4 Eop[]=…; endless ", "1:0-3 Fop[]=…; 2:1-2 Cop[]=[1]; deadlock select"}},
	})
	if want := map[string]bool{"Aop[0]": true, "Dop[]": true}; !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

// What clears a slice is excused where it races, and in clients that do it.
// Of a call that ends up waiting it is asked how it goes alone: once, and of the oracle self only.
func TestClaim_AsksForCallsAlone(t *testing.T) {
	waits := native.Client{Threads: [][]native.Call{{{Op: 0}}, {{Op: 1}, {Op: 0}}}}
	c := &claim{oracle: "self", witnesses: []witness{{alleged: alleged{class: native.Stuck}, client: waits}, {alleged: alleged{class: native.Racing},
		client: native.Client{Threads: [][]native.Call{{{Op: 2}}}}}}}
	if list := c.eachAlone(); len(list) != 2 || list[0].Threads[0][0].Op != 0 || list[1].Threads[0][0].Op != 1 || len(list[1].Threads[0]) != 1 {
		t.Errorf("%v", list)
	}
	if all := c.trial().Clients; len(all) != 4 {
		t.Errorf("%v", all)
	}
	if c.oracle = "queue"; c.eachAlone() != nil {
		t.Error("a kind's oracle says itself which calls may wait")
	}
}

func TestReason_IsOfClientsThatClear(t *testing.T) {
	const source = "package types\n\nimport \"sync\"\n\ntype T struct{ s []int; rw sync.RWMutex }\n\nfunc (o *T) Aop() {\n\tclear(o.s)\n}\n\nfunc (o *T) Bop() {\n\to.s[0] = 1\n}\n"
	client := func(op int) native.Client { return native.Client{Threads: [][]native.Call{{{Op: op}}, {{Op: 1}}}} }
	at := func(a, b int) []witness {
		return []witness{{alleged: alleged{class: native.Racing, races: [][2]int{{a, b}}}}}
	}
	for _, k := range []struct {
		witnesses []witness
		op        int
		want      bool
	}{{at(8, 12), 0, true}, {at(12, 12), 0, false}, {at(8, 12), 1, false}, {nil, 0, false}} {
		c := &claim{Program: Program{Source: source}, ops: []native.Op{{Name: "Aop"}, {Name: "Bop"}}, witnesses: k.witnesses}
		if got := c.reason(alleged{class: native.History}, client(k.op), native.Judgement{}) != ""; got != k.want {
			t.Errorf("%+v: %v", k, got)
		}
	}
}

// What clears a slice excuses clients in which both sides of the race are called.
func TestReason_IsOfClientsInWhichBothSidesAreCalled(t *testing.T) {
	const source = "package types\n\ntype T struct{ s []int }\n\nfunc (o *T) Aop() {\n\tclear(o.s)\n}\n\nfunc (o *T) Bop() {\n\to.s[0] = 1\n}\n\nfunc (o *T) Cop() {\n\tclear(o.s)\n}\n"
	c := &claim{Program: Program{Source: source}, ops: []native.Op{{Name: "Aop"}, {Name: "Bop"}, {Name: "Cop"}},
		witnesses: []witness{{alleged: alleged{class: native.Racing, races: [][2]int{{6, 10}}}}}}
	for _, k := range []struct {
		ops  [2]int
		want bool
	}{{[2]int{0, 1}, true}, {[2]int{1, 0}, true}, {[2]int{2, 1}, false}, {[2]int{0, 2}, false}} {
		client := native.Client{Threads: [][]native.Call{{{Op: k.ops[0]}}, {{Op: k.ops[1]}}}}
		if got := c.reason(alleged{class: native.History}, client, native.Judgement{}) != ""; got != k.want {
			t.Errorf("%v: %v", k.ops, got)
		}
	}
}

// What clears a slice excuses races of its own operation, in clients that call it.
func TestReason_IsOfRacesInOperationsThatClear(t *testing.T) {
	const source = "package types\n\ntype T struct{ s []int }\n\nfunc (o *T) Aop() int {\n\tr := o.s[0]\n\tclear(o.s)\n\treturn r\n}\n\nfunc (o *T) Bop() {\n\to.s[0] = 1\n}\n\nfunc (o *T) Cop() int {\n\treturn o.s[0]\n}\n"
	c := &claim{Program: Program{Source: source}, ops: []native.Op{{Name: "Aop"}, {Name: "Bop"}, {Name: "Cop"}}}
	for _, k := range []struct {
		ops, race [2]int
		want      bool
	}{{[2]int{0, 1}, [2]int{6, 12}, true}, {[2]int{1, 0}, [2]int{12, 6}, true}, {[2]int{2, 1}, [2]int{16, 12}, false}, {[2]int{0, 1}, [2]int{16, 12}, false}, {[2]int{2, 1}, [2]int{6, 12}, false}} {
		client := native.Client{Threads: [][]native.Call{{{Op: k.ops[0]}}, {{Op: k.ops[1]}}}}
		if got := c.reason(alleged{class: native.Racing, races: [][2]int{k.race}}, client, native.Judgement{}) != ""; got != k.want {
			t.Errorf("%v, race at %v: %v", k.ops, k.race, got)
		}
	}
}

// TryLock fails in vain if another keeps writers out and there is a reader, and in no other client.
func TestTriesInVain_IsOfClientsWithAnotherWriterAndAReader(t *testing.T) {
	const source = "package types\n\nimport \"sync\"\n\ntype T struct {\n\trw sync.RWMutex\n\tmu sync.Mutex\n}\n\n" +
		"func (o *T) Try() bool {\n\treturn o.rw.TryLock()\n}\n\nfunc (o *T) Write() {\n\to.rw.Lock()\n\to.rw.Unlock()\n}\n\n" +
		"func (o *T) Read() {\n\to.rw.RLock()\n\to.rw.RUnlock()\n}\n\nfunc (o *T) Begin() {\n\tgo o.rw.Lock()\n}\n\n" +
		"func (o *T) Other() bool {\n\to.mu.Lock()\n\treturn o.mu.TryLock()\n}\n"
	c := &claim{Program: Program{Source: source}}
	for _, name := range []string{"Try", "Write", "Read", "Begin", "Other"} {
		c.ops = append(c.ops, native.Op{Name: name})
	}
	const try, write, read, begin, other = 0, 1, 2, 3, 4
	for _, k := range []struct {
		one, two []int
		want     bool
	}{
		{[]int{try}, []int{read, try}, true},
		{[]int{read, try}, []int{write}, true},
		{[]int{try, begin, read}, nil, true},
		{[]int{try}, []int{try}, false},
		{[]int{try}, []int{read}, false},
		{[]int{try}, []int{write}, false},
		{[]int{write}, []int{read, write}, false},
		{[]int{other}, []int{read, other}, false},
		{[]int{try, write, read}, nil, false},
	} {
		calls := func(ops []int) (list []native.Call) {
			for _, op := range ops {
				list = append(list, native.Call{Op: op})
			}
			return list
		}
		client := native.Client{Threads: [][]native.Call{calls(k.one), calls(k.two)}}
		if got := c.triesInVain(client); got != k.want {
			t.Errorf("%v | %v: %v", k.one, k.two, got)
		}
		j := native.Judgement{Histories: []string{"1:0-1 Try[]=[false]"}}
		if excuses := c.differentResults(client, []string{"1: Try[]=[true]"}, j) == "  "+describe(client, c.ops)+" can return only in the machine: 1: Try[]=[true]\n"; excuses != k.want {
			t.Errorf("%v | %v: what only one side returns is excused: %v", k.one, k.two, excuses)
		}
	}
}

// What the machine declines is no answer; any other error is a difference.
func TestDeclines_IsOfWhatIsListed(t *testing.T) {
	for text, want := range map[string]bool{
		"runtime.Goexit in an operation is not supported: it ends the caller's goroutine":                true,
		"this writes the bytes of \"ab\", a string made by unsafe.String that is still in use: a string": true,
		"unsafe.Slice is not supported: it is written in assembly, or belongs to the Go runtime":         true,
		"reflect.ValueOf is not supported: it is written in assembly, or belongs to the Go runtime":      false,
	} {
		if declines(errors.New(text)) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}

// The second opinion judges under the protocol that the verdict names, and under no other.
func TestClaim_IsJudgedUnderTheVerdictsProtocol(t *testing.T) {
	for _, k := range []struct {
		protocol, oracle string
		waits            bool
		capacity         int
		role             string
	}{
		{"bounded(3)", "queue", true, 3, "put!"},
		{"bounded(3)", "queue", false, 3, "put"},
		{"nonblocking", "queue", true, 0, "put!"},
		{"nonblocking", "queue", false, 0, "put"},
		{"nonblocking", "self", true, 0, "put"},
	} {
		c := &claim{oracle: k.oracle, ops: []native.Op{{Name: "Enq", Role: "put"}, {Name: "Deq", Role: "take"}}}
		v := verdict.Verdict{Subject: verdict.Subject{Protocol: k.protocol}, Findings: verdict.Findings{Returns: []verdict.Returns{{Operation: "Enq", Waits: k.waits}, {Operation: "Deq"}}}}
		c.under(&v)
		if s := c.trial().Subject; s.Bounded != k.capacity || s.Ops[0].Role != k.role || s.Ops[1].Role != "take" {
			t.Errorf("%+v: %+v", k, s)
		}
	}
}
