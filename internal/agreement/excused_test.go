package agreement

import (
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
		if got := excused(c.class, []string{"1:0-1 Aop[]=[2]; 2:2-3 Bop[0]=[2]", c.history}); got != c.want {
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
		{[]string{"!panic 1:1-2 Aop[]=…; panic panic: y", alone}, []native.Class{native.Panicked}, false},
		{[]string{beside, alone}, []native.Class{native.Panicked, native.Racing}, false},
		{[]string{alone}, nil, false},
	} {
		if got := amongPanics(native.Judgement{Histories: c.histories, Classes: c.classes}); got != c.want {
			t.Errorf("%q %v: %v", c.histories, c.classes, got)
		}
	}
}
