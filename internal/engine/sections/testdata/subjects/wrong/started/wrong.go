// SPDX-License-Identifier: BSD-3-Clause

// Package started has a type that is wrong because of a goroutine that an initialiser starts.
package started

import "sync"

// Watched has a cell that a goroutine has, too, which was there before.
type Watched struct {
	mu   sync.Mutex
	cell *cell
}

type cell struct{ n int }

var watched = &cell{}

func init() {
	go func() {
		for range 3 {
			watched.n++
		}
	}()
}

func NewWatched() *Watched { return &Watched{cell: watched} }

func (w *Watched) Spend(n int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cell.n += n
	return w.cell.n
}
