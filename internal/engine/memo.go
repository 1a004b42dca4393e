// SPDX-License-Identifier: BSD-3-Clause

package engine

import "sync"

// Memo holds what engines have computed about one subject, by a key of their own, for the next question about it. A nil Memo holds nothing.
// What is in it follows from the subject and the key alone, so an answer is the same with it and without.
type Memo struct {
	mu    sync.Mutex
	known map[string]any
}

// Get returns what was put there; nil if nothing was.
func (m *Memo) Get(key string) any {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.known[key]
}

// Put keeps a value, in place of the one that was there.
func (m *Memo) Put(key string, value any) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = map[string]any{}
	}
	m.known[key] = value
}
