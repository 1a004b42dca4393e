// SPDX-License-Identifier: BSD-3-Clause

package ir

import (
	"slices"
	"sync"
)

// Notes are assumptions that executions of a program have met: what a verdict about it says only if
// the code got there. Several machines may write them. The zero value is empty; nil takes none.
type Notes struct {
	mu   sync.Mutex
	list []string
}

// Add notes a text, once.
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

// Sorted lists the texts in an order of their own.
func (n *Notes) Sorted() []string {
	if n == nil {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Sorted(slices.Values(n.list))
}
