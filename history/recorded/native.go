// SPDX-License-Identifier: BSD-3-Clause

package recorded

import (
	"errors"
	"fmt"
	"reflect"
	"unicode"
	"unicode/utf8"

	"pangolin/internal/judge"
)

// Specifications in Go: functions, and types whose methods are executed.

// Func is a specification by a function: from a state and a call to the state behind it and the result. It must not change the state that it is given. ok is
// false if the call cannot return in this state. Arguments and results are integers (int64 as arguments), strings, bools, nil, and slices of such ([]any as arguments).
func Func[S comparable](initial S, step func(s S, op string, args []any) (next S, result any, ok bool)) Spec {
	return Spec{start: func(vs *judge.Values) engine {
		return &function[S]{values: vs, step1: step, states: []S{initial}, number: map[S]judge.Value{initial: 0}}
	}}
}

type function[S comparable] struct {
	values *judge.Values
	step1  func(s S, op string, args []any) (S, any, bool)
	states []S
	number map[S]judge.Value
}

func (f *function[S]) step(from, call judge.Value) (next, result judge.Value, ok bool, err error) {
	op, args := opArgs(f.values, call)
	s, r, ok := f.step1(f.states[from], op, args)
	if !ok {
		return 0, 0, false, nil
	}
	n, known := f.number[s]
	if !known {
		n = judge.Value(len(f.states))
		f.states = append(f.states, s)
		f.number[s] = n
	}
	result, err = toValue(f.values, r)
	return n, result, err == nil, err
}

// Type is a specification by a type whose methods are executed natively, one call at a time: the operation "put" is the method Put. A method with several results
// returns a list, one without any returns null. A call that panics cannot return in that state.
//
// create makes an object in its initial state, again and again. Two states are the same if all that can be reached from the object is equal, by fields; channels,
// functions and unsafe pointers in it are an error. Methods must be deterministic, and must not wait.
func Type[T any](create func() *T) Spec {
	return Spec{start: func(vs *judge.Values) engine {
		n := &native{values: vs, create: func() reflect.Value { return reflect.ValueOf(create()) }, number: map[string]judge.Value{}, methods: map[string]reflect.Value{}}
		return n
	}}
}

// native executes methods. A state is known by the call that led to it first; the object at hand is in one state, and others are reached by executing their calls again.
type native struct {
	values  *judge.Values
	create  func() reflect.Value
	states  []reached
	number  map[string]judge.Value
	methods map[string]reflect.Value // of the object at hand, by operation
	at      judge.Value
	object  reflect.Value
	has     bool
}

// reached says how a state was reached: by a call from another state. The first state was reached by none.
type reached struct {
	from, call judge.Value
}

func (n *native) step(from, call judge.Value) (next, result judge.Value, ok bool, err error) {
	if len(n.states) == 0 {
		n.object, n.has, n.at = n.create(), true, 0
		if n.object.Kind() != reflect.Pointer || n.object.IsNil() {
			return 0, 0, false, errors.New("the specification makes no object")
		}
		if _, err := n.find(reached{}); err != nil {
			return 0, 0, false, err
		}
	}
	if err := n.reach(from); err != nil {
		return 0, 0, false, err
	}
	result, ok, err = n.execute(call)
	n.has = false
	if !ok || err != nil {
		return 0, 0, false, err
	}
	next, err = n.find(reached{from, call})
	n.at, n.has = next, err == nil
	return next, result, err == nil, err
}

// find is the number of the state of the object at hand.
func (n *native) find(how reached) (judge.Value, error) {
	text, err := encode(n.object)
	if err != nil {
		return 0, err
	}
	s, known := n.number[text]
	if !known {
		s = judge.Value(len(n.states))
		n.states = append(n.states, how)
		n.number[text] = s
	}
	return s, nil
}

// reach brings the object at hand into a state.
func (n *native) reach(s judge.Value) error {
	if n.has && n.at == s {
		return nil
	}
	var calls []judge.Value
	for at := s; at != 0; at = n.states[at].from {
		calls = append(calls, n.states[at].call)
	}
	n.object, n.has = n.create(), false
	clear(n.methods)
	for i := len(calls) - 1; i >= 0; i-- {
		if _, ok, err := n.execute(calls[i]); err != nil || !ok {
			return fmt.Errorf("a call of the specification returns, and does not when it is repeated (%v): a specification is deterministic", err)
		}
	}
	if again, err := encode(n.object); err != nil || n.number[again] != s {
		return errors.New("the same calls lead to another state when they are repeated: a specification is deterministic")
	}
	n.at, n.has = s, true
	return nil
}

// execute calls a method of the object at hand. It is false if that panics.
func (n *native) execute(call judge.Value) (result judge.Value, ok bool, err error) {
	op, args := opArgs(n.values, call)
	m, known := n.methods[op]
	if !known {
		if m = n.method(op); !m.IsValid() {
			return 0, false, fmt.Errorf("%s has no method for the operation %q: want %s", n.object.Type(), op, exported(op))
		}
		n.methods[op] = m
	}
	t := m.Type()
	if t.NumIn() != len(args) || t.IsVariadic() {
		return 0, false, fmt.Errorf("%s of %s has %d parameters; a call has %d arguments", exported(op), n.object.Type(), t.NumIn(), len(args))
	}
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		if in[i], err = assign(a, t.In(i)); err != nil {
			return 0, false, fmt.Errorf("argument %d of %s: %w", i+1, op, err)
		}
	}
	out, ok := calling(m, in)
	if !ok {
		return 0, false, nil
	}
	result = judge.Nil
	var list []judge.Value
	for _, o := range out {
		v, err := reflected(n.values, o)
		if err != nil {
			return 0, false, fmt.Errorf("the result of %s: %w", op, err)
		}
		list = append(list, v)
	}
	switch len(list) {
	case 0:
	case 1:
		result = list[0]
	default:
		result = n.values.List(list)
	}
	return result, true, nil
}

func calling(m reflect.Value, in []reflect.Value) (out []reflect.Value, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return m.Call(in), true
}

// exported is the name of an operation as a method has it.
func exported(op string) string {
	r, size := utf8.DecodeRuneInString(op)
	return string(unicode.ToUpper(r)) + op[size:]
}

func (n *native) method(op string) reflect.Value { return n.object.MethodByName(exported(op)) }
