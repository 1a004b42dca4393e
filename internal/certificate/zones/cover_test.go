// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"fmt"
	"slices"
	"testing"

	"pangolin/internal/ir"
)

// knowing is what a thread of the stage knows in the register 0 and those behind it of its only call. It has cells at variables 5, 6 and 7.
func knowing(op int, words []word, knows ...func(*checker, *thread)) (*checker, *thread) {
	c := stage()
	s := scene{op: op, knows: all(knows...)}
	t := s.start(c)
	t.calls = []call{{&ir.Func{}, 3, map[ir.Reg]word{}}}
	t.calls[0].put(0, words)
	return c, t
}

// claims makes an entry of the certificate, with variables from 4 on, and registers as in knowing.
func claims(c *checker, t *thread, vars int, words []word, edit func(*claimed)) {
	e := &claimed{thread: thread{op: t.op, since: -1, own: none}}
	e.shared = c.fresh(&e.bounds)
	for range vars {
		e.fresh()
	}
	if t.since >= 0 {
		e.since = 4
	}
	e.calls = []call{{t.calls[0].fn, 3, map[ir.Reg]word{}}}
	e.calls[0].put(0, words)
	if edit != nil {
		edit(e)
	}
	c.table = map[string][]*claimed{c.key(&e.thread): {e}}
}

// An entry covers what a thread knows if its variables, cells and offers can stand for something with which all is true that it says.
func TestCovered_LooksForWhatStandsForWhat(t *testing.T) {
	own, some := word{sort: itemOwn}, word{sort: unknown}
	offers := func(_ *checker, t *thread) { t.offers = [][]int{{5, 6}, {6, 7}} }
	two := func(words ...word) func(*claimed) {
		return func(e *claimed) {
			for _, w := range words {
				e.private = append(e.private, object{words: []word{w}})
			}
		}
	}
	with := func(vars ...int) func(*claimed) {
		return func(e *claimed) {
			for _, v := range vars {
				e.offers = append(e.offers, []int{v, v + 1})
			}
		}
	}
	for i, c := range []struct {
		op    int
		has   []word
		knows func(*checker, *thread)
		vars  int
		says  []word
		edit  func(*claimed)
		right bool
	}{
		{isTake, []word{at(5)}, nil, 1, []word{at(4)}, nil, true},
		{isTake, []word{at(5)}, nil, 1, nil, nil, true}, // it says nothing of the register
		{isTake, nil, nil, 1, []word{at(4)}, nil, false},
		{isTake, []word{at(5)}, nil, 1, []word{next(4)}, nil, false},
		{isTake, []word{at(5)}, nil, 1, []word{{sort: itemCell, n: 4}}, nil, false},
		{isTake, []word{at(5), at(5)}, nil, 2, []word{at(4), at(5)}, nil, true},
		{isTake, []word{at(5), at(6)}, nil, 1, []word{at(4), at(4)}, nil, false},
		{isTake, []word{at(5), at(6)}, same(5, 6, 0), 1, []word{at(4), at(4)}, nil, true},
		{isTake, []word{at(5), at(6)}, same(5, 6, 1), 1, []word{at(4), at(4)}, nil, false},
		{isTake, []word{at(5), at(6)}, most(5, 6, 0), 1, []word{at(4), at(4)}, nil, false},
		{isTake, []word{at(5), {sort: itemCell, n: 6}, plus(7, 1)}, all(same(5, 6, 0), same(5, 7, 1)), 1, []word{at(4), {sort: itemCell, n: 4}, plus(4, 0)}, nil, true},
		{isTake, []word{at(5), plus(5, 2)}, nil, 1, []word{at(4), plus(4, 2)}, nil, true},
		{isTake, []word{at(5), plus(5, 2)}, nil, 1, []word{at(4), plus(4, 1)}, nil, false},
		{isTake, []word{plus(5, 2)}, nil, 1, []word{plus(4, 0)}, nil, true}, // the variable stands for a number
		{isTake, []word{plus(5, 2), at(6)}, nil, 1, []word{plus(4, 0), at(4)}, nil, false},
		{isTake, []word{plus(5, 2), at(6)}, same(6, 5, 2), 1, []word{plus(4, 0), at(4)}, nil, true},
		{isTake, []word{at(6), plus(5, 2)}, same(6, 5, 2), 1, []word{at(4), plus(4, 0)}, nil, true},
		{isTake, []word{plus(5, 1)}, nil, 0, []word{some}, nil, true},
		{isTake, []word{{n: 5}}, nil, 0, []word{some}, nil, true},
		{isTake, []word{some}, nil, 0, []word{some}, nil, true},
		{isTake, []word{some}, nil, 0, []word{{}}, nil, false},
		{isTake, []word{{n: 1}}, nil, 0, []word{{n: 2}}, nil, false},
		{isTake, []word{{n: 1}}, nil, 1, []word{plus(4, 0)}, nil, false},
		{isTake, []word{plus(5, 0)}, nil, 0, []word{{}}, nil, false},
		{isTake, []word{at(5)}, nil, 0, []word{some}, nil, false},
		{isPut, []word{own}, nil, 1, []word{some}, nil, false},
		{isPut, []word{own}, nil, 1, []word{own}, nil, true},
		{isTake, []word{{sort: itemCell, n: 5}}, nil, 1, []word{own}, nil, false},
		{isTake, []word{left(5), inWord(6), inSlice(1)}, nil, 0, []word{left(5), inWord(6), inSlice(1)}, nil, true},
		{isTake, []word{left(5)}, nil, 0, []word{left(8)}, nil, false},
		{isTake, []word{inWord(6)}, nil, 0, []word{inWord(7)}, nil, false},
		{isTake, []word{inSlice(1)}, nil, 0, []word{inSlice(0)}, nil, false},
		// Private cells.
		{isTake, []word{mine(0)}, cells([]word{own}), 0, []word{mine(0)}, two(own), true},
		{isTake, []word{mine(0)}, cells([]word{own}), 0, []word{mine(1)}, two(some, own), true},
		{isTake, []word{mine(0)}, cells([]word{own}), 0, []word{mine(0)}, two(word{}), false},
		{isTake, []word{mine(0)}, cells([]word{own, own}), 0, []word{mine(0)}, two(own), false},
		{isTake, []word{mine(0)}, cells([]word{own}), 0, []word{{sort: private, m: 1}}, two(own), false},
		{isTake, []word{mine(0), mine(0)}, cells([]word{own}), 0, []word{mine(0), mine(0)}, two(own), true},
		{isTake, []word{mine(0), mine(0)}, cells([]word{own}), 0, []word{mine(0), mine(1)}, two(own, own), false}, // two stand for two
		{isTake, []word{mine(0), mine(1)}, cells([]word{own}, []word{own}), 0, []word{mine(0), mine(0)}, two(own, own), false},
		{isTake, []word{mine(0), mine(1)}, cells([]word{own}, []word{own}), 0, []word{mine(1), mine(0)}, two(own, own), true},
		{isTake, []word{mine(0)}, cells([]word{mine(1)}, []word{mine(0)}), 0, []word{mine(1)}, two(mine(1), mine(0)), true},
		{isTake, []word{mine(0)}, cells([]word{mine(1)}, []word{mine(1)}), 0, []word{mine(1)}, two(mine(1), mine(0)), false},
		{isTake, []word{mine(0), at(5)}, cells([]word{plus(5, 1)}), 1, []word{mine(0), at(4)}, two(plus(4, 1)), true},
		{isTake, []word{mine(0), at(5)}, cells([]word{plus(6, 1)}), 1, []word{mine(0), at(4)}, two(plus(4, 1)), false},
		{isTake, []word{mine(0)}, cells([]word{own}), 0, []word{mine(0)}, func(e *claimed) { e.private = []object{{words: []word{own}, shown: true}} }, false},
		{isTake, []word{mine(0)}, all(cells([]word{own}), func(_ *checker, t *thread) { t.private[0].shown = true }), 0, []word{mine(0)}, two(own), false},
		// Offers of others.
		{isTake, []word{theirs(1)}, offers, 2, []word{theirs(0)}, with(4), true},
		{isTake, []word{{sort: offer, n: 1, k: 1, m: 2}}, offers, 2, []word{{sort: offer, k: 1, m: 2}}, with(4), true},
		{isTake, []word{{sort: offer, n: 1, k: 1, m: 2}}, offers, 2, []word{{sort: offer, k: 0, m: 2}}, with(4), false},
		{isTake, []word{theirs(1), {sort: itemOffer, n: 0}}, offers, 2, []word{theirs(0), {sort: itemOffer}}, with(4), false},
		{isTake, []word{theirs(1), {sort: itemOffer, n: 1}}, offers, 2, []word{theirs(0), {sort: itemOffer}}, with(4), true},
		{isTake, []word{theirs(0), theirs(0)}, offers, 2, []word{theirs(0), theirs(1)}, with(4, 4), true},
		{isTake, []word{theirs(0), at(5), at(6)}, offers, 2, []word{theirs(0), at(4), at(5)}, with(4), true},
		{isTake, []word{theirs(0), at(6), at(5)}, offers, 2, []word{theirs(0), at(4), at(5)}, with(4), false},
		{isTake, []word{{sort: offer, n: 1, m: 1}}, offers, 2, []word{theirs(0)}, with(4), false},
		{isTake, []word{theirs(0), {sort: itemOffer, n: 1}}, func(_ *checker, t *thread) { t.offers = [][]int{{5, 6}, {5, 6}} }, 2, []word{theirs(0), {sort: itemOffer}}, with(4), false}, // two offers with the same numbers
		{isTake, []word{theirs(0)}, offers, 1, []word{theirs(0)}, func(e *claimed) { e.offers = [][]int{{4, 4}} }, false},
		{isTake, []word{theirs(0)}, all(offers, same(5, 6, 0)), 1, []word{theirs(0)}, func(e *claimed) { e.offers = [][]int{{4, 4}} }, true},
		// What it did.
		{isPut, nil, was(did{linked, 5}), 1, nil, func(e *claimed) { e.did = did{linked, 4} }, false}, // that is its since
		{isPut, nil, all(was(did{linked, 5}), same(5, 4, 0)), 1, nil, func(e *claimed) { e.did = did{linked, 4} }, true},
		{isTake, nil, all(offers, was(did{tookOffer, 0})), 1, nil, func(e *claimed) { e.offers = [][]int{{4, 4}}; e.did = did{tookOffer, 0} }, false},
		{isTake, []word{at(5)}, was(did{tookCell, 5}), 1, []word{at(4)}, func(e *claimed) { e.did = did{tookCell, 4} }, true},
		{isTake, []word{at(5)}, was(did{tookCell, 6}), 1, []word{at(4)}, func(e *claimed) { e.did = did{tookCell, 4} }, false},
		{isTake, []word{at(5)}, was(did{tookCell, 5}), 1, []word{at(4)}, nil, false},
		{isTake, []word{at(5)}, nil, 1, []word{at(4)}, func(e *claimed) { e.did = did{tookCell, 4} }, false},
		{isPut, []word{at(5)}, was(did{linked, 5}), 2, []word{at(5)}, func(e *claimed) { e.did = did{linked, 5} }, true},
		{isPut, []word{at(5)}, was(did{linked, 6}), 2, []word{at(5)}, func(e *claimed) { e.did = did{linked, 5} }, false},
		{isPut, nil, was(did{sort: handed}), 1, nil, func(e *claimed) { e.did = did{sort: handed} }, true},
		{isTake, []word{theirs(0)}, all(offers, was(did{tookOffer, 0})), 2, []word{theirs(0)}, func(e *claimed) { with(4)(e); e.did = did{tookOffer, 0} }, true},
		{isTake, []word{theirs(0)}, all(offers, was(did{tookOffer, 1})), 2, []word{theirs(0)}, func(e *claimed) { with(4)(e); e.did = did{tookOffer, 0} }, false},
		{isTake, nil, nil, 0, nil, func(e *claimed) { e.empty = true }, false},
		{isTake, nil, func(_ *checker, t *thread) { t.empty = true }, 0, nil, func(e *claimed) { e.empty = true }, true},
		{isTake, nil, func(_ *checker, t *thread) { t.empty = true }, 0, nil, nil, true},
		{isTake, nil, most(3, 0, 0), 0, nil, func(e *claimed) { e.empty = true }, true}, // it is so behind the step
		{isPut, []word{at(5)}, nil, 2, []word{at(4)}, nil, false},                       // its since is no cell that it knows
		{isPut, []word{at(5)}, same(4, 5, 0), 2, []word{at(4)}, nil, true},
		// Its own offer.
		{isPut, nil, all(cells([]word{own}), owns(handing{0, 1, false})), 1, nil, func(e *claimed) { two(own)(e); e.own = handing{0, 1, false} }, true},
		{isPut, nil, all(cells([]word{own}), owns(handing{0, 1, false})), 1, nil, func(e *claimed) { two(own)(e); e.own = handing{0, 0, false} }, false},
		{isPut, nil, all(cells([]word{own}), owns(handing{0, 1, false})), 1, nil, func(e *claimed) { two(own)(e); e.own = handing{0, 1, true} }, false},
		{isPut, nil, all(cells([]word{own}), owns(handing{0, 1, false})), 1, nil, two(own), false},
		{isPut, nil, all(cells([]word{own}), owns(handing{0, 1, false})), 1, nil, func(e *claimed) { two(word{})(e); e.own = handing{0, 1, false} }, false},
		{isPut, []word{mine(1)}, all(cells([]word{own}, []word{own}), owns(handing{0, 1, false})), 1, []word{mine(0)}, func(e *claimed) { two(own)(e); e.own = handing{0, 1, false} }, false},
		// Another call.
		{isTake, nil, nil, 0, nil, func(e *claimed) { e.calls[0].pc = 4 }, false},
		{isTake, nil, nil, 0, nil, func(e *claimed) { e.op = isShift }, false},
		{isTake, nil, nil, 0, nil, func(e *claimed) { e.calls = append(e.calls, e.calls[0]) }, false},
	} {
		k, th := knowing(c.op, c.has, func(c2 *checker, t *thread) {
			if c.knows != nil {
				c.knows(c2, t)
			}
		})
		claims(k, th, c.vars, c.says, c.edit)
		if err := k.covered(th); (err == nil) != c.right || err != nil && !refuses(err) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

// What an entry says of shared variables has to be true when others have moved: what bounds them from above is not.
func TestCovered_ForgetsWhatOthersChange(t *testing.T) {
	for i, c := range []struct {
		knows func(*checker, *thread)
		says  bound
		right bool
	}{
		{same(5, 0, 0), bound{4, 0, 0}, true},
		{same(5, 0, 0), bound{0, 4, 0}, false},
		{same(5, 0, 0), bound{0, 4, 1 << 20}, false},
		{same(5, 0, 0), bound{4, 1, 0}, true}, // for the front is at most the second finger, at all times
		{same(5, 0, 0), bound{4, 2, 0}, true},
		{same(5, 0, 0), bound{4, 3, 0}, false},
		{same(5, 0, 0), bound{0, 1, 0}, true},
		{same(5, 0, 1), bound{4, 0, 1}, true},
		{same(5, 0, 1), bound{4, 0, 0}, false},
		{all(same(5, 0, 0), same(0, 2, 0)), bound{2, 0, 0}, false}, // it was so
		{all(same(5, 0, 0), same(0, 2, 0)), bound{3, 4, 0}, false},
		{same(5, 2, 0), bound{3, 4, 0}, false},
		{same(5, 3, 0), bound{4, 1, 0}, true},
		{same(5, 6, 3), bound{4, 5, 3}, true},
		{same(5, 6, 3), bound{5, 4, -3}, true},
		{same(5, 6, 3), bound{5, 4, -4}, false},
		{same(5, 6, 3), bound{4, 6, 0}, false}, // nothing stands for the last variable
	} {
		k, th := knowing(isTake, []word{at(5), at(6)}, c.knows)
		claims(k, th, 3, []word{at(4), at(5)}, func(e *claimed) { e.says = []bound{c.says} })
		if err := k.covered(th); (err == nil) != c.right {
			t.Errorf("%d: %v", i, err)
		}
	}
}

// A call begins with what holds at all times, and the since of a Put is returned.
func TestBegin_KnowsWhatHolds(t *testing.T) {
	c := stage()
	fn := &ir.Func{Code: []ir.Instr{{Op: ir.OpAtomicLoad, A: 0}}}
	for op := range c.s.Operations {
		c.ops[op].method = fn
		err := c.executions(func() (*thread, error) { return c.begin(op) }, func(th *thread) error {
			regs := fmt.Sprint(th.calls[0].regs)
			if op == isPut && (regs != "map[0:{6 0 0 0} 1:{3 0 0 0}]" || !th.certainlySame(term{th.since, 0}, th.at(3), 0)) || op != isPut && (regs != "map[0:{6 0 0 0}]" || th.since >= 0) {
				t.Errorf("%d: %s, %v", op, regs, th)
			}
			if !th.certain(th.at(0), th.at(1), 0) || th.certain(th.at(1), th.at(0), 5) || th.calls[0].pc != 0 || th.empty {
				t.Errorf("%d: it knows other things", op)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// Two addresses are compared by what they lead to.
func TestEqual_ComparesAddresses(t *testing.T) {
	const never, ever, either = "no", "yes", "either"
	inOffer := func(n, k, m int) word { return word{sort: offer, n: n, k: k, m: m} }
	known := all(func(_ *checker, t *thread) { t.offers = [][]int{{5, 6}, {6, 7}} }, cells([]word{{}, {}}, []word{{}, {}}))
	for i, c := range []struct {
		a, b  word
		knows func(*checker, *thread)
		want  string
	}{
		{at(5), at(5), nil, ever}, {at(5), at(6), nil, either}, {at(5), at(6), same(5, 6, 0), ever}, {at(5), at(6), most(5, 6, -1), never}, {at(5), at(6), most(6, 5, -1), never}, {at(5), at(6), most(5, 6, 0), either},
		{at(5), next(5), nil, never}, {next(5), next(6), nil, either}, {next(5), next(6), same(5, 6, 1), never},
		{at(5), mine(0), nil, never}, {at(5), left(5), nil, never}, {at(5), inWord(0), nil, never}, {at(5), inSlice(0), nil, never}, {at(5), word{}, nil, never},
		{at(5), theirs(0), nil, either}, {at(5), inOffer(0, 1, 0), nil, either}, {next(5), inOffer(0, 1, 2), nil, either}, {at(5), inOffer(0, 1, 1), nil, never},
		{theirs(0), theirs(0), nil, ever}, {theirs(0), theirs(1), nil, either}, {theirs(0), inOffer(0, 1, 0), nil, never}, {theirs(0), inOffer(1, 1, 0), nil, either}, {theirs(0), inOffer(1, 1, 1), nil, never}, {inOffer(0, 0, 1), theirs(0), nil, never},
		{theirs(0), mine(0), nil, never}, {theirs(0), left(5), nil, never}, {theirs(0), word{}, nil, never}, {theirs(0), inWord(7), nil, never},
		{mine(0), mine(0), nil, ever}, {mine(0), mine(1), nil, never}, {mine(0), word{sort: private, m: 1}, nil, never}, {mine(0), word{}, nil, never}, {mine(0), left(5), nil, never},
		{left(5), left(5), nil, ever}, {left(5), left(8), nil, never}, {left(5), word{}, nil, never}, {inWord(1), inWord(1), nil, ever}, {inWord(1), inWord(2), nil, never}, {inSlice(0), inSlice(0), nil, ever}, {inSlice(0), inSlice(1), nil, never}, {inSlice(0), inWord(0), nil, never},
		{plus(5, 0), plus(5, 0), nil, ever}, {plus(5, 1), plus(5, 0), nil, never}, {plus(5, 1), plus(6, 0), same(6, 5, 1), ever}, {plus(5, 1), word{n: 1}, nil, either}, {plus(5, 1), word{sort: unknown}, nil, either}, {word{n: 1}, word{sort: unknown}, nil, either}, {word{n: 1}, word{n: 1}, nil, ever}, {word{n: 1}, word{n: 2}, nil, never},
		{at(5), word{n: 1}, nil, rejected}, {at(5), word{sort: unknown}, nil, rejected}, {mine(0), plus(5, 0), nil, rejected},
		{word{sort: itemOwn}, word{sort: itemOwn}, nil, rejected}, {word{sort: itemOwn}, word{}, nil, rejected}, {word{}, word{sort: itemCell, n: 5}, nil, rejected},
	} {
		for _, pair := range [][2]word{{c.a, c.b}, {c.b, c.a}} {
			k := stage()
			var seen []string
			err := k.executions(func() (*thread, error) {
				s := scene{op: isTake, knows: known}
				th := s.start(k)
				if c.knows != nil {
					c.knows(k, th)
				}
				is, err := k.equal(th, ir.I64, pair[0], pair[1])
				if err == nil {
					seen = append(seen, map[bool]string{true: ever, false: never}[is])
				}
				return th, err
			}, func(*thread) error { return nil })
			got := rejected
			if !refuses(err) {
				slices.Sort(seen)
				if seen = slices.Compact(seen); len(seen) == 2 {
					seen = []string{either}
				}
				got = fmt.Sprint(seen[0])
			}
			if got != c.want {
				t.Errorf("%d: %v == %v: %s, want %s (%v)", i, pair[0], pair[1], got, c.want, err)
			}
		}
	}
}
