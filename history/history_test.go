// SPDX-License-Identifier: BSD-3-Clause

package history

import (
	"testing"
)

func example() History {
	add := func(p Phase, t int) Event {
		return Event{Phase: p, Thread: t, Name: "Add", Args: Ints(0), Result: Of(BoolValue(true))}
	}
	return History{Threads: 2, Events: []Event{
		add(Invoke, 0),
		{Phase: Invoke, Thread: 1, Method: 1, Name: "Lock"},
		add(Respond, 0),
		add(Invoke, 0),
		add(Respond, 0),
	}}
}

func TestHistory_PrintsOneLinePerEvent(t *testing.T) {
	want := "1 calls   Add(0)\n2 calls   Lock()\n1 returns Add(0) = true\n" +
		"1 calls   Add(0)\n1 returns Add(0) = true\n2 is stuck\n"
	if got := example().String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestValidate_FindsMalformedHistories(t *testing.T) {
	call, other := Event{Name: "A"}, Event{Name: "B", Method: 1, Phase: Respond}
	ret := Event{Name: "A", Phase: Respond}
	bad := []History{
		{Threads: 1, Events: []Event{call, call}},
		{Threads: 1, Events: []Event{ret}},
		{Threads: 0, Events: []Event{call}},
		{Threads: 1, Events: []Event{call, other}},
	}
	for i, h := range bad {
		if h.Validate() == nil {
			t.Errorf("history %d was accepted", i)
		}
	}
	if err := example().Validate(); err != nil {
		t.Error(err)
	}
}

func TestWithout_RemovesOnlyUnansweredCalls(t *testing.T) {
	h := example().Without([]int{0, 1})
	if !h.Complete() || len(h.Events) != 4 {
		t.Errorf("got\n%s", h)
	}
}

func TestTuple_PrintsEveryKindOfValue(t *testing.T) {
	got := Of(IntValue(-3), BoolValue(true), NilValue(), ErrValue()).String() + "; " + PanicTuple().String()
	if want := "-3, true, nil, error; panic"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if Ints(1, 2) != Ints(1).Append(IntValue(2)) || Ints(1, 2).Hash() == Ints(2, 1).Hash() {
		t.Error("tuples with equal content must be equal, others hash differently")
	}
}
