// SPDX-License-Identifier: BSD-3-Clause

package consist

import (
	"encoding/binary"

	"pangolin/oracle"
)

// Monitor states are stored as short byte strings, in which numbers are varints. Numbers of calls
// and results are stored plus one, so that 0 says "none".

type writer struct{ buf []byte }

func (w *writer) u16(v uint16) { w.u32(uint32(v)) }

func (w *writer) u32(v uint32) { w.buf = binary.AppendUvarint(w.buf, uint64(v)) }

type reader struct{ rest string }

func (r *reader) u16() uint16 { return uint16(r.u32()) }

func (r *reader) u32() uint32 {
	if b := r.rest[0]; b < 1<<7 {
		r.rest = r.rest[1:]
		return uint32(b)
	}
	return r.long()
}

// long reads a number of several bytes.
func (r *reader) long() (v uint32) {
	for shift := 0; ; shift += 7 {
		b := r.rest[0]
		r.rest = r.rest[1:]
		if v |= uint32(b&(1<<7-1)) << shift; b < 1<<7 {
			return v
		}
	}
}

// calls are the pending calls by thread: CallID+1, or 0 for an idle thread.
type calls [MaxThreads]uint16

func (c *calls) get(thread int) oracle.CallID { return oracle.CallID(c[thread] - 1) }

func (c *calls) set(thread int, call oracle.CallID) { c[thread] = uint16(call) + 1 }

// busyIn is the set of threads with a pending call in a state that begins with the calls.
func busyIn(words string, threads int) ThreadSet {
	var c calls
	c.read(&reader{words}, threads)
	return c.busy()
}

// busy is the set of threads with a pending call.
func (c *calls) busy() ThreadSet {
	var s ThreadSet
	for t, call := range c {
		if call != 0 {
			s = s.With(t)
		}
	}
	return s
}

// partner is a stuck thread whose call serves that of another stuck thread, and the other way
// round; -1: none.
func (c *calls) partner(a *oracle.Automaton, stuck ThreadSet) int {
	for t := range MaxThreads {
		for u := range t {
			if stuck.Has(t) && stuck.Has(u) && a.Partners(c.get(t), c.get(u)) {
				return u
			}
		}
	}
	return -1
}

func (c *calls) permuted(p Perm) calls {
	var out calls
	for t, call := range c {
		out[p.To(t)] = call
	}
	return out
}

func (c *calls) write(w *writer, threads int) {
	for t := range threads {
		w.u16(c[t])
	}
}

func (c *calls) read(r *reader, threads int) {
	for t := range threads {
		c[t] = r.u16()
	}
}

// renamed renames the arguments of the pending calls.
func (c *calls) renamed(a *oracle.Automaton, r oracle.RenamingID) calls {
	out := *c
	for t, call := range c {
		if call != 0 {
			out.set(t, a.RenameCall(c.get(t), r))
		}
	}
	return out
}

// hash is a hash of a thread's pending call; 0 if it is idle.
func (c *calls) hash(a *oracle.Automaton, thread int) uint64 {
	if c[thread] == 0 {
		return 0
	}
	return a.CallHash(c.get(thread))
}

// observed is a completed call with its result, both as numbers.
type observed uint32

func observe(c oracle.CallID, r oracle.ResultID) observed {
	return observed(c)<<16 | observed(r)
}

func (o observed) call() oracle.CallID { return oracle.CallID(o >> 16) }

func (o observed) result() oracle.ResultID { return oracle.ResultID(o) }

func (o observed) hash(a *oracle.Automaton) uint64 {
	return mix(a.CallHash(o.call()), a.ResultHash(o.result()))
}

func (o observed) renamed(a *oracle.Automaton, r oracle.RenamingID) observed {
	return observe(a.RenameCall(o.call(), r), a.RenameResult(o.call(), o.result(), r))
}

// observed writes completed calls, after their number.
func (w *writer) observed(list []observed) {
	w.u16(uint16(len(list)))
	for _, o := range list {
		w.u32(uint32(o))
	}
}

// observed reads completed calls.
func (r *reader) observed() (list []observed) {
	for range r.u16() {
		list = append(list, observed(r.u32()))
	}
	return list
}

// mix combines two hashes; the order matters. The constants and shifts are those
// of splitmix64's finaliser.
func mix(a, b uint64) uint64 {
	h := a*0x9e3779b97f4a7c15 + b + 0x632be59bd9b4e019
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// seen combines the hashes of what belongs to one thread with the sum of what
// belongs to the others: how a monitor looks to that thread, whatever the
// numbers of the others.
func seen(of []uint64, thread int) uint64 {
	var others uint64
	for t, h := range of {
		if t != thread {
			others += mix(h, 1)
		}
	}
	return mix(of[thread], others)
}

// inOrder combines hashes; the order matters.
func inOrder(of []uint64) uint64 {
	h := uint64(0)
	for _, x := range of {
		h = mix(h, x)
	}
	return h
}
