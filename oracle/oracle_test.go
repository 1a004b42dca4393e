// SPDX-License-Identifier: BSD-3-Clause

package oracle

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pangolin/history"
)

// Each oracle, call by call.

func must(t *testing.T, kind Kind, p Protocol, ops ...Op) Spec {
	t.Helper()
	s, err := New(kind, p, ops)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// play runs calls whose result is given as text; "block" means that the call may
// block there, "never" that it has no outcome and may not block.
func play(t *testing.T, s Spec, script ...any) State {
	t.Helper()
	state := s.Initial()
	for i := 0; i < len(script); i += 2 {
		call, want := script[i].(Call), script[i+1].(string)
		outcomes, err := s.Outcomes(state, call)
		if err != nil {
			t.Fatal(err)
		}
		if want == "block" || want == "never" {
			if s.MayBlock(state, call) != (want == "block") || want == "never" && len(outcomes) > 0 {
				t.Fatalf("step %d: want %s, got outcomes %v", i/2, want, outcomes)
			}
			continue
		}
		at := slices.IndexFunc(outcomes, func(o Outcome) bool { return o.Result.String() == want })
		if at < 0 {
			t.Fatalf("step %d: want %q, got %v", i/2, want, outcomes)
		}
		state = outcomes[at].Next
	}
	return state
}

func call(op int, args ...int64) Call { return Call{Op: op, Args: history.Ints(args...)} }

func item(role Role, results ...Slot) Op {
	op := Op{Name: string(role), Role: role, Results: results}
	if isPut(role) {
		op.Params = []Param{ParamItem}
	}
	return op
}

func TestSet_AnswersWhetherItChanged(t *testing.T) {
	key := []Param{ParamKey}
	ok := []Slot{SlotOK}
	s := must(t, Set, Protocol{}, Op{Role: Add, Params: key, Results: ok}, Op{Role: Remove, Params: key, Results: ok},
		Op{Role: Contains, Params: key, Results: ok}, Op{Role: Len, Results: []Slot{SlotCount}})
	play(t, s, call(2, 1), "false", call(0, 1), "true", call(0, 1), "false", call(2, 1), "true", call(3), "1",
		call(1, 1), "true", call(1, 1), "false")
}

func TestQueue_ShapesOfAnEmptyTake(t *testing.T) {
	s := must(t, Queue, Protocol{}, item(Put),
		item(Take, SlotItem, SlotOK), item(Take, SlotItem, SlotError), item(Take, SlotItemOrNil),
		Op{Role: Take, Results: []Slot{SlotItem}, Refusal: RefusePanic}, item(Take, SlotItem), item(Peek, SlotItem, SlotNotOK))
	play(t, s, call(1), "0, false", call(2), "0, error", call(3), "nil", call(4), "panic", call(5), "0", call(6), "0, true",
		call(0, 7), "", call(0, 8), "", call(0, 9), "", call(6), "7, false", call(2), "7, nil", call(3), "8", call(4), "9")
}

func TestStack_TakesTheLastItem(t *testing.T) {
	s := must(t, Stack, Protocol{}, item(Put), item(Take, SlotItem, SlotOK))
	play(t, s, call(0, 1), "", call(0, 2), "", call(1), "2, true", call(1), "1, true", call(1), "0, false")
}

func TestDeque_HasTwoEnds(t *testing.T) {
	s := must(t, Deque, Protocol{}, item(PutFront), item(PutBack), item(TakeFront, SlotItem), item(TakeBack, SlotItem))
	play(t, s, call(0, 1), "", call(0, 2), "", call(1, 3), "", call(2), "2", call(3), "3", call(2), "1")
}

func TestPQueue_TakesAnyItemOfTheLeastPriority(t *testing.T) {
	put := Op{Role: Put, Params: []Param{ParamPriority, ParamItem}}
	s := must(t, PQueue, Protocol{}, put, item(Take, SlotItem, SlotPriority))
	state := play(t, s, call(0, 5, 1), "", call(0, 2, 7), "", call(0, 2, 8), "", call(0, 2, 7), "")
	outcomes, _ := s.Outcomes(state, call(1))
	if len(outcomes) != 2 || outcomes[0].Result != history.Ints(7, 2) || outcomes[1].Result != history.Ints(8, 2) {
		t.Errorf("got %v", outcomes)
	}
}

func TestMap_FollowsSyncMap(t *testing.T) {
	k, v, old := ParamKey, ParamItem, ParamOld
	is := []Slot{SlotItem, SlotOK}
	s := must(t, Map, Protocol{},
		Op{Role: Load, Params: []Param{k}, Results: is}, Op{Role: Store, Params: []Param{k, v}},
		Op{Role: LoadOrStore, Params: []Param{k, v}, Results: is}, Op{Role: LoadAndDelete, Params: []Param{k}, Results: is},
		Op{Role: Swap, Params: []Param{k, v}, Results: is},
		Op{Role: CompareAndSwap, Params: []Param{k, old, v}, Results: []Slot{SlotOK}},
		Op{Role: CompareAndDelete, Params: []Param{k, old}, Results: []Slot{SlotOK}})
	play(t, s, call(0, 1), "0, false", call(2, 1, 5), "5, false", call(2, 1, 6), "5, true", call(4, 1, 7), "5, true",
		call(4, 2, 9), "0, false", call(5, 1, 5, 8), "false", call(5, 1, 7, 8), "true", call(0, 1), "8, true",
		call(6, 2, 8), "false", call(6, 2, 9), "true", call(3, 2), "0, false", call(1, 1, 3), "", call(3, 1), "3, true")
}

func TestRegister_CountsAndSwaps(t *testing.T) {
	s := must(t, Register, Protocol{}, Op{Role: Inc, Results: []Slot{SlotNew}},
		Op{Role: AddTo, Params: []Param{ParamDelta}, Results: []Slot{SlotOld}},
		Op{Role: CompareAndSwap, Params: []Param{ParamOld, ParamItem}, Results: []Slot{SlotOK}},
		Op{Role: Swap, Params: []Param{ParamItem}, Results: []Slot{SlotOld}}, Op{Role: Load, Results: []Slot{SlotItem}})
	play(t, s, call(0), "1", call(1, 3), "1", call(2, 1, 9), "false", call(2, 4, 9), "true", call(3, 2), "9", call(4), "2")
}

// COLLECT, Fig. 1(b) with capacity 2.
func TestBounded_BlocksAtBothEnds(t *testing.T) {
	s := must(t, Queue, Protocol{Kind: Bounded, Capacity: 2}, item(Put), item(Take, SlotItem), item(Put, SlotOK))
	play(t, s, call(1), "block", call(0, 1), "", call(1), "1", call(0, 1), "", call(0, 2), "", call(0, 3), "block",
		call(2, 3), "false", call(2, 3), "false", call(1), "1", call(2, 3), "true")
}

// Bounded without a bound: where a result could tell that there is nothing it does, unless the operation waits.
func TestBlocking_WaitsWhereThereIsNothing(t *testing.T) {
	waits := item(Take, SlotItem, SlotOK)
	waits.Refusal = RefuseBlock
	s := must(t, Queue, Protocol{Kind: Blocking}, item(Put, SlotOK), item(Take, SlotItem), item(Take, SlotItem, SlotOK), waits)
	play(t, s, call(1), "block", call(2), "0, false", call(3), "block", call(0, 1), "true", call(0, 2), "true", call(0, 3), "true",
		call(1), "1", call(2), "2, true", call(3), "3, true", call(3), "block")
	if p, err := ParseProtocol("blocking"); err != nil || p.String() != "blocking" {
		t.Errorf("blocking is read as %v: %v", p, err)
	}
}

// COLLECT, Fig. 1(c).
func TestSynchronous_AlternatesAndBlocksWhenMatched(t *testing.T) {
	s := must(t, Queue, Protocol{Kind: Synchronous}, item(Put), item(Take, SlotItem))
	odd := play(t, s, call(0, 1), "block", call(1), "block", call(0, 1), "", call(0, 2), "never")
	if s.MayBlock(odd, call(1)) || s.Accepting(odd) || !s.Accepting(s.Initial()) {
		t.Error("while an item is handed over nothing blocks and no complete history ends")
	}
	play(t, s, call(0, 1), "", call(1), "1", call(1), "block")
}

func TestPartners_AreAPutAndATakeThatWaitForEachOther(t *testing.T) {
	for _, p := range []Protocol{{Kind: Synchronous}, {Kind: Bounded, Capacity: 1}, {}} {
		s := StartingAt(must(t, Queue, p, item(Put), item(Take, SlotItem), item(Put, SlotOK), item(Len, SlotCount)), "")
		for a := range 4 {
			for b := range 4 {
				want := p.Kind == Synchronous && (a == 0 && b == 1 || a == 1 && b == 0)
				if Partners(s, call(a, 1), call(b, 1)) != want {
					t.Errorf("%s: operations %d and %d", p, a, b)
				}
			}
		}
	}
}

func TestSpurious_MayRefuseForNoReason(t *testing.T) {
	op := item(Put, SlotOK)
	op.Spurious = true
	s := must(t, Queue, Protocol{}, op)
	play(t, s, call(0, 1), "true", call(0, 1), "false")
}

func TestNew_ReportsWhatDoesNotFit(t *testing.T) {
	bad := []struct {
		kind Kind
		p    Protocol
		op   Op
	}{
		{"bag", Protocol{}, Op{}},
		{Queue, Protocol{}, Op{Role: Add}},
		{Queue, Protocol{}, Op{Role: Put}},
		{Queue, Protocol{}, Op{Role: Take, Params: []Param{ParamItem}}},
		{Queue, Protocol{Kind: Bounded}, item(Put)},
		{Queue, Protocol{Kind: "lazy"}, item(Put)},
		{Queue, Protocol{Capacity: 1}, item(Put)},
		{Queue, Protocol{}, Op{Role: Take, Refusal: RefuseBlock}},
		{Set, Protocol{Kind: Synchronous}, Op{Role: Add, Params: []Param{ParamKey}}},
		{Map, Protocol{}, Op{Role: Store, Params: []Param{ParamItem}}},
	}
	for _, b := range bad {
		if _, err := New(b.kind, b.p, []Op{b.op}); err == nil {
			t.Errorf("%s, %s, %+v was accepted", b.kind, b.p, b.op)
		}
	}
}

// everyOp gives each role of a kind some shapes.
func everyOp(kind Kind) []Op {
	var ops []Op
	th := theories()[kind]
	for _, role := range th.roles {
		for _, results := range [][]Slot{nil, {SlotOK}, {SlotItem, SlotOK}, {SlotItemOrNil}, {SlotError}} {
			if slices.ContainsFunc(results, func(s Slot) bool { return !th.gives(role, s) }) ||
				slices.Contains(results, SlotItemOrNil) && !isTake(role) {
				continue
			}
			ops = append(ops, Op{Role: role, Params: th.params(role), Results: results})
		}
	}
	return ops
}

func kinds() []Kind { return []Kind{Set, Queue, Stack, PQueue, Deque, Map, Register} }

func TestPure_OutcomesNeverChangeTheState(t *testing.T) {
	walk(t, func(s Spec, state State, c Call, o Outcome) {
		if s.(PureSpec).Pure(c, o.Result) && o.Next != state {
			t.Fatalf("%+v with %s changes the state", s.(*builtin).ops[c.Op], o.Result)
		}
	})
}

func TestRename_CommutesWithEveryCall(t *testing.T) {
	r := NoRenaming()
	r[Keys][0], r[Keys][1], r[Items][0], r[Items][2] = 1, 0, 2, 0
	r[Priorities][2] = 5
	walk(t, func(s Spec, state State, c Call, o Outcome) {
		b := s.(*builtin)
		switch b.ops[c.Op].Role { // arithmetic is no mere storing
		case AddTo, SubOf, Inc, Round, Dec, Toggle, And, Or, Len:
			return
		}
		outcomes, _ := s.Outcomes(b.MapState(state, r.Name), b.MapCall(c, r.Name))
		want := Outcome{b.MapResult(c, o.Result, r.Name), b.MapState(o.Next, r.Name)}
		if !slices.Contains(outcomes, want) {
			t.Fatalf("%s %+v: want %v among %v", b.kind, b.ops[c.Op], want, outcomes)
		}
	})
}

// walk visits random outcomes of every kind and role.
func walk(t *testing.T, visit func(Spec, State, Call, Outcome)) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, kind := range kinds() {
		s := must(t, kind, Protocol{}, everyOp(kind)...)
		for range 60 {
			state := s.Initial()
			for range 25 {
				c := call(rng.IntN(len(everyOp(kind))))
				for range s.(*builtin).ops[c.Op].Params {
					c.Args = c.Args.Append(history.IntValue(rng.Int64N(3)))
				}
				outcomes, err := s.Outcomes(state, c)
				if err != nil || len(outcomes) == 0 {
					t.Fatalf("%s: %v", kind, err)
				}
				o := outcomes[rng.IntN(len(outcomes))]
				visit(s, state, c, o)
				state = o.Next
			}
		}
	}
}

func TestAutomaton_RunsTheOracleOncePerStateAndCall(t *testing.T) {
	runs := 0
	f := &Functions{Start: "0", Run: func(s State, c Call) (Outcome, bool, error) {
		runs++
		return Outcome{Result: history.Ints(1), Next: s}, true, nil
	}}
	a := NewAutomaton(f)
	for range 3 {
		if e := a.Edges(0, a.CallID(call(0))); len(e) != 1 || e[0].Next != 0 {
			t.Fatal(e)
		}
	}
	if runs != 1 {
		t.Errorf("ran %d times", runs)
	}
}

func TestAutomaton_KeepsTheFirstError(t *testing.T) {
	first := errors.New("first")
	a := NewAutomaton(&Functions{Run: func(State, Call) (Outcome, bool, error) { return Outcome{}, false, first }})
	if len(a.Edges(0, a.CallID(call(0)))) != 0 || !errors.Is(a.Err(), first) {
		t.Error(a.Err())
	}
}

func TestFunctions_NondeterministicOracleIsToldTheResult(t *testing.T) {
	f := &Functions{
		Accept: func(s State, _ Call, observed history.Tuple) (State, bool, error) {
			return s + "x", observed.At(0).Int != 1, nil
		},
		Candidates: func(Call) []history.Tuple {
			return []history.Tuple{history.Ints(0), history.Ints(1), history.Ints(2)}
		},
	}
	outcomes, err := f.Outcomes("", call(0))
	if err != nil || len(outcomes) != 2 || f.MayBlock("", call(0)) || !f.Accepting("") {
		t.Error(outcomes, err)
	}
}

func TestStartingAt_KeepsWhatTheSpecCanDo(t *testing.T) {
	s := must(t, Queue, Protocol{}, item(Put), item(Take, SlotItem, SlotOK))
	state, ok, _, err := Advance(s, []Step{{Call: call(0, 7)}, {Call: call(0, 8)}})
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	later := StartingAt(s, state)
	play(t, later, call(1), "7, true", call(1), "8, true", call(1), "0, false")
	a := NewAutomaton(later)
	if !a.Nonblocking() || !a.Renamable() || a.Pure(a.CallID(call(0, 7)), a.ResultID(history.Tuple{})) {
		t.Error("the optional interfaces are lost")
	}
}

func TestAdvance_TellsTheFirstWrongResult(t *testing.T) {
	s := must(t, Queue, Protocol{}, item(Put), item(Take, SlotItem, SlotOK))
	wrong := Step{Call: call(1), Result: history.Ints(3)}
	if _, ok, at, err := Advance(s, []Step{{Call: call(0, 7)}, wrong}); ok || at != 1 || err != nil {
		t.Error(ok, at, err)
	}
}

func TestAutomaton_HasAnErrorWhenNumbersRunOut(t *testing.T) {
	a := NewAutomaton(must(t, Stack, Protocol{Kind: Nonblocking}, Op{Name: "Push", Role: Put, Params: []Param{ParamItem}}))
	for i := range int64(1<<16 - 1) {
		if r := a.ResultID(history.Ints(i)); a.Result(r) != history.Ints(i) {
			t.Fatalf("%d has number %d", i, r)
		}
	}
	if err := a.Err(); err != nil {
		t.Fatal(err)
	}
	a.ResultID(history.Ints(1 << 20))
	if err := a.Err(); !errors.Is(err, ErrTooMany) {
		t.Errorf("the error is %v", err)
	}
	if r := a.ResultID(history.Ints(7)); a.Result(r) != history.Ints(7) {
		t.Errorf("what had a number has it no more: %d", r)
	}
}
