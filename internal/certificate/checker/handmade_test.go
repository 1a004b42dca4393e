// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"slices"
	"strings"
	"testing"

	"pangolin/internal/certificate"
	"pangolin/internal/certificate/ranking"
	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/oracle"
	"pangolin/verdict"
)

// Single steps of the checker on programs and memories of a few words, where an error accepts a wrong proof, or refuses a right one, and no
// certificate of the collections tells. A collection is type 1, with one word that leads to cells of type 2, which have an item and a link.

// laidOut is the layout of a type of so many words, without facts about them.
func laidOut(t *ir.Type, link int) layout {
	n := t.Size
	return layout{typ: t, link: link, mutable: make([]bool, n), plain: make([]bool, n), item: make([]bool, n), mutex: make([]bool, n),
		returning: make([]bool, n), replaced: make([][]certificate.Replaced, n)}
}

var intType, rawType = &ir.Type{Class: ir.Int, Size: 1}, &ir.Type{Class: ir.UnsafePointer, Size: 1}

// structOf is a struct of fields of one word.
func structOf(fields ...*ir.Type) *ir.Type {
	t := &ir.Type{Class: ir.Struct, Size: len(fields)}
	for i, f := range fields {
		t.Fields = append(t.Fields, ir.Field{Type: f, Offset: i})
	}
	return t
}

func handmade() *Checker {
	c := lists()
	c.prog = &ir.Program{}
	c.types = []layout{{link: -1}, laidOut(structOf(intType), -1), laidOut(structOf(intType, intType), 1)}
	c.types[cellType].item[0] = true
	return c
}

// about is a state whose thread is about to execute an instruction.
func about(in ir.Instr, g graph, regs ...word) *state {
	f := &ir.Func{Code: []ir.Instr{in, {Op: ir.OpReturn}}, Pos: make([]ir.Pos, 2), NumRegs: len(regs)}
	return &state{g: g, frames: []frame{{fn: f, regs: regs}}}
}

// step executes the instruction.
func (c *Checker) step(s *state) (more bool, err error) { return c.instruction(s, s.top()) }

// A claimed view of a thread with two deferred calls stands for no thread that is within a call, whatever the numbers of functions, calls and
// instructions: else a certificate would replace every state within a call by one in which it has not begun, and what the call does is never
// looked at.
func TestClaimed_TellsDeferredCallsFromCallsInProgress(t *testing.T) {
	outer := &ir.Func{ID: 0, Code: []ir.Instr{{Op: ir.OpCall}}, Pos: make([]ir.Pos, 1)}
	inner := &ir.Func{ID: 1, Code: make([]ir.Instr, 3), Pos: make([]ir.Pos, 3)}
	call := func(id int) *ir.Call { return &ir.Call{ID: id, Func: inner} }
	c := handmade()
	c.prog = &ir.Program{Funcs: []*ir.Func{outer, inner}, Calls: []*ir.Call{call(0), call(1), call(2)}}
	c.ops = []operation{{name: "Put", driver: outer}}
	g := drawn(t, "1{0}")
	forged := &claim{g: g, calls: []certificate.Call{{Func: 0, PC: 0, Deferred: []certificate.Deferred{{Call: 1}, {Call: 2}}}}}
	forged.place = c.placeOf(c.stateOf(forged, g))
	honest := &claim{g: g, calls: []certificate.Call{{Func: 0}, {Func: 1, PC: 2}}}
	honest.place = c.placeOf(c.stateOf(honest, g))

	for _, x := range []struct {
		what    string
		view    *claim
		claimed bool
	}{{"deferred calls", forged, false}, {"a call in progress", honest, true}} {
		c.views = []*claim{x.view}
		c.searching()
		err := c.claimed(c.stateOf(honest, g))
		if (err == nil) != x.claimed {
			t.Errorf("a view with %s stands for a thread within a call: %v", x.what, err)
		}
		if err != nil && !strings.Contains(err.Error(), "a thread in Put may see") {
			t.Errorf("the operation is not named: %v", err)
		}
	}
}

// Of a register of which the certificate says nothing, nothing is computed: two such registers are not equal because both are unknown.
func TestCompute_RefusesWhatIsNotKnown(t *testing.T) {
	c := handmade()
	for _, op := range []ir.Op{ir.OpEq, ir.OpLt, ir.OpAdd} {
		for _, regs := range [][]word{{lost, lost, zero}, {lost, number(1), zero}, {number(1), lost, zero}} {
			if _, err := c.step(about(ir.Instr{Op: op, Num: ir.I64, A: 0, B: 1, Dst: 2}, drawn(t, "1{0}"), regs...)); err == nil {
				t.Errorf("%s of %v is computed", op, regs[:2])
			}
		}
	}
	if _, err := c.step(about(ir.Instr{Op: ir.OpNot, A: 0, Dst: 1}, drawn(t, "1{0}"), lost, zero)); err == nil {
		t.Error("the opposite of what is not known is computed")
	}
}

// If nobody knows whether a compare-and-swap succeeds, the thread goes on in both ways: with the word as it was, and with the new one.
func TestAtomic_FollowsSuccessAndFailure(t *testing.T) {
	c := handmade()
	s := about(ir.Instr{Op: ir.OpAtomicCAS, A: 0, B: 1, C: 2, Dst: 3}, drawn(t, "1{0}", "'1{?}"), ref(1, 0), zero, number(7), lost)
	if more, err := c.step(s); !more || err != nil {
		t.Fatal(more, err)
	}
	if len(c.work) != 1 {
		t.Fatalf("%d other ways", len(c.work))
	}
	for _, x := range []struct {
		what         string
		s            *state
		result, word word
	}{{"success", s, number(1), number(7)}, {"failure", c.work[0], zero, top}} {
		if f := x.s.top(); f.regs[3] != x.result || x.s.g.get(1, 0) != x.word || f.pc != 1 {
			t.Errorf("%s: the result is %s, the word %s, and the next instruction %d", x.what, f.regs[3], x.s.g.get(1, 0), f.pc)
		}
	}
}

// mark.Choose stands for each number below its argument. An argument of which that is not known is refused: a thread that goes on in no way
// would be right whatever its code does.
func TestAnyOf_RefusesToChooseAmongNothing(t *testing.T) {
	c := handmade()
	for _, n := range []word{zero, number(-1), top, lost, ref(0, 0), number(most + 1)} {
		if _, err := c.anyOf(about(ir.Instr{Op: ir.OpCall}, drawn(t, "1{0}"), lost), n); err == nil {
			t.Errorf("a number below %s is chosen", n)
		}
	}
	if _, err := c.anyOf(about(ir.Instr{Op: ir.OpRunDefers}, drawn(t, "1{0}"), lost), number(2)); err == nil {
		t.Error("a deferred call chooses, and nobody gets the number")
	}
	if _, err := c.anyOf(about(ir.Instr{Op: ir.OpCall}, drawn(t, "1{0}"), lost), number(3)); err != nil || len(c.work) != 3 {
		t.Error(len(c.work), err)
	}
}

// A chain begins with a cell of each of its kinds also where the types of the pointers do not say which: behind an unsafe.Pointer there may be
// any. A case that is left out is memory that the checker never looks at.
func TestCases_FollowUntypedPointers(t *testing.T) {
	c := handmade()
	c.types[collectionType].typ = structOf(rawType)
	c.types[cellType].typ = structOf(intType, rawType)
	got := c.cases(drawn(t, "1{@1}", "[0 1|0 1|0 1]->0"), 0, 0)
	if len(got) != 2 {
		t.Fatalf("%d cases, want one with each kind of first cell", len(got))
	}
	for i, want := range []word{item(certificate.Above), item(certificate.Equal)} {
		g := got[i]
		first := g[g.get(0, 0).N]
		rest := first.words[1]
		if first.words[0] != want || !g.isChain(rest) || !g[rest.N].opt || g[rest.N].first != onlyA|onlyB {
			t.Errorf("case %d: a cell with %s, and behind it %+v; want %s, and any cells", i, first.words[0], g[max(rest.N, 0)], want)
		}
	}
}

// One cell of a thread is one cell of another one, not two: else two threads would be put into memories that there are not, and right proofs
// refused for what happens there.
func TestUnite_IdentifiesACellOnce(t *testing.T) {
	c := handmade()
	c.types[collectionType], c.types[cellType] = laidOut(structOf(intType), -1), laidOut(structOf(intType, intType), -1)
	theirs, hers := drawn(t, "1{0}", "2{=k 0}", "2{=k 0}"), drawn(t, "2{=k 0}", "2{=k 0}")
	j := &joint{g: theirs}
	j.grow(false)
	j.g = append(j.g, hers...)
	j.grow(true)
	for _, x := range []struct {
		n, m int
		want bool
	}{{3, 1, true}, {3, 2, false}, {4, 1, false}, {3, 1, true}, {4, 2, true}} {
		if got := c.unite(j, x.n, x.m); got != x.want {
			t.Errorf("cell %d of the writer's is cell %d of the other one's: %t", x.n, x.m, got)
		}
	}
}

// Only operations of the kind's own roles, with their arguments and results, have a meaning in a certificate: of any other the checker has no
// idea what it may do.
func TestUnderstand_RefusesOtherOperations(t *testing.T) {
	ok, item := oracle.SlotOK, oracle.SlotItem
	key, none := []oracle.Param{oracle.ParamKey}, []oracle.Param(nil)
	for _, x := range []struct {
		kind    oracle.Kind
		role    oracle.Role
		params  []oracle.Param
		results []oracle.Slot
		want    bool
	}{
		{oracle.Set, oracle.Add, key, []oracle.Slot{ok}, true},
		{oracle.Set, oracle.Contains, key, []oracle.Slot{oracle.SlotNotOK}, true},
		{oracle.Set, oracle.Put, key, []oracle.Slot{ok}, false},
		{oracle.Set, oracle.Add, none, []oracle.Slot{ok}, false},
		{oracle.Set, oracle.Add, key, nil, false},
		{oracle.Set, oracle.Add, key, []oracle.Slot{oracle.SlotCount}, false},
		{oracle.Stack, oracle.Put, []oracle.Param{oracle.ParamItem}, nil, true},
		{oracle.Stack, oracle.Take, none, []oracle.Slot{item, ok}, true},
		{oracle.Stack, oracle.Take, none, []oracle.Slot{ok}, false},
		{oracle.Stack, oracle.Take, none, []oracle.Slot{item}, false},
		{oracle.Stack, oracle.Take, key, []oracle.Slot{item, ok}, false},
		{oracle.Queue, oracle.LoadAndDelete, key, []oracle.Slot{item, ok}, false},
	} {
		s := &subject.Subject{Operations: []subject.Operation{{Name: "Op", Binding: oracle.Op{Role: x.role, Params: x.params, Results: x.results}}},
			About: verdict.Subject{Kind: string(x.kind), Oracle: string(x.kind), Protocol: (oracle.Protocol{Kind: oracle.Nonblocking}).String()}}
		c := &Checker{kindOf: x.kind}
		if err := c.understand(s, &certificate.Certificate{}); (err == nil) != x.want {
			t.Errorf("%s with %s, arguments %v and results %v: %v", x.kind, x.role, x.params, x.results, err)
		}
	}
}

// A view of a thread that there cannot be is refused by name, and none of those that there are.
func TestWordsOf_RefusesViewsThatMakeNoSense(t *testing.T) {
	driver := &ir.Func{Code: []ir.Instr{{Op: ir.OpNop}, {Op: ir.OpCall}, {Op: ir.OpRunDefers}, {Op: ir.OpReturn}}, NumRegs: 2}
	of := func(arg word, calls ...certificate.Call) *certificate.View {
		return &certificate.View{Arg: arg, Calls: calls}
	}
	at := func(pc int, deferred ...certificate.Deferred) certificate.Call {
		return certificate.Call{PC: pc, Deferred: deferred}
	}
	k, one := item(certificate.Equal), []word{number(1)}
	object := &certificate.Object{Rules: []certificate.Rule{{Args: []certificate.Value{certificate.OfK}}}}
	for _, x := range []struct {
		what   string
		object *certificate.Object
		view   *certificate.View
		want   string // a part of the refusal; "": there is none
	}{
		{"an idle thread", nil, of(zero), ""},
		{"within the operation", nil, of(k, at(0)), ""},
		{"without its argument", nil, of(zero, at(0)), "its argument is not that"},
		{"within a call", nil, of(k, at(1), at(0)), ""},
		{"within a deferred call", nil, of(k, at(2), at(0)), ""},
		{"within a call, at an instruction that calls nothing", nil, of(k, at(0), at(0)), "instruction 0 of function 0 is not a call"},
		{"no instruction", nil, of(k, at(4)), "there is no instruction 4"},
		{"the program's first call is deferred", nil, of(k, at(0, certificate.Deferred{Call: 0, Words: one})), ""},
		{"no call is deferred", nil, of(k, at(0, certificate.Deferred{Call: 1, Words: one})), "there is no deferred call 1"},
		{"a call is deferred without its argument", nil, of(k, at(0, certificate.Deferred{Call: 0})), "there is no deferred call 0"},
		{"an object, with the choice k", object, of(zero, at(0)), ""},
		{"an object, with the choice of another item", object, of(number(1), at(0)), ""},
		{"an object, with a choice that there is not", object, of(number(2), at(0)), "its argument is not that"},
		{"an object, with a choice below all", object, of(number(-2), at(0)), "its argument is not that"},
		{"an object, with an unknown choice", object, of(top, at(0)), "its argument is not that"},
	} {
		c := handmade()
		c.prog = &ir.Program{Funcs: []*ir.Func{driver}, Calls: []*ir.Call{{Args: []ir.Arg{{Type: intType}}}}}
		c.ops, c.object = []operation{{name: "Put", driver: driver, argument: true}}, x.object
		_, err := c.wordsOf(x.view)
		if (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %q", x.what, err, x.want)
		}
	}
}

// A number is no address: nil does not lead to node 0, nor an item to the node of its class.
func TestLeadsTo_TakesAddressesOnly(t *testing.T) {
	c, g := handmade(), drawn(t, "1{@1}", "1{0}", "[0|0|0]->0")
	for _, x := range []struct {
		w    word
		want bool
	}{{ref(1, 0), true}, {ref(0, 0), true}, {zero, false}, {number(1), false}, {number(99), false}, {item(certificate.Equal), false}, {ref(2, 0), false}} {
		if got := c.leadsTo(g, x.w, collectionType); got != x.want {
			t.Errorf("%s leads to a cell of type %d: %t", x.w, collectionType, got)
		}
	}
}

// An operation may return without an effect if at some moment it would have had none. That it reads the right value is not enough: a
// compare-and-swap that would succeed has to.
func TestObserve_ResultsAreRightWhereNothingWouldChange(t *testing.T) {
	of := []certificate.Value{certificate.OfK, certificate.OfK}
	c := handmade()
	c.object = &certificate.Object{Registers: []certificate.Register{{Word: 0, Holds: certificate.OfK}},
		Rules: []certificate.Rule{{Args: of, Guards: []certificate.Guard{{Register: 0, Arg: 0}}, Assigns: 0, From: 1, Returns: 0}}}
	for _, x := range []struct {
		what   string
		choice word // bit i: argument i is not k
		want   bool
	}{
		{"it replaces k by another value", number(2), false},
		{"it expects another value than k", number(1), true},
		{"it replaces k by k", zero, true},
	} {
		s := &state{g: drawn(t, "1{=k}"), arg: x.choice}
		if c.observe(s, false); s.saw&sawRight != 0 != x.want {
			t.Errorf("%s: the value k is a right result: %t", x.what, !x.want)
		}
	}
}

// While a descriptor is in a register, each moment allows its operation to take effect, or refuses it, by the other registers. Who replaces the
// descriptor has to have seen such a moment since it was put there.
func TestObserve_SeesWhatADescriptorMayBeReplacedBy(t *testing.T) {
	c := handmade()
	c.types = append(c.types, laidOut(structOf(intType, intType, intType), -1))
	of := []certificate.Value{certificate.OfK, certificate.OfK}
	c.object = &certificate.Object{
		Registers: []certificate.Register{
			{Word: 0, Holds: certificate.OfK, Cell: 2, Offset: 0, Descriptor: &certificate.Descriptor{Link: 1, Type: 3, Value: 0, Args: []int{1, 2}}},
			{Word: 1, Holds: certificate.Number}},
		Rules: []certificate.Rule{{Args: of, Guards: []certificate.Guard{{Register: 0, Arg: 0}, {Register: 1, Arg: -1}}, Assigns: 0, From: 1, Returns: -1}},
	}
	for _, x := range []struct {
		control       string // the other register, which has to be 0
		before, after seen
		fresh         bool
	}{
		{"0", 0, allowed, false},
		{"1", 0, refused, false},
		{"1", allowed, allowed | refused, false},
		{"1", allowed, refused, true},
		{"0", refused, allowed, true},
		{"?", 0, 0, false},
	} {
		s := &state{g: drawn(t, "1{@1 "+x.control+"}", "2{=k @2}", "3{=k =k >k}"), saw: x.before}
		if c.observe(s, x.fresh); s.saw != x.after {
			t.Errorf("the other register is %s, seen before: %b, the descriptor is fresh: %t: seen afterwards %b, want %b", x.control, x.before, x.fresh, s.saw, x.after)
		}
	}
}

// A write that replaces an offer replaces it alone, and another call's offer only by the writer's own new cell: else a call that has met a
// partner would not learn of it, and its item be lost or taken twice.
func TestExchange_RefusesToLoseOffers(t *testing.T) {
	c := handmade()
	c.content.Offers = &certificate.Offers{Type: 2, Off: 1}
	c.ops = []operation{{name: "Push", role: oracle.Put, argument: true}}
	const theirs, own = "2{>k 0}!others,open,take,0", "2{=k 0}!mine,open,put,=k"
	for _, x := range []struct {
		what   string
		memory []string
		write  []word // to the collection
		want   string // a part of the refusal; "": there is none
		offer  string // of node 2 behind it
		ended  int
	}{
		{"an offer", []string{"1{0}", "2{=k 0}", "'2{=k 0}"}, []word{ref(2, 0)}, "", "!mine,open,put,=k", -1},
		{"a cell that others know", []string{"1{0}", "2{=k 0}", "2{=k 0}"}, []word{ref(2, 0)}, "", "", -1},
		{"an answer", []string{"1{@1}", theirs, "'2{=k 0}"}, []word{ref(2, 0)}, "", "!others,met,take,=k", 1},
		{"another call's offer is removed", []string{"1{@1}", theirs, "'2{=k 0}"}, []word{zero}, "removed", "", -1},
		{"another call's offer is replaced by a cell that others know", []string{"1{@1}", theirs, "2{=k 0}"}, []word{ref(2, 0)}, "removed", "", -1},
		{"the own offer is taken back", []string{"1{@1}", own, "'2{=k 0}"}, []word{zero}, "", "", 1},
		{"the own offer is taken back, and another word written", []string{"1{@1 0}", own, "'2{=k 0}"}, []word{zero, number(1)}, "together with something else", "", -1},
		{"another call's offer is replaced, and another word written", []string{"1{@1 0}", theirs, "'2{=k 0}"}, []word{ref(2, 0), number(1)}, "together with something else", "", -1},
	} {
		s := &state{g: drawn(t, x.memory...), arg: item(certificate.Equal)}
		ended, err := c.exchange(s, ref(0, 0), x.write)
		if (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %q", x.what, err, x.want)
			continue
		}
		if got := s.g[2].offer.String(); err == nil && (got != x.offer || ended != x.ended) {
			t.Errorf("%s: the new cell is the offer %q, want %q; node %d is none any more, want %d", x.what, got, x.offer, ended, x.ended)
		}
	}
}

// That a cell leads to another one is known behind a step only of links that no thread writes: with others a loop would be called finite
// because it cannot come by a cell again, which somebody links in anew.
func TestLastingLink_IsOfCellsThatNobodyChanges(t *testing.T) {
	for _, x := range []struct {
		what, node string
		mutable    bool
		want       bool
	}{
		{"a cell with a link that is never written", "2{=k 0}", false, true},
		{"a cell with a link that is written", "2{=k 0}", true, false},
		{"a cell that others do not see", "'2{=k 0}", false, false},
		{"an object without a link", "1{0}", false, false},
	} {
		c := handmade()
		c.types[cellType].mutable[1] = x.mutable
		if got := c.lastingLink(drawn(t, "1{0}", x.node), ref(1, 0)); got != x.want {
			t.Errorf("%s: %t", x.what, got)
		}
	}
}

// If a step of a case into which a view is split does not hold, the ranking does not either: what the step leads to is not among what it was
// judged by.
func TestSplitViews_RefusesWhatASplitViewMayDo(t *testing.T) {
	c := handmade()
	f := about(ir.Instr{Op: ir.OpDiv}, nil, number(1), zero).top().fn
	c.prog = &ir.Program{Funcs: []*ir.Func{f}}
	c.ops = []operation{{name: "Put", driver: f}}
	c.views = []*claim{{g: drawn(t, "1{0}"), calls: []certificate.Call{{}}}}
	c.watched(&ranking.Ranking{})
	if err := c.splitViews(t.Context(), []int{0}); err == nil || !strings.Contains(err.Error(), "has no meaning in a proof") {
		t.Error(err)
	}
}

// A thread is at a settled access if what it reads there is replaced by nobody. Where it may be, a write of another thread does not make it go
// on: it would count as one that others drive round for ever, and no loop be called bounded.
func TestAtSettled_IsWhatNobodyReplaces(t *testing.T) {
	load := ir.Instr{Op: ir.OpAtomicLoad, A: 0, Dst: 2}
	swap := ir.Instr{Op: ir.OpAtomicCAS, A: 0, B: 1, C: 1, Dst: 2}
	for _, x := range []struct {
		what string
		in   ir.Instr
		word string
		want bool
	}{
		{"it reads nil, which is replaced", load, "0", false},
		{"it reads a number that nobody replaces", load, "1", true},
		{"it reads an unknown number", load, "?", false},
		{"it expects 2 and finds 1, which nobody replaces", swap, "1", true},
		{"it expects 2 and finds nil, which is replaced", swap, "0", false},
		{"it expects 2 and finds it", swap, "2", false},
	} {
		c := handmade()
		l := &c.types[collectionType]
		l.mutable[0], l.replaced[0] = true, []certificate.Replaced{{Type: collectionType, Value: zero}}
		if got := c.atSettled(about(x.in, drawn(t, "1{"+x.word+"}"), ref(0, 0), number(2), lost)); got != x.want {
			t.Errorf("%s: %t", x.what, got)
		}
	}
}

// Facts about the addresses that writes replace name the cells by numbers that never change: by others a cell would be one that is never
// replaced today, and another one tomorrow.
func TestLoadReplaced_TakesWordsThatNeverChange(t *testing.T) {
	for _, x := range []struct {
		what           string
		mutable, mutex bool
		value          word
		off            int
		want           bool
	}{
		{"a number that never changes", false, false, number(1), 0, true},
		{"a number that is written", true, false, number(1), 0, false},
		{"a lock", false, true, zero, 0, false},
		{"an address", false, false, zero, 1, false},
		{"no known number", false, false, top, 0, false},
		{"no word", false, false, number(1), 2, false},
	} {
		c := handmade()
		c.types[cellType] = laidOut(structOf(intType, rawType), 1)
		c.types[cellType].mutable[0], c.types[cellType].mutex[0] = x.mutable, x.mutex
		err := c.loadReplaced(&certificate.Head{Replaced: []certificate.Replaced{{Type: collectionType, Cell: cellType, Words: []certificate.Fixed{{Off: x.off, Value: x.value}}}}})
		if (err == nil) != x.want || x.want && slices.ContainsFunc(c.types[collectionType].replaced, func(r []certificate.Replaced) bool { return len(r) != 1 }) {
			t.Errorf("%s: %v", x.what, err)
		}
	}
}

// Who takes a free lock, or gives back its own, goes on; who meets that of another thread waits; who would take its own, or give back another's, is
// refused. A thread that does not go on counts as right, whatever it does with the lock.
func TestLocks_LetTheirHolderGoOn(t *testing.T) {
	for _, x := range []struct {
		what         string
		act          func(c *Checker, s *state, a word) (bool, error)
		before       word
		more, refuse bool
		after        word
	}{
		{"take a free one", (*Checker).lock, free, true, false, mine},
		{"take another's", (*Checker).lock, others, false, false, others},
		{"take one's own", (*Checker).lock, mine, false, true, mine},
		{"give back one's own", (*Checker).unlock, mine, true, false, free},
		{"give back a free one", (*Checker).unlock, free, false, true, free},
		{"give back another's", (*Checker).unlock, others, false, true, others},
	} {
		c := handmade()
		c.types[cellType].mutex[0] = true
		s := about(ir.Instr{Op: ir.OpCall}, graph{{typ: collectionType, words: []word{ref(1, 0)}}, {typ: cellType, words: []word{x.before, zero}}})
		more, err := x.act(c, s, ref(1, 0))
		if (err != nil) != x.refuse || err == nil && more != x.more || s.g.get(1, 0) != x.after {
			t.Errorf("%s: it goes on: %t, %v, and the lock is %s", x.what, more, err, s.g.get(1, 0))
		}
		if want := map[bool]int{true: 1}[x.more]; s.top().pc != want {
			t.Errorf("%s: the next instruction is %d, want %d", x.what, s.top().pc, want)
		}
	}
}

// Who marks a cell keeps its lock until the chain does not lead to the cell any more, and knows the cell until then: what speaks against that is
// noted. Else a thread would count as one that gets a lock which its holder waits to give back.
func TestBusy_NotesWhoGivesBackTheLockOfAMarkedCell(t *testing.T) {
	const lazyType = 3 // a mark, a lock and a link
	for _, x := range []struct {
		what, root, mark string
		made             uint64 // cells that the step has marked
		loose            string // a part of it; "": nothing speaks against it
		noted            bool   // that the lock of the cell is given back
	}{
		{"marked by this step, and linked", "@1", "1", 1 << 1, "the lock of a cell may be given back while it is marked and linked", true},
		{"marked before, and linked", "@1", "1", 0, "", true},
		{"perhaps marked, and linked", "@1", "?", 0, "", true},
		{"marked, and unlinked", "0", "1", 1 << 1, "", false},
		{"not marked", "@1", "0", 0, "", false},
	} {
		c := handmade()
		c.types = append(c.types, laidOut(structOf(intType, intType, rawType), 2))
		c.types[lazyType].mutex[1] = true
		c.content.Mark = &certificate.Place{Type: lazyType, Off: 0}
		from := &claim{calls: []certificate.Call{{Regs: []certificate.Reg{{Reg: 0, Word: ref(1, 0)}}}}}
		places := func() []ranking.Place { return []ranking.Place{{Vars: []ranking.Var{{Call: 0, Reg: 0}}}} }
		c.watch = &watch{g: &ranking.Graph{Places: places()}, from: from, marks: true}
		s := about(ir.Instr{Op: ir.OpCall}, drawn(t, "1{"+x.root+"}", "3{"+x.mark+" 1 0}"), ref(1, 0))
		s.did.made = x.made
		kept := c.keepsBusy(s, from)
		if want := map[bool]uint16{true: 1}[x.made != 0]; kept != want || c.watch.g.Loose != "" {
			t.Errorf("%s: the variables %b lead to it, want %b; %s", x.what, kept, want, c.watch.g.Loose)
		}
		c.releasing(s, 1)
		if g := c.watch.g; (g.Loose == "") != (x.loose == "") || !strings.Contains(g.Loose, x.loose) || (len(g.Releases) == 1) != x.noted || x.noted && g.Releases[0].Vars != 1 {
			t.Errorf("%s: %q, noted: %+v", x.what, g.Loose, g.Releases)
		}
		s.did.made, s.top().regs[0] = x.made, zero
		c.watch.g = &ranking.Graph{Places: places()}
		if c.keepsBusy(s, from); (c.watch.g.Loose != "") != (x.made != 0) {
			t.Errorf("%s, and no variable leads to it: %q", x.what, c.watch.g.Loose)
		}
	}
}
