// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"pangolin/internal/vm/state"
)

// initQuota bounds the instructions of package initialisation.
const initQuota = 500_000_000

// initialise runs the package initialisers once, for all executions. If that needs
// a decision, starts threads, blocks, prints, panics or fails, it is left to the first
// thread of every execution instead, whatever that calls first (see Machine.enter).
func (img *Image) initialise() error {
	img.Base = []state.Object{{}}
	for _, g := range img.Prog.Globals {
		n, count := g.Type.Flatten()
		info := img.Types[n.ID]
		words := count * n.Size
		img.Base = append(img.Base, state.Object{At: len(img.BaseMem), Count: int32(count), Info: info, Flags: state.IsShared | state.IsKnown})
		img.BaseMem = append(img.BaseMem, make([]uint64, words)...)
	}
	if img.Prog.Init == nil {
		return nil
	}
	m := img.NewMachine(Options{NoSymmetry: true})
	m.Tracking = false
	img.initInState = !m.initialises()
	if !img.initInState {
		img.keep(m)
	}
	return nil
}

// Initialised reports whether package initialisation was executed, once for all executions.
func (img *Image) Initialised() bool { return img.Prog.Init != nil && !img.initInState }

// undecided is a chooser that notes whether it was asked.
type undecided struct {
	asked  bool
	ranged bool // a map of several entries was ranged over, in one order
	early  bool // the clock was read and might have gone on, which it does later
	seeded bool // a seed of hash/maphash was drawn, see drawSeed
}

// Choose notes that a decision was needed, and takes the first alternative.
func (u *undecided) Choose(int) int {
	u.asked = true
	return 0
}

// initialises runs the initialisers and says whether that needed nothing but
// memory.
func (m *Machine) initialises() bool {
	m.Spawn()
	t := m.Thread[0]
	m.Push(t, m.img.Codes[m.img.Prog.Init.ID], nil, state.FrameBottom)
	ch := &undecided{}
	m.chooser, m.fuel, m.quota = ch, plenty, initQuota
	m.exec(t)
	once := t.Idle() && t.Panicked == 0 && len(m.Thread) == 1 && !ch.asked && m.Failure == nil &&
		m.End.Kind == Running && m.Out.Stdout == 0 && m.Out.Stderr == 0
	if once && ch.ranged {
		m.img.Prog.Notes.Add(initOrderNote)
	}
	if once && ch.early {
		m.img.Prog.Notes.Add(initClockNote)
	}
	return once
}

// keep makes the heap of a machine the heap that every execution begins with.
func (img *Image) keep(m *Machine) {
	m.RetireThreads(0)
	m.collect()
	img.Base = append([]state.Object(nil), m.Objs...)
	img.BaseMem = append([]uint64(nil), m.Mem...)
	for i := range img.Base {
		o := &img.Base[i]
		if o.Info == nil {
			o.Info = img.Types[img.Own.Word.ID]
		}
		o.Flags = o.Flags&(state.IsChan|state.Held&^state.IsLent) | state.IsShared | state.IsKnown
		if o.Flags&(state.IsChan|state.IsOpen) == 0 {
			o.Aux = 0
		}
	}
}
