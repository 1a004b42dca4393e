// SPDX-License-Identifier: BSD-3-Clause

package refine

import (
	"slices"
	counters "sync/atomic"

	"pangolin/internal/explore"
	"pangolin/internal/play"
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
	var of *play.Store
	doubt = func(c *cursor, saved []uint64) {
		p, ok := c.place.(*play.Parts)
		if !ok || p.Executing || busy.Swap(true) {
			return
		}
		defer busy.Store(false)
		joined, ok := p.Joined(c.calling.save(nil))
		if !ok {
			return
		}
		states.Add(1)
		if d == nil || of != c.sys.store {
			d, of = c.sys.NewCursor().(*cursor), c.sys.store
			d.place.(*play.Parts).Executing = true
		}
		words := []uint64(nil)
		if p.Recalled() {
			recalls.Add(1)
			d.Load(c.from)
			d.Step(c.move, explore.Replay(nil))
			if again := d.Save(nil); !slices.Equal(again, saved) {
				t.Errorf("move %x is recalled:\n%x\nexecuted:\n%x", c.move, saved, again)
			}
			words = d.m.Save(nil)
		} else {
			words = c.m.Save(nil)
		}
		d.Load(joined) // what two threads lead to has its place then, and threads have their tags
		if again := d.m.Save(nil); !slices.Equal(words, again) {
			t.Errorf("a state as parts:\n%x\nwant\n%x", again, words)
		}
	}
	t.Cleanup(func() { doubt = nil })
	return recalls, states
}

// Cramp leaves so many bytes for the parts of states, and for what is remembered of their steps, until
// the test is over.
func Cramp(t interface{ Cleanup(func()) }, ofParts, ofMemory int64) {
	play.Limits = parts.Limits{Parts: ofParts, Steps: ofMemory}
	t.Cleanup(func() { play.Limits = parts.Usual })
}
