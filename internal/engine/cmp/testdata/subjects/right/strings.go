package right

import "sync"

// Named is a map whose keys are strings, under a lock. No key is a constant of the program.
type Named struct {
	mu sync.Mutex
	m  map[string]int
}

func NewNamed() *Named { return &Named{m: map[string]int{}} }

func (n *Named) Set(key string, v int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.m[key] = v
}

func (n *Named) Get(key string) (int, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	v, ok := n.m[key]
	return v, ok
}

func (n *Named) Delete(key string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.m, key)
}

// SPDX-License-Identifier: BSD-3-Clause
