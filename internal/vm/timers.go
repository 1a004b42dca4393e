// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"slices"

	"pangolin/internal/ir"
	"pangolin/internal/vm/state"
)

// Timers, as the model of package time has them (front/prelude/time.go): a thread for each time that one is set, which fires it
// and ends.

// timerFuncs are the functions of the prelude that stand for a timer and a ticker.
var timerFuncs = []string{"(*pangolin/prelude.firing).run", "(*pangolin/prelude.firing).tick"}

// firesAt is the function that both of them call to look whether they still stand for the timer.
const firesAt = "pangolin/prelude.atomicBegin"

// standsForTimer says that a thread is no goroutine but a timer that has not fired: the model of a timer has nothing
// else in progress. Behind that the function that AfterFunc was given runs in a goroutine.
func (m *Machine) standsForTimer(t *state.Thread) bool {
	return len(t.Frames) == 1 && slices.Contains(timerFuncs, t.Frames[0].Code.Func.Name)
}

// FiresIntoNothing says that thread i is a timer that nobody will notice any more: it has been stopped or set anew, or all that it
// would do is to send into its channel, which nobody else has. Its step commutes with whatever the others do, is enabled until
// it is made, and decides nothing: a search can make it first, and no other.
func (m *Machine) FiresIntoNothing(i int) bool {
	t := m.Thread[i]
	if m.hunt != nil || !m.Fusing || t.Idle() || !m.standsForTimer(t) {
		return false
	}
	// In virtual time it goes as soon as it stands for the timer; behind firesAt: what AfterFunc was given has returned.
	if calls := m.Calls(i); t.Instr().Op != ir.OpCall || calls != firesAt && (calls != timerName || !m.clock().Virtual) {
		return false
	}
	p := t.Registers()[0] // the model's receiver, of one word: the state of the timer
	timer := m.Words(p, 1)[0]
	// Who waits for the channel may have nothing else of the timer: time.After gives no more.
	private := (m.Objs[timer>>32].Flags|m.Objs[m.timerField(timer, "c")>>32].Flags)&state.IsShared == 0
	lost := private && m.timerField(timer, "f") == 0 && t.Frames[0].Code.Func.Name == timerFuncs[0]
	return lost || m.pending(p) != p
}

// timerField is the word of a field of a timer's state.
func (m *Machine) timerField(timer uint64, name string) uint64 {
	fields := m.Objs[timer>>32].Info.Type.Fields
	at := slices.IndexFunc(fields, func(f ir.Field) bool { return f.Name == name })
	return m.Words(timer+uint64(fields[at].Offset), 1)[0]
}
