// SPDX-License-Identifier: BSD-3-Clause

package vm

import "pangolin/internal/ir"

// Meets says what thread i stands at if that is not done by one thread and memory alone: a channel, a goroutine that
// is started, a built-in function that lets others go on. It is "" for a step of one thread and memory alone.
func (m *Machine) Meets(i int) string {
	if m.Idle(i) {
		return ""
	}
	switch m.Thread[i].Instr().Op {
	case ir.OpSend, ir.OpRecv, ir.OpClose, ir.OpSelect, ir.OpGo:
		return "channels and goroutines"
	case ir.OpCall:
		if f := m.Calls(i); f != "" && !ofMemory[f] {
			return f
		}
	}
	return ""
}

// ofMemory are the built-in functions that wait for nothing but memory, and let nobody go on but
// by what they write to memory.
var ofMemory = map[string]bool{
	"(*sync.Mutex).Lock": true, "(*sync.Mutex).TryLock": true, "(*sync.Mutex).Unlock": true,
	"(*internal/sync.Mutex).Lock": true, "(*internal/sync.Mutex).TryLock": true, "(*internal/sync.Mutex).Unlock": true,
	"(*sync.RWMutex).Lock": true, "(*sync.RWMutex).TryLock": true, "(*sync.RWMutex).Unlock": true,
	"(*sync.RWMutex).RLock": true, "(*sync.RWMutex).TryRLock": true, "(*sync.RWMutex).RUnlock": true,
	"(*sync/atomic.Value).Load": true, "(*sync/atomic.Value).Store": true, "(*sync/atomic.Value).Swap": true,
	"(*sync/atomic.Value).CompareAndSwap": true,
	"pangolin/prelude.atomicBegin":        true, "pangolin/prelude.atomicEnd": true, "runtime.Gosched": true,
}
