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
	"pangolin/internal/ir"
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
	ops     []operation
	made    *collection
	numbers int // how many numbers an offer has
	known   []*claimed
	table   map[string][]*claimed // by what has to be the same, see key
	reads   [2]map[int]bool       // words of the collection that are accessed plainly, and atomically as numbers
	// converts: an address of a cell of the chain is converted from an unsafe pointer; foreign: cells as large as those of the chain are made that have another type
	converts, foreign bool

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
	if err := c.types(); err != nil {
		return err
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
		o, err := c.operation(i)
		if err != nil {
			return err
		}
		if c.ops = append(c.ops, o); o.width != c.ops[0].width {
			return reject("operation %s puts in something else than what others take, or the other way round", c.s.Operations[i].Name)
		}
	}
	return nil
}

// operation is one of the collection's: the method that a function of the harness calls with the collection. What the harness makes an item of, and of an item, is not looked at: a
// Take that returns the words that a Put was given returns that item.
type operation struct {
	method   *ir.Func
	width    int  // of an item, in words
	item, ok int  // of a Take's results, the first word of the item, and the one that says whether there was one; ok is -1 if there is none
	not      bool // that one says that there was none
	orNil    bool // the item says so: it is nil if there was none
}

// operation finds out what an operation does, and refuses it if it is not to put in an item or to take one.
func (c *checker) operation(i int) (operation, error) {
	o := &c.s.Operations[i]
	b := &o.Binding
	bad := reject("operation %s neither puts in an item nor takes one, or returns something else", o.Name)
	if b.Refusal != oracle.RefuseDefault || b.Spurious || b.Within != 0 || o.MayFail != nil || o.Careful || o.Asks || o.Objects {
		return operation{}, bad
	}
	by := c.method(o.Func)
	if by == nil {
		return operation{}, reject("operation %s: its harness does not call one method with the collection", o.Name)
	}
	out := operation{method: by.Func, item: -1, ok: -1}
	if b.Role == oracle.Put {
		if len(b.Params) != 1 || b.Params[0] != oracle.ParamItem || len(b.Results) != 0 || len(by.Result) != 0 || len(by.Args) != 2 || o.Func.ParamWords() != 2 {
			return operation{}, bad
		}
		out.width = by.Args[1].Type.Size
		return out, nil
	}
	if b.Role != oracle.Take || len(b.Params) != 0 || len(by.Args) != 1 || len(by.Result) != len(b.Results) || o.Func.ParamWords() != 1 || !out.tells(b.Results, by.Result, c.waits) {
		return operation{}, bad
	}
	return out, nil
}

// tells notes what the results of a Take are: an item and whether there was one, an item or nil, or an item where it waits for one. It is false if they are something else.
func (o *operation) tells(slots []oracle.Slot, types []*ir.Type, waits bool) bool {
	word := 0
	for i, slot := range slots {
		switch {
		case slot == oracle.SlotItem && o.item < 0, slot == oracle.SlotItemOrNil && len(slots) == 1:
			o.item, o.width, o.orNil = word, types[i].Size, slot == oracle.SlotItemOrNil
		case (slot == oracle.SlotOK || slot == oracle.SlotNotOK) && o.ok < 0:
			o.ok, o.not = word, slot == oracle.SlotNotOK
		default:
			return false
		}
		word += types[i].Size
	}
	return o.item >= 0 && o.width > 0 && (o.ok >= 0 || o.orNil) != waits
}

// method is the one call in a function of the harness that has the collection, register 0, among its arguments: as the receiver, and nowhere else, and is not made again.
func (c *checker) method(f *ir.Func) (found *ir.Call) {
	for i := range f.Code {
		in := &f.Code[i]
		if again := in.Op == ir.OpJump && int(in.N) <= i || in.Op == ir.OpIf && min(int(in.N), int(in.X)) <= i; again {
			return nil
		}
		if found == nil && (in.Op == ir.OpIf || in.Op == ir.OpReturn || in.Op == ir.OpJump && int(in.N) != i+1) {
			return nil // it may not be called
		}
		if in.Op != ir.OpCall && in.Op != ir.OpGo && in.Op != ir.OpDefer {
			continue
		}
		by := c.s.Prog.Calls[in.X]
		given := 0
		for _, a := range by.Args {
			if a.Reg <= 0 && int(a.Reg)+a.Type.Size > 0 {
				given++
			}
		}
		if given == 0 {
			continue
		}
		if found != nil || given > 1 || in.Op != ir.OpCall || by.Kind != ir.CallStatic || by.Func.External || by.Args[0].Reg != 0 || by.Args[0].Type.Size != 1 {
			return nil
		}
		found = by
	}
	return found
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
