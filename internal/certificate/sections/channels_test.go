// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"testing"

	"pangolin/internal/ir"
)

// What is done with a channel, in each phase: with one that is own, with one that others use with the lock alone, and with one whose class is atomic.

func TestChannels(t *testing.T) {
	b := newBench()
	send := ir.Instr{Op: ir.OpSend, A: 0, B: 1, T: b.channel}
	receive := ir.Instr{Op: ir.OpRecv, Dst: 5, A: 0, T: b.channel}
	closes := ir.Instr{Op: ir.OpClose, A: 0, T: b.channel}
	length := ir.Instr{Op: ir.OpChanLen, Dst: 8, A: 0, T: b.channel}
	of := b.types.channelClass(b.pointer)

	// Where the class is not atomic, a channel is memory under the lock; one that is own is a call's own.
	b.follow(t, []rule{
		{before, "", send, "s|", "no"},
		{reading, "", send, "s|", "no"},
		{writing, "", send, "s|", "h="},
		{writing, "", send, "s|o", "h= p"},
		{writing, "", send, "os|o", "h= p"},
		{writing, "", send, "f|", "no"},
		{before, "", send, "o|s", "h=s"},
		{before, "", send, "o|o", "h="},
		{before, "", send, "|o", "panics"}, // it waits for ever
		{making, "", send, "o|f", "h=f"},
		{making, "", send, "f|o", "h="},
		{making, "", send, "f|f", "h="},
		{before, "", receive, "s", "no"},
		{writing, "", receive, "s", "=s h="},
		{before, "s", receive, "o", "=os h=s"},
		{making, "", receive, "f", "=f h="},
		{before, "", receive, "", "panics"},
		{before, "", closes, "", "panics"},
		{before, "", closes, "s", "no"},
		{writing, "", closes, "s", "h="},
		{reading, "", length, "s", "= h="},
		{before, "", length, "s", "no"},
		{before, "", length, "", "= h="},
		{before, "", ir.Instr{Op: ir.OpChanCap, Dst: 8, A: 0, T: b.channel}, "s", "= h="},
	})
	if !b.written[of] || b.atChannel == nil {
		t.Error("it is not noted what is written, or where calls wait")
	}

	// Where it is, a use is the moment.
	b.atomically[of] = true
	b.follow(t, []rule{
		{before, "", send, "s|", "h="},
		{before, "", send, "s|o", "h= p"},
		{reading, "", send, "s|", "h="},
		{writing, "", closes, "s", "h="},
		{before, "", receive, "os", "=os h="},
		{after, "", send, "s|", "no"},
		{after, "", length, "s", "no"},
		{readingPlus, "", receive, "s", "no"},
		{writingPlus, "", send, "s|", "no"},
		{before, "", send, "of|", "no"},
		{after, "", send, "o|", "h="},
	})
	for from, to := range map[phase]phase{before: after, reading: readingPlus, writing: writingPlus} {
		if out, err := b.after(t, from, "", length, "s"); err != nil || len(out) != 1 || out[0].phase != to {
			t.Errorf("len in the phase %v: %v", from, err)
		}
	}
	b.careful = true
	b.follow(t, []rule{{before, "", send, "s|", "no"}, {before, "", send, "o|", "h="}})
	b.careful = false

	// Where it is kept, it is written with the lock for writing, and looked at freely with the lock.
	b.kept[of] = true
	b.follow(t, []rule{
		{before, "", send, "s|", "no"},
		{reading, "", receive, "s", "no"},
		{writing, "", send, "s|", "h="},
		{before, "", length, "s", "= h="},
		{readingPlus, "", length, "s", "= h="},
	})
	delete(b.kept, of)

	// A select may do each of its cases, and another case leaves what was in a register.
	b.p.Selects = []*ir.Select{
		{Cases: []ir.SelectCase{{Send: true, Chan: 0, Elem: b.pointer, Val: 1}, {Chan: 2, Elem: b.pointer, Val: 5}}},
		{Blocking: true, Cases: []ir.SelectCase{{Chan: 2, Elem: b.pointer, Val: 5}}},
	}
	choose := ir.Instr{Op: ir.OpSelect, Dst: 8}
	b.follow(t, []rule{
		{before, "", choose, "s|o|s", "= h= p"},
		{before, "", choose, "o|o|s", "= h="},
		{before, "", choose, "o|s|o", "= h=s"},
		{before, "", choose, "||", "= h="},
		{after, "", choose, "o|o|s", "no"},
		{after, "", choose, "|o|", "= h="},
		{before, "", ir.Instr{Op: ir.OpSelect, Dst: 8, X: 1}, "||", "panics"},
	})
	for _, c := range []struct {
		regs [3]string
		want string
	}{{[3]string{"s", "", "s"}, "fs"}, {[3]string{"o", "", "o"}, "of"}, {[3]string{"s", "o", "o"}, "fs"}} { // the last one publishes the channel from which it receives
		out, err := b.after(t, before, "", choose, c.regs[0], c.regs[1], c.regs[2], "", "", "f")
		if err != nil || len(out) != 1 || out[0].regs[5].String() != c.want {
			t.Errorf("select of %q: %v, %v", c.regs, out, err)
		}
	}

	// One without room is no use at all.
	b.unbuffered = []Unbuffered{{Elem: b.pointer}}
	b.follow(t, []rule{{before, "", send, "s|", "no"}, {writing, "", length, "s", "no"}, {before, "", send, "o|", "h="}})
}
