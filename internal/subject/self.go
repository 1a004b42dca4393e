// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
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

// Waiting tells when the oracle self allows an operation to wait for ever.
type Waiting uint8

const (
	// WaitsInHope: if it waits alone, and calls of other threads could let it return. A wait that no call can end, such as for a lock
	// that was not released, is a violation.
	WaitsInHope Waiting = iota
	// WaitsAlone: if it waits alone. This is how an oracle that the user wrote says that a call may wait.
	WaitsAlone
	// NeverWaits: never.
	NeverWaits
)

// self is the oracle that needs no specification: the same code, executed by the same machine, one operation at a time (Line-Up, PLDI
// 2010). Goroutines that the constructor or operations have started, timers among them, run on beside the operation and between
// operations, so a call has several outcomes; each that some execution with one operation at a time gives is right. A crash of the
// program is no outcome.
//
// A state of the oracle is the set of saved states in which the machine may be after the last operation has returned its result,
// reduced by earliest. The oracle does not find what the code does wrong when a single thread uses it.
type self struct {
	subject *Subject
	img     *vm.Image
	waiting Waiting
	initial oracle.State

	unreduced bool // for tests: earliest does not reduce

	assumed *interleave.Assumptions // of the reductions, see reducing.go; nil: no reductions
	broken  atomic.Bool             // an assumption was refuted
	known   facts

	mu     sync.Mutex
	idle   []*vm.Machine
	blocks map[blockKey]blockAnswer
	hoped  map[string]bool // of saved states in which a call waits: whether calls of others could let it return
	failed error           // the first error in MayBlock, which returns none; see Failure
	ctx    context.Context // of the search in progress; nil: no search
	helped uint64          // limit on the states that are explored to let a call return
	vain   uint64          // states of this search that were explored for that and settled nothing
	meter  *vm.Meter       // counts the work of the machines; nil: not counted
	beside uint64          // limit on the states of a call with the goroutines beside it
	// unsettled contains the operations for which the limit helped was too small since the question began, see Asking.
	unsettled map[int]bool
}

type blockKey struct {
	state oracle.State
	call  oracle.Call
	first oracle.Call // of Behind
	turn  bool        // the question is that of Behind
}

// blockAnswer is what MayBlock or Behind has found.
type blockAnswer struct {
	waits   bool
	results []history.Tuple // of Behind
}

// NewSelf makes the oracle from the constructor and the operations of a compiled collection; the subject's Spec is not
// used. The error is a *SetupError if the constructor does not return.
func NewSelf(ctx context.Context, s *Subject, w Waiting) (oracle.Spec, error) {
	prog := *s.Prog
	prog.Clock.Virtual = false // a call that is late there explains more, and nothing less
	if prog.Clock.Jumps > 0 {
		prog.Clock.Jumps = oracleJumps
	}
	img, err := vm.NewImage(&prog)
	if err != nil {
		return nil, err
	}
	s.texts.add(img)
	o := &self{subject: s, img: img, waiting: w, blocks: map[blockKey]blockAnswer{}, hoped: map[string]bool{}, helped: mostHelped, beside: mostBeside, unsettled: map[int]bool{}, ctx: ctx}
	err = o.begin()
	if o.ctx = nil; err != nil {
		return nil, err
	}
	return o, nil
}

// Metered returns the subject with a new oracle self whose machines' work is counted by the meter. The count does not depend on earlier
// questions. A subject with another oracle is returned unchanged.
func (s *Subject) Metered(m *vm.Meter) (*Subject, error) {
	spec, err := s.specAnew(context.Background())
	if err != nil {
		return nil, err
	}
	fresh, ok := spec.(*self)
	if !ok {
		return s, nil
	}
	fresh.meter, fresh.idle = m, nil
	metered := *s
	metered.Spec = fresh
	return &metered, nil
}

// specAnew returns the subject's oracle as it was before the first question: a new oracle self, and any other as it is, since it remembers nothing.
func (s *Subject) specAnew(ctx context.Context) (oracle.Spec, error) {
	if o, ok := s.Spec.(*self); ok {
		return NewSelf(ctx, o.subject, o.waiting)
	}
	return s.Spec, nil
}

// JudgesItself reports whether the oracle is the subject's own program, and not the original of which the subject is a
// variant.
func (s *Subject) JudgesItself() bool {
	o, ok := s.Spec.(*self)
	return ok && o.subject.Prog == s.Prog
}

// begin executes the constructor, and package initialisation if the constructor's call includes it.
func (o *self) begin() error {
	m := o.machine()
	defer o.release(m)
	m.Reset()
	m.Spawn()
	if o.subject.Asks() {
		m.NumberFrom(client.MaxThreads) // lower numbers belong to the client's threads
	}
	made, err := o.alone(calling(m, o.subject.New, nil))
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

// Unmade explains why no collection was made: the maker ("the constructor") panics, or returns an error, which the harness
// turns into a panic.
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

// save is the state of a machine as bytes.
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

// joined encodes a set of saved states as a state of the oracle: in order, each after its length.
func joined(set map[string]bool) oracle.State {
	var b strings.Builder
	for _, s := range slices.Sorted(maps.Keys(set)) {
		b.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(s))))
		b.WriteString(s)
	}
	return oracle.State(b.String())
}

// members decodes the saved states of a state of the oracle.
func members(s oracle.State) (out []string) {
	for len(s) > 0 {
		n := binary.LittleEndian.Uint32([]byte(s[:4]))
		out = append(out, string(s[4:4+n]))
		s = s[4+n:]
	}
	return out
}

func (o *self) Initial() oracle.State { return o.initial }

// Ends says by which operation a call ends that takes effect at two moments.
func (o *self) Ends(op int) (end int, lasts bool) {
	end = o.subject.Operations[op].End
	return end, end > 0
}

// Outcomes executes the call in every possible way from every saved state of s.
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

// continued is part of the text of a panic that no caller is to blame for, and so is right for no call: an iterator called the body of a loop that is over.
const continued = "runtime error: range function continued iteration"

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
		if unable := new(Inexecutable); errors.As(err, &unable) {
			unable.Operation = op.Name
		}
		return nil, err
	}
	a.returned = slices.DeleteFunc(a.returned, func(r returned) bool { return strings.Contains(r.panicked, continued) })
	for i := range a.returned {
		r := &a.returned[i]
		r.result = history.PanicTuple()
		if r.panicked == "" {
			r.result = op.Tuple(r.words)
		}
	}
	return a, nil
}

// MayBlock reports whether some execution of the call alone does not return and its waiting is allowed.
func (o *self) MayBlock(s oracle.State, c oracle.Call) bool {
	if o.waiting == NeverWaits {
		return false
	}
	return o.remembered(blockKey{state: s, call: c}, func() blockAnswer {
		_, rest := o.names(s)
		all := members(rest)
		return blockAnswer{waits: (len(all) == 1 || len(o.waits(c, all...)) > 0) && slices.ContainsFunc(all, func(member string) bool {
			waiting := o.waits(c, member)
			return len(waiting) > 0 && (o.waiting == WaitsAlone || o.hopes(waiting, c, member))
		})}
	}).waits
}

// remembered is an answer that is found once.
func (o *self) remembered(key blockKey, find func() blockAnswer) blockAnswer {
	o.mu.Lock()
	answer, known := o.blocks[key]
	o.mu.Unlock()
	if known {
		return answer
	}
	answer = find()
	if err := o.withdrawn(); err != nil {
		o.mu.Lock()
		o.failed = err
		o.mu.Unlock()
	} else if o.within().Err() == nil { // else it means nothing
		o.mu.Lock()
		o.blocks[key] = answer
		o.mu.Unlock()
	}
	return answer
}

// waits lists the states in which a call waits for ever that begins alone in one of the saved states.
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

// Lenient reports whether some operation may fail while another call is in progress.
func (o *self) Lenient() bool {
	return slices.ContainsFunc(o.subject.Operations, func(op Operation) bool { return op.MayFail != nil })
}

// MayFail reports whether the call may fail in this way while another call is in progress.
func (o *self) MayFail(c oracle.Call, result history.Tuple) bool {
	f := o.subject.Operations[c.Op].MayFail
	return f != nil && f(c.Args, result)
}

// Accepting is always true: a client may end in any state.
func (o *self) Accepting(oracle.State) bool { return true }
