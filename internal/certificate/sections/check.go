// SPDX-License-Identifier: BSD-3-Clause

// Package sections says whether a certificate of the engine sections holds: whether what it claims of who can reach which memory, in calls that are one critical section
// each, is true, and implies that a type under one lock is linearizable and free of data races, by its own code executed sequentially.
//
// It takes a certificate and the compiled collection, and trusts of the certificate nothing. It executes each block once from each claimed state, and looks for a claim that
// covers what comes out; a call is one step, from what is given to each of the ends that the certificate has for it, and the states of the function itself are looked at in
// their own place. It shares with the engine the compiled code and the form of the certificate. It does not look for a certificate, and of whether calls return it says no more than that
// none waits for ever which returns when nobody else calls.
//
// # Why a table that is accepted is a proof
//
// Take an execution in which at each moment each object is one of three: own, of one thread's call, made in it; foreign; or shared, all other. What is claimed of a call in
// progress is that its registers lead to objects of the sorts that their values say; that own objects lead to own ones, and to what "holds" says; that shared ones never
// lead to own ones; and that it has the lock as its phase says. It is so when an operation begins, for the collection is shared: the
// constructor is followed as a call that shares nothing, from nothing to what it has made, and is over before an operation begins. An instruction that makes a shared
// object lead to an own one makes all own ones shared, so it stays so. A loop and a recursion are no difficulty, because every state in them is claimed: the induction is over the
// number of instructions that were executed.
//
// From that follows what doc/proofs.md needs: a call reads words that others may write only when it has the lock, and writes them only when it has it for writing. The classes of the
// words that are written this way are collected in the whole certificate; at the end none of them is one that the certificate calls fixed.
//
// Words of the classes that the certificate calls atomic are the exception. Nothing but atomic instructions accesses those that others may have, and a call does so once, at its moment: its phase says
// whether that has passed, and so there is no second one. Reads of the classes that the certificate calls kept do not count while the call has the lock, for nobody writes them without it.
// A method of a sync.Map or an atomic.Value is one instruction of this sort, to an object of which nothing else accesses a word; the class of the object's first word stands for all of it.
// So is what a call does with a channel that has room for an item (channels.go), to which a class of its own belongs.
package sections

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"pangolin/internal/certificate/file"
	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

func reject(format string, a ...any) error { return &file.Rejection{What: fmt.Sprintf(format, a...)} }

// Views is the number of states.
func (c *Certificate) Views() int { return len(c.States) }

// CheckFile checks a certificate, given as the text of its file. If draw is not nil, the states are written there for people.
func CheckFile(ctx context.Context, s *subject.Subject, text []byte, draw io.Writer) (*verdict.Checked, error) {
	x, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the certificate is damaged: %w", err)
	}
	began := time.Now()
	out := &verdict.Checked{Views: x.Views()}
	out.Races, out.Limits = true, Limits()
	out.Assumptions = []string{verdict.PanicsAlone, "callers do not read what results lead to, but for what was compared, if calls write it, nor call functions or use channels there"}
	if out.Progress = x.Head.Progress; out.Progress != "" {
		out.Assumptions = append(out.Assumptions, verdict.ReturnsAlone)
	}
	err = x.Head.Is(s.Prog, s.About.Collection)
	if err == nil && draw != nil {
		if err := x.Draw(draw, s.Prog); err != nil {
			return nil, err
		}
	}
	if err == nil {
		var c *checker
		if c, err = check(ctx, s, x); err == nil && c.registers {
			out.Assumptions = append(out.Assumptions, "nobody else uses what the constructor gives to package variables")
		}
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
	s      *subject.Subject
	p      *ir.Program
	x      *Certificate
	types  *types
	values *made
	lock   place
	fixed  map[class]bool
	atomics
	calls  []called
	find   map[sought][]int // calls of the certificate, by what has to be the same
	states []claimed
	at     map[spot][]int // states, by where they are

	written map[class]bool // what is written through values that others may have, too
	around                 // what the code that is not followed does, and the harness
	outside                // what the collection has to do with package variables
	steps   int            // how many instructions may still be executed
	waiting                // where calls may wait
	panics                 // what is known so far of panics that are recovered
	// miss, if not nil, is told what the certificate lacks, and notes it. Tests make certificates so.
	miss func(lack)
}

// outside is what the collection has to do with the memory of package variables.
type outside struct {
	deep      *spot // where that memory is formatted without the lock, if anywhere
	mixed     bool  // some of it may be reached from the collection, or leads to what the constructor has made
	registers bool  // the constructor gives what it makes to package variables, or to what they lead to
}

// spot is an instruction of a call of the certificate.
type spot struct{ call, pc int }

// sought is what is the same in a call and in the one of the certificate that stands for it.
type sought struct {
	fn    int
	phase phase
}

// lack is something that a certificate lacks: a state at a spot, an end of the call there, or a call.
type lack struct {
	at    spot
	state *state
	end   *end
	call  *called
}

// mostRounds is how often all is executed, as long as it is not known yet what is called where a panic is recovered.
const mostRounds = 60

// Check is nil if the certificate holds, and a *file.Rejection if it does not.
func Check(ctx context.Context, s *subject.Subject, x *Certificate) error {
	_, err := check(ctx, s, x)
	return err
}

// check checks a certificate, and returns what was noted of it.
func check(ctx context.Context, s *subject.Subject, x *Certificate) (*checker, error) {
	if err := x.Head.Is(s.Prog, s.About.Collection); err != nil {
		return nil, err
	}
	if err := fits(s); err != nil {
		return nil, err
	}
	c := newChecker(s, x)
	for _, step := range []func() error{c.initialisers, c.head, c.readCalls, c.readStates, c.constructor, c.operations, c.entries} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	if err := c.execute(ctx); err != nil {
		return nil, err
	}
	if err := c.progress(); err != nil {
		return nil, err
	}
	return c, c.apart()
}

// execute executes each block once from each state, and again as long as something is new of panics that are recovered.
func (c *checker) execute(ctx context.Context) error {
	for range mostRounds {
		c.again, c.steps = false, 200_000+5_000*(len(c.states)+len(c.calls))
		for i := range c.states {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := c.block(&c.states[i]); err != nil {
				return err
			}
		}
		if !c.again || !c.matters {
			return nil
		}
	}
	return reject("it is not known after %d rounds what is called where a panic is recovered", mostRounds)
}

func newChecker(s *subject.Subject, x *Certificate) *checker {
	c := &checker{s: s, p: s.Prog, x: x, types: newTypes(s.Prog), values: newMade(s.Prog), fixed: map[class]bool{}, atomics: atomics{map[class]bool{}, map[class]bool{}}, find: map[sought][]int{}, at: map[spot][]int{},
		written: map[class]bool{}, panics: newPanics(s.Prog, len(x.Calls))}
	c.around = newAround(c.p, c.types)
	return c
}

// fits is an error unless the collection is one of which there are such proofs.
func fits(s *subject.Subject) error {
	switch {
	case s.Prog == nil || s.New == nil:
		return reject("it is about collections that are compiled for the machine")
	case !s.Self || !s.JudgesItself():
		return reject("it is about types that their own code judges, executed sequentially")
	case len(s.New.Results) != 1 || s.New.Results[0].Class != ir.PointerClass:
		return reject("the constructor does not return one pointer")
	}
	for i := range s.Operations {
		o := &s.Operations[i]
		if o.MayFail != nil || o.Asks || o.InTurn != nil {
			return reject("operation %s may fail, asks which thread executes it, or meets others", o.Name)
		}
	}
	if at, found := SliceData(s.Prog); found {
		return reject("the data of a slice is taken by package unsafe, at %s", s.Prog.Position(at))
	}
	for _, f := range s.Prog.Funcs {
		if isCleanup(f.Name) {
			return reject("the program mentions %s", f.Name)
		}
	}
	return nil
}

// isCleanup says whether a function lets another one be called when an object is not reached any more. One of them is generic.
func isCleanup(name string) bool {
	return name == "runtime.SetFinalizer" || name == "runtime.AddCleanup" || strings.HasPrefix(name, "runtime.AddCleanup[")
}

// apart is an error unless no class is both fixed and written.
func (c *checker) apart() error {
	for w := range c.written {
		for f := range c.fixed {
			if c.types.conflict(w, f) {
				return reject("%s is fixed, and %s is written", c.types.text(f), c.types.text(w))
			}
		}
		if c.deep == nil || !c.mixed {
			continue
		}
		for _, f := range c.printed().classes {
			if c.types.conflict(w, f) {
				return c.reject(*c.deep, "%s may be formatted without the lock, and is written", c.types.text(w))
			}
		}
	}
	return nil
}

// reject is the refusal of a certificate, with the place in the code.
func (c *checker) reject(at spot, format string, args ...any) error {
	f := c.calls[at.call].fn
	r := &file.Rejection{What: fmt.Sprintf(format, args...)}
	if at.pc >= 0 && at.pc < len(f.Pos) {
		r.Where = c.p.Position(f.Pos[at.pc])
	}
	if f.Harness {
		r.What += " (in the harness: " + f.Short + ")"
	}
	return r
}
