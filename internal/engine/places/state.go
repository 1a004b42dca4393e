// SPDX-License-Identifier: BSD-3-Clause

package places

import (
	"encoding/binary"
	"pangolin/internal/engine"
)

// mostCounters is how many words of the collection may count.
const mostCounters = 4

// What has become of a Put whose item is followed.
const (
	called uint8 = 1 << iota
	stored
	returned
	taken
)

// shared is what all threads know.
type shared struct {
	counters [mostCounters]class
	// claimed says whose call has moved a counter from the lower and from the higher place; a Take is other.
	claimed [mostCounters][2]label
	held    [2]label // what the lower and the higher place hold
	puts    [2]uint8 // what has become of the Puts that are followed
	before  label    // first: the first Put had returned when the second one was called; second: the other way round
}

// put notes the call of a followed Put; false if there was one.
func (s *shared) put(l label) bool {
	if s.puts[l-1]&called != 0 {
		return false
	}
	if rival := first + second - l; s.puts[rival-1]&returned != 0 {
		s.before = rival
	}
	s.puts[l-1] |= called
	return true
}

// take notes that a Take has taken a followed item. The text says what is wrong with that.
func (s *shared) take(l label) string {
	rival := first + second - l
	switch {
	case s.puts[l-1]&stored == 0:
		return "an item is taken that nobody has put in"
	case s.puts[l-1]&taken != 0:
		return "an item is taken twice"
	case s.before == rival && s.puts[rival-1]&taken == 0:
		return "an item is taken before one that was put in earlier"
	}
	s.puts[l-1] |= taken
	return ""
}

// local is what one thread knows, beside what all know. The zero value is an idle thread.
type local struct {
	op       int // the operation's index plus 1
	label    label
	got      label // what a Take has taken
	stored   bool  // a Put has filled a place
	positive bool  // some counter was seen to be greater than 0
	added    uint8 // counters to which a Put has added, a bit each
	frames   engine.Frames[value]
	cells    [][]value // that nobody else knows
}

func (l *local) idle() bool { return l.op == 0 }

// clone copies what steps change.
func (l *local) clone() local {
	c := *l
	c.frames = l.frames.Clone()
	c.cells = append([][]value(nil), l.cells...)
	for i := range c.cells {
		c.cells[i] = append([]value(nil), l.cells[i]...)
	}
	return c
}

// key is the same for states that are equal.
func (l *local) key() string {
	b := []byte{byte(l.op), byte(l.label), byte(l.got), 0, l.added}
	if l.stored {
		b[3] |= 1
	}
	if l.positive {
		b[3] |= 2
	}
	words := func(list []value) {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, v := range list {
			b = append(b, byte(v.kind), byte(v.b))
			b = binary.AppendVarint(b, int64(v.x))
		}
	}
	for i := range l.frames {
		b = binary.AppendUvarint(b, uint64(l.frames[i].Fn.ID))
		b = binary.AppendUvarint(b, uint64(l.frames[i].PC))
		words(l.frames[i].Regs)
	}
	for _, c := range l.cells {
		words(c)
	}
	return string(b)
}

// rename drops the cells to which no register leads, and numbers the others as registers lead to them.
func (l *local) rename() {
	names := map[int32]int32{}
	var cells [][]value
	for i := range l.frames {
		for k, v := range l.frames[i].Regs {
			if v.kind != cell {
				continue
			}
			old := v.x >> 8
			name, known := names[old]
			if !known {
				name = int32(len(cells))
				names[old] = name
				cells = append(cells, l.cells[old])
			}
			l.frames[i].Regs[k].x = name<<8 | v.x&255
		}
	}
	l.cells = cells
}
