// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"fmt"
	"slices"

	"pangolin/internal/ir"
	"pangolin/internal/subject"
)

// claimed is a thread of the certificate. Its shared variables are numbered from 0, and its own ones from there on; its bounds have those that hold at all times beside those of the certificate.
type claimed struct {
	thread
	says []bound // the certificate's bounds, of these variables
}

// load reads what the certificate claims. Nothing that is read later has an index out of range.
func (c *checker) load() error {
	for i := range c.x.Threads {
		e, err := c.entry(&c.x.Threads[i])
		if err != nil {
			return err
		}
		c.known = append(c.known, e)
		key := c.key(&e.thread)
		c.table[key] = append(c.table[key], e)
	}
	return nil
}

// key is the text of what has to be the same where an entry covers what a thread knows.
func (c *checker) key(t *thread) string {
	out := fmt.Sprint(t.op, t.did.sort, t.own.cell >= 0, t.own.slot, t.own.met)
	for i := range t.calls {
		out += fmt.Sprint(" ", t.calls[i].fn.ID, " ", t.calls[i].pc)
	}
	return out
}

// entry reads a thread.
func (c *checker) entry(x *Thread) (*claimed, error) {
	e := &claimed{thread: thread{since: -1, own: none, empty: x.Empty}}
	e.op = slices.IndexFunc(c.s.Operations, func(o subject.Operation) bool { return o.Name == x.Op })
	if e.op < 0 || x.Vars < 0 || x.Vars > mostVars || len(x.Private) > mostCells || len(x.Offers) > mostCells || len(x.Private) != len(x.Shown) {
		return nil, reject("a thread is in no operation, or it has too many variables or cells: %s", x.Op)
	}
	e.shared = c.fresh(&e.bounds)
	for range x.Vars {
		e.fresh()
	}
	if !c.names(x.Bounds, c.shared()+x.Vars) {
		return nil, reject("a bound of a thread is of a variable that is none, or there are too many")
	}
	for _, b := range x.Bounds {
		e.says = append(e.says, bound{b[0], b[1], b[2]})
		e.learn(term{b[0], 0}, term{b[1], 0}, b[2])
	}
	own := func(v int) (int, bool) { return c.shared() + v, v >= 0 && v < x.Vars }
	for _, list := range x.Offers {
		var vars []int
		for _, v := range list {
			v, is := own(v)
			if !is {
				return nil, reject("an offer has a variable that is none")
			}
			vars = append(vars, v)
		}
		if len(vars) != 1+c.numbers {
			return nil, reject("an offer that a thread knows has %d variables", len(vars))
		}
		e.offers = append(e.offers, vars)
	}
	for i, words := range x.Private {
		if len(words) > mostWords {
			return nil, reject("a private cell has %d words", len(words))
		}
		e.private = append(e.private, object{words: make([]word, len(words)), shown: x.Shown[i]})
	}
	for i, words := range x.Private {
		for k, text := range words {
			var err error
			if e.private[i].words[k], err = c.word(&e.thread, text); err != nil {
				return nil, err
			}
		}
	}
	for _, step := range []func(*claimed, *Thread) error{c.deeds, c.handings, c.inCalls} {
		if err := step(e, x); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// deeds reads what the call has done, and the since of a Put.
func (c *checker) deeds(e *claimed, x *Thread) error {
	puts := c.puts(&e.thread)
	since := x.Since
	if puts && (since < 0 || since >= x.Vars) || !puts && since != -1 {
		return reject("a Put has no since, or a Take has one")
	}
	if puts {
		e.since = c.shared() + since
	}
	for _, d := range []struct {
		name string
		sort doing
		most int
	}{{"linked", linked, x.Vars}, {"took cell", tookCell, x.Vars}, {"took offer", tookOffer, len(x.Offers)}} {
		if n, is := followed(x.Did, d.name); is && n < d.most {
			e.did = did{d.sort, n}
		}
	}
	if x.Did == "handed" {
		e.did.sort = handed
	}
	if e.did.sort == linked || e.did.sort == tookCell {
		e.did.n += c.shared()
	}
	if puts && x.Empty || x.Did != "" && puts != (e.did.sort == linked || e.did.sort == handed) || x.Did != "" && e.did.sort == nothing {
		return reject("a thread did what its operation does not do: %q", x.Did)
	}
	return nil
}

// handings reads which offer of the thread is in a slot. An offer that was met is handed over.
func (c *checker) handings(e *claimed, x *Thread) error {
	if x.Offered == -1 && x.Slot == -1 && !x.Met {
		return nil
	}
	if !c.puts(&e.thread) || x.Offered < 0 || x.Offered >= len(e.private) || x.Slot < 0 || x.Slot >= len(c.x.Head.Slots) || e.did.sort == linked || e.did.sort == handed && !x.Met {
		return reject("a thread has an offer in a slot that is none, or may have none")
	}
	e.own = handing{x.Offered, x.Slot, x.Met}
	if x.Met {
		c.meets(&e.thread)
	}
	return nil
}

// inCalls reads the calls in progress.
func (c *checker) inCalls(e *claimed, x *Thread) error {
	if len(x.Calls) == 0 || len(x.Calls) > mostCalls {
		return reject("a thread has no call in progress, or too many")
	}
	for i, f := range x.Calls {
		if f.Func < 0 || f.Func >= len(c.s.Prog.Funcs) {
			return reject("a thread executes a function that is none")
		}
		fn, inner := c.s.Prog.Funcs[f.Func], i == len(x.Calls)-1
		if fn.External || f.PC < 0 || f.PC >= len(fn.Code) || i == 0 && fn != c.ops[e.op].method || !inner && fn.Code[f.PC].Op != ir.OpCall {
			return reject("a thread executes something else than its operation")
		}
		if i > 0 {
			above := e.calls[i-1]
			if by := c.s.Prog.Calls[above.fn.Code[above.pc].X]; by.Kind != ir.CallStatic || by.Func != fn {
				return reject("a thread is in a call that its caller does not make")
			}
		}
		if len(f.Regs) != len(f.Values) {
			return reject("a call has %d registers, and values of %d", len(f.Regs), len(f.Values))
		}
		regs := map[ir.Reg]word{}
		for k, r := range f.Regs {
			w, err := c.word(&e.thread, f.Values[k])
			if err != nil {
				return err
			}
			if _, twice := regs[ir.Reg(r)]; twice || r < 0 || r >= fn.NumRegs {
				return reject("a register is there twice, or is none")
			}
			regs[ir.Reg(r)] = w
		}
		e.calls = append(e.calls, call{fn, f.PC, regs})
	}
	return nil
}

// word reads a value of a thread, whose variables, offers and private cells are known.
func (c *checker) word(t *thread, text string) (word, error) {
	s, err := spell(text)
	if err != nil {
		return word{}, reject("%v", err)
	}
	var n [3]int
	copy(n[:], s.numbers)
	m := c.made
	ownVar := n[0] < t.vars-c.shared()
	isWord := n[0] < len(m.words)
	w, right := word{}, false
	switch s.name {
	case "":
		w, right = word{n: n[0]}, true
	case "?":
		w, right = word{sort: unknown}, true
	case "number":
		w, right = word{sort: variable, n: c.shared() + n[0], k: n[1]}, ownVar
	case "item own":
		w, right = word{sort: itemOwn, m: n[0]}, c.puts(t) && n[0] < c.ops[0].width
	case "item cell":
		w, right = word{sort: itemCell, n: c.shared() + n[0], m: n[1]}, ownVar && n[1] < c.ops[0].width
	case "item offer":
		w, right = word{sort: itemOffer, n: n[0], m: n[1]}, n[0] < len(t.offers) && n[1] < c.ops[0].width
	case "word":
		w, right = word{sort: root, n: n[0]}, isWord
	case "slice":
		w, right = word{sort: element, n: n[0]}, isWord && m.lengths[n[0]] > 0
	case "slot":
		if right = n[0] < len(c.x.Head.Slots); right {
			w = word{sort: root, n: c.x.Head.Slots[n[0]].Word}
			if i := c.x.Head.Slots[n[0]].Index; i >= 0 {
				w = word{sort: element, n: w.n, m: i}
			}
		}
	case "constant":
		w, right = word{sort: constant, n: n[0]}, isWord && m.words[n[0]].sort == constant
	case "cell":
		w, right = word{sort: cell, n: c.shared() + n[0], m: n[1]}, ownVar && n[1] < len(c.x.Head.Words)
	case "offer":
		w, right = word{sort: offer, n: n[0], k: n[1], m: n[2]}, n[0] < len(t.offers) && n[1] < len(m.offered) && n[2] < len(m.offered[n[1]])
	case "private":
		w, right = word{sort: private, n: n[0], m: n[1]}, n[0] < len(t.private) && n[1] < len(t.private[n[0]].words)
	}
	if !right {
		return word{}, reject("%q is no value that a thread in %s may have", text, c.s.Operations[t.op].Name)
	}
	return w, nil
}
