// SPDX-License-Identifier: BSD-3-Clause

package judge

import (
	"context"
	"errors"
)

// Objects: what calls do is said by a specification that the caller of this package gives.

// Spec is a specification. It numbers its states; the initial one is 0.
type Spec interface {
	// Step executes a call, a list of the operation's name and its arguments. It is false if the call cannot return in this state.
	Step(s Value, call Value) (next, result Value, ok bool)
	// Reads reports whether an operation changes no state.
	Reads(op string) bool
	// Key is the part of the object that a call is about, if calls on different ones have nothing to do with each other.
	Key(call Value) (Value, bool)
}

// interruptible is a Spec whose steps may take long.
type interruptible interface {
	// Within has steps given up when the context is over.
	Within(ctx context.Context)
	// Interrupted reports whether one was given up since: what Step has said then means nothing.
	Interrupted() bool
}

// within has the steps of an object's specification given up when the context is over.
func (h *History) within(ctx context.Context) {
	if s, ok := h.spec.(interruptible); ok {
		s.Within(ctx)
	}
}

// interrupted reports whether a step of an object's specification was given up.
func (h *History) interrupted() bool {
	s, ok := h.spec.(interruptible)
	return ok && s.Interrupted()
}

// ErrNoSpec is the error of an object without a specification.
var ErrNoSpec = errors.New("what the calls of an object do is said by Go code: -type names a type, or package pangolin/history/recorded judges such a history in a test")

// SetCall makes the call one of an object: op with arguments. A list of both is what the specification gets.
func (c *Call) SetCall(vs *Values, op Value, args []Value) {
	c.Op = Invoke
	c.A = vs.List(append([]Value{op}, args...))
}

// Specify gives a history of an object its specification.
func (h *History) Specify(s Spec) {
	h.spec = s
	h.keyed = true
	for i := range h.Calls {
		c := &h.Calls[i]
		c.B = truth(s.Reads(h.Values.Text(h.Values.Items(c.A)[0])))
		k, ok := s.Key(c.A)
		c.Key = k
		h.keyed = h.keyed && ok
	}
}

// object is the model of a specification. It remembers what was asked.
type object struct {
	spec  Spec
	known map[[2]Value]objectStep
}

type objectStep struct {
	next, result Value
	ok           bool
}

func (m *object) initial() Value { return 0 }

// What the specification holds of its states is not counted: that is its own.
func (m *object) bytes() int64 { return int64(len(m.known)) * perState }

func (m *object) step(s Value, c *Call, to []Value) []Value {
	ask := [2]Value{s, c.A}
	got, ok := m.known[ask]
	if !ok {
		got.next, got.result, got.ok = m.spec.Step(s, c.A)
		m.known[ask] = got
	}
	if got.ok && (c.Unknown || got.result == c.R) {
		return append(to, got.next)
	}
	return to
}
