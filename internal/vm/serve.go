// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"slices"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// Who waits at a channel is served as soon as its turn has come, by the step of another:
// see channels.go. Otherwise a thread that is served and has yet to move would still be a
// partner, and a value would be handed over twice.

// serve lets a thread go on that has been waiting for what t has just done on a buffered
// channel. It does nothing unless somebody is parked there: who only waits takes the value, or
// fills the room, in a step of its own. If somebody is parked, a thread that only waits
// may have come before, so that it is one of those of whom one is served.
func (m *Machine) serve(t *state.Thread, c comm) {
	var room [few]partner
	list := m.waitingAt(room[:0], t, c.ch, !c.send)
	parked := false
	for _, p := range list {
		parked = parked || p.t.Phase == state.PhaseParked
	}
	if parked {
		m.goOnWith(list[m.choosePartner(list)])
	}
}

// goOnWith carries out a communication for which a thread has been waiting.
func (m *Machine) goOnWith(p partner) {
	p.t.Phase = state.PhaseNone
	if m.perform(p.t, p.c) == ctlNext {
		p.t.Top().PC++
	}
	m.woken = append(m.woken, p.t)
}

// waitingAt appends the threads, t excepted, that are parked at an end of a channel, or
// wait there without being able to park.
func (m *Machine) waitingAt(dst []partner, t *state.Thread, ch uint64, send bool) []partner {
	for _, u := range m.parked(ch, send) {
		// Who stands at a buffered channel alone does not park (channels.go). It may have come before one that did, in
		// which case Go serves it first: so it is one of those among whom is chosen.
		if u == t || u.Idle() || u.Phase != state.PhaseParked && !m.waitsUnparked(u, ch) {
			continue
		}
		var room [few]comm
		for _, d := range m.comms(room[:0], u) {
			if d.ch == ch && d.send == send {
				dst = append(dst, partner{u, d})
			}
		}
	}
	return dst
}

// waitsUnparked says that a thread stands at communications for which it does not park, none
// of which could take place before the one on ch.
func (m *Machine) waitsUnparked(t *state.Thread, ch uint64) bool {
	switch in := t.Instr(); in.Op {
	case ir.OpSend, ir.OpRecv:
	case ir.OpSelect:
		if !m.img.Prog.Selects[in.X].Blocking {
			return false
		}
	default:
		return false
	}
	var room [few]comm
	list := m.comms(room[:0], t)
	return t.Phase == state.PhaseNone && !m.canPark(list) &&
		!slices.ContainsFunc(list, func(c comm) bool { return c.ch != ch && m.ready(t, c) })
}

// serveClosed lets all threads go on that are parked at a channel which t has closed: those
// that receive get nothing, those that send panic.
func (m *Machine) serveClosed(t *state.Thread, ch uint64) {
	for _, send := range []bool{false, true} {
		var room [few]partner
		var last *state.Thread
		for _, p := range m.waitingAt(room[:0], t, ch, send) {
			if p.t != last && p.t.Phase == state.PhaseParked {
				last = p.t
				m.goOnWith(m.oneOf(p.t, ch))
			}
		}
	}
}

// oneOf chooses one of a parked thread's communications on a channel.
func (m *Machine) oneOf(t *state.Thread, ch uint64) partner {
	var room [few]comm
	list := m.comms(room[:0], t)
	n := 0
	for _, c := range list {
		if c.ch == ch {
			list[n] = c
			n++
		}
	}
	return partner{t, list[m.choose(n)]}
}
