// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"pangolin/internal/test/level"
)

// Transactions against their definition: all orders are tried, on a map of slices.

type cells map[Value][]Value

// performSteps executes a transaction. It is nil if the transaction cannot have read what it did.
func performSteps(h *History, s cells, c *Call) cells {
	s = maps.Clone(s)
	for _, step := range h.Steps(c) {
		now, there := s[step.Key]
		if !there && h.Initial != Nil {
			now = []Value{h.Initial}
		}
		switch step.Op {
		case Write:
			s[step.Key] = []Value{step.Value}
		case Append:
			s[step.Key] = append(slices.Clone(now), step.Value)
		default:
			read := []Value{step.Value}
			if step.Value.IsList() {
				read = h.Values.Items(step.Value)
			} else if step.Value == Nil {
				read = nil
			}
			if !c.Unknown && !slices.Equal(read, now) {
				return nil
			}
		}
	}
	return s
}

// serial reports whether the transactions have an order, by definition.
func serial(h *History, p Property) bool {
	placed := make([]bool, len(h.Calls))
	var from func(s cells) bool
	from = func(s cells) bool {
		done := true
		for i := range h.Calls {
			done = done && (placed[i] || h.Calls[i].End == Never)
		}
		if done {
			return true
		}
		for i := range h.Calls {
			c := &h.Calls[i]
			free := !placed[i]
			for k := range h.Calls {
				d := &h.Calls[k]
				before := p == Linear && d.End < c.Begin || p == Sequential && c.Client == d.Client && d.Begin < c.Begin && d.End != Never
				free = free && (placed[k] || k == i || !before)
			}
			if !free {
				continue
			}
			if next := performSteps(h, s, c); next != nil {
				placed[i] = true
				if from(next) {
					return true
				}
				placed[i] = false
			}
		}
		return false
	}
	return from(cells{})
}

// txnShape says what random transactions are like.
type txnShape struct {
	lists, differ, unknown bool
	blind                  bool // mostly single writes and single reads of one key, so that little tells the order of writes
}

// randomTransactions executes transactions in some order, each as a whole or, now and then, step by step among the others, and changes some results.
func randomTransactions(r *rand.Rand, sh txnShape, most int) *History {
	h := &History{Kind: Transactions, Initial: Nil, Values: NewValues(), Clients: []string{"a", "b", "c"}}
	n, keys, longest, fresh := 1+r.IntN(most), 1+r.IntN(3), 3, Value(0)
	if sh.blind {
		n, keys, longest = most, 2, 2
	}
	plans := make([][]Step, n)
	state := cells{}
	perform := func(i, from, to int) {
		for k := from; k < to; k++ {
			step := &plans[i][k]
			switch step.Op {
			case Write:
				state[step.Key] = []Value{step.Value}
			case Append:
				state[step.Key] = append(slices.Clone(state[step.Key]), step.Value)
			default:
				list := state[step.Key]
				switch {
				case len(list) == 0:
					step.Value = Nil
				case sh.lists:
					step.Value = h.Values.List(list)
				default:
					step.Value = list[0]
				}
			}
		}
	}
	type event struct {
		call   int
		effect int // 0: it begins, 1: it takes effect, 2: it ends, 3: half of it takes effect, 4: the other half
	}
	var events []event
	busy := map[int][]event{}
	loose := r.IntN(2) == 0
	for i := range n {
		client := r.IntN(3)
		for range 1 + r.IntN(longest) {
			step := Step{Op: Read, Key: Value(r.IntN(keys))}
			if r.IntN(2) == 0 {
				fresh++
				step.Op, step.Value = Write, fresh
				if sh.lists {
					step.Op = Append
				}
				if !sh.differ {
					step.Value = Value(1 + r.IntN(2))
				}
			}
			plans[i] = append(plans[i], step)
		}
		effects := []event{{i, 0}, {i, 1}, {i, 2}}
		if loose && r.IntN(3) == 0 {
			effects = []event{{i, 0}, {i, 3}, {i, 4}, {i, 2}}
		}
		busy[client] = append(busy[client], effects...)
		h.Calls = append(h.Calls, Call{Client: int32(client), Line: int32(i + 2), End: Never})
	}
	for len(busy) > 0 {
		c := r.IntN(3)
		if len(busy[c]) == 0 {
			delete(busy, c)
			continue
		}
		events = append(events, busy[c][0])
		busy[c] = busy[c][1:]
	}
	for at := range events[1:] { // two calls of a client that share a moment: the one begins, and then the other returns
		e, next := events[at], events[at+1]
		if e.effect == 2 && next.effect == 0 && h.Calls[e.call].Client == h.Calls[next.call].Client && r.IntN(2) == 0 {
			events[at], events[at+1] = next, e
		}
	}
	crashed := map[int]bool{}
	for at, e := range events {
		half := len(plans[e.call]) / 2
		switch e.effect {
		case 0:
			h.Calls[e.call].Begin = int32(at)
			crashed[e.call] = sh.unknown && r.IntN(5) == 0
		case 1:
			if !crashed[e.call] || r.IntN(2) == 0 {
				perform(e.call, 0, len(plans[e.call]))
			}
		case 3:
			perform(e.call, 0, half)
		case 4:
			perform(e.call, half, len(plans[e.call]))
		case 2:
			if !crashed[e.call] {
				h.Calls[e.call].End = int32(at)
			}
		}
	}
	if r.IntN(3) == 0 {
		spoil(r, h, plans)
	}
	for i := range h.Calls {
		h.Calls[i].SetSteps(h.Values, plans[i])
		h.Calls[i].Unknown = h.Calls[i].Pending() || sh.unknown && r.IntN(8) == 0
	}
	slices.SortFunc(h.Calls, func(a, b Call) int { return int(a.Begin - b.Begin) })
	return h
}

// spoil changes what one step has read: to what another one has, or to a beginning of it.
func spoil(r *rand.Rand, h *History, plans [][]Step) {
	var reads []*Step
	for i := range plans {
		for k := range plans[i] {
			if plans[i][k].Op == Read {
				reads = append(reads, &plans[i][k])
			}
		}
	}
	if len(reads) == 0 {
		return
	}
	to := reads[r.IntN(len(reads))]
	to.Value = reads[r.IntN(len(reads))].Value
	if list := slices.Clone(h.Values.Items(to.Value)); len(list) > 0 {
		switch at := r.IntN(len(list)); r.IntN(4) {
		case 0, 1:
			to.Value = h.Values.List(list[:at])
		case 2:
			to.Value = h.Values.List(slices.Delete(list, at, at+1))
		case 3:
			list[0], list[at] = list[at], list[0]
			to.Value = h.Values.List(list)
		}
	}
}

func TestJudge_TransactionsAgreeWithTheDefinition(t *testing.T) {
	histories := 4000
	if level.Short() {
		histories = 500
	}
	if level.More() {
		histories = 100_000
	}
	for _, sh := range []txnShape{{false, true, false, false}, {true, true, false, false}, {false, true, true, false}, {true, true, true, false},
		{false, false, true, false}, {true, false, true, false}, {false, true, false, true}} {
		for _, p := range []Property{Linear, Sequential, Serializable} {
			t.Run(fmt.Sprintf("lists=%v differ=%v unknown=%v blind=%v %s", sh.lists, sh.differ, sh.unknown, sh.blind, p), func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(11, 12))
				violated, fast, cycles := 0, 0, map[string]int{}
				for range histories {
					h := randomTransactions(r, sh, 6)
					want := serial(h, p)
					if !want {
						violated++
					}
					for _, only := range []bool{false, true} {
						got := Judge(context.Background(), h, Options{Property: p, SearchOnly: only, NoWitness: r.IntN(4) != 0})
						if (got.Status == OK) != want || got.Status == Unknown {
							t.Fatalf("search only %v: %v; by definition %v\n%s\n%s", only, got.Status, want, h.lines(), got.Lines())
						}
						if got.Way == waySerial {
							fast++
						}
						if got.Cycle != nil {
							cycles[got.Anomaly]++
						}
						if part := *h; got.Status == Violated {
							if part.Calls = got.Witness; serial(&part, p) {
								t.Fatalf("search only %v: the witness has an order\n%s\nof\n%s", only, part.lines(), h.lines())
							}
						}
					}
				}
				t.Logf("%d of %d violated, %d by dependencies, cycles %v", violated, histories, fast, cycles)
			})
		}
	}
}

// Longer histories, of writes whose order little tells, against the search over all orders with remembered configurations.
func TestSearch_AgreesWithTheAlgorithmsOnTransactions(t *testing.T) {
	histories := 1500
	if level.Short() {
		histories = 100
	}
	if level.More() {
		histories = 20_000
	}
	r := rand.New(rand.NewPCG(13, 14))
	violated := 0
	for n := range 4 * histories {
		h := randomTransactions(r, txnShape{differ: true, blind: true}, 9)
		if n%4 > 0 {
			h = randomReads(r)
		}
		for _, p := range []Property{Linear, Serializable} {
			got := Judge(context.Background(), h, Options{Property: p, NoWitness: true})
			slow := Judge(context.Background(), h, Options{Property: p, NoWitness: true, SearchOnly: true})
			if got.Status != slow.Status {
				t.Fatalf("%s: %v, and by search alone %v\n%s", p, got.Status, slow.Status, h.lines())
			}
			violated += int(got.Status)
		}
	}
	t.Logf("%d of %d violated", violated, 8*histories)
}

// randomReads are transactions that read any version of a key, and write another one.
func randomReads(r *rand.Rand) *History {
	h := &History{Kind: Transactions, Initial: 0, Values: NewValues(), Clients: []string{"a"}}
	written := [3][]Value{{0}, {0}, {0}}
	n := 6 + r.IntN(4)
	steps := make([][]Step, n)
	for i := range steps {
		if k := r.IntN(3); r.IntN(3) > 0 {
			v := Value(i + 1)
			steps[i] = append(steps[i], Step{Write, Value(k), v})
			written[k] = append(written[k], v)
		}
	}
	for i := range steps {
		for k := range written {
			wrote := len(steps[i]) > 0 && steps[i][len(steps[i])-1].Key == Value(k)
			if !wrote && r.IntN(3) == 0 {
				steps[i] = append([]Step{{Read, Value(k), written[k][r.IntN(len(written[k]))]}}, steps[i]...)
			}
		}
		c := Call{Begin: int32(2 * i), End: int32(2*i + 1), Line: int32(i + 2)}
		c.SetSteps(h.Values, steps[i])
		h.Calls = append(h.Calls, c)
	}
	return h
}

// Two transactions that read one version and write the key lose an update: the witness is the cycle of the two, though the order of their writes is not known.
func TestJudge_ALostUpdateIsACycleOfTwo(t *testing.T) {
	h := &History{Kind: Transactions, Initial: 0, Values: NewValues(), Clients: []string{"a", "b"}, Calls: make([]Call, 3)}
	for i := range h.Calls {
		h.Calls[i] = Call{Begin: int32(i), End: int32(10 + i), Client: int32(i % 2), Line: int32(i + 2)}
	}
	h.Calls[0].SetSteps(h.Values, []Step{{Write, 1, 5}})
	h.Calls[1].SetSteps(h.Values, []Step{{Read, 1, 5}, {Write, 1, 6}})
	h.Calls[2].SetSteps(h.Values, []Step{{Read, 1, 5}, {Write, 1, 7}})
	got := Judge(context.Background(), h, Options{Property: Serializable})
	if got.Status != Violated || len(got.Cycle) != 2 || len(got.Witness) != 2 || got.Witness[0].Line != 3 || got.Witness[1].Line != 4 {
		t.Errorf("%v %v %s", got.Status, got.Cycle, got.Lines())
	}
}

// A client's second transaction begins at the moment at which its first one returns, and the first one read what the second one writes.
func TestJudge_SequentialTransactionsThatShareAMoment(t *testing.T) {
	h := &History{Kind: Transactions, Initial: 0, Values: NewValues(), Clients: []string{"a"}, Calls: make([]Call, 3)}
	for i := range h.Calls {
		h.Calls[i] = Call{Begin: int32(2*i - min(i, 1)), End: int32(2*i + 2), Line: int32(i + 2)}
	}
	h.Calls[0].SetSteps(h.Values, []Step{{Read, 1, 5}, {Write, 2, 7}})
	h.Calls[1].SetSteps(h.Values, []Step{{Write, 1, 5}, {Write, 2, 8}})
	h.Calls[2].SetSteps(h.Values, []Step{{Read, 2, 7}})
	for p, want := range map[Property]Status{Linear: OK, Sequential: Violated, Serializable: OK} {
		if got := Judge(context.Background(), h, Options{Property: p}); got.Status != want {
			t.Errorf("%s: %v, want %v\n%s", p, got.Status, want, h.lines())
		}
	}
}

// Where a value is written twice, any order is searched: the witness has the clients of the history.
func TestJudge_TheWitnessOfASearchForAnyOrderHasItsClients(t *testing.T) {
	h := &History{Kind: Transactions, Initial: Nil, Values: NewValues(), Clients: []string{"a"}, Calls: make([]Call, 3)}
	for i, steps := range [][]Step{{{Write, 1, 5}}, {{Write, 1, 5}}, {{Read, 1, 6}}} {
		h.Calls[i] = Call{Begin: int32(2 * i), End: int32(2*i + 1), Line: int32(i + 2)}
		h.Calls[i].SetSteps(h.Values, steps)
	}
	got := Judge(context.Background(), h, Options{Property: Serializable})
	if got.Status != Violated || len(got.Witness) == 0 || got.Witness[0].Client != 0 {
		t.Errorf("%v %v", got.Status, got.Witness)
	}
}

// Sixteen times 2^60 is 0 in 64 bits, and no counter's sum.
func TestJudge_ASumThatDoesNotFitIsUnknown(t *testing.T) {
	h := &History{Kind: Counter, Values: NewValues(), Clients: []string{"a"}, Calls: make([]Call, 17)}
	for i := range h.Calls {
		h.Calls[i] = Call{Op: Plus, A: 1 << 60, Begin: int32(2 * i), End: int32(2*i + 1), Line: int32(i + 2)}
	}
	h.Calls[16].Op = Read
	for _, p := range []Property{Linear, Sequential, Causal, MonotonicReads, ReadYourWrites} {
		if got := Judge(context.Background(), h, Options{Property: p}); got.Status != Unknown {
			t.Errorf("%s: %v", p, got.Status)
		}
	}
}

// Transactions with an order of any kind need not be causally consistent: here the client does not see what it has written itself.
func TestJudge_PropertiesOfSingleReadsAreNotDecidedOfTransactions(t *testing.T) {
	h := &History{Kind: Transactions, Initial: Nil, Values: NewValues(), Clients: []string{"a"}, Calls: make([]Call, 2)}
	for i, steps := range [][]Step{{{Write, 1, 5}}, {{Read, 1, Nil}}} {
		h.Calls[i] = Call{Begin: int32(2 * i), End: int32(2*i + 1), Line: int32(i + 2)}
		h.Calls[i].SetSteps(h.Values, steps)
	}
	for _, p := range []Property{Causal, ReadYourWrites, MonotonicReads, MonotonicWrites, WritesFollowReads, Session, ReadYourWrites + "," + MonotonicReads} {
		for _, only := range []bool{false, true} {
			if got := Judge(context.Background(), h, Options{Property: p, SearchOnly: only}); got.Status != Unknown {
				t.Errorf("%s, search only %v: %v", p, only, got.Status)
			}
		}
	}
}
