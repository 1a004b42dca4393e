// Package ledger is a specification with all forms of arguments and results.
package ledger

import (
	"errors"
	"fmt"
	"slices"
)

// Amount is a type of its own.
type Amount int16

// Ledger has accounts by name, and notes.
type Ledger struct {
	accounts map[string]Amount
	notes    [][]string
}

// ErrPoor is the error of a withdrawal.
var ErrPoor = errors.New("not \"enough\"")

// New makes an empty one.
func New() *Ledger { return &Ledger{accounts: map[string]Amount{}} }

// Deposit adds to an account.
func (l *Ledger) Deposit(who string, n Amount) { l.accounts[who] += n }

// Withdraw takes from an account.
func (l *Ledger) Withdraw(who string, n Amount) (Amount, error) {
	if l.accounts[who] < n {
		return -l.accounts[who], fmt.Errorf("%s: %w", who, ErrPoor)
	}
	l.accounts[who] -= n
	return l.accounts[who], nil
}

// Known says whether there is an account.
func (l *Ledger) Known(who string) bool { _, ok := l.accounts[who]; return ok }

// Close removes an account. It panics if there is something in it.
func (l *Ledger) Close(who string) {
	if l.accounts[who] != 0 {
		panic("something is left")
	}
	delete(l.accounts, who)
}

// Names are those of the accounts.
func (l *Ledger) Names() (list []string) {
	for name := range l.accounts {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// Note keeps lines, if wanted in front.
func (l *Ledger) Note(lines []string, first bool) uint8 {
	if first {
		l.notes = slices.Insert(l.notes, 0, lines)
	} else {
		l.notes = append(l.notes, lines)
	}
	return uint8(len(l.notes))
}

// Notes are the lines that were kept.
func (l *Ledger) Notes() []string { return slices.Concat(l.notes...) }

// Stack is a generic type.
type Stack[T comparable] struct{ items []T }

// NewStack makes an empty one.
func NewStack[T comparable]() *Stack[T] { return new(Stack[T]) }

// Push adds an item.
func (s *Stack[T]) Push(x T) { s.items = append(s.items, x) }

// Pop removes the last one. It waits for one.
func (s *Stack[T]) Pop() T {
	if len(s.items) == 0 {
		select {}
	}
	x := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return x
}

// Random is not deterministic.
type Random struct{}

// Get gives one of two keys.
func (Random) Get() int {
	for k := range map[int]bool{1: true, 2: true} {
		return k
	}
	return 0
}

// Any takes anything.
func (Random) Any(any) {}
