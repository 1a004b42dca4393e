// SPDX-License-Identifier: BSD-3-Clause

package consist

import "pangolin/oracle"

// Renamable reports whether the oracle can rename values; Renaming, RenameValues
// and Names need it.
func (m *HistoryMonitor) Renamable() bool { return m.auto.Renamable() }

// Renaming numbers a renaming, for RenameValues. Keep the number if you can.
func (m *HistoryMonitor) Renaming(r oracle.Renaming) oracle.RenamingID { return m.auto.Renaming(r) }

// RenameValues is the state after the same history with its values renamed. The
// renaming must be one-to-one on the values that occur (Names), and monotone on
// priorities.
func (m *HistoryMonitor) RenameValues(id ID, r oracle.RenamingID) ID {
	if id == Rejected {
		return Rejected
	}
	key := memoKey(id, onRename, uint64(r))
	if v, ok := m.memo.Get(key); ok {
		return ID(v)
	}
	return m.remember(key, m.judge.rename(m.states.words(id), r))
}

// Names is the set of values that occur in a state: in the oracle's states, the
// pending calls and the results that are still to be seen. All others may be
// given to new values.
func (m *HistoryMonitor) Names(id ID) oracle.Names {
	if id == Rejected {
		return oracle.Names{}
	}
	if n, known := m.states.names(id); known {
		return n
	}
	var n oracle.Names
	m.judge.names(m.states.words(id), &n)
	m.states.noteNames(id, n)
	return n
}
