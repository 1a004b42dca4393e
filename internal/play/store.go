// SPDX-License-Identifier: BSD-3-Clause

package play

import (
	"pangolin/internal/vm"
	"pangolin/internal/vm/parts"
)

// Store has the parts of the states of one search, for all its workers.
type Store struct {
	parts *parts.Store
	steps int64 // bytes that a place may remember of steps
}

// Limits bound how many bytes a search remembers of parts and steps; tests leave less.
var Limits = parts.Usual

// NewStore makes the store of a search that may take so many bytes in all; 0: any number.
func NewStore(img *vm.Image, bytes int64) *Store {
	of := Limits.Within(bytes)
	return &Store{parts.New(&img.Ground, of.Parts), of.Steps}
}

// Bytes is about the memory that the store takes, with what is remembered of steps; nil takes none.
func (s *Store) Bytes() int64 {
	if s == nil {
		return 0
	}
	return s.parts.Bytes()
}
