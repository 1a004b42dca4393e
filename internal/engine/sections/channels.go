// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"slices"

	"pangolin/internal/ir"
)

// Channels: what is done with one that others may have is done at one moment, as with an atomic word, and a call that waits there waits for its moment.

// use is what an instruction may do with one channel.
type use struct {
	at   value
	elem *ir.Type
	put  origins // what is sent
	into ir.Reg  // where what is received goes
	gets bool    // something is received
}

// channel executes an instruction on channels; false: it panics, or waits for ever.
func (r *run) channel(s *state, in *ir.Instr) bool {
	if in.Op == ir.OpSelect && r.in.fn.Harness { // by which the caller of an iterator goes on behind the first item, or does not
		r.refuse(true, "an iterator is executed, which the method does not follow")
	}
	if in.Op == ir.OpMakeChan {
		r.set(s, in.Dst, plain(own))
		return true
	}
	if in.Op == ir.OpChanCap {
		r.scalars(s, in)
		return true
	}
	list := slices.DeleteFunc(r.uses(s, in), func(u use) bool { return u.at.may == 0 }) // nothing is ever done with a nil channel
	waits := in.Op == ir.OpSend || in.Op == ir.OpRecv || in.Op == ir.OpSelect && r.p.prog.Selects[in.X].Blocking
	if len(list) == 0 && (waits || in.Op == ir.OpClose) {
		return false
	}
	published := r.exchange(s, list, in.Op == ir.OpChanLen, waits)
	if in.Op != ir.OpSelect {
		r.scalars(s, in)
	} else {
		r.set(s, in.Dst, value{}, value{})
	}
	for _, u := range list {
		if !u.gets || u.into == ir.NoReg {
			continue
		}
		if published {
			u.at = r.p.closures.published(u.at)
		}
		words := valuesLike([]*ir.Type{u.elem}, r.loaded(s, u.at))
		if in.Op == ir.OpSelect {
			joinAll(words, r.all(s, u.into, u.elem.Size)) // another case may be chosen
		}
		r.set(s, u.into, words...)
	}
	return true
}

// uses lists what an instruction may do with channels.
func (r *run) uses(s *state, in *ir.Instr) (list []use) {
	if in.Op != ir.OpSelect {
		u := use{at: r.get(s, in.A), elem: in.T.Elem, into: in.Dst, gets: in.Op == ir.OpRecv}
		if in.Op == ir.OpSend {
			u.put = stored(r.all(s, in.B, u.elem.Size), u.elem)
		}
		return []use{u}
	}
	for _, c := range r.p.prog.Selects[in.X].Cases {
		u := use{at: r.get(s, c.Chan), elem: c.Elem, into: c.Val, gets: !c.Send}
		if c.Send {
			u.put = stored(r.all(s, c.Val, c.Elem.Size), c.Elem)
		}
		list = append(list, u)
	}
	return list
}

// exchange notes that something is done with one of some channels, or refuses it. Where others may have one, it is the call's moment, unless all calls do it with the lock. looks: nothing is changed; waits: it may have to wait until it can
// be done. It reports whether what was own is shared by it.
func (r *run) exchange(s *state, list []use, looks, waits bool) (published bool) {
	then := s.phase
	for _, u := range list {
		r.copies(u.elem)
		c := r.p.classes.channelsOf(u.elem)
		a := &access{at: u.at, classes: []class{c}}
		if s.phase != making && u.at.may&^own != 0 {
			then = max(then, r.meets(s, a, looks, waits))
		}
		switch {
		case looks:
			continue
		case published: // by another case
			u.put = r.p.closures.published(plain(u.put)).may
			a.at = r.p.closures.published(a.at)
		}
		published = r.store(s, a, u.put) || published
	}
	s.phase = then
	return published
}

// meets is the phase behind what is done with a channel that others may have.
func (r *run) meets(s *state, a *access, looks, waits bool) phase {
	c := a.classes[0]
	if a.at.may&foreign != 0 {
		r.refuse(true, "a channel is used to which a package variable may lead")
	}
	for _, u := range r.p.unbuffered {
		if r.p.classes.channelsOf(u.Elem).key() == c.key() {
			r.refuse(true, "calls may meet at a channel without a buffer, or with one of unknown size (%s)", r.p.prog.Position(u.At))
		}
	}
	r.t.atChannel = r.t.atChannel || waits
	r.t.channels = true
	guarded := s.phase.writes() || looks && s.phase.locks()
	switch {
	case !r.t.isAtomic(c) && !guarded:
		r.t.discover(c)
	case !r.t.isAtomic(c):
		return s.phase
	}
	kept := !slices.ContainsFunc(r.t.loosely, c.conflicts)
	if looks && kept && s.phase.locks() {
		return s.phase
	}
	if !looks && kept && s.phase != writing {
		panic(&moment{c, true})
	}
	next, ok := s.phase.past()
	if !ok {
		r.refuse(false, "%s is used behind the moment at which the call takes effect, by a lock, an atomic access or a channel", c.people())
	}
	r.t.moments, r.in.locks = true, true
	return next
}
