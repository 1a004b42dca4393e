// SPDX-License-Identifier: BSD-3-Clause

// Package executed has the machine execute a Go type as the specification of a recorded history of the kind "object".
//
// It takes a history and the name of a type, and specifies the history by it. The type's code is compiled for the machine and touches nothing outside of it. Two
// states are the same if the machine's canonical forms are equal. It judges nothing: package judge does.
package executed

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pangolin/history"
	"pangolin/internal/collection"
	"pangolin/internal/front"
	"pangolin/internal/judge"
	"pangolin/internal/subject"
	"pangolin/oracle"
)

// Options say what a history is specified by.
type Options struct {
	Dir   string   // where the go command runs; "" is the current directory
	Type  string   // PKG.Type, or Type of the package in the directory
	New   string   // an expression of the package that makes an object; "": NewType() or New() if there is such a function, else new(Type)
	Reads []string // operations that change nothing; that is checked
	By    int      // number of the argument, counted from 1, that says of which part of the object a call is; 0: the object has no parts
}

// Spec is the specification. It remembers the first thing that is wrong with it.
type Spec struct {
	options Options
	oracle  oracle.Spec
	values  *judge.Values
	ops     map[judge.Value]*operation // by the operation's name
	states  []oracle.State
	number  map[oracle.State]judge.Value
	err     error

	ctx         context.Context // steps are given up when it is over
	interrupted bool
}

// Within has steps given up when the context is over.
func (s *Spec) Within(ctx context.Context) {
	s.ctx, s.interrupted = ctx, false
	subject.Within(ctx, s.oracle, 0)
}

// Interrupted reports whether one was given up since.
func (s *Spec) Interrupted() bool { return s.interrupted }

// operation is a method with what was recorded of it.
type operation struct {
	number  int
	calls   map[judge.Value]int // lists of the operation and its arguments, in the order of the table
	order   []judge.Value
	results map[string]int // by their texts
	values  []judge.Value  // of the results
}

// Err is what is wrong with the specification; nil if nothing is. What was judged means nothing otherwise.
func (s *Spec) Err() error { return s.err }

// Specify gives the history the specification.
func Specify(ctx context.Context, h *judge.History, o Options) (*Spec, error) {
	if h.Kind != judge.Object {
		return nil, fmt.Errorf("the history is of kind %s, whose specification is known: -type is for the kind object", h.Kind)
	}
	pattern, name := collection.SplitType(o.Type)
	if name == "" {
		pattern, name = ".", o.Type
	}
	list, err := front.List(ctx, o.Dir, []string{pattern})
	if err != nil {
		return nil, err
	}
	if len(list) != 1 {
		return nil, fmt.Errorf("%s names %d packages: want one", pattern, len(list))
	}
	pkg, err := list[0].Types(ctx)
	if err != nil {
		return nil, err
	}
	s := &Spec{options: o, values: h.Values, ops: map[judge.Value]*operation{}, number: map[oracle.State]judge.Value{}}
	s.gather(h)
	text, roots, err := s.harness(pkg, name)
	if err != nil {
		return nil, err
	}
	if s.oracle, err = subject.Executed(ctx, list[0], &subject.Functions{File: "pangolin_recorded.go", Text: text, New: roots[0], Ops: roots[1:]}); err != nil {
		return nil, err
	}
	s.find(s.oracle.Initial())
	h.Specify(s)
	return s, s.err
}

// gather notes the calls and results of each operation.
func (s *Spec) gather(h *judge.History) {
	for i := range h.Calls {
		c := &h.Calls[i]
		name := s.values.Items(c.A)[0]
		op := s.ops[name]
		if op == nil {
			op = &operation{number: len(s.ops), calls: map[judge.Value]int{}, results: map[string]int{}}
			s.ops[name] = op
		}
		if _, known := op.calls[c.A]; !known {
			op.calls[c.A] = len(op.order)
			op.order = append(op.order, c.A)
		}
		if c.Unknown || c.Pending() {
			continue
		}
		key := s.text(c.R)
		if _, known := op.results[key]; !known {
			op.results[key] = len(op.values)
			op.values = append(op.values, c.R)
		}
	}
}

// text is a value in the form in which the harness writes results.
func (s *Spec) text(v judge.Value) string {
	switch {
	case v == judge.Nil:
		return "n"
	case v == judge.True:
		return "t"
	case v == judge.False:
		return "f"
	case v.IsString():
		t := s.values.Text(v)
		return "s" + strconv.Itoa(len(t)) + ":" + t
	case v.IsList():
		var b strings.Builder
		b.WriteByte('[')
		for _, one := range s.values.Items(v) {
			b.WriteString(s.text(one))
		}
		return b.String() + "]"
	}
	return strconv.FormatInt(int64(v), 10) + ";"
}

// sorted are the operations in the order of their numbers, with their names.
func (s *Spec) sorted() (names []string, ops []*operation) {
	names, ops = make([]string, len(s.ops)), make([]*operation, len(s.ops))
	for name, op := range s.ops {
		names[op.number], ops[op.number] = s.values.Text(name), op
	}
	return names, ops
}

// harness is the file that makes an object and calls it, and the names of its functions.
func (s *Spec) harness(pkg *types.Package, name string) (text []byte, roots []string, err error) {
	makes := s.options.New
	if makes == "" {
		makes = constructor(pkg, name)
	}
	made, err := types.Eval(token.NewFileSet(), pkg, token.NoPos, makes)
	if err != nil {
		return nil, nil, fmt.Errorf("%s makes no object: %w", makes, err)
	}
	if _, several := made.Type.(*types.Tuple); several || made.IsVoid() || !made.IsValue() {
		return nil, nil, fmt.Errorf("%s gives a %s: want one value (-new names another expression)", makes, made.Type)
	}
	w := &writer{spec: s, pkg: pkg, imports: map[string]bool{}}
	typ := types.TypeString(made.Type, w.qualified)
	fmt.Fprintf(&w.body, "func pangolinNew() %s { return %s }\n\n", typ, makes)
	roots = []string{"pangolinNew"}
	names, ops := s.sorted()
	for i, op := range ops {
		if err := w.operation(made.Type, typ, names[i], op); err != nil {
			return nil, nil, err
		}
		roots = append(roots, fmt.Sprintf("pangolinOp%d", i))
	}
	var head strings.Builder
	fmt.Fprintf(&head, "package %s\n\n", pkg.Name())
	for _, path := range slices.Sorted(maps.Keys(w.imports)) {
		fmt.Fprintf(&head, "import %q\n", path)
	}
	return []byte(head.String() + numbers + w.body.String()), roots, nil
}

// constructor is the expression that makes an object of a type, if none is given.
func constructor(pkg *types.Package, name string) string {
	bare, instance := name, ""
	if i := strings.IndexByte(name, '['); i >= 0 {
		bare, instance = name[:i], name[i:]
	}
	for _, f := range []string{"New" + bare, "New"} {
		expr := f + instance + "()"
		made, err := types.Eval(token.NewFileSet(), pkg, token.NoPos, expr)
		if err != nil {
			continue
		}
		t := made.Type
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := t.(*types.Named); ok && n.Obj().Name() == bare {
			return expr
		}
	}
	return "new(" + name + ")"
}

// Step executes a call.
func (s *Spec) Step(from, call judge.Value) (next, result judge.Value, ok bool) {
	if s.interrupted = s.interrupted || s.ctx != nil && s.ctx.Err() != nil; s.err != nil || s.interrupted {
		return 0, 0, false
	}
	name := s.values.Items(call)[0]
	op := s.ops[name]
	outcomes, err := s.oracle.Outcomes(s.states[from], oracle.Call{Op: op.number, Args: history.Ints(int64(op.calls[call]))})
	switch {
	case err != nil && s.ctx != nil && s.ctx.Err() != nil:
		s.interrupted = true
	case err != nil:
		s.err = err
	case len(outcomes) > 1:
		s.err = fmt.Errorf("%s has several results, or leads to several states, when one thread calls it: a specification is deterministic", s.values.Text(name))
	case len(outcomes) == 1 && !outcomes[0].Result.IsPanic():
		o := outcomes[0]
		next, result, ok = s.find(o.Next), judge.Other, true
		if at := o.Result.At(0).Int; at >= 0 {
			result = op.values[at]
		}
		if next != from && s.Reads(s.values.Text(name)) {
			s.err = fmt.Errorf("the operation %s is said to change nothing, and changes the state", s.values.Text(name))
		}
	}
	return next, result, ok && s.err == nil
}

// find is the number of a state.
func (s *Spec) find(state oracle.State) judge.Value {
	n, known := s.number[state]
	if !known {
		n = judge.Value(len(s.states))
		s.states = append(s.states, state)
		s.number[state] = n
	}
	return n
}

// Reads reports whether an operation is said to change nothing.
func (s *Spec) Reads(op string) bool { return slices.Contains(s.options.Reads, op) }

// Key is the argument that says of which part of the object a call is.
func (s *Spec) Key(call judge.Value) (judge.Value, bool) {
	if s.options.By == 0 {
		return 0, false
	}
	items := s.values.Items(call)
	if s.options.By >= len(items) {
		if s.err == nil {
			s.err = fmt.Errorf("a call of %s has %d arguments, and argument %d is to say of which part of the object it is", s.values.Text(items[0]), len(items)-1, s.options.By)
		}
		return 0, true
	}
	return items[s.options.By], true
}

var errForm = errors.New("want integers, strings, truth values, and slices of such; of results errors as well")
