package subject

import (
	"encoding/binary"
	"fmt"
	"sync"

	"pangolin/history"
	"pangolin/internal/client"
	"pangolin/internal/explore"
	"pangolin/internal/interleave"
	"pangolin/internal/ir"
	"pangolin/internal/vm"
	"pangolin/oracle"
)

// self is the oracle that needs no specification: the same code, run sequentially,
// each operation alone from beginning to end (Line-Up, PLDI 2010). An operation
// that does not return when it runs alone may block there.
//
// Its states are saved states of the machine. It says nothing about what the code
// does wrong when a single thread uses it.
type self struct {
	subject *Subject
	img     *vm.Image
	initial oracle.State

	mu   sync.Mutex
	idle []*vm.Machine
}

// NewSelf makes the oracle of a compiled collection from its constructor and
// operations; the subject's Spec is not used.
func NewSelf(s *Subject) (oracle.Spec, error) {
	img, err := vm.NewImage(s.Prog)
	if err != nil {
		return nil, err
	}
	o := &self{subject: s, img: img}
	m := o.machine()
	defer o.release(m)
	m.Reset()
	m.Spawn()
	r := o.alone(m, s.New, nil, explore.Replay(nil))
	switch {
	case r.err != nil:
		return nil, r.err
	case r.panicked != "":
		return nil, &SetupError{"the constructor panics: " + r.panicked}
	case r.blocked:
		return nil, &SetupError{"the constructor does not return: it waits at " + m.At(0)}
	}
	m.SetRoots(m.Results(0)[0])
	o.initial = save(m)
	return o, nil
}

func (o *self) machine() *vm.Machine {
	o.mu.Lock()
	defer o.mu.Unlock()
	if n := len(o.idle); n > 0 {
		m := o.idle[n-1]
		o.idle = o.idle[:n-1]
		return m
	}
	opt := interleave.Operations(client.Hash{})
	opt.NoSymmetry = true
	return o.img.NewMachine(opt)
}

func (o *self) release(m *vm.Machine) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.idle = append(o.idle, m)
}

func save(m *vm.Machine) oracle.State {
	words := m.Save(nil)
	b := make([]byte, 0, 8*len(words))
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return oracle.State(b)
}

func load(m *vm.Machine, s oracle.State) {
	words := make([]uint64, len(s)/8)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64([]byte(s[8*i : 8*i+8]))
	}
	m.Load(words)
}

// ran is how a call ended.
type ran struct {
	blocked  bool
	panicked string
	err      error
}

// alone runs a function on thread 0, and then whatever it has started.
func (o *self) alone(m *vm.Machine, f *ir.Func, args []uint64, ch *explore.Choices) ran {
	m.Call(0, f, args)
	m.RunAlone(0, ch)
	for i := 1; i < m.Threads() && m.Fault() == nil; i++ {
		if m.Enabled(i) {
			m.RunAlone(i, ch)
		}
	}
	switch {
	case m.Fault() != nil:
		return ran{err: fmt.Errorf("the oracle %q cannot run the operation: %w", "self", m.Fault())}
	case m.Ended().Kind != vm.Running:
		return ran{panicked: m.Text(m.Ended().Text)}
	case !m.Idle(0):
		return ran{blocked: true}
	}
	return ran{panicked: m.Panicked(0)}
}

func (o *self) Initial() oracle.State { return o.initial }

// Outcomes runs the call in s, once for each combination of decisions.
func (o *self) Outcomes(s oracle.State, c oracle.Call) ([]oracle.Outcome, error) {
	var list []oracle.Outcome
	err := o.each(s, c, func(m *vm.Machine, r ran) {
		if r.blocked {
			return
		}
		out := oracle.Outcome{Result: history.PanicTuple(), Next: save(m)}
		if r.panicked == "" {
			out.Result = o.subject.Operations[c.Op].Tuple(m.Results(0))
		}
		for _, known := range list {
			if known == out {
				return
			}
		}
		list = append(list, out)
	})
	return list, err
}

func (o *self) each(s oracle.State, c oracle.Call, visit func(m *vm.Machine, r ran)) error {
	m := o.machine()
	defer o.release(m)
	ch := &explore.Choices{}
	for {
		load(m, s)
		r := o.alone(m, o.subject.Operations[c.Op].Func, ArgumentWords(nil, m.Root(0), c.Args), ch)
		if r.err != nil {
			return r.err
		}
		visit(m, r)
		if !ch.Next() {
			return nil
		}
	}
}

// MayBlock says that some run of the call alone does not return.
func (o *self) MayBlock(s oracle.State, c oracle.Call) bool {
	blocked := false
	if err := o.each(s, c, func(_ *vm.Machine, r ran) { blocked = blocked || r.blocked }); err != nil {
		return true
	}
	return blocked
}

// Accepting says that clients may end anywhere.
func (o *self) Accepting(oracle.State) bool { return true }
