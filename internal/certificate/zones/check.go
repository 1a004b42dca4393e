// SPDX-License-Identifier: BSD-3-Clause

// Package zones says whether a certificate of the engine zones holds: whether what it claims that any number of threads may know of a queue whose cells form one
// chain is true, and implies that the queue is linearizable.
//
// It takes a certificate and the compiled collection, and trusts of the certificate nothing. It executes the constructor, every call, and every step of what is claimed, and
// looks for a claim that covers what the thread knows when others have moved. It shares with the engine the compiled code alone: it executes a step as often as there are
// choices in it, one choice after the other; takes from the certificate which registers are kept, a read of another one being an error; and decides what follows from
// bounds by shortest paths over a list of them. It does not look for a certificate, and says nothing of whether calls return.
//
// # Why a table that is accepted is a proof
//
// What a thread relies on, and what it guarantees (Jones, Tentative steps toward a development method for interfering programs, 1983), is the same for all: links of the
// chain are written once, fingers, the end of the chain and "returned" never go back, Head.Bounds hold of them at all times, and of what stands in a slot Head.Offers and
// Head.Offered hold. The claim is that in each state of each execution this is so, and that for each thread with a call in progress there is an entry of the
// certificate, with integers for its variables, such that all is true that the entry says. It is so of a new collection. If it is so before a step, then
// the checker has executed the step of the entry that stands for the thread, in all ways, so one of them is what happens; and what the thread knows behind
// it is covered by an entry. A step that may do what others do not expect is refused. Each other thread has an entry that was true before the step, and is
// true behind it: its registers, its private cells, and what they lead to have not changed, for the words of cells of the chain and of offers that somebody reads are never
// written; of shared variables it says nothing that is not true of later values too. The last is why an entry has to follow from what is known with new shared variables of
// which nothing is known but that they are at least the old ones, and Head.Bounds: where others have not moved, the new ones are the old ones. So it is so behind each step.
//
// What steps have to do so that the queue is linearizable is in doc/proofs.md: what is put in is linked in or handed over once, what is taken was
// taken by the call that returns it, at the front or where the front is at the offer's since, and a Take finds nothing at a moment at which the front is at "returned". Each of these is
// checked where it is done, in shared.go.
package zones

import (
	"context"
	"fmt"
	"io"
	"time"

	"pangolin/internal/certificate/file"
	"pangolin/internal/subject"
	"pangolin/oracle"
	"pangolin/verdict"
)

func reject(format string, a ...any) error { return &file.Rejection{What: fmt.Sprintf(format, a...)} }

// Views is the number of threads.
func (c *Certificate) Views() int { return len(c.Threads) }

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
	return []verdict.Limit{{Name: "threads, calls, items", Value: verdict.AnyNumber}}
}

// checker checks one certificate.
type checker struct {
	s       *subject.Subject
	x       *Certificate
	waits   bool // Takes wait for items
	made    *collection
	numbers int // how many numbers an offer has
	known   []*claimed
	table   map[string][]*claimed // by what has to be the same, see key
	reads   [2]map[int]bool       // words of the collection that are accessed plainly, and atomically as numbers

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

func (c *checker) either() bool { return c.choose(2) == 1 }

// mostChoices is how many executions of one step are tried.
const mostChoices = 1 << 16

// errElse is the error of an execution that cannot be, for what was chosen contradicts what is known.
var errElse = fmt.Errorf("this execution cannot be")

// executions calls run with each sequence of choices, and after with the thread that it has executed.
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

// newChecker is a checker that has looked at the head of the certificate, and at a new collection.
func newChecker(s *subject.Subject, x *Certificate) (*checker, error) {
	c := &checker{s: s, x: x, table: map[string][]*claimed{}, reads: [2]map[int]bool{{}, {}}}
	if err := c.fits(); err != nil {
		return nil, err
	}
	if err := c.construct(); err != nil {
		return nil, err
	}
	return c, c.head()
}

// Check is nil if the certificate holds, and a *file.Rejection if it does not.
func Check(ctx context.Context, s *subject.Subject, x *Certificate) error {
	if err := x.Head.Is(s.Prog, s.About.Collection); err != nil {
		return err
	}
	c, err := newChecker(s, x)
	if err != nil {
		return err
	}
	if err := c.load(); err != nil {
		return err
	}
	for op := range s.Operations {
		if err := c.executions(func() (*thread, error) { return c.begin(op) }, c.covered); err != nil {
			return err
		}
	}
	for _, e := range c.known {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !e.possible() {
			continue // no thread knows this
		}
		err := c.executions(func() (*thread, error) {
			t := e.thread.clone()
			return t, c.execute(t, false)
		}, c.covered)
		if err != nil {
			return err
		}
	}
	return c.races()
}

// races refuses numbers of the collection that are accessed plainly, and by others atomically.
func (c *checker) races() error {
	for w := range c.made.words {
		if c.reads[plainly][w] && c.reads[atomically][w] {
			return reject("word %d of the collection is accessed atomically and otherwise", w)
		}
	}
	return nil
}

// The ways to access a word of the collection, see checker.reads.
const (
	plainly = iota
	atomically
)

// fits is an error unless the collection is a queue of which there are such proofs.
func (c *checker) fits() error {
	a := &c.s.About
	if a.Kind != string(oracle.Queue) || a.Oracle != string(oracle.Queue) || c.s.Self {
		return reject("it is about queues that the oracle queue judges")
	}
	c.waits = a.Protocol == (oracle.Protocol{Kind: oracle.Blocking}).String()
	if !c.waits && a.Protocol != (oracle.Protocol{Kind: oracle.Nonblocking}).String() {
		return reject("the protocol %s: it is about queues with room for all items, in which nothing waits, or Takes alone", a.Protocol)
	}
	for i := range c.s.Operations {
		o := &c.s.Operations[i]
		b := &o.Binding
		plain := b.Refusal == oracle.RefuseDefault && !b.Spurious && b.Within == 0 && o.MayFail == nil && !o.Careful && !o.Asks && !o.Objects
		params, results := o.Func.ParamWords(), o.Func.ResultWords()
		put := b.Role == oracle.Put && len(b.Params) == 1 && b.Params[0] == oracle.ParamItem && len(b.Results) == 0 && params == 2 && results == 0
		take := b.Role == oracle.Take && len(b.Params) == 0 && c.tells(b.Results) && params == 1 && results == len(b.Results)
		if !plain || !put && !take {
			return reject("operation %s neither puts in an item nor takes one, or returns something else", o.Name)
		}
	}
	return nil
}

// tells says whether a Take may return this: an item, and whether there was one, or an item where it waits for one.
func (c *checker) tells(results []oracle.Slot) bool {
	switch len(results) {
	case 1:
		return c.waits && results[0] == oracle.SlotItem
	case 2:
		says := results[0]
		if says == oracle.SlotItem {
			says = results[1]
		}
		return (results[0] == oracle.SlotItem) != (results[1] == oracle.SlotItem) && (says == oracle.SlotOK || says == oracle.SlotNotOK)
	}
	return false
}

// puts says whether the thread executes a Put.
func (c *checker) puts(t *thread) bool { return c.s.Operations[t.op].Binding.Role == oracle.Put }

// reject is the refusal of a certificate, with the place at which the thread is.
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
