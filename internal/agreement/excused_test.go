package agreement

import (
	"maps"
	"strings"
	"testing"

	"pangolin/internal/native"
)

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
		if got := excused(c.class, []string{"1:0-1 Aop[]=[2]; 2:2-3 Bop[0]=[2]", c.history}, map[string]bool{"Cop[]": true}); got != c.want {
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
		if got := amongPanics(native.Judgement{Histories: c.histories, Classes: c.classes}); got != c.want {
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
	trying := &claim{Program: Program{Source: strings.Replace(source, "o.s[0] = 1", "o.rw.TryLock()", 1)}}
	if c := (&claim{Program: Program{Source: source}}); !trying.triesToWrite() || c.triesToWrite() {
		t.Error("what calls TryLock is not told")
	}
}
