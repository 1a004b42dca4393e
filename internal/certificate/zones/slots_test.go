// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/ir"
	"pangolin/oracle"
)

// offered are the two cells of an offer, with a number that is right: it is the thread's since, which is where the second finger is.
func offered(edit func(cells [][]word)) func(*checker, *thread) {
	list := [][]word{{mine(1), plus(4, 0)}, {{sort: itemOwn}, {}, {}}}
	if edit != nil {
		edit(list)
	}
	return all(cells(list...), most(4, 1, 0))
}

const (
	isNil   = no
	taken   = "{8 5 0 0}" // what a Take leaves
	found   = "{10 0 0 0}"
	own0    = " has {0 0 false}"
	met0    = " did {2 0} has {0 0 true}"
	ownCell = "{11 0 0 0}"
)

// Here Takes leave nil.
func leavesNil(h *Head) { h.Left = []string{"0"} }

// What a thread finds in a slot.
func TestSlot_HasWhatIsLeftThere(t *testing.T) {
	two := func(h *Head) { h.Left = []string{"constant 8", "constant 5"} }
	mixed := func(h *Head) { h.Left = []string{"constant 5", "0"} }
	nobody := func(h *Head) { h.Left = []string{} }
	unmet, met := owns(handing{0, 0, false}), all(owns(handing{0, 0, true}), was(did{sort: handed}))
	for i, c := range []struct {
		scene
		head func(*Head)
		want string
	}{
		{scene{isTake, load, inSlice(0), word{}, word{}, nil}, nil, isNil + "; " + found + "; " + taken},
		{scene{isPut, load, inWord(7), word{}, word{}, nil}, nil, isNil + "; " + found + "; " + taken},
		{scene{isPut, load, inSlice(1), word{}, word{}, nil}, leavesNil, isNil + "; " + found},
		{scene{isPut, load, inSlice(1), word{}, word{}, nil}, nobody, isNil + "; " + found},
		{scene{isPut, load, inSlice(1), word{}, word{}, all(offered(nil), unmet)}, nil, isNil + own0 + "; " + found + own0 + "; " + taken + own0}, // another slot
		{scene{isPut, load, inSlice(0), word{}, word{}, all(offered(nil), unmet)}, nil, ownCell + own0 + "; " + taken + met0},
		{scene{isPut, load, inSlice(0), word{}, word{}, all(offered(nil), unmet)}, two, ownCell + own0 + "; " + taken + met0 + "; {8 8 0 0}" + met0},
		{scene{isPut, load, inSlice(0), word{}, word{}, all(offered(nil), unmet)}, nobody, ownCell + own0},
		{scene{isPut, load, inSlice(0), word{}, word{}, all(offered(nil), unmet)}, leavesNil, isNil + " did {2 0}; " + found + " did {2 0}; " + ownCell + own0},
		{scene{isPut, load, inSlice(0), word{}, word{}, all(offered(nil), unmet)}, mixed, isNil + " did {2 0}; " + found + " did {2 0}; " + ownCell + own0 + "; " + taken + " did {2 0}"},
		{scene{isPut, load, inSlice(0), word{}, word{}, all(offered(nil), met)}, nil, taken + met0},
		{scene{isPut, load, inSlice(0), word{}, word{}, all(offered(nil), met)}, two, taken + met0 + "; {8 8 0 0}" + met0},
	} {
		edit := c.head
		if edit == nil {
			edit = func(*Head) {}
		}
		c.is(t, stage(edit), fmt.Sprint(i), c.want)
	}
}

// An offer is made by a Put that did nothing yet and has none, of its own cells, as the head says. It is taken back, or was taken.
func TestSlot_TakesOffersOfPuts(t *testing.T) {
	done, bad := isNil+"; "+yes+own0, rejected+"; "+isNil
	unmet, met := owns(handing{0, 0, false}), all(owns(handing{0, 0, true}), was(did{sort: handed}))
	for i, c := range []struct {
		scene
		want string
	}{
		{scene{isPut, cas, inSlice(0), word{}, mine(0), offered(nil)}, done},
		{scene{isPut, cas, inWord(7), word{}, mine(0), offered(nil)}, isNil + "; " + yes + " has {0 2 false}"},
		{scene{isTake, cas, inSlice(0), word{}, mine(0), offered(nil)}, rejected},
		{scene{isPut, cas, inSlice(0), word{}, mine(0), all(offered(nil), was(did{linked, 5}))}, rejected},
		{scene{isPut, cas, inSlice(0), word{}, mine(0), all(offered(nil), was(did{handed, 0}))}, rejected},
		{scene{isPut, cas, inSlice(1), word{}, mine(0), all(offered(nil), unmet)}, rejected},
		{scene{isPut, cas, inSlice(0), word{}, mine(0), all(offered(nil), unmet)}, rejected},
		{scene{isPut, cas, inSlice(0), word{}, word{sort: private, m: 1}, offered(nil)}, rejected},
		{scene{isPut, cas, inSlice(0), word{}, word{}, offered(nil)}, rejected},
		{scene{isPut, cas, inSlice(0), word{}, left(5), offered(nil)}, rejected},
		{scene{isPut, cas, inSlice(0), word{}, theirs(0), knowsOffer}, rejected},
		{scene{isPut, cas, inSlice(0), word{}, at(5), nil}, rejected},
		{scene{isPut, store, inSlice(0), mine(0), word{}, offered(nil)}, rejected},
		{scene{isPut, cas, inSlice(0), word{}, mine(1), offered(nil)}, bad}, // it has other words
		{scene{isPut, cas, inSlice(0), word{}, mine(0), offered(func(c [][]word) { c[0][0] = mine(0) })}, bad},
		{scene{isPut, cas, inSlice(0), word{}, mine(0), offered(func(c [][]word) { c[0][0] = word{sort: private, n: 1, m: 1} })}, bad},
		{scene{isPut, cas, inSlice(0), word{}, mine(0), offered(func(c [][]word) { c[0][0] = word{} })}, bad},
		{scene{isPut, cas, inSlice(0), word{}, mine(0), offered(func(c [][]word) { c[0][0] = at(5) })}, bad},
		{scene{isPut, cas, inSlice(0), word{}, mine(0), offered(func(c [][]word) { c[1][0] = word{} })}, bad},
		{scene{isPut, cas, inSlice(0), word{}, mine(0), offered(func(c [][]word) { c[1][0] = word{sort: itemCell, n: 5} })}, bad},
		{scene{isPut, cas, inSlice(0), word{}, mine(0), offered(func(c [][]word) { c[1][1], c[1][2] = at(5), mine(0) })}, done}, // nobody reads these
		{scene{isPut, cas, inSlice(0), word{}, mine(0), offered(func(c [][]word) { c[0][1] = word{n: 1} })}, bad},
		{scene{isPut, cas, inSlice(0), word{}, mine(0), offered(func(c [][]word) { c[0][1] = word{sort: unknown} })}, bad},
		{scene{isPut, cas, inSlice(0), word{}, mine(0), offered(func(c [][]word) { c[0][1] = plus(4, 1) })}, bad},  // it may be behind the second finger
		{scene{isPut, cas, inSlice(0), word{}, mine(0), offered(func(c [][]word) { c[0][1] = plus(4, -1) })}, bad}, // it is before the since
		{scene{isPut, cas, inSlice(0), word{}, mine(0), offered(func(c [][]word) { c[0][1] = plus(5, 0) })}, bad},
		{scene{isPut, cas, inSlice(0), word{}, mine(0), all(offered(func(c [][]word) { c[0][1] = plus(5, 1) }), same(5, 4, -1))}, done},
		{scene{isPut, cas, inSlice(0), word{}, mine(0), cells([]word{mine(1), plus(4, 0)}, []word{{sort: itemOwn}, {}, {}})}, bad},
		// Taken back.
		{scene{isPut, cas, inSlice(0), mine(0), word{}, all(offered(nil), unmet)}, isNil + met0 + "; " + yes},
		{scene{isPut, cas, inSlice(0), mine(0), left(5), all(offered(nil), unmet)}, rejected},
		{scene{isPut, cas, inSlice(0), mine(0), mine(0), all(offered(nil), unmet)}, rejected},
		{scene{isPut, cas, inSlice(0), mine(0), word{}, all(offered(nil), met)}, isNil + met0},
		{scene{isPut, cas, inSlice(0), mine(0), word{}, offered(nil)}, isNil}, // it is in no slot
		{scene{isPut, cas, inSlice(1), mine(0), word{}, all(offered(nil), unmet)}, isNil + own0},
		{scene{isPut, cas, inSlice(0), mine(1), word{}, all(offered(nil), unmet)}, isNil + own0},
		{scene{isPut, cas, inSlice(0), word{sort: private, m: 1}, word{}, all(offered(nil), unmet)}, rejected},
		// Cleared.
		{scene{isPut, store, inSlice(0), word{}, word{}, all(offered(nil), met)}, isNil + " did {2 0}"},
		{scene{isPut, store, inSlice(1), word{}, word{}, all(offered(nil), met)}, rejected},
		{scene{isPut, store, inSlice(0), word{}, word{}, all(offered(nil), unmet)}, rejected},
		{scene{isPut, store, inSlice(0), word{}, word{}, all(offered(nil), was(did{sort: handed}))}, rejected},
		{scene{isPut, store, inSlice(0), left(5), word{}, all(offered(nil), met)}, rejected},
		{scene{isPut, cas, inSlice(0), left(5), word{}, all(offered(nil), met)}, yes + " did {2 0}"},
		{scene{isPut, cas, inSlice(0), left(5), word{}, all(offered(nil), unmet)}, rejected},
		{scene{isPut, cas, inSlice(1), left(5), word{}, all(offered(nil), met)}, rejected},
		{scene{isPut, cas, inSlice(0), left(5), word{}, nil}, rejected},
		{scene{isPut, cas, inSlice(0), left(5), left(5), all(offered(nil), met)}, rejected},
		{scene{isPut, cas, inSlice(0), left(8), word{}, all(offered(nil), met)}, rejected}, // it never stands there
		{scene{isPut, ir.Instr{Op: ir.OpAtomicSwap}, inSlice(0), word{}, word{}, all(offered(nil), met)}, rejected},
		{scene{isPut, ir.Instr{Op: ir.OpAtomicAdd}, inSlice(0), word{}, word{}, nil}, rejected},
		{scene{isPut, ir.Instr{Op: ir.OpLoad, T: &ir.Type{Size: 1}}, inSlice(0), word{}, word{}, nil}, rejected},
		{scene{isPut, ir.Instr{Op: ir.OpLoad, T: &ir.Type{Size: 1}}, inWord(7), word{}, word{}, nil}, rejected},
		{scene{isPut, ir.Instr{Op: ir.OpStore, T: &ir.Type{Size: 1}}, inSlice(0), word{}, word{}, all(offered(nil), met)}, rejected},
	} {
		c.is(t, stage(), fmt.Sprint(i), c.want)
	}
	s := scene{isPut, store, inSlice(0), word{}, word{}, all(offered(nil), met)}
	s.is(t, stage(leavesNil), "cleared where Takes leave nil", rejected)
	s = scene{isPut, cas, inSlice(0), mine(0), word{}, all(offered(nil), unmet)}
	s.is(t, stage(leavesNil), "taken back where Takes leave nil", isNil+" did {2 0}; "+yes)
	s.is(t, stage(func(h *Head) { h.Left = []string{} }), "taken back where nobody takes", yes)
	s = scene{isPut, cas, inSlice(0), left(5), word{}, all(offered(nil), met)}
	s.is(t, stage(func(h *Head) { h.Left = []string{"constant 5", "constant 8"} }), "cleared where Takes leave one or the other", isNil+met0+"; "+yes+" did {2 0}")
}

// Others may read what is offered, from then on.
func TestSlot_ShowsWhatIsOffered(t *testing.T) {
	c := stage()
	s := scene{isPut, cas, inSlice(0), word{}, mine(0), all(offered(nil), cells([]word{{}}))}
	err := c.executions(func() (*thread, error) {
		th := s.start(c)
		return th, c.memory(th, &th.calls[0], &ir.Instr{Op: ir.OpAtomicCAS, A: rA, B: rB, C: rC, Dst: rD})
	}, func(th *thread) error {
		is := th.own.cell == 0
		if th.private[0].shown != is || th.private[1].shown != is || th.private[2].shown {
			t.Errorf("%v", th.private)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// A word that has a meaning in some place of an offer is not written again, in whatever place the cell was.
	shown := func(_ *checker, th *thread) {
		for i := range th.private {
			th.private[i].shown = true
		}
	}
	one := &ir.Type{Size: 1}
	for i, w := range []struct {
		to    word
		right bool
	}{{mine(0), false}, {word{sort: private, m: 1}, false}, {mine(1), false}, {word{sort: private, n: 1, m: 1}, true}, {word{sort: private, n: 1, m: 2}, true}} {
		want := map[bool]string{true: isNil, false: rejected}[w.right]
		for _, in := range []ir.Instr{{Op: ir.OpStore, T: one}, {Op: ir.OpAtomicStore}} {
			s := scene{isPut, in, w.to, word{}, word{}, all(offered(nil), shown)}
			s.is(t, stage(), fmt.Sprint("store ", i), want)
			s.knows = offered(nil)
			s.is(t, stage(), fmt.Sprint("store to what is not shown ", i), isNil)
		}
		s := scene{isPut, cas, w.to, word{}, word{n: 1}, all(offered(func(c [][]word) { c[0] = []word{{}, {}}; c[1] = []word{{}, {}, {}} }), shown)}
		s.is(t, stage(), fmt.Sprint("swap ", i), map[bool]string{true: yes, false: rejected}[w.right])
	}
	s = scene{isPut, ir.Instr{Op: ir.OpStore, T: one}, word{sort: private, n: 0, m: 1}, word{}, word{}, all(cells([]word{{}, {}}), shown)}
	s.is(t, stage(func(h *Head) { h.Offers = [][]string{{"item 0", "?", "cell 1", "number 0"}, {"item 0", "number 0"}} }), "another place", rejected)
	s.is(t, stage(func(h *Head) { h.Offers = [][]string{{"item 0", "?", "cell 1", "number 0"}, {"item 0", "?"}} }), "no place", isNil)
}

// An offer of another thread is taken by a Take that did nothing yet, where the front is at the offer's since for certain, and something is left that the head names.
func TestSlot_GivesOffersToTakes(t *testing.T) {
	old := all(knowsOffer, most(5, 0, 0))
	done := isNil + "; " + yes + " did {4 0}"
	for i, c := range []struct {
		scene
		want string
	}{
		{scene{isTake, cas, inSlice(0), theirs(0), left(5), old}, done},
		{scene{isTake, cas, inWord(7), theirs(0), left(5), old}, done},
		{scene{isTake, cas, inSlice(0), theirs(0), left(5), knowsOffer}, rejected + "; " + isNil},
		{scene{isTake, cas, inSlice(0), theirs(0), left(5), all(knowsOffer, most(5, 0, 1))}, rejected + "; " + isNil},
		{scene{isTake, cas, inSlice(0), theirs(0), left(5), all(knowsOffer, most(5, 6, 0), most(6, 0, 0))}, done},
		{scene{isTake, cas, inSlice(0), theirs(0), left(5), all(knowsOffer, most(5, 1, 0))}, rejected + "; " + isNil}, // the second finger is there
		{scene{isTake, cas, inSlice(0), theirs(0), left(8), old}, rejected},
		{scene{isTake, cas, inSlice(0), theirs(0), word{}, old}, rejected},
		{scene{isTake, cas, inSlice(0), theirs(0), theirs(0), old}, rejected},
		{scene{isTake, cas, inSlice(0), theirs(0), mine(0), all(old, cells([]word{{}, {}}))}, rejected},
		{scene{isPut, cas, inSlice(0), theirs(0), left(5), old}, rejected},
		{scene{isTake, cas, inSlice(0), theirs(0), left(5), all(old, was(did{tookCell, 7}))}, rejected},
		{scene{isTake, cas, inSlice(0), theirs(0), left(5), all(old, was(did{tookOffer, 0}))}, rejected},
		{scene{isTake, cas, inSlice(0), word{sort: offer, k: 1}, left(5), old}, rejected},
		{scene{isTake, cas, inSlice(0), word{sort: offer, m: 1}, left(5), old}, rejected},
		{scene{isTake, cas, inSlice(0), at(5), left(5), old}, rejected},
		{scene{isTake, cas, inSlice(0), inWord(0), left(5), old}, rejected},
		{scene{isTake, store, inSlice(0), left(5), word{}, old}, rejected},
		{scene{isTake, ir.Instr{Op: ir.OpAtomicSwap}, inSlice(0), left(5), word{}, old}, rejected},
	} {
		c.is(t, stage(), fmt.Sprint(i), c.want)
	}
	s := scene{isTake, cas, inSlice(0), theirs(0), word{}, old}
	s.is(t, stage(leavesNil), "nil is left", done)
	s.c = left(5)
	s.is(t, stage(leavesNil), "something else is left", rejected)
}

// What a call may return that did something.
func TestReturns_SaysWhatWasDone(t *testing.T) {
	item := func(s sort, n int) word { return word{sort: s, n: n} }
	truth, lie := word{n: 1}, word{}
	seen := func(_ *checker, t *thread) { t.empty = true }
	for i, c := range []struct {
		op      int
		knows   func(*checker, *thread)
		results []word
		right   bool
	}{
		{isPut, was(did{linked, 5}), nil, false}, // the second finger may be before it
		{isPut, all(was(did{linked, 5}), most(5, 1, 0)), nil, true},
		{isPut, all(was(did{linked, 5}), most(5, 3, 0)), nil, true}, // others have returned
		{isPut, was(did{sort: handed}), nil, true},
		{isPut, nil, nil, false},
		{isPut, all(was(did{sort: handed}), owns(handing{0, 0, true})), nil, true},
		{isPut, all(was(did{linked, 5}), most(5, 1, 0), owns(handing{0, 0, false})), nil, false},
		{isPut, owns(handing{0, 0, false}), nil, false},
		{isTake, was(did{tookCell, 5}), []word{item(itemCell, 5), truth}, true},
		{isTake, was(did{tookCell, 5}), []word{item(itemCell, 6), truth}, false},
		{isTake, all(was(did{tookCell, 5}), same(5, 6, 0)), []word{item(itemCell, 6), truth}, true},
		{isTake, all(was(did{tookCell, 5}), same(5, 6, 1)), []word{item(itemCell, 6), truth}, false},
		{isTake, was(did{tookCell, 5}), []word{item(itemCell, 5), lie}, false},
		{isTake, all(was(did{tookCell, 5}), seen), []word{{}, lie}, false},
		{isTake, was(did{tookCell, 5}), []word{item(itemCell, 5), {sort: unknown}}, false},
		{isTake, was(did{tookCell, 5}), []word{{sort: unknown}, truth}, false},
		{isTake, was(did{tookCell, 5}), []word{{n: 5}, truth}, false},
		{isTake, was(did{tookOffer, 5}), []word{item(itemCell, 5), truth}, false},
		{isTake, was(did{tookOffer, 0}), []word{item(itemOffer, 0), truth}, true},
		{isTake, was(did{tookOffer, 0}), []word{item(itemOffer, 1), truth}, false},
		{isTake, was(did{tookCell, 0}), []word{item(itemOffer, 0), truth}, false},
		{isTake, nil, []word{item(itemCell, 5), truth}, false},
		{isTake, nil, []word{item(itemOffer, 0), truth}, false},
		{isTake, nil, []word{{}, truth}, false},
		{isTake, nil, []word{{}, lie}, false},
		{isTake, seen, []word{{}, lie}, true},
		{isTake, most(3, 0, 0), []word{{}, lie}, true}, // it is so now
		{isTake, most(3, 0, 1), []word{{}, lie}, false},
		{isTake, seen, []word{{n: 1}, lie}, false},
		{isTake, seen, []word{{sort: unknown}, lie}, false},
		{isTake, seen, []word{item(itemCell, 5), lie}, false},
		{isTake, seen, []word{{}, truth}, false},
		{isTake, seen, []word{{}, {sort: unknown}}, false},
		{isTake, seen, []word{{}}, false},
		{isShift, seen, []word{truth, {}}, true},
		{isShift, seen, []word{{n: 2}, {}}, true},
		{isShift, seen, []word{lie, {}}, false},
		{isShift, was(did{tookCell, 5}), []word{lie, item(itemCell, 5)}, true},
		{isShift, was(did{tookCell, 5}), []word{truth, item(itemCell, 5)}, false},
	} {
		k := stage()
		err := k.executions(func() (*thread, error) {
			s := scene{op: c.op, knows: c.knows}
			th := s.start(k)
			return th, k.returns(th, c.results)
		}, func(*thread) error { return nil })
		if (err == nil) != c.right || err != nil && !refuses(err) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

// The greatest position of a cell whose Put has returned is that of this Put, or another one.
func TestReturns_RaisesReturned(t *testing.T) {
	c := stage()
	s := scene{op: isPut, knows: all(was(did{linked, 5}), most(5, 1, 0))}
	var seen []bool
	err := c.executions(func() (*thread, error) {
		th := s.start(c)
		return th, c.returns(th, nil)
	}, func(th *thread) error {
		if !th.over || !th.certain(term{5, 0}, th.at(3), 0) || !th.certain(term{3, 0}, th.at(3), 0) {
			t.Error("returned is less than it was, or than the position")
		}
		seen = append(seen, th.shared[3] == 5)
		return nil
	})
	if err != nil || !slices.Contains(seen, true) || !slices.Contains(seen, false) {
		t.Errorf("%v %v", err, seen)
	}
	for more, raises := range map[int]bool{0: false, 1: true} { // where its position is that of another one, or the next one
		seen = nil
		s.knows = all(was(did{linked, 5}), most(5, 1, 0), same(5, 3, more))
		err := c.executions(func() (*thread, error) {
			th := s.start(c)
			return th, c.returns(th, nil)
		}, func(th *thread) error {
			seen = append(seen, th.shared[3] == 5)
			return nil
		})
		if err != nil || len(seen) != 1 || seen[0] != raises {
			t.Errorf("%d more: %v %v", more, err, seen)
		}
	}
}

// What Takes may return: an item and whether there was one, an item or nil, or an item where they wait for one.
func TestFits_KnowsWhatTakesTell(t *testing.T) {
	item, ok, not, orNil := oracle.SlotItem, oracle.SlotOK, oracle.SlotNotOK, oracle.SlotItemOrNil
	two, one := &ir.Type{Size: 2}, &ir.Type{Size: 1}
	for i, c := range []struct {
		slots []oracle.Slot
		waits bool
		want  string // "": it is no Take
	}{
		{[]oracle.Slot{item, ok}, false, "item at 0, 2 words; ok at 2"}, {[]oracle.Slot{ok, item}, false, "item at 1, 2 words; ok at 0"},
		{[]oracle.Slot{not, item}, false, "item at 1, 2 words; not ok at 0"}, {[]oracle.Slot{item, not}, false, "item at 0, 2 words; not ok at 2"}, {[]oracle.Slot{orNil}, false, "item or nil at 0, 2 words"},
		{[]oracle.Slot{item}, true, "item at 0, 2 words"}, {[]oracle.Slot{item}, false, ""}, {[]oracle.Slot{item, ok}, true, ""}, {[]oracle.Slot{orNil}, true, ""}, {nil, true, ""}, {nil, false, ""},
		{[]oracle.Slot{item, item}, true, ""}, {[]oracle.Slot{ok, ok}, false, ""}, {[]oracle.Slot{ok}, false, ""}, {[]oracle.Slot{item, oracle.SlotError}, false, ""}, {[]oracle.Slot{item, oracle.SlotCount}, false, ""},
		{[]oracle.Slot{orNil, ok}, false, ""}, {[]oracle.Slot{item, ok, ok}, false, ""}, {[]oracle.Slot{item, ok, not}, false, ""},
	} {
		var types []*ir.Type
		for _, s := range c.slots {
			if s == item || s == orNil {
				types = append(types, two)
			} else {
				types = append(types, one)
			}
		}
		o, got := operation{item: -1, ok: -1}, ""
		if o.tells(c.slots, types, c.waits) {
			got = fmt.Sprintf("item at %d, %d words", o.item, o.width)
			if o.orNil {
				got = strings.Replace(got, "item", "item or nil", 1)
			}
			if o.ok >= 0 {
				got += fmt.Sprintf("; %sok at %d", map[bool]string{true: "not "}[o.not], o.ok)
			}
		}
		if got != c.want {
			t.Errorf("%d: %v, waits %t: %s, want %s", i, c.slots, c.waits, got, c.want)
		}
	}
}

// An item of two words is what was taken if both are, in their order; an item or nil says by itself whether there was one.
func TestReturns_KnowItemsOfTwoWords(t *testing.T) {
	taken := func(n, m int) word { return word{sort: itemCell, n: n, m: m} }
	seen := func(_ *checker, t *thread) { t.empty = true }
	took := func(_ *checker, t *thread) { t.did = did{tookCell, 5} }
	for i, c := range []struct {
		knows   func(*checker, *thread)
		results []word
		right   bool
	}{
		{took, []word{taken(5, 0), taken(5, 1)}, true}, {took, []word{taken(5, 1), taken(5, 0)}, false}, {took, []word{taken(5, 0), taken(6, 1)}, false}, {took, []word{taken(5, 0), {}}, false},
		{took, []word{{}, {}}, false}, {seen, []word{{}, {}}, true}, {seen, []word{{}, taken(5, 1)}, false}, {nil, []word{{}, {}}, false}, {took, []word{taken(5, 0)}, false},
	} {
		k := stage()
		k.ops[isTake] = operation{width: 2, item: 0, ok: -1, orNil: true}
		s := scene{op: isTake, knows: c.knows}
		err := k.executions(func() (*thread, error) {
			th := s.start(k)
			return th, k.returns(th, c.results)
		}, func(*thread) error { return nil })
		if (err == nil) != c.right || err != nil && !refuses(err) {
			t.Errorf("%d: %v", i, err)
		}
	}
}
