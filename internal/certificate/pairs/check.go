// SPDX-License-Identifier: BSD-3-Clause

// Package pairs says whether a certificate of the engine cmp holds: whether what it claims that one of any
// number of threads may see is true, and implies that the collection is correct.
//
// It takes a certificate and the compiled collection, and trusts of the certificate nothing. What one thread sees
// is a saved state of the machine with one thread. The package checks that a new collection is claimed; that what
// a thread does by itself, from all that is claimed, leads to what is claimed; and it puts each two
// threads that see the same memory together into one state, in every way in which cells of one may be cells of
// the other, lets one make its step, and looks up what the other sees then. Results are compared with
// the oracle, which goes in step, and two threads may never be about to race. doc/proofs.md says why that is enough.
//
// It is a second opinion: it shares with the engine the machine, which executes instructions and saves, loads and
// completes states, and the oracle; not the effects of steps that the engine computes and applies, nor what it finds
// out about points, nor its search. It does not say what is missing where a certificate does not hold.
package pairs

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"

	"pangolin/internal/certificate/file"
	"pangolin/internal/explore"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
)

func reject(format string, a ...any) error { return &file.Rejection{What: fmt.Sprintf(format, a...)} }

// Checker checks one certificate. It is for one goroutine.
type Checker struct {
	*terms
	head     *Head
	img      *vm.Image
	m        *vm.Machine
	telling  atomic.Bool // see vm.Machine.TellIn
	base     int         // number of base objects
	memories []*memory
	claimed  map[string]*view // claimed views, by keyOf
	returned map[[2]int]bool  // pairs of a call and its result that some claimed view returns
	words    []uint64         // buffers, used again
	key      []byte
	mapped   []uint32

	// For tests:
	allBeside bool                         // each step is made beside all threads, not just the first that can be there
	saw       func(a, b *view, key []byte) // is told what b sees behind the step of a
}

// memory is a claimed memory, with the claimed views of it.
type memory struct {
	*Memory
	count int // of its objects
	views []*view
	same  [][]*view      // the views by their words: those of one list differ in what is known of the call alone
	lists map[string]int // indexes in same, by words
}

// view is a claimed view.
type view struct {
	*View
	in      *memory
	status  status // what is known of the call
	words   []uint64
	parts   state.Parts
	cells   []state.Cell    // the thread's own objects
	numbers state.Numbering // the names of threads' numbers in words
	loud    bool            // its step changes what others may know, or the content
	stands  []vm.Access     // shared accesses that the thread is about to make
	locks   int             // how many locks the thread has
}

// New makes a checker of a certificate for a collection. The error says why there is nothing to check.
func New(s *subject.Subject, x *Certificate) (*Checker, error) {
	if err := x.Head.Is(s.Prog, s.About.Collection); err != nil {
		return nil, err
	}
	t, err := bind(s, &x.Head)
	if err != nil {
		return nil, err
	}
	c := &Checker{terms: t, head: &x.Head, claimed: map[string]*view{}, returned: map[[2]int]bool{}}
	if c.img, err = vm.NewImage(s.Prog); err != nil {
		return nil, err
	}
	if vm.Finalizes(s.Prog) {
		return nil, reject("the code sets finalizers, which proofs do not support")
	}
	opt := vm.Options{NoSymmetry: true, OneOfMany: true, Numbers: true, Chronicle: true, HeapBytes: 64 << 20, Frames: 10_000, LocalSteps: 100_000, Threads: 255}
	if opt.Frozen, opt.Guards, err = c.img.Assuming(x.Head.Frozen, x.Head.Guards); err != nil {
		return nil, fmt.Errorf("the certificate is damaged: %w", err)
	}
	if err := c.number(x.Head.Strings); err != nil {
		return nil, fmt.Errorf("the certificate is damaged: %w", err)
	}
	c.m, c.base = c.img.NewMachine(opt), len(c.img.Base)-1
	c.m.TellIn(&c.telling)
	if err := c.load(x); err != nil {
		return nil, fmt.Errorf("the certificate is damaged: %w", err)
	}
	return c, nil
}

// number gives strings that are no constants of the program their numbers in states. A string that has another number is an error.
func (c *Checker) number(list []string) error {
	first := c.img.Constants()
	for i, quoted := range list {
		text, err := strconv.Unquote(quoted)
		if err != nil {
			return fmt.Errorf("%s is no string", quoted)
		}
		if c.img.Strings.Word(text) != uint64(first+i) {
			return fmt.Errorf("the string %s has another number", quoted)
		}
	}
	return nil
}

// load reads memories and views, and refuses words that are no saved state.
func (c *Checker) load(x *Certificate) (err error) {
	defer func() { // the words of a state are trusted by those who read them
		if r := recover(); r != nil {
			err = fmt.Errorf("there are words that are no state: %v", r)
		}
	}()
	var calls []string
	for i := range c.calls {
		calls = append(calls, c.calls[i].text)
	}
	if !slices.Equal(calls, x.Head.Calls) || !slices.EqualFunc(c.paths, x.Head.Contents, slices.Equal[[]int]) {
		return fmt.Errorf("its calls and contents are not those of the collection with %d items of %d values", x.Head.Items, x.Head.Values)
	}
	for i := range x.Memories {
		m := &memory{Memory: &x.Memories[i], lists: map[string]int{}}
		if m.Content < 0 || m.Content >= len(c.contents) {
			return fmt.Errorf("there is no content %d", m.Content)
		}
		m.count = c.m.Count(m.Objects)
		c.memories = append(c.memories, m)
	}
	for i := range x.Views {
		if err := c.loadView(&x.Views[i]); err != nil {
			return fmt.Errorf("view %d: %w", i+1, err)
		}
	}
	return nil
}

// loadView reads a view and checks that its words are a saved state of one thread.
func (c *Checker) loadView(x *View) error {
	if x.Memory < 0 || x.Memory >= len(c.memories) {
		return fmt.Errorf("there is no memory %d", x.Memory)
	}
	known, err := c.statusOf(x)
	if err != nil {
		return err
	}
	v := &view{View: x, in: c.memories[x.Memory], status: known}
	v.words = slices.Concat(v.in.Front, x.Thread)
	v.parts = state.Parts{Thread: len(v.in.Front), Objects: len(v.words)}
	v.words = append(v.words, v.in.Objects...)
	v.parts.Own = len(v.words)
	v.words = append(v.words, x.Own...)
	c.m.Load(v.words)
	if again := c.m.Save(nil); !slices.Equal(again, v.words) || c.m.Parts() != v.parts || c.m.Threads() != 1 || c.m.Idle(0) != (x.Call == 0) {
		return fmt.Errorf("it is no saved state of one thread")
	}
	v.cells, v.numbers = c.m.Cells(x.Own), c.m.Numbering(v.words, v.parts)
	for _, a := range c.m.Accesses(0) {
		if id := state.ObjectID(a.P); id <= c.base || c.m.Objs[id].Flags&state.IsKnown != 0 {
			v.stands = append(v.stands, a)
		}
	}
	v.in.add(v, string(c.keyOf(0, status{}, v.words)))
	v.locks = locksOf(c.m)
	c.claimed[string(c.keyOf(v.in.Content, v.status, v.words))] = v
	return nil
}

// add adds a view to its memory. words is a key for its words.
func (m *memory) add(v *view, words string) {
	m.views = append(m.views, v)
	i, known := m.lists[words]
	if !known {
		i = len(m.same)
		m.lists[words] = i
		m.same = append(m.same, nil)
	}
	m.same[i] = append(m.same[i], v)
}

// keyOf is a key for what one thread sees: the content, the status of its call, and the words of the state. It is
// valid until the next call.
func (c *Checker) keyOf(content int, s status, words []uint64) []byte {
	k := binary.AppendUvarint(c.key[:0], uint64(content))
	k = binary.AppendUvarint(k, uint64(s.call))
	if s.done {
		k = binary.AppendUvarint(append(k, 1), uint64(s.must))
	} else {
		k = binary.AppendUvarint(append(k, 0), s.right)
	}
	for _, w := range words {
		k = binary.AppendUvarint(k, w)
	}
	c.key = k
	return k
}

// Check checks that the claims are true and imply that the collection is correct. The error is a *file.Rejection if
// the certificate does not hold.
func (c *Checker) Check(ctx context.Context) (err error) {
	defer func() { // the machine trusts the words of states
		if r := recover(); r != nil {
			err = reject("a claimed state is none: the machine cannot go on from it (%v)", r)
		}
	}()
	if err := c.claimsProgress(); err != nil {
		return err
	}
	if err := c.begin(); err != nil {
		return err
	}
	for i, m := range c.memories {
		for k, v := range m.views {
			if k%64 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if err := c.alone(v); err != nil {
				return err
			}
		}
		if i%16 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	for _, m := range c.memories {
		if err := c.together(ctx, m); err != nil {
			return err
		}
		if err := c.waits(m); err != nil {
			return err
		}
	}
	if c.head.Races && c.telling.Load() {
		return reject("an operation passes information between threads without ordering their accesses, so that checking pairs of next accesses does not exclude races")
	}
	return c.complete()
}

// begin checks that a new collection is claimed.
func (c *Checker) begin() (err error) {
	c.m.Reset()
	c.m.Spawn()
	c.m.Call(0, c.subject.New, nil)
	var ch explore.Choices
	c.m.RunAlone(0, &ch)
	if err := c.possible("the constructor"); err != nil {
		return err
	}
	if c.m.Asked {
		return reject("the constructor asks for the number of its thread, so that new collections differ")
	}
	if ch.Next() || c.m.Panicked(0) != "" || !c.m.Idle(0) {
		return reject("the constructor does not return, or in more than one way")
	}
	if len(c.m.Thread[0].Held) > 0 {
		return reject("the constructor leaves a lock taken")
	}
	c.m.SetRoots(c.m.Results(0)[0])
	_, err = c.lookUp(0, status{}, "a new collection is not claimed")
	return err
}

// possible rejects a state in which the machine has failed, an assumption does not hold, or a step needs or affects other threads in a way
// that views do not contain. at is the place for the message.
func (c *Checker) possible(at string) error {
	switch {
	case c.m.Fault() != nil || c.m.Breached() >= 0 || c.unguarded():
		return reject("an assumption of the steps (frozen or guarded memory) is wrong, or the machine does not support the code: %s", at)
	case c.m.Peered || c.m.Threads() > 1:
		return reject("a step starts, meets or needs other threads, which proofs do not support: %s", at)
	case c.m.Misnumbered:
		return reject("the number of a thread is used for more than comparing it with another one: %s", at)
	case c.m.Ended().Kind != vm.Running:
		return reject("the program ends: %s", at)
	case len(c.m.Dirty()) > 0:
		return reject("package variables are written, which all collections share, while the certificate is about one: %s", at)
	case c.m.Meets(0) != "":
		return reject("a thread is about to execute an operation that involves other threads, which proofs do not support: %s", c.m.Meets(0))
	}
	return nil
}

// unguarded reports whether a word was accessed without the lock that guards it according to the certificate.
func (c *Checker) unguarded() bool { return c.m.Guards != nil && c.m.Guards.Broken() }

// lookUp finds what the machine's only thread sees, and rejects, with a message, if that is not claimed.
func (c *Checker) lookUp(content int, s status, format string, a ...any) (*view, error) {
	c.words = c.m.Save(c.words[:0])
	v := c.claimed[string(c.keyOf(content, s, c.words))]
	if v == nil {
		return nil, reject(format, a...)
	}
	return v, nil
}

// alone checks that everything the thread of a view may do by itself leads to claimed views.
func (c *Checker) alone(v *view) error {
	c.m.Load(v.words)
	at := c.m.At(0)
	if v.Call == 0 {
		for i := range c.calls {
			if err := c.call(v, i); err != nil {
				return err
			}
		}
		return nil
	}
	if !c.m.Enabled(0) {
		return nil
	}
	var ch explore.Choices
	for more := true; more; more = ch.Next() {
		c.m.Load(v.words)
		before, words := c.shared(v), c.remembered(v)
		c.m.Step(0, &ch)
		if err := c.possible(at); err != nil {
			return err
		}
		s, content, within := v.status, v.in.Content, true
		if v.Acts {
			s, content, within = c.act(s, content)
		}
		v.loud = v.loud || content != v.in.Content || !slices.Equal(before, c.shared(v))
		if !within {
			continue
		}
		if err := c.follow(words, at); err != nil {
			return err
		}
		s, err := c.returns(s)
		if err != nil {
			return err
		}
		next, err := c.lookUp(content, s, "what a thread sees behind its step at %s is not claimed", at)
		if err != nil {
			return err
		}
		if err := c.goesOn(v, next, step{own: true}); err != nil {
			return err
		}
	}
	return nil
}

// call lets an idle thread make call i, in every way, up to its first visible access.
func (c *Checker) call(v *view, i int) error {
	var ch explore.Choices
	for more := true; more; more = ch.Next() {
		c.m.Load(v.words)
		before := c.shared(v)
		c.m.Call(0, c.subject.Operations[c.calls[i].step.Op].Func, subject.ArgumentWords(nil, c.m.Root(0), c.calls[i].step.Args))
		c.m.Settle(0, &ch)
		if err := c.possible(c.calls[i].text); err != nil {
			return err
		}
		if !slices.Equal(before, c.shared(v)) {
			return reject("the beginning of %s changes what others see", c.calls[i].text)
		}
		s, err := c.start(i, v.in.Content)
		if err != nil {
			return err
		}
		if s, err = c.returns(s); err != nil {
			return err
		}
		next, err := c.lookUp(v.in.Content, s, "what a thread sees that calls %s is not claimed", c.calls[i].text)
		if err != nil {
			return err
		}
		if err := c.goesOn(v, next, step{own: true}); err != nil {
			return err
		}
	}
	return nil
}

// returns judges the result of a call that has just returned, and returns the status after it. Nothing happens if thread 0 is still in the
// call.
func (c *Checker) returns(s status) (status, error) {
	if !c.m.Idle(0) {
		return s, nil
	}
	if state.NumbersIn(c.m.Results(0)) > 0 {
		return s, reject("%s returns the number of a thread", c.calls[s.call-1].text)
	}
	r := c.auto.ResultID(c.tuple(s.call - 1))
	if !s.allows(r) {
		return s, reject("%s %s, which the oracle does not permit", c.calls[s.call-1].text, c.returning(s.call-1, r))
	}
	c.returned[[2]int{s.call - 1, int(r)}] = true
	return status{}, nil
}

// complete rejects a certificate in which a call never returns a result that it may return within the bound, because nothing would be shown
// about it.
func (c *Checker) complete() error {
	for _, q := range c.contents {
		for i := range c.calls {
			for _, e := range c.auto.Edges(q, c.calls[i].id) {
				if _, within := c.index[e.Next]; within && !c.returned[[2]int{i, int(e.Result)}] {
					return reject("%s never %s, so that the certificate shows nothing about that", c.calls[i].text, c.returning(i, e.Result))
				}
			}
		}
	}
	return nil
}
