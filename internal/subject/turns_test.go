// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"slices"
	"strings"
	"testing"

	"pangolin/history"
	"pangolin/oracle"
)

// What a call does that begins while another one waits, by the code alone.
func TestBehind_IsWhatACallDoesWhileAnotherOneWaits(t *testing.T) {
	const fair = `
type Box struct{ mu sync.Mutex; more *sync.Cond; free int; turn chan int }
func NewBox() *Box { b := &Box{free: 2, turn: make(chan int, 1)}; b.more = sync.NewCond(&b.mu); return b }
func (b *Box) Take(n int) { b.turn <- 1; b.mu.Lock(); for n > b.free { b.more.Wait() }; b.free -= n; b.mu.Unlock(); <-b.turn }
func (b *Box) Give(n int) { b.mu.Lock(); b.free += n; b.more.Signal(); b.mu.Unlock() }
func (b *Box) Try(n int) bool { select { case b.turn <- 1: default: return false }; b.mu.Lock(); defer b.mu.Unlock(); ok := n <= b.free; if ok { b.free -= n }; <-b.turn; return ok }
func (b *Box) Count(n int) bool { b.mu.Lock(); defer b.mu.Unlock(); b.free++; return true }
func (b *Box) Reset(n int) { b.turn <- 1; b.mu.Lock(); b.free = 2; b.mu.Unlock(); <-b.turn }`
	const waking = `
type Box struct{ mu sync.Mutex; has int; c chan int }
func NewBox() *Box { return &Box{c: make(chan int)} }
func (b *Box) Take(n int) { b.mu.Lock(); if b.has > 0 { b.has--; b.mu.Unlock(); return }; b.mu.Unlock(); <-b.c }
func (b *Box) Give(n int) { b.mu.Lock(); defer b.mu.Unlock(); select { case b.c <- n: default: b.has++ } }
func (b *Box) Pass(n int) { select { case b.c <- n: default: }; <-b.c }
func (b *Box) Say(n int) bool { return true }
func (b *Box) Leave(n int) { go func() { b.c <- n }() }`
	for _, c := range []struct {
		name, source, first, then string
		returns                   []string
		waits                     bool
	}{
		{"one who wants less than there is waits in turn", fair, "Take(3)", "Take(1)", nil, true},
		{"where nobody waits, nobody is met", fair, "Take(2)", "Try(1)", nil, false},
		{"one that tries is refused", fair, "Take(3)", "Try(1)", []string{"false"}, false},
		{"one that wants too much is refused too", fair, "Take(3)", "Try(3)", []string{"false"}, false},
		{"one that changes something is not known", fair, "Take(3)", "Count(1)", nil, false},
		{"one of another operation is not in the same order", fair, "Take(3)", "Reset(1)", nil, false},
		{"one that finds what it wants returns, and changes something", waking, "Give(1) Take(1)", "Take(1)", nil, false},
		{"one that lets the other one go on changes something", waking, "Take(1)", "Give(1)", nil, false},
		{"one that leaves a goroutine changes something", waking, "Take(1)", "Leave(1)", nil, false},
		{"one that waits having let the other one go on", waking, "Pass(1)", "Pass(2)", nil, false},
		{"two wait for different things", waking, "Take(8)", "Take(1)", nil, false},
		{"two wait for the same thing", waking, "Take(8)", "Take(8)", nil, true},
		{"one says that it has done what it has not", waking, "Take(1)", "Say(1)", nil, false},
		{"two wait", waking, "Take(1)", "Take(2)", nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := selfOf(t, c.source)
			for i := range o.subject.Operations {
				o.subject.Operations[i].InTurn = &Turns{
					Alike:       func(a, b history.Tuple) bool { return a.At(0).Int < 8 && b.At(0).Int < 8 || a == b },
					Uncancelled: func(args history.Tuple) history.Tuple { return args },
					Declines:    func(t history.Tuple) bool { return t == history.Of(history.BoolValue(false)) },
				}
			}
			call := func(text string) oracle.Call {
				name, arg, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
				op := slices.IndexFunc(o.subject.Operations, func(op Operation) bool { return op.Name == name })
				return oracle.Call{Op: op, Args: history.Of(history.IntValue(int64(arg[0] - '0')))}
			}
			state, calls := o.Initial(), strings.Fields(c.first)
			for _, before := range calls[:len(calls)-1] {
				outcomes, err := o.Outcomes(state, call(before))
				if err != nil || len(outcomes) != 1 {
					t.Fatal(outcomes, err)
				}
				state = outcomes[0].Next
			}
			results, waits := oracle.Behind(o, state, call(calls[len(calls)-1]), call(c.then))
			var returns []string
			for _, r := range results {
				returns = append(returns, r.String())
			}
			if !slices.Equal(returns, c.returns) || waits != c.waits {
				t.Errorf("it returns %q, waits %v, want %q, %v", returns, waits, c.returns, c.waits)
			}
		})
	}
}
