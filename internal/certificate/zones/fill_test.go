// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/certificate/file"
	"pangolin/internal/ir"
	"pangolin/internal/subject"
)

// filler makes a certificate with the checker's own steps, so that there is one to be damaged. What it shows of the checker is that it accepts something; whether what it
// accepts is true is for other tests.
type filler struct {
	c    *checker
	live map[*ir.Func]*ir.Live
	all  map[string]*filled // by what is the same for threads that are joined
	work []*filled
}

// filled is a thread in the making: bounds has for each two variables how much the first one is greater at most, if that is known.
type filled struct {
	thread
	bounds map[[2]int]int
	vars   int
	queued bool
}

// nearby is how great the constants of bounds are that are kept.
const nearby = 2

// fill is a certificate of a subject. Of the head's bounds those are left out that do not hold. It gives up with the checker's reason.
func fill(s *subject.Subject, h Head) (*Certificate, error) {
	h.Head = NewHead(s.Source, s.Prog).Head
	x := &Certificate{Head: h}
	for {
		c, err := newChecker(s, x)
		if err == nil {
			f := &filler{c: c, live: map[*ir.Func]*ir.Live{}, all: map[string]*filled{}}
			if err = f.run(); err == nil {
				f.write(x)
				return x, nil
			}
		}
		if !leaveOut(x, err.Error()) {
			return nil, err
		}
	}
}

// leaveOut takes a bound out of the head that is refused.
func leaveOut(x *Certificate, why string) bool {
	var b Bound
	at := strings.Index(why, "the bound [")
	if at < 0 {
		return false
	}
	if n, _ := fmt.Sscanf(why[at:], "the bound [%d %d %d]", &b[0], &b[1], &b[2]); n != 3 {
		return false
	}
	list := &x.Head.Bounds
	if strings.Contains(why, "of an offer") {
		list = &x.Head.Offered
	}
	n := len(*list)
	*list = slices.DeleteFunc(*list, func(o Bound) bool { return o == b })
	return len(*list) < n
}

// every is the bounds of which those are looked for that hold: each of some variables at most each other one.
func every(from, to int) (out []Bound) {
	for a := range to {
		for b := range to {
			if a != b && (a >= from || b >= from) {
				out = append(out, Bound{a, b, 0}, Bound{a, b, 1})
			}
		}
	}
	return out
}

func (f *filler) run() error {
	for op := range f.c.s.Operations {
		if err := f.c.executions(func() (*thread, error) { return f.c.begin(op) }, f.settle); err != nil {
			return err
		}
	}
	for len(f.work) > 0 {
		e := f.work[0]
		f.work = f.work[1:]
		e.queued = false
		err := f.c.executions(func() (*thread, error) {
			t := e.load(f.c)
			return t, f.c.execute(t, false)
		}, f.settle)
		if err != nil {
			return err
		}
		if len(f.all) > 2000 {
			return fmt.Errorf("there are too many threads")
		}
	}
	return nil
}

// load is the thread, with bounds as the checker has them.
func (e *filled) load(c *checker) *thread {
	t := e.thread.clone()
	t.bounds = bounds{}
	t.shared = c.fresh(&t.bounds)
	for range e.vars {
		t.fresh()
	}
	for k, most := range e.bounds {
		t.learn(term{k[0], 0}, term{k[1], 0}, most)
	}
	return t
}

// kept numbers what registers that are read later lead to.
type kept struct {
	c        *checker
	t        *thread
	vars     []int // of the thread, by their new number
	offers   []int
	private  []int
	contents []object
}

// numbered is the place of a number in a list, to which it is added if it is new.
func numbered(list *[]int, x int) int {
	i := slices.Index(*list, x)
	if i < 0 {
		i = len(*list)
		*list = append(*list, x)
	}
	return i
}

func (k *kept) variable(v int) int { return k.c.shared() + numbered(&k.vars, v) }

func (k *kept) offer(o int) int {
	n := numbered(&k.offers, o)
	for _, v := range k.t.offers[o] {
		k.variable(v)
	}
	return n
}

func (k *kept) cell(p int) int {
	n := len(k.private)
	if i := slices.Index(k.private, p); i >= 0 {
		return i
	}
	k.private = append(k.private, p)
	k.contents = append(k.contents, object{shown: k.t.private[p].shown})
	var words []word
	for _, w := range k.t.private[p].words {
		words = append(words, k.word(w))
	}
	k.contents[n].words = words
	return n
}

func (k *kept) word(w word) word {
	switch w.sort {
	case variable, itemCell, cell:
		w.n = k.variable(w.n)
	case itemOffer, offer:
		w.n = k.offer(w.n)
	case private:
		w.n = k.cell(w.n)
	}
	return w
}

// settle adds what a thread knows behind its step, when others have moved.
func (f *filler) settle(t *thread) error {
	if t.over {
		return nil
	}
	f.c.sees(t)
	k := &kept{c: f.c, t: t}
	out := &filled{thread: thread{op: t.op, did: t.did, empty: t.empty, since: -1, own: t.own}}
	if t.since >= 0 {
		out.since = k.variable(t.since)
	}
	switch t.did.sort {
	case linked, tookCell:
		out.did.n = k.variable(t.did.n)
	case tookOffer:
		out.did.n = k.offer(t.did.n)
	}
	if t.own.cell >= 0 {
		out.own.cell = k.cell(t.own.cell)
	}
	for i, fr := range t.calls {
		if f.live[fr.fn] == nil {
			f.live[fr.fn] = ir.NewLive(f.c.s.Prog, fr.fn)
		}
		regs := f.live[fr.fn].Before(fr.pc)
		if i < len(t.calls)-1 {
			regs = f.live[fr.fn].During(fr.pc)
		}
		own := map[ir.Reg]word{}
		for _, r := range regs {
			if w, known := fr.regs[r]; known {
				own[r] = k.word(w)
			}
		}
		out.calls = append(out.calls, call{fr.fn, fr.pc, own})
	}
	out.private = k.contents
	for _, o := range k.offers {
		var vars []int
		for _, v := range t.offers[o] {
			vars = append(vars, k.variable(v))
		}
		out.offers = append(out.offers, vars)
	}
	out.vars = len(k.vars)
	after := t.bounds.clone()
	vars := append(f.c.later(&after, t.shared), k.vars...)
	out.bounds = map[[2]int]int{}
	for i, a := range vars {
		for j, b := range vars {
			for most := -nearby; most <= nearby && i != j; most++ {
				if after.certain(term{a, 0}, term{b, 0}, most) {
					out.bounds[[2]int{i, j}] = most
					break
				}
			}
		}
	}
	f.join(out)
	return nil
}

// join adds a thread, or takes out of the one that is like it what is not true of both.
func (f *filler) join(e *filled) {
	key := fmt.Sprint(e.op, e.did, e.empty, e.since, e.own, e.offers, e.private, e.vars)
	for i := range e.calls {
		key += fmt.Sprint(" ", e.calls[i].fn.ID, " ", e.calls[i].pc, e.calls[i].regs) // maps are printed in the order of their keys
	}
	old, changed := f.all[key], false
	if old == nil {
		old, changed = e, true
		f.all[key] = e
	}
	for k, most := range old.bounds {
		if now, has := e.bounds[k]; !has {
			delete(old.bounds, k)
			changed = true
		} else if now > most {
			old.bounds[k] = now
			changed = true
		}
	}
	if changed && !old.queued {
		old.queued = true
		f.work = append(f.work, old)
	}
}

// write writes the threads as a certificate has them.
func (f *filler) write(x *Certificate) {
	c := f.c
	x.Threads = nil
	var keys []string
	for key := range f.all {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		e := f.all[key]
		th := Thread{Op: c.s.Operations[e.op].Name, Empty: e.empty, Vars: e.vars, Since: -1, Offers: [][]int{}, Offered: e.own.cell, Slot: e.own.slot, Met: e.own.met, Private: [][]string{}, Shown: []bool{}, Bounds: []Bound{}}
		if e.since >= 0 {
			th.Since = e.since - c.shared()
		}
		switch e.did.sort {
		case linked:
			th.Did = fmt.Sprintf("linked %d", e.did.n-c.shared())
		case handed:
			th.Did = "handed"
		case tookCell:
			th.Did = fmt.Sprintf("took cell %d", e.did.n-c.shared())
		case tookOffer:
			th.Did = fmt.Sprintf("took offer %d", e.did.n)
		}
		for _, vars := range e.offers {
			own := []int{}
			for _, v := range vars {
				own = append(own, v-c.shared())
			}
			th.Offers = append(th.Offers, own)
		}
		for _, p := range e.private {
			words := []string{}
			for _, w := range p.words {
				words = append(words, c.text(w))
			}
			th.Private, th.Shown = append(th.Private, words), append(th.Shown, p.shown)
		}
		for k, most := range e.bounds {
			th.Bounds = append(th.Bounds, Bound{k[0], k[1], most})
		}
		slices.SortFunc(th.Bounds, func(a, b Bound) int { return slices.Compare(a[:], b[:]) })
		for _, fr := range e.calls {
			out := Call{Func: fr.fn.ID, PC: fr.pc, Regs: []int{}, Values: []string{}}
			var regs []ir.Reg
			for r := range fr.regs {
				regs = append(regs, r)
			}
			slices.Sort(regs)
			for _, r := range regs {
				out.Regs, out.Values = append(out.Regs, int(r)), append(out.Values, c.text(fr.regs[r]))
			}
			th.Calls = append(th.Calls, out)
		}
		x.Threads = append(x.Threads, th)
	}
}

// text is a word of an entry as a certificate has it.
func (c *checker) text(w word) string {
	own := w.n - c.shared()
	if i, is := c.made.slots[place{w.n, -1}]; is && w.sort == root {
		return fmt.Sprintf("slot %d", i)
	}
	switch w.sort {
	case number:
		return fmt.Sprint(w.n)
	case unknown:
		return "?"
	case variable:
		return fmt.Sprintf("number %d%+d", own, w.k)
	case itemOwn:
		return fmt.Sprintf("item own %d", w.m)
	case itemCell:
		return fmt.Sprintf("item cell %d.%d", own, w.m)
	case itemOffer:
		return fmt.Sprintf("item offer %d.%d", w.n, w.m)
	case root:
		return fmt.Sprintf("word %d", w.n)
	case element:
		return fmt.Sprintf("slot %d", c.made.slots[place{w.n, w.m}])
	case constant:
		return fmt.Sprintf("constant %d", w.n)
	case cell:
		return fmt.Sprintf("cell %d.%d", own, w.m)
	case offer:
		return fmt.Sprintf("offer %d.%d.%d", w.n, w.k, w.m)
	}
	return fmt.Sprintf("private %d.%d", w.n, w.m)
}

// plainQueue is the head of queues such as that of Michael and Scott, with cells of an item and a link. Which of the bounds hold is to be found.
func plainQueue() Head {
	return Head{Fingers: []int{0, 1}, Next: 1, Words: []string{"item 0", "next"}, Slots: []Slot{}, Offers: [][]string{}, Left: []string{}, Bounds: every(0, 4)}
}

// eliminating is the head of queues such as that of Moir, Nussbaum, Shalev and Shavit.
func eliminating() Head {
	return Head{Fingers: []int{0, 1}, Next: 2, Words: []string{"item 0", "number", "next"}, Slots: []Slot{{2, 0}}, Offers: [][]string{{"cell 1", "number 0"}, {"item 0", "?", "?"}},
		Left: []string{"constant 5"}, Bounds: every(0, 4), Offered: every(4, 6)}
}

// refuses says whether an error is the refusal of a certificate.
func refuses(err error) bool {
	var r *file.Rejection
	return errors.As(err, &r)
}
