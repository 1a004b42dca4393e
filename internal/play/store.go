// SPDX-License-Identifier: BSD-3-Clause

package play

import (
	"pangolin/internal/saved"
	"pangolin/internal/vm"
	"pangolin/internal/vm/parts"
)

// Store contains the parts of the states of one search, for all its workers.
type Store struct {
	parts *parts.Store
	steps int64 // bytes that a place may use for remembered steps
}

// Limits are the bytes that a search may use for parts and remembered steps; tests set smaller ones.
var Limits = parts.Usual

// NewStore makes the store of a search that may use so many bytes in all; 0: any number.
func NewStore(img *vm.Image, bytes int64) *Store {
	of := Limits.Within(bytes)
	return &Store{parts.New(&img.Ground, of.Parts), of.Steps}
}

// Pass writes the parts, or puts those that were written into a new store.
func (s *Store) Pass(c *saved.Codec) { s.parts.Pass(c) }

// Bytes is an estimate of the memory that the store and remembered steps take; 0 for nil.
func (s *Store) Bytes() int64 {
	if s == nil {
		return 0
	}
	return s.parts.Bytes()
}
