// SPDX-License-Identifier: BSD-3-Clause

package sections

import "pangolin/internal/ir"

// Channels. What a call does with one that others may have is one step: nobody does anything with the channel between its beginning and its end. So it is like an atomic instruction on a word that is of no other
// class. A call that waits there has not made the step yet. Who waits and is served by another one makes his step directly behind that one's: a receiver behind the sender, a sender whom a full
// channel has kept behind the receiver. In a channel with room for an item each of the two steps could have been made alone, in this order; without room, neither could, and there is no proof.

// exchange is what an instruction may do with one channel.
type exchange struct {
	with     value
	elem     *ir.Type
	sent     []value
	received ir.Reg // where what is received goes; ir.NoReg: nothing is, or it goes nowhere
}

// channelClass is the class of channels with elements of a type.
func (t *types) channelClass(elem *ir.Type) class { return class{channels, t.group[elem.ID], 0} }

// exchanges lists what an instruction may do, but with nil channels, and whether it may have to wait until it can be done.
func (c *checker) exchanges(at spot, s *state, in *ir.Instr) (list []exchange, waits bool, err error) {
	cases := []ir.SelectCase{{Send: in.Op == ir.OpSend, Chan: in.A, Val: in.B}}
	switch in.Op {
	case ir.OpSend, ir.OpRecv:
		waits = true
		fallthrough
	case ir.OpClose, ir.OpChanLen:
		cases[0].Elem = in.T.Elem
		if in.Op != ir.OpSend {
			cases[0].Val = ir.NoReg
		}
		if in.Op == ir.OpRecv {
			cases[0].Val = in.Dst
		}
	case ir.OpSelect:
		cases, waits = c.p.Selects[in.X].Cases, c.p.Selects[in.X].Blocking
	}
	for _, one := range cases {
		x := exchange{elem: one.Elem, received: ir.NoReg}
		if x.with, err = c.value(at, s, one.Chan); err != nil {
			return nil, false, err
		}
		if one.Send {
			if x.sent, err = c.several(at, s, one.Val, one.Elem.Size); err != nil {
				return nil, false, err
			}
		} else {
			x.received = one.Val
		}
		if x.with.set != 0 {
			list = append(list, x)
		}
	}
	return list, waits, nil
}

// channel executes an instruction on channels.
func (c *checker) channel(at spot, s *state, in *ir.Instr) ([]*state, error) {
	switch in.Op {
	case ir.OpMakeChan:
		return one(s, c.put(at, s, in.Dst, only(own)))
	case ir.OpChanCap:
		return one(s, c.put(at, s, in.Dst, value{}))
	}
	list, waits, err := c.exchanges(at, s, in)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 && (waits || in.Op == ir.OpClose) {
		return nil, nil // it waits for ever, or panics
	}
	looks := in.Op == ir.OpChanLen
	if err := c.meetsChannels(at, s, list, looks); err != nil {
		return nil, err
	}
	if s.phase != making && waits {
		c.mayWaitAtChannel(at, list)
	}
	published := false
	for i := range list {
		if published { // by another case
			list[i].publish()
		}
		p, err := c.exchanged(at, s, &list[i], looks)
		if err != nil {
			return nil, err
		}
		published = published || p
	}
	switch in.Op {
	case ir.OpChanLen:
		err = c.put(at, s, in.Dst, value{})
	case ir.OpSelect: // which case, and whether something was received
		err = c.put(at, s, in.Dst, value{}, value{})
	}
	if err != nil {
		return nil, err
	}
	for i := range list {
		if err := c.receive(at, s, &list[i], received{in, published}); err != nil {
			return nil, err
		}
	}
	return one(s, nil)
}

// exchanged notes what may be sent, and reports whether something was published. What several cases send is stored in each of the channels.
func (c *checker) exchanged(at spot, s *state, x *exchange, looks bool) (bool, error) {
	if err := c.noLocks(at, x.elem); err != nil || looks {
		return false, err
	}
	to := access{through: x.with}
	if x.with.set&(shared|foreign) != 0 {
		c.written[c.types.channelClass(x.elem)] = true
	}
	return s.publishing(func() error { return c.stores(at, s, to, x.sent) })
}

// received is what is received by an instruction.
type received struct {
	in        *ir.Instr
	published bool // something that was own before it is shared
}

// publish notes that what was own is shared.
func (x *exchange) publish() {
	x.with.publish()
	for i := range x.sent {
		x.sent[i].publish()
	}
}

// receive gives registers what may be received.
func (c *checker) receive(at spot, s *state, x *exchange, r received) error {
	if x.received == ir.NoReg {
		return nil
	}
	if r.published {
		x.with.publish()
	}
	words := s.contents(x.with.set, x.elem.Layout())
	switch {
	case r.in.Op == ir.OpSelect: // unless another case is chosen
		old, err := c.several(at, s, x.received, len(words))
		if err != nil {
			return err
		}
		for i := range words {
			words[i] = join([]value{words[i], old[i]})
		}
	case r.in.Ok:
		words = append(words, value{})
	}
	return c.put(at, s, x.received, words...)
}

// meetsChannels is an error unless something may be done now with the channels of a list that others may have. It is the moment of the call, if one of their classes is atomic.
func (c *checker) meetsChannels(at spot, s *state, list []exchange, looks bool) error {
	f, moment := c.calls[at.call].fn, false
	for i := range list {
		x := &list[i]
		of := c.types.channelClass(x.elem)
		if x.with.set&(shared|foreign) == 0 || s.phase == making {
			continue
		}
		if x.with.set&foreign != 0 {
			return c.reject(at, "%s: a channel that may be a package variable's, or what one leads to", f.Short)
		}
		c.mayWait(at, s)
		for _, u := range c.unbuffered {
			if c.types.channelClass(u.Elem) == of {
				return c.reject(at, "%s: %s may have no room for an item: one is made at %s", f.Short, c.types.text(of), c.p.Position(u.At))
			}
		}
		switch {
		case !c.atomically[of] && (s.phase.locksOut() || looks && s.phase.locked()):
		case !c.atomically[of]:
			return c.reject(at, "%s: %s is used in the phase %v, and is not atomic", f.Short, c.types.text(of), s.phase)
		case looks && c.kept[of] && s.phase.locked():
		case c.careful:
			return c.reject(at, "%s: %s is used where a panic may be recovered", f.Short, c.types.text(of))
		case !looks && c.kept[of] && s.phase != writing:
			return c.reject(at, "%s: %s is kept, and is used in the phase %v", f.Short, c.types.text(of), s.phase)
		default:
			moment = true
		}
	}
	if !moment {
		return nil
	}
	then, allowed := moments[s.phase]
	if !allowed {
		return c.reject(at, "%s: a channel is used in the phase %v, behind the moment of the call", f.Short, s.phase)
	}
	s.phase = then
	return nil
}

// mayWaitAtChannel notes that a call may wait for what another one does with a channel.
func (c *checker) mayWaitAtChannel(at spot, list []exchange) {
	for i := range list {
		if list[i].with.set&(shared|foreign) != 0 && c.atChannel == nil {
			c.atChannel = &at
		}
	}
}
