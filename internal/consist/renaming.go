package consist

import "pangolin/oracle"

// RenamingID numbers a renaming of values.
type RenamingID uint32

// Renamable reports whether the oracle can rename values; Renaming, RenameValues
// and Names need it.
func (m *HistoryMonitor) Renamable() bool { return m.auto.Renamable() }

// Renaming numbers a renaming, for RenameValues. Keep the number if you can.
func (m *HistoryMonitor) Renaming(r oracle.Renaming) RenamingID {
	m.mu.Lock()
	defer m.mu.Unlock()
	id, ok := m.renamings[r]
	if !ok {
		id = RenamingID(len(m.renaming))
		m.renamings[r] = id
		m.renaming = append(m.renaming, &r)
		list := m.renaming
		m.known.Store(&list)
	}
	return id
}

// RenameValues is the state after the same history with its values renamed. The
// renaming must be one-to-one on the values that occur (Names), and monotone on
// priorities.
func (m *HistoryMonitor) RenameValues(id ID, r RenamingID) ID {
	if id == Rejected {
		return Rejected
	}
	key := memoKey(id, onRename, uint64(r))
	if v, ok := m.memo.get(key); ok {
		return ID(v)
	}
	return m.remember(key, m.judge.rename(m.states.get(id).words, (*m.known.Load())[r]))
}

// Names is the set of values that occur in a state: in the oracle's states, the
// pending calls and the results that are still to be seen. All others may be
// given to new values.
func (m *HistoryMonitor) Names(id ID) oracle.Names {
	if id == Rejected {
		return oracle.Names{}
	}
	r := m.states.get(id)
	if known := r.names.Load(); known != nil {
		return *known
	}
	n := new(oracle.Names)
	m.judge.names(r.words, n)
	r.names.Store(n)
	return *n
}
