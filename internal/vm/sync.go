// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"slices"
	"sync/atomic"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// What threads do that the memory model calls synchronisation, as events. They say what has
// been done, not what it orders: that is for whoever listens. There are two who do, and they
// share nothing but the events: the tracked access of a search (hunt.go), and the vector
// clocks of a replay (internal/interleave/clocks.go). doc/races.md lists what each orders.
//
// What a thread does without success is no event: a TryLock that fails, a select that takes
// its default case, a send on a closed channel. Who does so is told something all the same,
// see tells.

// SyncKind is what a thread has done.
type SyncKind uint8

const (
	AtomicRead     SyncKind = iota // of the word at P; a compare-and-swap that failed too
	AtomicWrite                    // of the word at P
	AtomicUpdate                   // of the word at P: a read and a write
	Locked                         // a Mutex, or an RWMutex for writing
	Unlocked                       //
	ReadLocked                     // an RWMutex
	ReadUnlocked                   //
	Sent                           // into the buffer of channel P
	Received                       // the first value in the buffer of channel P
	Met                            // on a channel without a buffer: from Thread to Other
	Closed                         // channel P
	Discarded                      // the first value in the buffer of channel P, by who stops a timer
	ReceivedClosed                 // nothing, for channel P is closed
	Started                        // a goroutine, Other
	GroupDone                      // an Add of less than zero to wait group P
	GroupWaited                    // a Wait for wait group P has returned
	Signalled                      // the waiter whose flag is at P, of a Cond
	Awaited                        // a Cond: the waiter whose flag is at P goes on
	Released                       // a semaphore, or an object whose operations exclude each other
	Acquired                       // the same
	Idled                          // Thread has waited until nobody else could move, and knows what all have done
	Joined                         // Thread knows from here on what Other knows: an engine says so
	syncKinds
)

// Sync is an event. Threads are given by their places.
type Sync struct {
	Kind             SyncKind
	Thread, Other    int
	P                uint64
	Before, Capacity int // of Sent, Received and Discarded: what was in the buffer before, and what has room there
}

// Listener is told of what RunExactly executes: of accesses before they are made, of
// synchronisation behind it. An atomic load is told of before: nobody can tell the difference.
type Listener interface {
	Accesses(place int)
	Synchronises(e Sync)
}

// Listen lets somebody listen; nil: nobody does.
func (m *Machine) Listen(l Listener) { m.listener = l }

// note tells of a synchronisation.
func (m *Machine) note(kind SyncKind, t *state.Thread, p uint64, n int) {
	if m.hunt != nil {
		m.hunts(synchronised{kind, t, nil, p, n})
	}
	if m.listener == nil {
		return
	}
	e := Sync{Kind: kind, Thread: slices.Index(m.Thread, t), Other: -1, P: p, Before: n}
	if kind == Sent || kind == Received || kind == Discarded {
		e.Capacity = int(m.Objs[p>>32].Room())
	}
	m.listener.Synchronises(e)
}

// noteWith tells of one that two threads have a part in.
func (m *Machine) noteWith(kind SyncKind, t, u *state.Thread) {
	if m.hunt != nil {
		m.hunts(synchronised{kind, t, u, 0, 0})
	}
	if m.listener != nil {
		m.listener.Synchronises(Sync{Kind: kind, Thread: slices.Index(m.Thread, t), Other: slices.Index(m.Thread, u)})
	}
}

// Inherit makes thread j go on behind what thread i has done.
func (m *Machine) Inherit(j, i int) { m.noteWith(Joined, m.Thread[j], m.Thread[i]) }

// notesLoad tells of an atomic load that a thread stands at. The machine's loop does not, for most of a
// search's time goes by there.
func (m *Machine) notesLoad(t *state.Thread) {
	if t.Idle() || t.Phase != state.PhaseNone {
		return
	}
	if in := t.Instr(); in.Op == ir.OpAtomicLoad {
		if p := state.Operand(t.Registers(), m.img.Prog.Consts, in.A); p != 0 {
			m.note(AtomicRead, t, p, 0)
		}
	}
}

// exactly executes what is left of a thread's quota; one instruction of it, if somebody listens.
func (m *Machine) exactly(t *state.Thread) {
	if m.listener == nil {
		m.exec(t)
		return
	}
	if !m.region { // what an atomic step accesses, its beginning has said
		m.listener.Accesses(slices.Index(m.Thread, t))
	}
	m.notesLoad(t)
	left := m.quota
	m.quota = 1
	m.exec(t)
	m.quota += left - 1
}

// TellIn is where the machine notes that an operation tells without ordering: then it does not suffice for a race that
// two threads stand at it.
func (m *Machine) TellIn(telling *atomic.Bool) { m.telling = telling }

// tells notes that a thread has been told something by which it may know of others that have
// gone before, although nothing orders it behind them. From here on it does not suffice for a
// race that two threads stand at it.
func (m *Machine) tells() {
	if m.telling != nil && !m.telling.Load() {
		m.telling.Store(true)
	}
}

// What the atomic steps of models order. The models stand for operations of the standard
// library whose own code synchronises.
type regionOrder uint8

const (
	ordersNothing  regionOrder = iota
	ordersAll                  // behind all before it: what a lock around it would
	ordersWrites               // behind those before it that have changed the object
	ordersWhatGets             // the same, if it changes the object itself
	ordersPuts                 // before what gets
	ordersFlags                // before the waiters whose flags it sets
	tellsOnly                  // nothing, but its result says what others have done
)

const preludePath = "pangolin/prelude."

// regionOrders lists the functions of the models that begin an atomic step.
var regionOrders = map[string]regionOrder{
	"mapBegin":             ordersWrites,
	"mapClear":             ordersWrites,
	"(*ranging).begin":     ordersWrites,
	"mapUse":               ordersNothing,
	"poolGet":              ordersWhatGets,
	"poolPut":              ordersPuts,
	"poolUse":              ordersNothing,
	"condWait":             ordersNothing,
	"condSignal":           ordersFlags,
	"condBroadcast":        ordersFlags,
	"timeNow":              ordersNothing,
	"(*firing).run":        ordersNothing,
	"(*firing).tick":       ordersNothing,
	"timerStop":            tellsOnly,
	"timerReset":           tellsOnly,
	"tickerReset":          ordersNothing,
	"(*loggerState).begin": ordersAll,
	"(*testState).begin":   ordersAll,
	"nextCheck":            ordersAll,
}

// beginsRegion notes what the beginning of an atomic step orders.
func (m *Machine) beginsRegion(t *state.Thread, p uint64) {
	m.regionOrder, m.regionAt = m.img.regions[t.Top().Code.Func.ID], p
	m.regionWrote, m.Wrote = m.Wrote, false
	switch m.regionOrder {
	case ordersAll, ordersWrites:
		m.note(Acquired, t, p, 0)
	case tellsOnly:
		m.tells()
	}
}

// endsRegion notes what its end orders.
func (m *Machine) endsRegion(t *state.Thread) {
	wrote := m.Wrote
	m.Wrote = wrote || m.regionWrote
	switch m.regionOrder {
	case ordersAll, ordersPuts:
		m.note(Released, t, m.regionAt, 0)
	case ordersWrites:
		if wrote {
			m.note(Released, t, m.regionAt, 0)
		}
	case ordersWhatGets:
		if wrote {
			m.note(Acquired, t, m.regionAt, 0)
		}
	}
	m.regionOrder = ordersNothing
}
