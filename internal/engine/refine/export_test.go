package refine

import (
	"slices"
	counters "sync/atomic"

	"pangolin/internal/explore"
	"pangolin/internal/vm/parts"
)

// More says that a run takes as long as it needs.

// Doubt has every step that is recalled executed as well, and every state that consists of parts saved
// as words, until the test is over. It counts both.
func Doubt(t interface {
	Cleanup(func())
	Errorf(format string, args ...any)
}) (recalls, states *counters.Int64) {
	recalls, states = new(counters.Int64), new(counters.Int64)
	var busy counters.Bool
	var d *cursor // that executes
	doubt = func(c *cursor, saved []uint64) {
		if c.mem.Executing || busy.Swap(true) {
			return
		}
		defer busy.Store(false)
		states.Add(1)
		if d == nil || d.sys != c.sys || d.mem.Store != c.mem.Store {
			d = c.sys.NewCursor().(*cursor)
			d.mem.Executing = true
		}
		words := c.calling.save(nil)
		p := c.mem.After.Position
		if c.mem.Recalled() {
			recalls.Add(1)
			d.Load(c.mem.from)
			d.Step(c.mem.move, explore.Replay(nil))
			if again := d.Save(nil); !slices.Equal(again, saved) {
				t.Errorf("move %x is recalled:\n%x\nexecuted:\n%x", c.mem.move, saved, again)
			}
			words = d.m.Save(words)
		} else {
			words = c.m.Save(words)
		}
		joined := c.mem.Join(c.calling.save(nil), p.Heap, p.Threads[:p.N], p.Tags[:p.N])
		front := len(c.calling.save(nil))
		d.m.Load(joined[front:]) // what two threads lead to has its place then
		if !slices.Equal(words, joined) && !slices.Equal(words, d.m.Save(slices.Clone(joined[:front]))) {
			t.Errorf("a state as parts:\n%x\nwant\n%x", joined, words)
		}
	}
	t.Cleanup(func() { doubt = nil })
	return recalls, states
}

// Cramp leaves so many bytes for the parts of states, and for what is remembered of their steps, until
// the test is over.
func Cramp(t interface{ Cleanup(func()) }, ofParts, ofMemory int64) {
	limits = parts.Limits{Parts: ofParts, Steps: ofMemory}
	t.Cleanup(func() { limits = parts.Usual })
}
