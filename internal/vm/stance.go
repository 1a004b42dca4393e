// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"encoding/binary"

	"pangolin/internal/vm/state"
)

// Stance is what others see of a thread in a state: whether it has a step, and which memory it is
// about to access. It depends on the thread and on what is shared only.
type Stance struct {
	Enabled bool
	// Peered says that Enabled depends on other threads as well, which may be about to meet it.
	Peered bool
	// Plain says that it is about to make an access that is not atomic.
	Plain    bool
	exempt   bool // it has nothing to execute, or its races are nobody's, see races.go
	accesses []access
}

// Stance looks at thread i. Accesses to objects above the number objects, which no other thread
// can reach, are left out.
func (m *Machine) Stance(i, objects int) Stance {
	t := m.Thread[i]
	m.Peered = false
	s := Stance{Enabled: m.Enabled(i), Peered: m.Peered, exempt: t.Idle() || t.Top().Code.Func.NoRace}
	if s.exempt {
		return s
	}
	s.Plain = m.atPlain(t)
	for _, a := range m.accesses(t, nil) {
		if state.ObjectID(a.p) <= objects {
			s.accesses = append(s.accesses, a)
		}
	}
	return s
}

// AppendKey appends bytes that say all of a stance.
func (s *Stance) AppendKey(dst []byte) []byte {
	dst = append(dst, oneIf(s.Enabled)|oneIf(s.Peered)<<1|oneIf(s.Plain)<<2|oneIf(s.exempt)<<3)
	for _, a := range s.accesses {
		dst = binary.LittleEndian.AppendUint64(dst, a.p)
		dst = binary.LittleEndian.AppendUint64(dst, uint64(a.words))
		dst = append(dst, oneIf(a.write)|oneIf(a.atomic)<<1)
	}
	return dst
}

func oneIf(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// Races says that two threads of one state are in a data race.
func (s *Stance) Races(o *Stance) bool {
	if s.exempt || o.exempt || !s.Plain && !o.Plain {
		return false
	}
	for _, a := range s.accesses {
		for _, b := range o.accesses {
			if a.conflicts(b) {
				return true
			}
		}
	}
	return false
}

// Decided says that the steps since the state was loaded have asked for a decision.
func (m *Machine) Decided() bool { return m.decisions > 0 }
