// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"cmp"
	"context"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/harness"
	"pangolin/internal/interleave"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// Waiting says when an operation may wait for ever that the oracle self judges.
type Waiting uint8

const (
	// WaitsInHope: it may if it does so alone, and other calls could let it return. What
	// nobody can let return (a lock was not released) may not.
	WaitsInHope Waiting = iota
	// WaitsAlone: it may if it does so alone. So an oracle that somebody wrote says that
	// a call may wait.
	WaitsAlone
	// NeverWaits: it may not.
	NeverWaits
)

// self is the oracle that needs no specification: the same code, executed by the same
// machine, one operation at a time (Line-Up, PLDI 2010). Goroutines that the constructor
// and operations have started, timers among them, go on beside the operation, and
// between one operation and the next they may move or may not. So there are several
// outcomes, all of which are right: whatever some execution with one operation at a time
// gives. What ends the program, a crash, is no outcome.
//
// A state is the set of saved states in which the machine may be when the last operation
// has returned with what it returned, or one that leads to the same (earliest). It says nothing about what the code does wrong when a
// single thread uses it.
type self struct {
	subject *Subject
	img     *vm.Image
	waiting Waiting
	initial oracle.State

	unreduced bool // for tests: all saved states are kept, see earliest

	assumed *interleave.Assumptions // what machines pass over accesses on; nil: nothing, see reducing.go
	broken  atomic.Bool             // some of it is wrong
	bound   atomic.Int64            // on the names of objects, see Calls; 0: not known
	counts  atomic.Bool             // a machine has given more addresses than are in any order

	mu     sync.Mutex
	idle   []*vm.Machine
	blocks map[blockKey]bool // what MayBlock has answered
	failed error             // the first one that MayBlock could not return
	ctx    context.Context   // of the search in progress; nil: none is
	helped uint64            // limit on the states that are tried to let a call return
	meter  *vm.Meter         // counts what its machines do; nil: nobody does
	beside uint64            // limit on those of a call with the goroutines beside it
	// unsettled are the operations for which that was too little.
	unsettled map[int]bool
}

type blockKey struct {
	state oracle.State
	call  oracle.Call
}

// NewSelf makes the oracle of a compiled collection from its constructor and
// operations; the subject's Spec is not used.
func NewSelf(ctx context.Context, s *Subject, w Waiting) (oracle.Spec, error) {
	prog := *s.Prog
	if prog.Jumps > 0 {
		prog.Jumps = oracleJumps
	}
	img, err := vm.NewImage(&prog)
	if err != nil {
		return nil, err
	}
	s.texts.add(img)
	o := &self{subject: s, img: img, waiting: w, blocks: map[blockKey]bool{}, helped: mostHelped, beside: mostBeside, unsettled: map[int]bool{}, ctx: ctx}
	err = o.begin()
	if o.ctx = nil; err != nil {
		return nil, err
	}
	return o, nil
}

// Metered is the subject with an oracle that knows nothing yet, if it is the same code: what that does is counted, and depends on nothing that was
// asked before.
func (s *Subject) Metered(m *vm.Meter) (*Subject, error) {
	o, ok := s.Spec.(*self)
	if !ok {
		return s, nil
	}
	spec, err := NewSelf(context.Background(), o.subject, o.waiting)
	if err != nil {
		return nil, err
	}
	fresh := spec.(*self)
	fresh.meter, fresh.idle = m, nil
	metered := *s
	metered.Spec = fresh
	return &metered, nil
}

// JudgesItself says that the oracle of a subject is its own code, and not that of a program like it.
func (s *Subject) JudgesItself() bool {
	o, ok := s.Spec.(*self)
	return ok && o.subject.Prog == s.Prog
}

// begin executes the constructor.
func (o *self) begin() error {
	m := o.machine()
	defer o.release(m)
	m.Reset()
	m.Spawn()
	if o.subject.Asks() {
		m.NumberFrom(client.MaxThreads) // the others are those of the client's threads
	}
	made, err := o.alone(calling(m, o.subject.New, nil)) // which executes package initialisation as well, if that is left to it
	if err != nil {
		return err
	}
	set := map[string]bool{}
	for _, r := range made.returned {
		if r.panicked != "" {
			return o.subject.Explained(&SetupError{Unmade("the constructor", r.panicked)})
		}
		set[r.state] = true
	}
	switch {
	case len(set) > 0:
	case made.crash != "":
		return &SetupError{"the constructor ends the program: " + made.crash}
	default:
		return &SetupError{"the constructor does not return: it waits at " + made.waits}
	}
	o.initial = o.named(nil, joined(o.earliest(set)))
	return nil
}

// Unmade says why nothing was made: who makes the collection ends with a panic of this
// text, if only the harness's own.
func Unmade(maker, panicked string) string {
	if text, failed := strings.CutPrefix(panicked, "panic: "+harness.Failed); failed {
		return harness.Failed + text
	}
	return maker + " panics: " + panicked
}

func (o *self) machine() *vm.Machine {
	o.mu.Lock()
	defer o.mu.Unlock()
	if n := len(o.idle); n > 0 {
		m := o.idle[n-1]
		o.idle = o.idle[:n-1]
		return m
	}
	return o.newMachine()
}

func (o *self) newMachine() *vm.Machine {
	opt := interleave.Operations(vm.Hash{})
	opt.NoSymmetry, opt.Meter = true, o.meter
	if a := o.assumed; a != nil {
		opt.Frozen, opt.Guards = a.Frozen, a.Guards
	}
	return o.img.NewMachine(opt)
}

func (o *self) release(m *vm.Machine) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.idle = append(o.idle, m)
}

// save is the state of a machine as text.
func save(m *vm.Machine) []byte { return asText(m.Save(nil)) }

func asText(words []uint64) []byte {
	b := make([]byte, 0, 8*len(words))
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}

func asWords(s string) []uint64 {
	words := make([]uint64, len(s)/8)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64([]byte(s[8*i : 8*i+8]))
	}
	return words
}

// joined is a set of saved states as a state of the oracle: each behind its length.
func joined(set map[string]bool) oracle.State {
	var b strings.Builder
	for _, s := range slices.Sorted(maps.Keys(set)) {
		b.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(s))))
		b.WriteString(s)
	}
	return oracle.State(b.String())
}

// members lists the saved states of a state.
func members(s oracle.State) (out []string) {
	for len(s) > 0 {
		n := binary.LittleEndian.Uint32([]byte(s[:4]))
		out = append(out, string(s[4:4+n]))
		s = s[4+n:]
	}
	return out
}

func (o *self) Initial() oracle.State { return o.initial }

// Outcomes executes the call from every saved state of s in every way.
func (o *self) Outcomes(s oracle.State, c oracle.Call) ([]oracle.Outcome, error) {
	var order []history.Tuple
	next := map[history.Tuple]map[string]bool{}
	names, rest := o.names(s)
	a, err := o.call(c, members(rest)...)
	if err != nil {
		return nil, err
	}
	for _, r := range a.returned {
		if next[r.result] == nil {
			next[r.result] = map[string]bool{}
			order = append(order, r.result)
		}
		next[r.result][r.state] = true
	}
	list := make([]oracle.Outcome, 0, len(order))
	for _, result := range order {
		list = append(list, o.outcomes(c, result, names, joined(o.earliest(next[result])))...)
	}
	return list, o.withdrawn()
}

// call executes an operation from each of the saved states.
func (o *self) call(c oracle.Call, states ...string) (*execution, error) {
	op := &o.subject.Operations[c.Op]
	m := o.machine()
	var from [][]uint64
	for _, state := range states {
		m.Load(asWords(state))
		m.SetNumber(0, op.Caller(c.Args))
		from = append(from, calling(m, op.Func, op.Words(nil, m.Root(0), c.Args)))
	}
	o.release(m)
	a, err := o.alone(from...)
	if err = cmp.Or(o.withdrawn(), err); err != nil {
		return nil, err
	}
	for i := range a.returned {
		r := &a.returned[i]
		r.result = history.PanicTuple()
		if r.panicked == "" {
			r.result = op.Tuple(r.words)
		}
	}
	return a, nil
}

// MayBlock says that some execution of the call alone does not return, and whether that is
// allowed.
func (o *self) MayBlock(s oracle.State, c oracle.Call) bool {
	if o.waiting == NeverWaits {
		return false
	}
	key := blockKey{s, c}
	o.mu.Lock()
	answer, known := o.blocks[key]
	o.mu.Unlock()
	if !known {
		_, rest := o.names(s)
		all := members(rest)
		answer = (len(all) == 1 || len(o.waits(c, all...)) > 0) && slices.ContainsFunc(all, func(member string) bool {
			waiting := o.waits(c, member)
			return len(waiting) > 0 && (o.waiting == WaitsAlone || o.hopes(waiting, c))
		})
		if err := o.withdrawn(); err != nil {
			o.mu.Lock()
			o.failed = err
			o.mu.Unlock()
		} else if o.within().Err() == nil { // else it means nothing
			o.mu.Lock()
			o.blocks[key] = answer
			o.mu.Unlock()
		}
	}
	return answer
}

// waits lists states in which the call waits for ever that is made in one of the saved states, if it is alone.
func (o *self) waits(c oracle.Call, states ...string) [][]uint64 {
	a, err := o.call(c, states...)
	if err != nil {
		o.mu.Lock()
		o.failed = cmp.Or(o.failed, err)
		o.mu.Unlock()
		return nil
	}
	return a.waiting
}

// Accepting says that clients may end anywhere.
func (o *self) Accepting(oracle.State) bool { return true }
