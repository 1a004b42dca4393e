// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// A channel is an object whose elements are what it buffers, first come first
// served. On an unbuffered channel a thread that finds no partner parks: that is a
// step of its own, because a select with a default case tells a parked partner
// from one that has yet to arrive. Which of several parked partners is served is a
// choice.
//
// A parked thread has been served as soon as one of its communications can take place, be
// it on a buffered channel: from then on it is nobody's partner any more. So a value that
// comes into an empty buffer goes to who is parked for one, room in a full buffer to who is
// parked to fill it, and a close lets all go on that are parked at the channel (serve.go).
// A thread that waits at buffered channels alone does not park: nobody can tell whether it
// has arrived. In virtual time it does, for time goes on only when all have arrived: who has waited
// for room since an earlier moment is served before one that comes.

// comm is one communication that a thread stands at.
type comm struct {
	index int // of the select case; 0 for a plain send or receive
	send  bool
	ch    uint64
	elem  *ir.Type
	val   ir.Reg
}

// partner is a parked thread and the communication that fits.
type partner struct {
	t *state.Thread
	c comm
}

func (m *Machine) chanOp(t *state.Thread, in *ir.Instr, regs []uint64) control {
	a := uint64(0)
	if in.Op != ir.OpSelect {
		a = state.Operand(regs, m.img.Prog.Consts, in.A)
	}
	switch in.Op {
	case ir.OpMakeChan:
		return m.makeChan(t, in, regs)
	case ir.OpSend, ir.OpRecv, ir.OpSelect:
		return m.communicate(t, in)
	case ir.OpClose:
		return m.closeChan(t, a)
	}
	if a == 0 {
		regs[in.Dst] = 0
		return ctlNext
	}
	o := &m.Objs[a>>32]
	// What a channel can hold never changes, so that to ask for it is no access; what it holds does.
	if in.Op == ir.OpChanCap {
		regs[in.Dst] = uint64(o.ShownRoom())
		return ctlNext
	}
	if !m.gate(m.shared(a)) {
		return ctlStop
	}
	m.tellsOf(o)
	regs[in.Dst] = uint64(o.Count)
	if o.OfTimer() {
		regs[in.Dst] = 0
	}
	return ctlNext
}

// maxBuffer bounds a channel's capacity.
const maxBuffer = 1 << 24

func (m *Machine) makeChan(t *state.Thread, in *ir.Instr, regs []uint64) control {
	n := state.Operand(regs, m.img.Prog.Consts, in.A)
	if n >= 1<<40 {
		return m.throwPlain(t, "makechan: size out of range")
	}
	if n > maxBuffer {
		m.Fail(FaultMemory, "a channel with so large a buffer is not supported")
		return ctlStop
	}
	regs[in.Dst] = state.Pointer(m.newChan(m.img.Types[in.T.Elem.ID], int(n)), 0)
	return ctlNext
}

func (m *Machine) newChan(info *state.TypeInfo, capacity int) int {
	at := m.Grow(capacity * info.Type.Size)
	return m.AddObject(state.Object{At: at, Aux: uint32(capacity) << 1, Info: info, Flags: state.IsChan | m.Born()})
}

func (m *Machine) closeChan(t *state.Thread, ch uint64) control {
	if ch == 0 {
		return m.throwPlain(t, "close of nil channel")
	}
	if !m.gate(m.shared(ch)) {
		return ctlStop
	}
	o := &m.Objs[ch>>32]
	if o.Aux&1 != 0 {
		m.tells()
		return m.throwPlain(t, "close of closed channel")
	}
	m.Touch(state.ObjectID(ch))
	o.Aux |= 1
	m.note(Closed, t, ch, 0)
	// Who waits here is let go in this very step. If it were left to steps of their own, another thread that comes later
	// could still find them parked, and meet them, at a channel that is closed.
	m.awaken(ch)
	m.serveClosed(t, ch)
	return ctlNext
}

// few is room for as many communications as most instructions have: lists of them live on
// the stack, for whether a thread may go on is asked in every state.
const few = 4

// comms appends the communications of the instruction that a thread stands at.
// They are read out of the registers each time that somebody asks, and are the same as long as the thread
// stands there: it does not move, and nobody else writes its registers but who meets it, with whom it moves on.
func (m *Machine) comms(dst []comm, t *state.Thread) []comm {
	in := t.Instr()
	regs, consts := t.Registers(), m.img.Prog.Consts
	switch in.Op {
	case ir.OpSend:
		return append(dst, comm{0, true, state.Operand(regs, consts, in.A), in.T.Elem, in.B})
	case ir.OpRecv:
		return append(dst, comm{0, false, state.Operand(regs, consts, in.A), in.T.Elem, in.Dst})
	case ir.OpSelect:
		for i, c := range m.img.Prog.Selects[in.X].Cases {
			dst = append(dst, comm{i, c.Send, state.Operand(regs, consts, c.Chan), c.Elem, c.Val})
		}
	}
	return dst
}

// ready says whether a communication can take place now.
func (m *Machine) ready(t *state.Thread, c comm) bool {
	if c.ch == 0 {
		return false
	}
	o := &m.Objs[c.ch>>32]
	switch {
	// A send on a closed channel can take place: it panics. A select may choose it like any other.
	case o.Aux&1 != 0:
		return true
	case c.send && o.Room() > 0:
		return uint32(o.Count) < o.Room()
	case !c.send && o.Count > 0:
		return true
	case o.Room() > 0:
		return false
	}
	var room [few]partner
	return len(m.partners(room[:0], t, c)) > 0
}

// partners appends the parked threads that c can be paired with.
func (m *Machine) partners(dst []partner, t *state.Thread, c comm) []partner {
	var room [few]comm
	for _, u := range m.parked(c.ch, !c.send) {
		// A thread that sends and receives on one channel in one select does not meet itself. One that has not parked
		// has not come yet, as far as anybody can tell.
		if u == t || u.Phase != state.PhaseParked {
			continue
		}
		for _, d := range m.comms(room[:0], u) {
			if d.ch == c.ch && d.send != c.send {
				dst = append(dst, partner{u, d})
			}
		}
	}
	return dst
}

// canPark says whether one of the communications may wait for a partner.
func (m *Machine) canPark(list []comm) bool {
	for _, c := range list {
		if c.ch != 0 && (m.Objs[c.ch>>32].Room() == 0 || m.clock().Virtual) {
			return true
		}
	}
	return false
}

// mayCommunicate says whether a thread that stands at a channel instruction has a
// step.
func (m *Machine) mayCommunicate(t *state.Thread) bool {
	in := t.Instr()
	if in.Op == ir.OpSelect && !m.img.Prog.Selects[in.X].Blocking {
		return true
	}
	var room [few]comm
	list := m.comms(room[:0], t)
	for _, c := range list {
		if m.ready(t, c) {
			return true
		}
	}
	return t.Phase == state.PhaseNone && m.canPark(list)
}

// communicate executes a send, receive or select.
func (m *Machine) communicate(t *state.Thread, in *ir.Instr) control {
	var room, free [few]comm
	all, ready := m.comms(room[:0], t), free[:0]
	shared := false
	for _, c := range all {
		shared = shared || c.ch != 0 && m.shared(c.ch)
		if m.ready(t, c) {
			ready = append(ready, c)
		}
	}
	blocking := in.Op != ir.OpSelect || m.img.Prog.Selects[in.X].Blocking
	// To park is a step, and what is visible of it is that a partner comes and finds one. A thread that cannot be
	// found (it waits at buffers) stays before the instruction, and nothing has happened.
	if len(ready) == 0 && blocking {
		if t.Phase == state.PhaseNone && m.canPark(all) && m.gate(shared) {
			m.park(t, all)
			return ctlDone
		}
		return ctlStop
	}
	if !m.gate(shared) {
		return ctlStop
	}
	t.Phase = state.PhaseNone
	if len(ready) == 0 {
		for _, c := range all {
			if c.ch != 0 && !m.region {
				m.tellsOf(&m.Objs[c.ch>>32])
			}
		}
		m.setSelected(t, -1, false)
		return ctlNext
	}
	return m.perform(t, m.chooseCase(t, ready))
}

// tellsOf notes that a thread has been told how much a channel buffers. How much a channel without a buffer does is
// no news, and that nobody waits at it says nothing of what anybody has done. That nobody else can reach the channel any more makes no
// difference: who has filled it may have ended.
func (m *Machine) tellsOf(o *state.Object) {
	if o.Room() > 0 {
		m.tells()
	}
}

// tellsReceived does so for a thread that receives, if what it receives depends on what others
// have received before it, behind whom nothing orders it: the k-th receive is ordered behind the k-th send
// alone. If only one value is buffered, the next send is behind the receive.
func (m *Machine) tellsReceived(o *state.Object) {
	if o.Room() > 1 || o.Count == 0 {
		m.tellsOf(o)
	}
}

// perform carries out a communication that is ready.
func (m *Machine) perform(t *state.Thread, c comm) control {
	id := state.ObjectID(c.ch)
	o := &m.Objs[id]
	closed := o.Aux&1 != 0
	switch {
	// The order of the cases is the language's: what was buffered before a close is received first, and then zero values for ever.
	case c.send && closed:
		m.tells()
		return m.throwPlain(t, "send on closed channel")
	case c.send && o.Room() > 0:
		m.Touch(id)
		words := m.sent(t, c)
		p := state.Pointer(id, int(o.Count)*c.elem.Size)
		o.Count++
		if c.elem.Size > 0 {
			m.Write(p, words, m.img.Types[c.elem.ID])
		}
		m.finish(t, c, nil, true)
		m.note(Sent, t, c.ch, int(m.Objs[id].Count)-1)
		m.serve(t, c)
	case c.send:
		m.meet(t, c)
	case o.Count > 0:
		m.tellsReceived(o)
		n, kind := int(o.Count), Received
		if takenBack(t) {
			kind = Discarded
		}
		m.receiveBuffered(t, c)
		m.note(kind, t, c.ch, n)
		if !closed {
			m.serve(t, c)
		}
	case closed:
		m.tellsReceived(o)
		m.finish(t, c, nil, false)
		m.note(ReceivedClosed, t, c.ch, 0)
	default:
		m.meet(t, c)
	}
	return ctlNext
}

func (m *Machine) sent(t *state.Thread, c comm) []uint64 {
	return state.Operands(t.Registers(), m.img.Prog.Consts, c.val, c.elem.Size)
}

func (m *Machine) receiveBuffered(t *state.Thread, c comm) {
	id := state.ObjectID(c.ch)
	m.Touch(id)
	o := &m.Objs[id]
	size := c.elem.Size
	m.words = append(m.words[:0], m.Mem[o.At:o.At+size]...)
	copy(m.Mem[o.At:], m.Mem[o.At+size:o.At+int(o.Count)*size])
	o.Count--
	m.finish(t, c, m.words, true)
}

// meet pairs a thread with a parked one: a value goes from one's registers to the
// other's.
func (m *Machine) meet(t *state.Thread, c comm) {
	var room [few]partner
	list := m.partners(room[:0], t, c)
	p := list[m.choosePartner(list)]
	from, to := partner{t, c}, p
	if p.c.send {
		from, to = p, from
	}
	// The value goes from registers to registers, through no memory. So nothing else would notice that what it
	// refers to can be reached by two threads from here on.
	m.words = append(m.words[:0], m.sent(from.t, from.c)...)
	if m.Tracking {
		m.PublishWords(m.words, m.img.Types[c.elem.ID])
	}
	m.finish(to.t, to.c, m.words, true)
	m.finish(from.t, from.c, nil, true)
	m.noteWith(Met, from.t, to.t)
	// The partner's instruction is over as well: it is not executed again when its thread moves. From there to its next
	// visible access it goes on within this step, as who was woken (see step.go).
	p.t.Phase = state.PhaseNone
	p.t.Top().PC++
	m.woken = append(m.woken, p.t)
}

// finish sets the results of a communication; value is nil for a send, and for a
// receive from a closed channel.
func (m *Machine) finish(t *state.Thread, c comm, words []uint64, ok bool) {
	in := t.Instr()
	regs := t.Registers()
	if in.Op == ir.OpSelect {
		m.setSelected(t, c.index, ok && !c.send)
	}
	if c.send || c.val == ir.NoReg {
		return
	}
	n := c.elem.Size
	clear(regs[c.val : int(c.val)+n])
	copy(regs[c.val:int(c.val)+n], words)
	if in.Op == ir.OpRecv && in.Ok && in.Dst != ir.NoReg {
		regs[int(in.Dst)+n] = truth(ok)
	}
}

// setSelected sets the index of a select and clears what the other cases would
// have received.
func (m *Machine) setSelected(t *state.Thread, index int, ok bool) {
	in := t.Instr()
	regs := t.Registers()
	for _, c := range m.img.Prog.Selects[in.X].Cases {
		if !c.Send && c.Val != ir.NoReg {
			clear(regs[c.Val : int(c.Val)+c.Elem.Size])
		}
	}
	regs[in.Dst] = uint64(int64(index))
	regs[in.Dst+1] = truth(ok)
}
