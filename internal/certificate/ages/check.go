// SPDX-License-Identifier: BSD-3-Clause

// Package ages says whether a certificate of the engine ages holds: whether what it claims that any number of threads may know of a set
// whose cells are put in front and never move is true, and implies that the set is linearizable.
//
// It takes a certificate and the compiled collection, and trusts of the certificate nothing. It executes the constructor, every call, and
// every step of what is claimed, lays what the thread has known over what each other thread may have known at that moment, and looks up what
// both know then. It shares with the engine the compiled code alone: it executes a step as often as there are choices in it, one choice after the other,
// takes from the certificate which registers are kept, and finds what others know by merging two lists of cells. It does not look for a certificate,
// and says nothing of whether calls return.
//
// # Why a table that is accepted is a proof
//
// One value k is followed, whichever it is; a set is linearizable if what is done with each value is. Cells have kinds, which are in part what
// their states are and in part what is remembered of them (Kind.Found, Kind.Done). The claim is that in each state of each execution these notes can be made so that
// the links lead where they may (see link in access.go), each pair of a cell that counts and the first one below it that does is in Kind.Below, and
// what each thread knows is in the row of the youngest cell that counts. It is so of a new collection. If it is so before a step, then some entry of the row stands
// for the thread that steps; the checker executes its step from this entry, in all ways, so one of them is what happens, and notes what that way says: Done is noted
// where the thread knows for certain that it changes the cell below one of its own, and is not noted otherwise, which is as good. Each other thread has
// an entry in the same row; what both entries say is true of one memory, so one of the ways to lay one over the other is what is so. The row behind
// the step has an entry for each thread then, and pairs of cells whose kinds have changed are in Kind.Below. So it is so behind each step.
//
// What is held changes in a step of a call with k alone, once, as the operation says, and not in others. A call takes effect there, or, if it changes nothing, at a moment
// between its call and its return at which what it says was so.
package ages

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"pangolin/internal/certificate/file"
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
	out.Races, out.Limits = true, Limits()
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

// Limits are what a proof bounds: nothing.
func Limits() []verdict.Limit {
	return []verdict.Limit{{Name: "threads, calls, values", Value: verdict.AnyNumber}}
}

// checker checks one certificate.
type checker struct {
	s     *subject.Subject
	x     *Certificate
	below []set           // by kind
	kept  map[place][]int // registers
	codes map[string]int  // texts of calls in progress, as in thread.code, by which they are numbered
	known []*claimed      // by the number of the thread; nil: no row names it
	table map[entry][][]gap
	rows  map[int]bool // by the kind of the youngest cell that counts

	choices []choice // of the step that is executed
	at      int      // how many of them were taken
}

// claimed is a thread of the certificate.
type claimed struct {
	thread
	code int
}

// entry is what has to be the same where one thread stands for another one.
type entry struct {
	first, code int
	noted       noted
	shape       string
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

func (c *checker) either() bool { return c.choose(2) == 1 }

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
	c := &checker{s: s, x: x, kept: map[place][]int{}, codes: map[string]int{}, table: map[entry][][]gap{}, rows: map[int]bool{}}
	if err := c.fits(); err != nil {
		return err
	}
	if err := c.load(); err != nil {
		return err
	}
	if err := c.executions(c.construct, func(*thread) error { return nil }); err != nil {
		return err
	}
	if !c.rows[None] {
		return reject("it has no row for a new collection")
	}
	for i := range x.Rows {
		if err := c.row(ctx, &x.Rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// fits is an error unless the collection is a set of which there are such proofs.
func (c *checker) fits() error {
	a := &c.s.About
	if a.Kind != string(oracle.Set) || a.Oracle != string(oracle.Set) || c.s.Self {
		return reject("it is about sets that the oracle set judges")
	}
	if a.Protocol != (oracle.Protocol{Kind: oracle.Nonblocking}).String() {
		return reject("the protocol %s: it is about sets whose operations wait for nothing", a.Protocol)
	}
	for i := range c.s.Operations {
		o := &c.s.Operations[i]
		b := &o.Binding
		role := b.Role == oracle.Add || b.Role == oracle.Remove || b.Role == oracle.Contains
		result := len(b.Results) == 1 && (b.Results[0] == oracle.SlotOK || b.Results[0] == oracle.SlotNotOK)
		if !role || !result || len(b.Params) != 1 || b.Params[0] != oracle.ParamKey || o.Func.ParamWords() != 2 || o.Func.ResultWords() != 1 {
			return reject("operation %s does something else than to add an item, remove it or look for it, and to say whether it was done", o.Name)
		}
	}
	return nil
}

// group is what some of a row's threads know of the linked cells.
type group struct {
	memory
	threads []*claimed
}

// row makes the steps of all threads of a row, and looks up what they and others know then.
func (c *checker) row(ctx context.Context, r *Row) error {
	var writes []*write
	groups, noticed := map[string]*group{}, map[string]bool{}
	after := func(t *thread) error {
		if err := c.look(t); err != nil {
			return err
		}
		if t.wrote != nil && !noticed[t.wrote.key()] {
			noticed[t.wrote.key()] = true
			writes = append(writes, t.wrote)
		}
		return nil
	}
	for op := range c.s.Operations {
		if err := c.executions(func() (*thread, error) { return c.begin(r.First, op) }, after); err != nil {
			return err
		}
	}
	var order []*group
	for _, id := range r.Threads {
		if err := ctx.Err(); err != nil {
			return err
		}
		t := c.known[id].at(r.First)
		if !t.sharpen(c.below) {
			continue // no thread knows this
		}
		text := t.text()
		if groups[text] == nil {
			groups[text] = &group{memory: t.memory}
			order = append(order, groups[text])
		}
		groups[text].threads = append(groups[text].threads, c.known[id])
		err := c.executions(func() (*thread, error) {
			t := t.clone()
			return t, c.execute(t, runs{})
		}, after)
		if err != nil {
			return err
		}
	}
	for _, g := range order {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.others(g, writes); err != nil {
			return err
		}
	}
	return nil
}

// others looks up what some threads know behind the writes of others.
func (c *checker) others(g *group, writes []*write) error {
	type result struct {
		to   int
		text string
	}
	seen := map[result]bool{}
	for _, w := range writes {
		for _, m := range overlay(w, &g.memory, c.below) {
			if r := (result{w.to, m.text()}); seen[r] {
				continue
			} else {
				seen[r] = true
			}
			shape := m.shape()
			for _, v := range g.threads {
				n := v.noted
				n.note(v.is, c.held(w.to))
				if !c.has(entry{w.to, v.code, n, shape}, &m) {
					return c.reject(&v.thread, "it does not claim what another thread may know behind a step")
				}
			}
		}
	}
	return nil
}

// held says whether k is held where the youngest cell that counts has a kind.
func (c *checker) held(first int) bool {
	return first != None && slices.Contains(c.x.Head.Held, c.x.Kinds[first].State)
}

// has says whether the certificate claims that a thread may know this.
func (c *checker) has(e entry, m *memory) bool {
	return slices.ContainsFunc(c.table[e], m.within)
}

// look is an error unless the certificate claims what a thread knows behind its step.
func (c *checker) look(t *thread) error {
	if !c.rows[t.first] {
		return c.reject(t, "it has no row for what all threads may know")
	}
	if t.op < 0 {
		return nil
	}
	if !t.sharpen(c.below) {
		return errElse
	}
	if err := c.settle(t); err != nil {
		return err
	}
	if !t.sharpen(c.below) {
		return errElse
	}
	code, known := c.codes[c.code(t)]
	if !known || !c.has(entry{t.first, code, t.noted, t.shape()}, &t.memory) {
		return c.reject(t, "it does not claim what a thread may know")
	}
	return nil
}

func (c *checker) reject(t *thread, format string, args ...any) error {
	r := &file.Rejection{What: fmt.Sprintf(format, args...)}
	for i := len(t.calls) - 1; i >= 0; i-- {
		if f := &t.calls[i]; !f.fn.Harness && f.pc >= 0 && f.pc < len(f.fn.Pos) {
			r.Where = c.s.Prog.Position(f.fn.Pos[f.pc])
			break
		}
	}
	return r
}
