// SPDX-License-Identifier: BSD-3-Clause

package ir

import (
	"slices"
	"sync"
)

// Notes are assumptions that executions of a program have used: a verdict mentions them only if the
// code got there. Several machines may add notes. The zero value is empty; a nil *Notes ignores
// them.
type Notes struct {
	mu   sync.Mutex
	list []string
}

// Add adds a text, once.
func (n *Notes) Add(text string) {
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if !slices.Contains(n.list, text) {
		n.list = append(n.list, text)
	}
}

// Sorted returns the texts in order.
func (n *Notes) Sorted() []string {
	if n == nil {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Sorted(slices.Values(n.list))
}
