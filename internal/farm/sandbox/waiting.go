// SPDX-License-Identifier: BSD-3-Clause

package sandbox

import (
	"slices"
	"sync"
	"time"
)

// waiting are the processes that wait for another task of their kind.
type waiting struct {
	most     int
	patience time.Duration // how long a process may wait

	mu     sync.Mutex
	list   []*process // who has waited longest comes first
	closed bool
}

// A process ends behind so many tasks, when none has come for so long, and when it may have used, or has in memory, such a part of what a task may.
const (
	mostTasks   = 64
	longestWait = 30 * time.Second
	spareCPU    = 8
	spareMemory = 16
)

// take takes out a process that has done a task of a kind; nil: none waits.
func (w *waiting) take(k *kind) *process {
	if k == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, p := range slices.Backward(w.list) {
		if p.kind.is(k) {
			w.list = slices.Delete(w.list, i, i+1)
			p.impatience.Stop()
			return p
		}
	}
	return nil
}

// put lets a process wait that has given a result, or ends it, or the one that has waited longest.
func (w *waiting) put(p *process) {
	limits := &p.sandbox.config.Limits
	if p.done >= mostTasks || p.busy > limits.CPU/spareCPU || resident(p.cmd.Process.Pid) > limits.Memory/spareMemory {
		p.end()
		return
	}
	w.mu.Lock()
	ends := p
	if !w.closed {
		p.impatience = time.AfterFunc(w.patience, func() {
			if w.remove(p) {
				p.end()
			}
		})
		w.list, ends = append(w.list, p), nil
		if len(w.list) > w.most {
			w.list, ends = w.list[1:], w.list[0]
			ends.impatience.Stop()
		}
	}
	w.mu.Unlock()
	if ends != nil {
		ends.end()
	}
}

// remove takes out a process, and reports whether it was still there.
func (w *waiting) remove(p *process) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.Index(w.list, p)
	if i < 0 {
		return false
	}
	w.list = slices.Delete(w.list, i, i+1)
	return true
}

// close ends those that wait, and lets no other wait.
func (w *waiting) close() {
	w.mu.Lock()
	list := w.list
	w.list, w.closed = nil, true
	w.mu.Unlock()
	for _, p := range list {
		p.impatience.Stop()
		p.end()
	}
}
