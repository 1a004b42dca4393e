// SPDX-License-Identifier: BSD-3-Clause

package ages

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/subject"
)

// thread is what a thread knows, with all of its registers.
type thread struct {
	op    int // the operation; -1: it is between calls
	is    bool
	first int // the kind of the youngest cell that counts
	noted
	memory
	private [][]word // nil: the cell has been linked in
	calls   []call
	wrote   *write // what the step has done that others notice
}

// noted is what a call has done, and has seen.
type noted struct{ changed, present, absent bool }

// note notes whether k is held, in a call whose argument is k.
func (n *noted) note(is, held bool) {
	n.present = n.present || is && held
	n.absent = n.absent || is && !held
}

type call struct {
	fn   *ir.Func
	pc   int
	regs map[ir.Reg]word // those that have a value
}

func (t *thread) clone() *thread {
	out := *t
	out.memory = t.memory.clone()
	out.private = make([][]word, len(t.private))
	for i, words := range t.private {
		out.private[i] = slices.Clone(words)
	}
	out.calls = make([]call, len(t.calls))
	for i, f := range t.calls {
		regs := make(map[ir.Reg]word, len(f.regs)+8)
		for r, w := range f.regs {
			regs[r] = w
		}
		out.calls[i] = call{f.fn, f.pc, regs}
	}
	return &out
}

// at is the thread where the youngest cell that counts has a kind.
func (t *claimed) at(first int) *thread {
	out := t.thread.clone()
	out.first = first
	out.gaps[0].below &= only(first)
	return out
}

// place is an instruction to which a thread has come; calling: in whose call it is.
type place struct {
	fn, pc  int
	calling bool
}

// load reads what the certificate claims.
func (c *checker) load() error {
	if err := c.loadKinds(); err != nil {
		return err
	}
	for _, k := range c.x.Kept {
		if k.Func < 0 || k.Func >= len(c.s.Prog.Funcs) {
			return reject("it keeps registers of a function that is none")
		}
		p := place{k.Func, k.PC, k.Calling}
		if _, twice := c.kept[p]; twice {
			return reject("it says twice which registers are kept at one place")
		}
		for i, r := range k.Regs {
			if r < 0 || r >= c.s.Prog.Funcs[k.Func].NumRegs || i > 0 && r <= k.Regs[i-1] {
				return reject("it keeps a register that is none, or one twice")
			}
		}
		c.kept[p] = k.Regs
	}
	c.known = make([]*claimed, len(c.x.Threads))
	for _, r := range c.x.Rows {
		if r.First < None || r.First >= len(c.x.Kinds) || c.rows[r.First] {
			return reject("a row is of no kind, or there are two of one")
		}
		c.rows[r.First] = true
		for _, id := range r.Threads {
			if id < 0 || id >= len(c.x.Threads) {
				return reject("a row names no thread")
			}
			if c.known[id] == nil {
				t, err := c.threadOf(&c.x.Threads[id])
				if err != nil {
					return err
				}
				c.known[id] = t
			}
			t := c.known[id]
			e := entry{r.First, t.code, t.noted, t.shape()}
			c.table[e] = append(c.table[e], t.at(r.First).gaps)
		}
	}
	return nil
}

// loadKinds reads what is claimed of the words of cells, and of their kinds.
func (c *checker) loadKinds() error {
	h := &c.x.Head
	words := []int{h.Item, h.State, h.Link}
	slices.Sort(words)
	if !slices.Equal(words, []int{0, 1, 2}) {
		return reject("a cell has three words, an item, a state and a link: the head says that they are words %d, %d and %d", h.Item, h.State, h.Link)
	}
	if len(c.x.Kinds) > mostKinds {
		return reject("it has more than %d kinds", mostKinds)
	}
	for i := range c.x.Kinds {
		k := &c.x.Kinds[i]
		if k.State == h.Dead || c.operation(k.Op) < 0 || c.kind(*k) != i {
			return reject("kind %d is one of cells that do not count, of no operation's, or there twice", i)
		}
		below, err := c.setOf(k.Below)
		if err != nil {
			return err
		}
		c.below = append(c.below, below)
	}
	return nil
}

// operation is the number of an operation; -1: there is none.
func (c *checker) operation(name string) int {
	return slices.IndexFunc(c.s.Operations, func(o subject.Operation) bool { return o.Name == name })
}

// kind is the number of a kind; None: the certificate does not have it.
func (c *checker) kind(like Kind) int {
	return slices.IndexFunc(c.x.Kinds, func(k Kind) bool {
		return k.Op == like.Op && k.Found == like.Found && k.Done == like.Done && k.State == like.State
	})
}

// setOf reads a list of kinds.
func (c *checker) setOf(list []int) (out set, err error) {
	for _, k := range list {
		if k < None || k >= len(c.x.Kinds) {
			return 0, reject("%d is no kind", k)
		}
		out |= only(k)
	}
	return out, nil
}

// threadOf reads what a thread knows.
func (c *checker) threadOf(x *Thread) (*claimed, error) {
	t := &claimed{thread: thread{op: c.operation(x.Op), is: x.Is, noted: noted{x.Changed, x.Present, x.Absent}}}
	if t.op < 0 || len(x.Calls) == 0 {
		return nil, reject("a row names a thread that is in no operation: these are in all rows")
	}
	if !x.Is && (x.Present || x.Absent) {
		return nil, reject("a thread has noted of another value than its own whether it was held")
	}
	if err := c.memoryOf(&t.memory, x); err != nil {
		return nil, err
	}
	for _, texts := range x.Private {
		t.private = append(t.private, make([]word, len(texts)))
	}
	for i, texts := range x.Private {
		for k, text := range texts {
			w, err := read(text)
			if err != nil || !t.leads(w) {
				return nil, reject("%q is no value of a cell", text)
			}
			t.private[i][k] = w
		}
	}
	for i := range x.Calls {
		if err := c.callOf(t, x, i); err != nil {
			return nil, err
		}
	}
	code := c.code(&t.thread)
	if _, known := c.codes[code]; !known {
		c.codes[code] = len(c.codes)
	}
	t.code = c.codes[code]
	return t, nil
}

// memoryOf reads what a thread knows of the linked cells.
func (c *checker) memoryOf(m *memory, x *Thread) error {
	if len(x.Gaps) != len(x.Cells)+1 {
		return reject("there is one gap more than cells")
	}
	m.empty = x.Empty
	for _, k := range x.Cells {
		if k.Kind < None || k.Kind >= len(c.x.Kinds) || k.Kind != None && !k.Is {
			return reject("a cell has a kind that is none, or counts without k")
		}
		m.cells = append(m.cells, cell{k.Is, k.Kind, k.Own})
	}
	for i := range x.Gaps {
		kinds, err := c.setOf(x.Gaps[i].Kinds)
		if err != nil {
			return err
		}
		below, err := c.setOf(x.Gaps[i].Below)
		if err != nil {
			return err
		}
		if kinds&only(None) != 0 {
			return reject("a gap has cells that count without a kind")
		}
		m.gaps = append(m.gaps, gap{kinds, below})
	}
	return nil
}

// leads says of an address of a cell whether there is such a word.
func (t *thread) leads(w word) bool {
	switch w.sort {
	case linked:
		return w.n < len(t.cells) && w.m < cellWords
	case private:
		return w.n < len(t.private) && w.m < len(t.private[w.n])
	}
	return true
}

// callOf reads call i of a thread.
func (c *checker) callOf(t *claimed, x *Thread, i int) error {
	f, inner := &x.Calls[i], i == len(x.Calls)-1
	regs, known := c.kept[place{f.Func, f.PC, !inner}]
	if !known || len(regs) != len(f.Values) || f.PC < 0 || f.PC >= len(c.s.Prog.Funcs[f.Func].Code) {
		return reject("a thread is at a place of which no registers are kept")
	}
	fn := c.s.Prog.Funcs[f.Func]
	if i == 0 && fn != c.s.Operations[t.op].Func || !inner && fn.Code[f.PC].Op != ir.OpCall {
		return reject("a thread executes something else than its operation")
	}
	if i > 0 {
		above := t.calls[i-1]
		if by := c.s.Prog.Calls[above.fn.Code[above.pc].X]; by.Kind != ir.CallStatic || by.Func != fn {
			return reject("a thread is in a call that its caller does not make")
		}
	}
	out := call{fn, f.PC, map[ir.Reg]word{}}
	for k, r := range regs {
		w, err := read(f.Values[k])
		if err != nil || !t.leads(w) {
			return reject("%q is no value of a register", f.Values[k])
		}
		out.regs[ir.Reg(r)] = w
	}
	t.calls = append(t.calls, out)
	return nil
}

// settle forgets all that the kept registers do not lead to, and numbers the rest as certificates do: private cells as registers lead to them,
// and behind each those to which its words lead; linked ones by their age. A word of a private cell that leads to a linked one which no register leads to is not known any more.
func (c *checker) settle(t *thread) error {
	named, numbers := make([]bool, len(t.cells)), make([]int, len(t.cells))
	var cells [][]word
	names := map[int]int{}
	var visit func(w word) word
	visit = func(w word) word {
		if w.sort == linked {
			named[w.n] = true
		}
		if w.sort != private {
			return w
		}
		name, known := names[w.n]
		if !known {
			name = len(cells)
			names[w.n] = name
			words := t.private[w.n]
			cells = append(cells, words)
			for i, x := range words {
				if x.sort == private {
					words[i] = visit(x)
				}
			}
		}
		w.n = name
		return w
	}
	if err := c.eachKept(t, visit); err != nil {
		return err
	}
	t.private = cells
	n := 0
	for i, kept := range named {
		numbers[i] = n
		if kept {
			n++
		}
	}
	number := func(w word) word {
		if w.sort == linked {
			if !named[w.n] {
				return word{sort: unknown}
			}
			w.n = numbers[w.n]
		}
		return w
	}
	for _, words := range cells {
		for i := range words {
			words[i] = number(words[i])
		}
	}
	t.forget(func(i int) bool { return named[i] })
	return c.eachKept(t, number)
}

// eachKept changes the kept registers.
func (c *checker) eachKept(t *thread, to func(word) word) error {
	for i, f := range t.calls {
		regs, known := c.kept[place{f.fn.ID, f.pc, i < len(t.calls)-1}]
		if !known {
			return c.reject(t, "it does not claim that a thread comes here")
		}
		for _, r := range regs {
			w, has := f.regs[ir.Reg(r)]
			if !has {
				return c.reject(t, "it keeps register %d, which has no value", r)
			}
			f.regs[ir.Reg(r)] = to(w)
		}
	}
	return nil
}

// code is the text of the calls in progress and of the cells that the thread alone knows, once it is settled. Registers that are not kept are no part of it.
func (c *checker) code(t *thread) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %t", t.op, t.is)
	for i, f := range t.calls {
		p := place{f.fn.ID, f.pc, i < len(t.calls)-1}
		fmt.Fprintf(&b, " at %v", p)
		for _, r := range c.kept[p] {
			fmt.Fprintf(&b, " %d=%s", r, f.regs[ir.Reg(r)])
		}
	}
	fmt.Fprint(&b, t.private)
	return b.String()
}
