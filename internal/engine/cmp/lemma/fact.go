// SPDX-License-Identifier: BSD-3-Clause

// Package lemma is the language of facts: what can be said of a thread that stands at a place and is about to do something that
// others see, in terms of its variables, of what these lead to, of what the code has computed, and of what the oracle says.
//
// A State is one state of the machine as far as facts can speak of it. It takes the state, which thread 0 acts in, and gives the facts that hold,
// or whether one holds. A Lemma is the facts that hold whenever a thread is at its place, so far.
//
// The package reads states and changes none. It knows nothing of tables and searches: where facts come from, whether they hold of every thread, and what
// follows from them is the affair of those who ask (package cmp).
package lemma

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"pangolin/history"
	"pangolin/internal/ir"
	"pangolin/internal/subject"
	"pangolin/internal/vm"
	"pangolin/internal/vm/state"
)

// Fact is what holds of one or two terms, in Go's syntax as far as it goes:
//
//	pred.next == curr     pointers, of variables or of fields of what they point to
//	curr != nil
//	curr.key < x          numbers of one type
//	!pred.marked          truth values
//	mine(pred.mu)         the thread holds the lock
//	reachable(pred)       the collection leads to what it points to
//	private(node)         nobody else has ever known it
//	of(m).key < x         of(m) is the object of which m points to a field
//
// and, in a wider language, of two numbers of an object of one type which matter one after the other
//
//	(p.a < q.a || p.a == q.a && p.b < q.b)
//
// and, in the widest ones, of what the code computes, of elements and of the content (expression.go, sequence.go)
//
//	old((r.tail + 1) % 4) == (r.tail + 1) % 4    what was computed is what it would be now
//	x == r.buf[r.tail % 2]                       an element
//	slices.Equal(next, after(drain(Pop)))        slices, and what Pop would return, called again and again
//	Contains(x) == slices.Contains(s.items, x)   what an operation would return
//	items() == r.count                           how many items there are
//	ownOr(append, s.items)                       private, or the same
type Fact struct {
	// Before, Between and the brackets behind are syntax; X and Y are the names of terms
	Before, X, Between, Y string
}

func (f Fact) String() string {
	if a, b, two := strings.Cut(f.X, behindWhich); two {
		c, d, _ := strings.Cut(f.Y, behindWhich)
		return "(" + a + " < " + c + " || " + a + " == " + c + " && " + b + " < " + d + ")"
	}
	behind := ""
	if strings.HasSuffix(f.Before, "(") {
		behind = ")"
	}
	return f.Before + f.X + f.Between + f.Y + behind
}

// behindWhich separates, in the name of one term, the names of two numbers that are compared one after the other.
const behindWhich = "\x00"

// Language is what facts can be about. More can be said in a wider one, and mining takes longer.
type Language struct {
	Depth int // 1: fields of what variables point to; 2: also fields of what these point to; and so on
	// Wide: two numbers of an object are compared one after the other, locks may be of what variables lead to, and
	// the arguments of the call are known when its variables do not matter any more.
	Wide bool
	// Code: what the code computes, elements and lengths among it, and what is in the content, see expression.go.
	Code bool
}

// Languages are tried one after the other until one says what a proof needs.
var Languages = []Language{{Depth: 2}, {Depth: 3}, {Depth: 2, Wide: true}, {Depth: 3, Wide: true},
	{Depth: 2, Code: true}, {Depth: 3, Wide: true, Code: true}}

// Call is a call that threads may make.
type Call struct {
	Op   *subject.Operation
	Args history.Tuple
}

// Content is what the collection holds, according to the oracle.
type Content interface {
	// Items is the number of items: of the fewest calls that lead to the content. It is false beyond the bound of the
	// proof.
	Items() (n int, within bool)
	// Returns is what a call, by number, would return now; false if the oracle leaves that open.
	Returns(call int) (history.Tuple, bool)
	// Changes is what a call, by number, would return and the content behind it, if the call changes the content; the
	// content is nil if it does not.
	Changes(call int) (history.Tuple, Content)
}

// Scene is a state of the machine in which thread 0 acts. Which objects the collection leads to is known from where
// the state was saved or loaded last.
type Scene struct {
	Machine   *vm.Machine
	Reachable int     // objects up to this number are base objects or belong to the collection
	Call      int     // the call that thread 0 is in, by number; -1: none
	Done      bool    // the call has taken effect
	Content   Content // nil: facts say nothing of it
}

// Read finds the terms of a scene that a language has names for. The State that it gives can be asked when the
// machine is in another state already.
func (r *Reader) Read(of Scene, l Language) *State {
	c := &State{m: of.Machine, scene: of, names: r, Language: l, terms: make([]term, 0, mostTerms)}
	t := c.m.Thread[0]
	for k := len(t.Frames) - 1; k >= 0; k-- {
		c.variables(k)
	}
	if l.Wide || l.Code {
		c.arguments()
	}
	if l.Code {
		for k := len(t.Frames) - 1; k >= 0; k-- {
			c.unnamed(k)
		}
		c.ofContent()
	}
	c.follow()
	if l.Code {
		for k := len(t.Frames) - 1; k >= 0; k-- {
			c.expressions(k)
		}
		c.sequences()
		c.members()
	}
	return c
}

// Checks are the facts about call k in progress of thread 0 (0 is the outermost call) that a test can evaluate: each
// as an expression of Go, with the words of memory that it reads.
func (r *Reader) Checks(m *vm.Machine, k int) map[string][]Access {
	c := &State{m: m, names: r, Language: Languages[0], checks: map[string][]Access{}}
	c.variables(k)
	c.follow()
	c.All()
	return c.checks
}

// arguments adds the arguments of the call that the thread is in as terms, under the names of the parameters.
func (c *State) arguments() {
	t := c.m.Thread[0]
	k := outermost(t)
	if k < 0 || c.scene.Call < 0 {
		return
	}
	fn, args := t.Frames[k].Code.Func, c.names.calls[c.scene.Call].Args
	if fn.ParamWords() != 1+args.Len() {
		return
	}
	for i := range args.Len() {
		name, off := fn.NameOf(ir.Reg(1 + i))
		if name == nil || c.term(name.Name) >= 0 || name.Type.Size != 1 {
			continue
		}
		x := term{name: name.Name, word: uint64(args.At(i).Int), kind: ir.Scalar}
		if s := state.ScalarAt(name.Type, off); s != nil {
			x.class = s.Class
			c.add(x)
		}
	}
}

// follow adds the fields of the objects to which terms lead, down to the depth of the language.
func (c *State) follow() {
	for i := 0; i < len(c.terms); i++ { // it grows
		x := &c.terms[i]
		if x.word == 0 || x.kind == ir.Scalar || x.kind == ir.Unsafe && x.word&ir.TypeTag != 0 {
			continue
		}
		if x.depth == 0 {
			id := state.ObjectID(x.word)
			x.reachable = id <= c.scene.Reachable
			x.private = !x.reachable && c.m.Objs[id].Flags&state.IsKnown == 0
		}
		if x.depth < c.Depth {
			c.fields(*x)
		}
	}
}

// All is the set of all facts that hold; of a nil State there are none.
func (c *State) All() map[Fact]bool {
	if c == nil {
		return map[Fact]bool{}
	}
	c.out = map[Fact]bool{}
	for i := range c.locks {
		c.note("mine(", &c.locks[i], "", nil)
	}
	for i := range c.terms {
		c.alone(&c.terms[i])
		for k := range i {
			c.pair(&c.terms[k], &c.terms[i])
		}
	}
	for i := range c.sequenced {
		c.sequenceFacts(&c.sequenced[i])
	}
	for i := range c.keyed {
		for k := range i {
			c.compare(&c.keyed[k], &c.keyed[i])
		}
	}
	return c.out
}

// Holds says whether one fact holds. A fact about a term that the state lacks does not.
func (c *State) Holds(f Fact) bool {
	if f.Before == "mine(" {
		return slices.ContainsFunc(c.locks, func(x term) bool { return x.name == f.X })
	}
	c.asked, c.found = f, false
	if ofSequences(f) {
		if i := slices.IndexFunc(c.sequenced, func(x sequence) bool { return x.name.name == f.X }); i >= 0 {
			c.sequenceFacts(&c.sequenced[i])
		}
		return c.found
	}
	if strings.Contains(f.X, behindWhich) {
		i, k := named(c.keyed, f.X), named(c.keyed, f.Y)
		if i >= 0 && k >= 0 {
			c.compare(&c.keyed[i], &c.keyed[k])
		}
		return c.found
	}
	i := c.term(f.X)
	if i < 0 {
		return false
	}
	if f.Y == "" {
		c.alone(&c.terms[i])
	} else if k := c.term(f.Y); k >= 0 {
		c.pair(&c.terms[min(i, k)], &c.terms[max(i, k)])
	}
	return c.found
}

// term is the index of a term by its name; -1: there is none.
func (c *State) term(name string) int { return named(c.terms, name) }

func named(list []term, name string) int {
	return slices.IndexFunc(list, func(x term) bool { return x.name == name })
}

// State is a state as far as facts can speak of it. It does not refer to the machine's present state.
type State struct {
	m     *vm.Machine
	scene Scene
	names *Reader
	Language
	terms     []term
	locks     []term // that the thread holds
	keyed     []term // pairs of numbers as one term, see Language.Wide
	sequenced []sequence
	// out collects facts; nil: only whether the fact asked holds is found out.
	out    map[Fact]bool
	asked  Fact
	found  bool
	checks map[string][]Access // facts as expressions of Go, with what they read; nil: they are not wanted
}

// note takes note of a fact: the text before, the first term, the text between, and the second term, which is nil if
// there is none.
func (c *State) note(before string, x *term, between string, y *term) {
	if y == nil {
		y = &term{}
	}
	f := Fact{before, x.name, between, y.name}
	if c.out == nil {
		c.found = c.found || f == c.asked
		return
	}
	c.out[f] = true
	if c.checks != nil && x.code != "" && (y.name == "" || y.code != "") {
		c.checks[Fact{before, x.code, between, y.code}.String()] = append(slices.Clip(x.reads), y.reads...)
	}
}

// term is a word that a variable holds, or that lies where a variable leads.
type term struct {
	name  string
	word  uint64
	kind  ir.Kind
	class ir.Class // the type of a scalar
	depth int      // 0: of a variable; 1: a field of what it points to; and so on
	// Of what a variable points to: the collection leads to it, nobody else has known it.
	reachable, private bool
	// code is the term as an expression of Go; "" if it has none. reads are the words of memory that the expression
	// reads.
	code   string
	reads  []Access
	member bool // a truth value that says whether a number is an element of a slice
	// of two numbers of an object: the second one, and which fields the two are
	low  uint64
	keys keys
}

// keys are two number fields of the objects of a type that may be compared one after the other, as a key and a
// tie-breaker.
type keys struct {
	of        *ir.Type
	high, low int // words
}

// Access is a word of memory that an expression reads.
type Access struct {
	P      uint64
	Atomic bool
}

// most terms that are looked at, and most words of what a variable points to.
const (
	mostTerms    = 60  // of a state
	mostComputed = 160 // with expressions of the code
	mostWords    = 12  // of the object that a variable points to
)

// variables adds the named variables of call k in progress that the code still reads from here on.
func (c *State) variables(k int) {
	t := c.m.Thread[0]
	f := &t.Frames[k]
	if f.Code.Func.Harness {
		return
	}
	regs := t.Regs[f.Base:]
	for _, l := range c.m.LiveIn(f, k == len(t.Frames)-1) {
		x, ok := c.names.variable(f, ir.Reg(l.Reg), l.Kind, regs)
		if !ok || c.term(x.name) >= 0 { // or it is of a call further in
			continue
		}
		if token.IsIdentifier(x.name) {
			x.code = x.name
		}
		c.add(x)
	}
}

// add adds a term, unless there are too many or it is of a type that no fact is about.
func (c *State) add(x term) {
	most := mostTerms
	if c.Code {
		x.class, most = counted(x.class), mostComputed
	}
	if len(c.terms) < most && (x.kind == ir.Pointer || x.kind == ir.Unsafe || x.kind == ir.Scalar) {
		c.terms = append(c.terms, x)
	}
}

// fields adds the words of the object to which term x points, the locks of it that the thread holds, and, in a wide
// language, pairs of its numbers.
func (c *State) fields(x term) {
	o := &c.m.Objs[state.ObjectID(x.word)]
	if state.Offset(x.word) != 0 && x.depth == 0 {
		of := term{name: c.names.joined("of(", x.name, ")"), word: x.word &^ 0xffffffff, kind: ir.Pointer}
		if c.term(of.name) < 0 {
			c.add(of)
		}
	}
	if state.Offset(x.word) != 0 || o.Count != 1 || o.Words() > mostWords {
		return
	}
	words := c.m.Words(x.word, o.Words())
	for off, l := range c.names.layout(o.Info.Type, o.Info.Layout) {
		if l.lock {
			if (x.depth == 0 || c.Wide) && c.m.Thread[0].Holds(x.word+uint64(off), true) {
				c.locks = append(c.locks, term{name: c.names.joined(x.name, l.path, ""), code: lockCode(x.code, l.path)})
			}
			continue
		}
		y := term{name: c.names.within(x.name, l), word: words[off], kind: l.kind, depth: x.depth + 1, class: l.class}
		if c.checks != nil && x.code != "" {
			y.code, y.reads = l.wrapped(x.code+l.whole), append(slices.Clip(x.reads), Access{x.word + uint64(off), l.atomic})
			if l.atomic {
				y.code += ".Load()"
			}
		}
		c.add(y)
	}
	if !c.Wide {
		return
	}
	for _, k := range c.names.keysOf(o.Info.Type) {
		l := c.names.layouts[o.Info.Type]
		base := strings.TrimPrefix(x.name, "&")
		c.keyed = append(c.keyed, term{name: c.names.joined(base+l[k.high].path, behindWhich, base+l[k.low].path), word: words[k.high], low: words[k.low], keys: k})
	}
}

func lockCode(code, path string) string {
	if code == "" {
		return ""
	}
	return code + path
}

// alone finds the facts about one term.
func (c *State) alone(x *term) {
	switch {
	case x.kind == ir.Scalar:
		if x.class == ir.Bool {
			c.note(map[bool]string{false: "!"}[x.word != 0], x, "", nil)
		}
		return
	case x.word == 0:
		c.note("", x, " == nil", nil)
		return
	}
	c.note("", x, " != nil", nil)
	switch {
	case x.reachable:
		c.note("reachable(", x, "", nil)
	case x.private:
		c.note("private(", x, "", nil)
	}
}

// pair finds the facts that compare two terms.
func (c *State) pair(x, y *term) {
	pointers := x.kind != ir.Scalar && y.kind != ir.Scalar
	switch {
	case pointers && x.word == y.word:
		c.note("", x, " == ", y)
		c.ownOr(x, y)
	case pointers:
		c.ownOr(x, y)
	case !pointers && x.kind == y.kind && x.class == ir.Bool && y.class == ir.Bool && x.member != y.member: // an operation says what the memory does
		c.note("", x, map[bool]string{true: " == ", false: " != "}[x.word == y.word], y)
	case pointers || x.kind != y.kind || x.class != y.class || x.class == ir.Bool:
	case x.word == y.word:
		c.note("", x, " == ", y)
	case int64(x.word) < int64(y.word):
		c.note("", x, " < ", y)
		c.note("", x, " != ", y)
	default:
		c.note("", y, " < ", x)
		c.note("", x, " != ", y)
	}
}

// ownOr finds whether one of two pointers is private, or the same as the other: append gives such a pointer.
func (c *State) ownOr(x, y *term) {
	if !c.Code {
		return
	}
	if x.private || x.word == y.word && x.depth == 0 {
		c.note(ownOrSame, x, ", ", y)
	}
	if y.private || x.word == y.word && y.depth == 0 {
		c.note(ownOrSame, y, ", ", x)
	}
}

// compare finds which of two pairs of numbers is less in lexical order.
func (c *State) compare(x, y *term) {
	if x.keys != y.keys {
		return
	}
	switch order := cmp.Or(cmp.Compare(int64(x.word), int64(y.word)), cmp.Compare(int64(x.low), int64(y.low))); {
	case order < 0:
		c.note("", x, " < ", y)
	case order > 0:
		c.note("", y, " < ", x)
	}
}

// Terms lists the terms of a state with what they come to: "items()=2".
func (c *State) Terms() []string {
	var out []string
	for i := range c.terms {
		out = append(out, fmt.Sprint(c.terms[i].name, "=", c.terms[i].word))
	}
	return out
}
