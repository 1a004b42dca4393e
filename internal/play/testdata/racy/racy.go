// Package racy has a box whose methods race with their first accesses.
package racy

// Box holds a number.
type Box struct{ n, old int }

// New makes a box.
func New() *Box { return &Box{} }

// Set puts a number into the box.
func (b *Box) Set(n int) {
	b.old = b.n
	b.n = n
}

// Get returns it.
func (b *Box) Get() int { return b.n }
