// SPDX-License-Identifier: BSD-3-Clause

// Package recorded judges histories that a history.Recorder wrote, in the process of a test: by a kind that `pangolin judge` knows, or, for the
// kind "object", by a specification in Go: a type whose methods are executed one after another, or a function.
//
// It takes the recorded lines and gives a Verdict, with the smallest part found that no order of the calls explains. It calls the specification
// alone, never the system that was recorded.
package recorded

import (
	"context"
	"fmt"
	"io"
	"time"

	"pangolin/internal/judge"
	"pangolin/internal/judge/record"
)

// Spec says what calls do if they are made one after another.
type Spec struct {
	start func(vs *judge.Values) engine
	reads map[string]bool
	key   func(op string, args []any) any
}

// engine executes calls on numbered states.
type engine interface {
	step(s judge.Value, call judge.Value) (next, result judge.Value, ok bool, err error)
}

// Reading returns the specification with operations that change nothing, which makes the search shorter. It is checked: Judge returns an error if one changes a state.
func (s Spec) Reading(ops ...string) Spec {
	all := map[string]bool{}
	for op := range s.reads {
		all[op] = true
	}
	for _, op := range ops {
		all[op] = true
	}
	s.reads = all
	return s
}

// By returns the specification with a function that gives the part of the object that a call is about. Calls on different parts must have nothing to do with
// each other, as those on different keys of a map: then each part is judged by itself. This is not checked.
func (s Spec) By(key func(op string, args []any) any) Spec {
	s.key = key
	return s
}

// Options are the property and the limits. The zero Options ask for linearizability, without a limit on time.
type Options struct {
	// Property is one that `pangolin judge -property` takes; of an object linear or sc. "" is linear.
	Property string
	// Limit ends the search; then the verdict is unknown.
	Limit time.Duration
	// MaxMemory bounds the bytes of remembered configurations; 0 is 1 GiB.
	MaxMemory int64
}

// Verdict is the answer.
type Verdict struct {
	// Status is "ok", "violated" or "unknown".
	Status string
	// Assuming is what the verdict assumes and nothing checks: of a specification with By that parts are apart. "" is nothing.
	Assuming string
	// Witness is the part that no order explains, a line for each call with a bar from its beginning to its return.
	Witness string
	// Reason says why the answer is unknown.
	Reason string
	// Calls counts the calls of the history.
	Calls int
}

// String is the verdict with its witness or its reason.
func (v Verdict) String() string {
	switch {
	case v.Witness != "":
		return v.Status + "\n" + v.Witness
	case v.Reason != "":
		return v.Status + ": " + v.Reason
	}
	return v.Status
}

// Judge reads a history as doc/judge.md has it, and judges it. The specification is for the kind "object"; for other kinds it is the zero Spec. The
// error tells a line that is malformed, or what is wrong with the specification.
func Judge(lines io.Reader, spec Spec, o Options) (Verdict, error) {
	switch p := judge.Property(o.Property); p {
	case "", judge.Linear, judge.Sequential, judge.Causal, judge.Serializable:
	default:
		if !p.IsSession() {
			return Verdict{}, fmt.Errorf("the property %q is not one that pangolin judge -property takes", o.Property)
		}
	}
	h, err := record.Read(lines, "recorded", record.Options{Format: record.Lines})
	if err != nil {
		return Verdict{}, err
	}
	var s *specified
	switch {
	case (h.Kind == judge.Object) != (spec.start != nil):
		return Verdict{}, fmt.Errorf("the history is of kind %s: a specification is for the kind object, and only for that", h.Kind)
	case spec.start != nil:
		s = &specified{spec: spec, values: h.Values, engine: spec.start(h.Values)}
		h.Specify(s)
		if s.err != nil {
			return Verdict{}, s.err
		}
	}
	v := judge.Judge(context.Background(), h, judge.Options{Property: judge.Property(o.Property), Limit: o.Limit, MaxMemory: o.MaxMemory})
	if s != nil && s.err != nil {
		return Verdict{}, s.err
	}
	got := Verdict{Status: v.Status.String(), Calls: v.Calls, Reason: v.Reason}
	if v.Assumed {
		got.Assuming = "calls on different parts (By) have nothing to do with each other"
	}
	if v.Status == judge.Violated {
		got.Witness = v.Lines() + h.Draw(v.Witness)
	}
	return got, nil
}

// specified is a specification as package judge asks it.
type specified struct {
	spec   Spec
	values *judge.Values
	engine engine
	err    error // the first
}

func (s *specified) Step(from, call judge.Value) (next, result judge.Value, ok bool) {
	if s.err != nil {
		return 0, 0, false
	}
	next, result, ok, err := s.engine.step(from, call)
	op, _ := opArgs(s.values, call)
	if err == nil && ok && s.spec.reads[op] && next != from {
		err = fmt.Errorf("the operation %s is said to change nothing, and changes the state", op)
	}
	s.err = err
	return next, result, ok && err == nil
}

func (s *specified) Reads(op string) bool { return s.spec.reads[op] }

func (s *specified) Key(call judge.Value) (judge.Value, bool) {
	if s.spec.key == nil {
		return 0, false
	}
	v, err := toValue(s.values, s.spec.key(opArgs(s.values, call)))
	if err != nil && s.err == nil {
		s.err = fmt.Errorf("the key of a call: %w", err)
	}
	return v, true
}

// opArgs are the operation's name and the arguments of a call.
func opArgs(vs *judge.Values, call judge.Value) (op string, args []any) {
	items := vs.Items(call)
	for _, v := range items[1:] {
		args = append(args, fromValue(vs, v))
	}
	return vs.Text(items[0]), args
}

// fromValue is a value as Go has it: int64, string, bool, nil or []any.
func fromValue(vs *judge.Values, v judge.Value) any {
	switch {
	case v == judge.Nil:
		return nil
	case v == judge.True, v == judge.False:
		return v == judge.True
	case v.IsString():
		return vs.Text(v)
	case v.IsList():
		list := []any{}
		for _, i := range vs.Items(v) {
			list = append(list, fromValue(vs, i))
		}
		return list
	}
	return int64(v)
}
