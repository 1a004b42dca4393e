// SPDX-License-Identifier: BSD-3-Clause

// Package places says whether a certificate of the engine places holds: whether what it claims that any number of threads may know of a
// queue in a slice is true, and implies that the queue is linearizable.
//
// It takes a certificate and the compiled collection, and trusts of the certificate nothing. It executes the constructor, every call, and
// every step of what is claimed, and looks up what the thread and all others know then. It shares with the engine the compiled code alone:
// it executes a step as often as there are choices in it, one choice after the other, in place of many threads at once; it finds what
// follows a number by trying numbers, and takes from the certificate which registers are kept. doc/proofs.md says why that is enough.
package places

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"pangolin/internal/certificate/file"
	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/oracle"
	"pangolin/verdict"
)

func reject(format string, a ...any) error { return &file.Rejection{What: fmt.Sprintf(format, a...)} }

// CheckFile checks a certificate, given as the text of its file. If draw is not nil, the table is written there for people.
func CheckFile(ctx context.Context, s *subject.Subject, text []byte, draw io.Writer) (*verdict.Checked, error) {
	x, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the certificate is damaged: %w", err)
	}
	began := time.Now()
	out := &verdict.Checked{Views: x.Views()}
	out.Races, out.Limits = true, Limits(s, x.Head.Places)
	out.Assumptions = []string{Assumption(s, x.Head.Places)}
	err = x.Head.Is(s.Prog, s.About.Collection)
	if err == nil && draw != nil {
		if err := x.Draw(draw, s.Prog); err != nil {
			return nil, err
		}
	}
	if err == nil {
		err = Check(ctx, s, x)
	}
	out.Seconds = time.Since(began).Seconds()
	return file.Conclude(out, err)
}

// Limits are what a proof bounds, and what it does not. places is how many the slice has.
func Limits(s *subject.Subject, places int) []verdict.Limit {
	return []verdict.Limit{{Name: "threads, values", Value: verdict.AnyNumber}, {Name: "calls", Value: strconv.Itoa(places), Operations: puts(s)}}
}

// Assumption is what a proof rests on: how often items are put in.
func Assumption(s *subject.Subject, places int) string {
	return fmt.Sprintf("%s is called at most %d times, for the slice has so many places", strings.Join(puts(s), " and "), places)
}

// puts names the operations that put items in.
func puts(s *subject.Subject) (names []string) {
	for i := range s.Operations {
		if s.Operations[i].Binding.Role == oracle.Put {
			names = append(names, s.Operations[i].Name)
		}
	}
	return names
}

// thread is what a thread knows, with all of its registers.
type thread struct {
	common
	op       int // the operation; -1: it is between calls
	of, got  string
	stored   bool
	positive bool
	added    map[int]bool
	calls    []call
	cells    [][]word
}

// common is what all threads know.
type common struct {
	counters []string
	claimed  [][2]string
	held     [2]string
	puts     [2]map[string]bool
	before   string
}

type call struct {
	fn   *ir.Func
	pc   int
	regs map[ir.Reg]word // those that have a value
}

// checker checks one certificate.
type checker struct {
	s    *subject.Subject
	x    *Certificate
	near *near
	kept map[string][]int // registers, by the place
	keys map[int]string   // of the certificate's threads that rows name
	rows map[string]map[string]bool
	made bool // the constructor was executed: head says what the collection is

	choices []choice // of the step that is executed
	at      int      // how many of them were taken
}

// choice is one of n.
type choice struct{ took, n int }

// choose takes a choice of 0 to n-1. The step is executed again with each other one.
func (c *checker) choose(n int) int {
	if c.at == len(c.choices) {
		c.choices = append(c.choices, choice{0, n})
	}
	c.at++
	return c.choices[c.at-1].took
}

// mostChoices is how many executions of one step are tried.
const mostChoices = 1 << 16

// errElse is the error of an execution that cannot be, for what was chosen contradicts itself.
var errElse = fmt.Errorf("this execution cannot be")

// executions calls run with each sequence of choices. after is called with the thread that run has executed.
func (c *checker) executions(run func() (*thread, error), after func(*thread) error) error {
	c.choices = c.choices[:0]
	for n := 0; ; n++ {
		if n == mostChoices {
			return reject("a step has more than %d executions", mostChoices)
		}
		c.at = 0
		t, err := run()
		if err == nil {
			err = after(t)
		}
		if err != nil && err != errElse {
			return err
		}
		c.choices = c.choices[:c.at]
		for len(c.choices) > 0 {
			last := &c.choices[len(c.choices)-1]
			if last.took++; last.took < last.n {
				break
			}
			c.choices = c.choices[:len(c.choices)-1]
		}
		if len(c.choices) == 0 {
			return nil
		}
	}
}

// Check is nil if the certificate holds, and a *file.Rejection if it does not.
func Check(ctx context.Context, s *subject.Subject, x *Certificate) error {
	if err := x.Head.Is(s.Prog, s.About.Collection); err != nil {
		return err
	}
	c := &checker{s: s, x: x, near: tryNumbers(), kept: map[string][]int{}, keys: map[int]string{}, rows: map[string]map[string]bool{}}
	if err := c.fits(); err != nil {
		return err
	}
	if err := c.executions(c.construct, func(*thread) error { return nil }); err != nil {
		return err
	}
	c.made = true
	if err := c.load(); err != nil {
		return err
	}
	if err := c.begins(); err != nil {
		return err
	}
	for _, r := range x.Rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.row(&r); err != nil {
			return err
		}
	}
	return nil
}

// fits is an error unless the collection is a queue whose Takes wait for items.
func (c *checker) fits() error {
	a := &c.s.About
	if a.Kind != string(oracle.Queue) || a.Oracle != string(oracle.Queue) || c.s.Self {
		return reject("it is about queues that the oracle queue judges")
	}
	p, err := oracle.ParseProtocol(a.Protocol)
	if err != nil || p == nil || p.Kind != oracle.Blocking && (p.Kind != oracle.Bounded || p.Capacity < c.x.Head.Places) {
		return reject("the protocol %s: it is about queues with room for all items, in which Takes wait", a.Protocol)
	}
	for i := range c.s.Operations {
		o := &c.s.Operations[i]
		b := &o.Binding
		put := b.Role == oracle.Put && len(b.Params) == 1 && len(b.Results) == 0 && o.Func.ParamWords() == 2 && o.Func.ResultWords() == 0
		take := b.Role == oracle.Take && len(b.Params) == 0 && len(b.Results) == 1 && b.Results[0] == oracle.SlotItem && o.Func.ParamWords() == 1 && o.Func.ResultWords() == 1
		if !put && !take {
			return reject("operation %s neither puts in an item nor takes one and returns nothing else", o.Name)
		}
	}
	return nil
}

// load reads what the certificate claims.
func (c *checker) load() error {
	for _, k := range c.x.Kept {
		if k.Func < 0 || k.Func >= len(c.s.Prog.Funcs) || !slices.IsSorted(k.Regs) {
			return reject("it keeps registers of a function that is none")
		}
		for _, r := range k.Regs {
			if r < 0 || r >= c.s.Prog.Funcs[k.Func].NumRegs {
				return reject("it keeps a register that is none")
			}
		}
		c.kept[place(k.Func, k.PC, k.Calling)] = k.Regs
	}
	for _, r := range c.x.Rows {
		if r.Common < 0 || r.Common >= len(c.x.Common) {
			return reject("a row names nothing that all threads know")
		}
		k, err := c.commonOf(&c.x.Common[r.Common])
		if err != nil {
			return err
		}
		key := k.key()
		if c.rows[key] != nil {
			return reject("it has two rows of what all threads know")
		}
		c.rows[key] = map[string]bool{}
		for _, id := range r.Threads {
			if id < 0 || id >= len(c.x.Threads) {
				return reject("a row names no thread")
			}
			if _, known := c.keys[id]; !known {
				t, err := c.threadOf(&c.x.Threads[id], k)
				if err != nil {
					return err
				}
				c.keys[id] = c.key(t)
			}
			c.rows[key][c.keys[id]] = true
		}
	}
	return nil
}

func place(fn, pc int, calling bool) string { return fmt.Sprint(fn, pc, calling) }

// commonOf reads what all threads know.
func (c *checker) commonOf(x *Common) (common, error) {
	k := common{slices.Clone(x.Counters), slices.Clone(x.Claimed), x.Held, [2]map[string]bool{{}, {}}, x.Before}
	ok := len(k.counters) == len(c.x.Head.Counters) && len(k.claimed) == len(k.counters)
	for _, z := range k.counters {
		ok = ok && slices.Contains(zones, z)
	}
	for i, list := range x.Puts {
		for _, what := range list {
			ok = ok && slices.Contains([]string{"called", "stored", "returned", "taken"}, what)
			k.puts[i][what] = true
		}
	}
	if !ok {
		return k, reject("what all threads know makes no sense: %v", *x)
	}
	return k, nil
}

// threadOf reads what a thread knows.
func (c *checker) threadOf(x *Thread, k common) (*thread, error) {
	t := &thread{common: k.clone(), op: -1, of: x.Of, got: x.Got, stored: x.Stored, positive: x.Positive, added: map[int]bool{}}
	if x.Op != "" {
		t.op = slices.IndexFunc(c.s.Operations, func(o subject.Operation) bool { return o.Name == x.Op })
	}
	if (t.op < 0) != (len(x.Calls) == 0) || (x.Op == "") != (t.op < 0) {
		return nil, reject("a thread is in no operation, or in none and has calls in progress")
	}
	for _, i := range x.Added {
		t.added[i] = true
	}
	for i, f := range x.Calls {
		inner := i == len(x.Calls)-1
		regs, known := c.kept[place(f.Func, f.PC, !inner)]
		if !known || len(regs) != len(f.Values) || f.PC < 0 || f.PC >= len(c.s.Prog.Funcs[f.Func].Code) {
			return nil, reject("a thread is at a place of which no registers are kept")
		}
		fn := c.s.Prog.Funcs[f.Func]
		if i == 0 && fn != c.s.Operations[t.op].Func || !inner && fn.Code[f.PC].Op != ir.OpCall {
			return nil, reject("a thread executes something else than its operation")
		}
		if i > 0 {
			above := t.calls[i-1]
			if by := c.s.Prog.Calls[above.fn.Code[above.pc].X]; by.Kind != ir.CallStatic || by.Func != fn {
				return nil, reject("a thread is in a call that its caller does not make")
			}
		}
		f2 := call{fn, f.PC, map[ir.Reg]word{}}
		for k, r := range regs {
			w, err := read(f.Values[k])
			if err != nil {
				return nil, reject("%v", err)
			}
			f2.regs[ir.Reg(r)] = w
		}
		t.calls = append(t.calls, f2)
	}
	for _, words := range x.Cells {
		var list []word
		for _, text := range words {
			w, err := read(text)
			if err != nil || w.sort == "own" {
				return nil, reject("%q is no value of a cell", text)
			}
			list = append(list, w)
		}
		t.cells = append(t.cells, list)
	}
	for _, f := range t.calls {
		for _, w := range f.regs {
			if w.sort == "own" && (w.n >= len(t.cells) || w.m >= len(t.cells[w.n])) {
				return nil, reject("a register leads to a cell that is none")
			}
		}
	}
	return t, nil
}

func (k common) clone() common {
	out := common{slices.Clone(k.counters), slices.Clone(k.claimed), k.held, [2]map[string]bool{{}, {}}, k.before}
	for i := range k.puts {
		for what := range k.puts[i] {
			out.puts[i][what] = true
		}
	}
	return out
}

func (k *common) key() string {
	return fmt.Sprintf("%q %q %q %v %v %q", k.counters, k.claimed, k.held, k.puts[0], k.puts[1], k.before)
}

// key is the text of what the thread knows beside all others, but for registers that are not kept. Cells are numbered as registers lead to them.
func (c *checker) key(t *thread) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %q %q %t %t %v", t.op, t.of, t.got, t.stored, t.positive, t.added)
	names := map[int]int{}
	var cells []string
	for i, f := range t.calls {
		p := place(f.fn.ID, f.pc, i < len(t.calls)-1)
		regs, known := c.kept[p]
		fmt.Fprintf(&b, " at %s %t", p, known)
		for _, r := range regs {
			w, has := f.regs[ir.Reg(r)]
			if !has {
				w = word{sort: "none"} // no certificate has it
			}
			if w.sort == "own" {
				name, known := names[w.n]
				if !known {
					name = len(names)
					names[w.n] = name
					cells = append(cells, fmt.Sprint(t.cells[w.n]))
				}
				w.n = name
			}
			fmt.Fprintf(&b, " %d=%s", r, w)
		}
	}
	fmt.Fprint(&b, cells)
	return b.String()
}

// begins is an error unless a new collection is claimed, on which no call has begun.
func (c *checker) begins() error {
	return c.executions(func() (*thread, error) {
		t := &thread{op: -1, added: map[int]bool{}}
		t.puts = [2]map[string]bool{{}, {}}
		for range c.x.Head.Counters {
			zero := c.near.of(0)
			t.counters = append(t.counters, zero[c.choose(len(zero))])
			t.claimed = append(t.claimed, [2]string{})
		}
		return t, nil
	}, c.claimed)
}

// claimed is an error unless the certificate claims what a thread knows.
func (c *checker) claimed(t *thread) error {
	row := c.rows[t.common.key()]
	if row == nil {
		return c.reject(t, "it does not claim what all threads may know")
	}
	if !row[c.key(t)] {
		return c.reject(t, "it does not claim what a thread may know")
	}
	return nil
}

// row makes the steps of all threads of a row, and looks up what they and others know then.
func (c *checker) row(r *Row) error {
	x, _ := c.commonOf(&c.x.Common[r.Common])
	from := x.key()
	seen := map[string]bool{}
	for _, id := range r.Threads {
		acting := &c.x.Threads[id]
		after := func(t *thread) error {
			if err := c.claimed(t); err != nil {
				return err
			}
			to := t.common.key()
			followed := t.of // the Put that acts, which no other thread is
			if acting.Op != "" {
				followed = acting.Of
			}
			if followed == "other" {
				followed = ""
			}
			if to == from || seen[to+followed] {
				return nil
			}
			seen[to+followed] = true
			for _, other := range r.Threads {
				if followed != "" && c.x.Threads[other].Of == followed {
					continue
				}
				if !c.rows[to][c.keys[other]] {
					return c.reject(t, "it does not claim what another thread may know behind a step")
				}
			}
			return nil
		}
		err := c.executions(func() (*thread, error) {
			t, err := c.threadOf(acting, x)
			if err != nil {
				return nil, err
			}
			if t.op < 0 {
				return t, c.begin(t)
			}
			return t, c.run(t, false)
		}, after)
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) reject(t *thread, format string, args ...any) error {
	r := &file.Rejection{What: fmt.Sprintf(format, args...)}
	for i := len(t.calls) - 1; i >= 0; i-- {
		if f := &t.calls[i]; !f.fn.Harness {
			r.Where = c.s.Prog.Position(f.fn.Pos[f.pc])
			break
		}
	}
	return r
}
