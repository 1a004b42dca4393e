// SPDX-License-Identifier: BSD-3-Clause

// Package policy reads linearization policies from comments: directives on statements that say when
// an operation takes effect there.
//
//	//pangolin:point from STATES when COND as NAME emit OP(ARGS) = RESULTS for NAME broadcast MESSAGE(VALUES) goto STATE
//	//pangolin:point on MESSAGE(VALUES) before|after from STATES when COND emit OP(ARGS) = RESULTS goto STATE
//	//pangolin:point every OP
//
// It takes the source files of a package and gives them back with ghost code in the place of the
// directives, Go text that stands behind the statement and that the front end compiles to ghost
// instructions; and a list of rules, which says what each of them announces. Nothing else of the
// files changes, lines and columns included, so that positions are those of the source. A normal
// build does not see any of it.
//
// The language is that of P. A. Abdulla, B. Jonsson and C. Q. Trinh, Automated verification of
// linearization policies (SAS 2016), section 4, written on statements instead of beside program
// counters: doc/points.md describes it.
//
// The package does not type-check (the front end does, and its messages point into the directive),
// does not execute anything and does not judge: consist does.
package policy

import (
	"fmt"
	"go/token"
	"maps"
	"slices"
)

// Prefix begins every directive of a policy, and directives those of all kinds.
const (
	Prefix     = directives + "point"
	directives = "//pangolin:"
)

// The functions of ghost code. They are declared at the end of a rewritten file, but for
// those that announce.
const (
	Bracket = "pangolinGhost"
	// Enabled is a variable: a function that reports whether a rule counts, that is, whether the
	// thread's call is one of the rule's operation and in one of its states.
	Enabled = "pangolinEnabled"

	rule  = "pangolinRule"
	value = "pangolinValue"
	fire  = "pangolinFire"
	sent  = "pangolinSent" // followed by a number: a value of the received message
	who   = "pangolinWho"  // the receiving call
)

// Start is the state in which every call begins.
const Start = "start"

// File is a source file.
type File struct {
	Path string // path on the disk
	Name string // name for messages
	Text []byte
}

// Rule is what one directive does.
type Rule struct {
	Pos Position
	// Op is the operation that the rule announces; "" for none.
	Op string
	// Own is true if the directive names no arguments: the call's own are announced.
	Own bool
	// Args and Results are how many arguments and results of the operation the ghost code passes on.
	Args, Results int
	// Given is true if no results are passed on: any results count that the specification allows.
	Given bool
	// May is true if the operation takes effect here or not; which is right shows later.
	May bool
	// As is true if the directive names its call, Owner if it announces for a call that was named
	// before.
	As, Owner bool
	// On and Send are the messages that the rule receives and sends; Values is how many values they
	// have.
	On, Send string
	Values   int
	Before   bool // the receiver's operation takes effect before the sender's
	// From are the numbers of the states in which the rule counts; none: all states. To is the
	// state that follows; -1: unchanged.
	From []int
	To   int
	Text string // the directive, without its prefix
}

// Plain reports whether a rule only announces an operation of the thread that executes its
// statement: no messages, states or names of calls.
func (r *Rule) Plain() bool {
	return r.Op != "" && !r.As && !r.Owner && r.On == "" && r.Send == "" && len(r.From) == 0 && r.To < 0
}

// Name is the name of the variable by which the ghost code of a rule announces: a function of
// Passed values of type any. Rules that receive a message have Fire.
func (r *Rule) Name(number int) string { return fmt.Sprintf("%s%d", rule, number) }

// Passed is the number of values that the ghost code at the statement passes on: the name of the
// call, the owner, arguments, results, and the values of a message.
func (r *Rule) Passed() int {
	n := r.Args + r.Results
	for _, one := range []bool{r.As, r.Owner} {
		if one {
			n++
		}
	}
	if r.Send != "" {
		n += r.Values
	}
	return n
}

// Fire is the name of the variable by which a rule announces that has received a message: a
// function of the receiving call, an int, and of arguments and results of type any. The function in
// the variable Name is then passed, at the statement, what to do with a message: a function of the
// call and of the message's values.
func (r *Rule) Fire(number int) string { return fmt.Sprintf("%s%d", fire, number) }

// Position is a place in a source file.
type Position struct {
	File      string
	Line, Col int
}

func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// Error is a mistake in a directive, with its position.
type Error struct {
	Pos     Position
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Pos, e.Message) }

// Signature is the form of an operation that may be announced: how many arguments clients choose,
// and how many results it has.
type Signature struct{ Args, Results int }

// Annotated is a package whose directives are replaced by ghost code.
type Annotated struct {
	Rules []Rule
	Files map[string][]byte // the changed files, by path
	// Every are the operations with all outcomes announced, including those that change nothing.
	Every map[string]bool

	states   []string            // names, by number
	reached  map[int]bool        // states to which some directive leads
	messages map[string]*mailing // by name
}

// mailing is a message: how many values it has, and the first directives that send and expect it.
type mailing struct {
	values         int
	sends, expects Position // the first directive of each sort
}

// Plain reports whether all rules are plain.
func (a *Annotated) Plain() bool {
	return !slices.ContainsFunc(a.Rules, func(r Rule) bool { return !r.Plain() })
}

// Annotate replaces the directives in files by ghost code. operations are those of the type `of`. A
// directive that announces a method of another type is left alone.
func Annotate(files []File, of string, operations map[string]Signature) (*Annotated, error) {
	out := &Annotated{Files: map[string][]byte{}, Every: map[string]bool{}, states: []string{Start}, reached: map[int]bool{0: true}, messages: map[string]*mailing{}}
	var parsed []*source
	methods := map[string][]string{}
	for i := range files {
		s, err := parse(&files[i])
		if err != nil {
			return nil, err
		}
		s.methods(methods)
		parsed = append(parsed, s)
	}
	for _, s := range parsed {
		r := &rewriter{source: s, out: out, of: of, operations: operations, methods: methods}
		if err := r.rewrite(); err != nil {
			return nil, err
		}
	}
	return out, out.closed()
}

// closed returns an error for a directive that can never count: it waits for a message that no
// directive sends, or for a state to which none leads.
func (a *Annotated) closed() error {
	for _, name := range slices.Sorted(maps.Keys(a.messages)) {
		switch m := a.messages[name]; {
		case m.sends == Position{}:
			return &Error{m.expects, "nobody broadcasts " + name}
		case m.expects == Position{}:
			return &Error{m.sends, "nobody receives " + name}
		}
	}
	for i := range a.Rules {
		for _, s := range a.Rules[i].From {
			if !a.reached[s] {
				return &Error{a.Rules[i].Pos, "no point leads to the state " + a.states[s] + "; a call begins in " + Start}
			}
		}
	}
	return nil
}

// at is a position in a file.
func (s *source) at(pos token.Pos) Position {
	p := s.fset.Position(pos)
	return Position{s.file.Name, p.Line, p.Column}
}
