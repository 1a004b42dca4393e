// SPDX-License-Identifier: BSD-3-Clause

package bounded

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"pangolin/internal/consist"
	"pangolin/internal/explore"
	"pangolin/internal/play"
	"pangolin/internal/subject"
	"pangolin/internal/vm/parts"
	"pangolin/oracle"
)

// Doubt has every step that is recalled executed as well, and every state that consists of
// parts saved as words, until the test is over. It counts both.
func Doubt(t interface {
	Cleanup(func())
	Errorf(format string, args ...any)
}) (recalls, states *atomic.Int64) {
	recalls, states = new(atomic.Int64), new(atomic.Int64)
	var busy atomic.Bool
	wrong := func(what string, got, want []uint64) {
		t.Errorf("%s:\n%x\nwant\n%x", what, got, want)
	}
	doubt = func(c *cursor, saved []uint64) {
		p, ok := c.place.(*play.Parts)
		if !ok || p.Executing || busy.Swap(true) {
			return
		}
		defer busy.Store(false)
		joined, ok := p.Joined(slices.Clone(saved[:2]))
		if !ok {
			return
		}
		states.Add(1)
		d := c.sys.newCursor()
		executing := d.place.(*play.Parts)
		executing.Executing = true
		if p.Recalled() {
			recalls.Add(1)
			d.Load(c.taken.from)
			d.Step(c.taken.move, explore.Replay(nil))
			if again := d.Save(nil); !slices.Equal(again, saved) {
				wrong(fmt.Sprintf("a step of thread %d is recalled", c.taken.move.Agent()), saved, again)
			}
			d.Load(c.taken.from)
			d.Step(c.taken.move, explore.Replay(nil))
			c = d
			p = executing
		}
		// The words of the state, as they are if nothing is taken apart: saved from the machine,
		// and put together from the parts. What two threads lead to stands elsewhere in these, and has its place when
		// they have been loaded and saved.
		c.at(p.Machine)
		words := c.Save(nil)
		c.at(p)
		d.at(executing.Machine)
		if !slices.Equal(words, joined) && !slices.Equal(words, savedAgain(d, joined)) {
			wrong("a state as parts", joined, words)
		}
	}
	t.Cleanup(func() { doubt = nil })
	return recalls, states
}

// at has a cursor use another place.
func (c *cursor) at(p play.Place) { c.place, c.names.At = p, p }

// SearchTogether lets several workers begin at once, until the test is over.
func SearchTogether(t interface{ Cleanup(func()) }) {
	solo := soloStates
	soloStates = 1
	t.Cleanup(func() { soloStates = solo })
}

// savedAgain are the words of a state that has been loaded from words.
func savedAgain(c *cursor, words []uint64) []uint64 {
	c.Load(words)
	return c.Save(nil)
}

// Cramp leaves so many bytes for the parts of states, and for what is remembered of them, until
// the test is over.
func Cramp(t interface{ Cleanup(func()) }, ofParts, ofMemory int64) {
	play.Limits = parts.Limits{Parts: ofParts, Steps: ofMemory}
	t.Cleanup(func() { play.Limits = parts.Usual })
}

// Unjudged lets searches judge nothing until the function that it gives is called: what is left is what a
// search costs without a monitor, whichever it would be.
func Unjudged() (over func()) {
	monitorOf = func(opt *Options) (consist.Monitor, error) {
		m, err := newMonitor(opt)
		return nobody{m}, err
	}
	return func() { monitorOf = newMonitor }
}

// nobody is a monitor that allows everything. Its states are the sets of threads with a pending call, plus one.
type nobody struct{ consist.Monitor }

func (nobody) InitialAt(oracle.State) consist.ID                 { return 1 }
func (nobody) CompleteOK(consist.ID) bool                        { return true }
func (nobody) Busy(id consist.ID) consist.ThreadSet              { return consist.ThreadSet(id - 1) }
func (nobody) StuckOK(consist.ID, consist.ThreadSet) (bool, int) { return true, -1 }
func (n nobody) Invoke(id consist.ID, thread int, _ oracle.CallID) consist.ID {
	return consist.ID(n.Busy(id).With(thread)) + 1
}
func (n nobody) Respond(id consist.ID, thread int, _ oracle.ResultID) (consist.ID, bool) {
	return consist.ID(n.Busy(id).Without(thread)) + 1, true
}
func (n nobody) Rename(id consist.ID, p consist.Perm) consist.ID {
	var to consist.ThreadSet
	for t := range consist.MaxThreads {
		if n.Busy(id).Has(t) {
			to = to.With(p.To(t))
		}
	}
	return consist.ID(to) + 1
}
func (nobody) Signature(consist.ID, int) uint64                           { return 0 }
func (nobody) Content(id consist.ID) uint64                               { return uint64(id) }
func (nobody) Renaming(oracle.Renaming) oracle.RenamingID                 { return 0 }
func (nobody) RenameValues(id consist.ID, _ oracle.RenamingID) consist.ID { return id }
func (nobody) Names(consist.ID) oracle.Names                              { return oracle.Names{} }

// Shrink is small, with a limit on what machines do.
func Shrink(ctx context.Context, opt Options, res *Result, work uint64) {
	k := newShrinker(opt, res)
	k.work = work
	k.shrink(ctx)
	res.Violation = k.best
}

// Contradicts is what the engine says of a recording that does not show its violation in a subject.
func Contradicts(s *subject.Subject, p consist.Property, rec Recording, err error) (error, error) {
	sys, wrong := replaySystem(s, p, rec)
	if wrong != nil {
		return nil, wrong
	}
	return newReplayer(sys, rec).contradicts("it does not show", err), nil
}
