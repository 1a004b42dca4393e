// SPDX-License-Identifier: BSD-3-Clause

package oracle

import (
	"encoding/binary"
	"fmt"
	"slices"

	"pangolin/history"
)

// builtin is the Spec of a known kind with bound operations.
type builtin struct {
	kind     Kind
	protocol Protocol
	theory   theory
	ops      []Op // refusals resolved
}

// New makes the specification of a kind of collection whose i-th operation is
// ops[i]. It reports operations that the kind does not know, arguments and
// results that cannot be bound, and protocols that do not fit.
func New(kind Kind, protocol Protocol, ops []Op) (Spec, error) {
	th, ok := theories()[kind]
	if !ok {
		return nil, fmt.Errorf("no oracle for the kind %q", kind)
	}
	if err := protocol.validate(th); err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	b := &builtin{kind: kind, protocol: protocol, theory: th, ops: slices.Clone(ops)}
	for i := range b.ops {
		op := &b.ops[i]
		if err := op.validate(th); err != nil {
			return nil, fmt.Errorf("%s.%s: %w", kind, op.Name, err)
		}
		op.Refusal = op.resolve(protocol)
		if op.Refusal == RefuseBlock && !protocol.blocks() {
			return nil, fmt.Errorf("%s.%s: it may block, which the nonblocking protocol rules out", kind, op.Name)
		}
	}
	return b, nil
}

func (p Protocol) blocks() bool {
	return p.Kind == Blocking || p.Kind == Bounded || p.Kind == Synchronous
}

func (p Protocol) validate(th theory) error {
	switch p.Kind {
	case "", Nonblocking:
		if p.Capacity != 0 {
			return fmt.Errorf("capacity %d without the bounded protocol", p.Capacity)
		}
		return nil
	case Bounded:
		if p.Capacity < 1 {
			return fmt.Errorf("bounded(%d): the capacity must be at least 1", p.Capacity)
		}
	case Blocking, Synchronous:
	default:
		return fmt.Errorf("unknown protocol %q", p.Kind)
	}
	if !slices.ContainsFunc(th.roles, isTake) {
		return fmt.Errorf("the protocol %s needs operations that put and take", p)
	}
	return nil
}

func (op *Op) validate(th theory) error {
	if !slices.Contains(th.roles, op.Role) {
		return fmt.Errorf("unknown role %q", op.Role)
	}
	if len(op.Params) > history.MaxArity || len(op.Results) > history.MaxArity {
		return fmt.Errorf("more than %d arguments or results", history.MaxArity)
	}
	for _, r := range op.Results {
		if !th.gives(op.Role, r) {
			return fmt.Errorf("%s gives no %s", op.Role, r)
		}
	}
	allowed := th.params(op.Role)
	for _, p := range op.Params {
		if !slices.Contains(allowed, p) {
			return fmt.Errorf("%s takes no %s", op.Role, p)
		}
	}
	for _, need := range allowed {
		either := need == ParamItem || need == ParamPriority // one stands for the other
		if !slices.Contains(op.Params, need) && (!either || len(op.Params) == 0) {
			return fmt.Errorf("%s needs the %s", op.Role, need)
		}
	}
	return nil
}

// gives reports whether a role can fill a slot.
func (th theory) gives(role Role, s Slot) bool {
	switch s {
	case SlotOK, SlotNotOK, SlotError:
		return true
	case SlotCount:
		return role == Len
	case SlotOld, SlotNew:
		return th.width == 0
	case SlotPriority:
		return th.width == 2 && (role == Take || role == Peek)
	case SlotItem, SlotItemOrNil:
		switch role {
		case Len, IsEmpty, Clear, Add, Remove, Contains, Put, PutFront, PutBack, Delete:
			return false
		case Store, CompareAndSwap, CompareAndDelete:
			return th.width == 0
		}
		return true
	}
	return false
}

// Params lists the arguments that a role of a kind works with, in the usual
// order; nil if the kind does not know the role. Put of a priority queue may leave
// out the item or the priority.
func Params(kind Kind, role Role) []Param {
	th, ok := theories()[kind]
	if !ok || !slices.Contains(th.roles, role) {
		return nil
	}
	return th.params(role)
}

func (th theory) params(role Role) []Param {
	var out []Param
	keyed := th.width == 2 && slices.Contains(th.roles, Load) || slices.Contains(th.roles, Add)
	switch role {
	case Len, IsEmpty, Clear, Take, Peek, TakeFront, TakeBack, PeekFront, PeekBack, Inc, Round, Dec, Toggle:
		return nil
	case AddTo, SubOf:
		return []Param{ParamDelta}
	}
	if keyed {
		out = append(out, ParamKey)
	}
	switch role {
	case CompareAndSwap:
		out = append(out, ParamOld, ParamItem)
	case CompareAndDelete:
		out = append(out, ParamOld)
	case Put, PutFront, PutBack, Store, Swap, LoadOrStore, And, Or:
		out = append(out, ParamItem)
	}
	if role == Put && th.width == 2 {
		out = append(out, ParamPriority)
	}
	return out
}

// resolve gives the default refusal its meaning.
func (op *Op) resolve(p Protocol) Refusal {
	switch {
	case op.Refusal != RefuseDefault:
		return op.Refusal
	case p.blocks() && (isPut(op.Role) || isTake(op.Role)) && !op.reports():
		return RefuseBlock
	}
	return RefuseReport
}

func isPut(r Role) bool { return r == Put || r == PutFront || r == PutBack }

func isTake(r Role) bool { return r == Take || r == TakeFront || r == TakeBack }

// Initial is the state of a new collection.
func (b *builtin) Initial() State { return encode(b.theory.initial) }

func (b *builtin) held(state []int64) int {
	if b.theory.width == 0 {
		return 0
	}
	return len(state) / b.theory.width
}

// effects are the effects of a call under the protocol, those included in which
// it cannot do its work.
func (b *builtin) effects(state []int64, op *Op, args history.Tuple) []effect {
	held := b.held(state)
	refused := effect{next: state}
	effects := append(b.theory.acts(state, op.Role, op.bind(args)), b.further(state, op)...)
	switch {
	case !isPut(op.Role):
	case b.protocol.Kind == Bounded && held >= b.protocol.Capacity:
		return one(refused)
	case b.protocol.Kind == Synchronous && held > 0:
		return nil // the odd state of Fig. 1(c): only the matching take goes on
	case b.protocol.Kind == Synchronous && op.Refusal != RefuseBlock:
		effects = append(effects, refused) // nobody waits to take
	}
	if op.Spurious && !slices.ContainsFunc(effects, func(e effect) bool { return !e.done }) {
		effects = append(effects, refused)
	}
	return effects
}

// Outcomes are all ways in which a call may take effect in a state; none if it has to wait.
func (b *builtin) Outcomes(s State, c Call) ([]Outcome, error) {
	op := &b.ops[c.Op]
	var out []Outcome
	for _, e := range b.effects(decode(s), op, c.Args) {
		if !e.done && op.Refusal == RefuseBlock {
			continue
		}
		o := Outcome{Result: op.result(e), Next: encode(e.next)}
		if !slices.Contains(out, o) {
			out = append(out, o)
		}
	}
	return out, nil
}

// MayBlock follows Fig. 1: (b) a call at a bound, (c) either call while puts and
// takes are matched.
func (b *builtin) MayBlock(s State, c Call) bool {
	op := &b.ops[c.Op]
	if op.Refusal != RefuseBlock {
		return false
	}
	state := decode(s)
	if b.protocol.Kind == Synchronous && (isPut(op.Role) || isTake(op.Role)) {
		return len(state) == 0
	}
	return !slices.ContainsFunc(b.effects(state, op, c.Args), func(e effect) bool { return e.done })
}

// Panics tells that a call panics only where it is refused by a panic.
func (b *builtin) Panics(op int) bool { return b.ops[op].Refusal == RefusePanic }

// Partners of the synchronous protocol are a put and a take that wait: each is all
// that the other waits for.
func (b *builtin) Partners(x, y Call) bool {
	p, q := &b.ops[x.Op], &b.ops[y.Op]
	return b.protocol.Kind == Synchronous && p.Refusal == RefuseBlock && q.Refusal == RefuseBlock &&
		(isPut(p.Role) && isTake(q.Role) || isTake(p.Role) && isPut(q.Role))
}

// Accepting says whether a history may end in a state: of a synchronous collection only when nobody is left waiting for a partner.
func (b *builtin) Accepting(s State) bool {
	return b.protocol.Kind != Synchronous || s == ""
}

// Nonblocking says whether no operation ever waits.
func (b *builtin) Nonblocking() bool {
	return !slices.ContainsFunc(b.ops, func(op Op) bool { return op.Refusal == RefuseBlock })
}

// Pure knows the roles that never change anything and the results that tell of a
// refusal.
func (b *builtin) Pure(c Call, result history.Tuple) bool {
	op := &b.ops[c.Op]
	done, known := op.wasDone(result)
	switch op.Role {
	case Contains, Peek, PeekFront, PeekBack, Len, IsEmpty, Load:
		return true
	case LoadOrStore:
		return known && done
	case Swap, Clear, Store:
		return false
	}
	return known && !done
}

// encode writes integers as varints: small states are short strings.
func encode(state []int64) State {
	buf := make([]byte, 0, len(state)+8)
	for _, v := range state {
		buf = binary.AppendVarint(buf, v)
	}
	return State(buf)
}

func decode(s State) []int64 {
	buf := []byte(s)
	out := make([]int64, 0, len(buf))
	for len(buf) > 0 {
		v, n := binary.Varint(buf)
		out = append(out, v)
		buf = buf[n:]
	}
	return out
}
