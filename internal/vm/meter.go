// SPDX-License-Identifier: BSD-3-Clause

package vm

import "sync/atomic"

// Meter counts what machines do, for limits that must not depend on how fast a computer is, nor on what else it does. Several machines
// may share one. What is counted depends on the program and its schedules alone: the instructions, and stepWork for each step, which is what
// it takes to load, save and look up the states around it (a search comes to some 50 million units in a second).
type Meter struct {
	limit uint64
	over  func()
	work  atomic.Uint64
}

// stepWork is what a step costs beside its instructions, in instructions.
const stepWork = 200

// NewMeter makes a meter that calls over once, when more than limit has been counted.
func NewMeter(limit uint64, over func()) *Meter { return &Meter{limit: limit, over: over} }

// Work is what was counted.
func (m *Meter) Work() uint64 { return m.work.Load() }

// Over says that the limit has been passed.
func (m *Meter) Over() bool { return m.work.Load() > m.limit }

// step counts a step of so many instructions.
func (m *Meter) step(instructions int) {
	n := uint64(instructions) + stepWork
	if now := m.work.Add(n); now > m.limit && now-n <= m.limit {
		m.over()
	}
}
