// SPDX-License-Identifier: BSD-3-Clause

// Package inquiry leads from what is asked of a type to a verdict: the verdict is the end of a list of questions.
//
// It takes a type that was found (internal/find) and Terms, what the user asks for beside the type, and gives a
// verdict for each property, which says what was asked on the way (verdict.Asked). A Question is a value: how the type is
// read, in which scope, for which property. An Engine answers it. Rules decide, from a question and its answer, what is
// asked next and what comes of it; all there are stand in one table (rules.go), each with its Doc. So Push and Pop, which
// names leave open, lead to these questions:
//
//	stack, one thread           violated: Push(0), Push(1), Pop() = 0     rule "one thread"
//	stack, bounded(1..8)        violated, each                            rule "capacity"
//	queue, one thread           verified, taken                           rule "kind"
//	queue                       verified                                  the question itself
//
// What is asked depends on the code and the request alone: limits on what nobody asked for are in states. The package
// finds no collections, searches nothing itself, prints nothing and writes no files.
package inquiry

import (
	"context"
	"errors"
	"time"

	"pangolin/internal/engine"
	"pangolin/internal/find"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// Question is a type as it is read, a scope and a property. It is not changed once it is made.
type Question struct {
	Reading  *Reading
	Scope    engine.Union
	Property verdict.Property
	Limit
}

// Limit restricts a question that the user did not ask. The zero value is the user's own question, without restriction.
type Limit struct {
	OneThread    bool   // only clients of one thread, which may call every operation, whatever their roles
	Shortest     bool   // find a violation with as few steps as possible
	Usual, Proof bool   // by the usual engine, or by the one that proves, which then searches for no violation; whatever the terms name
	Moment       bool   // by the engine sections, which searches for no violation either
	States, Work uint64 // at most; 0 states: as many as the user allows, for the user's own question alone; work: units of vm.Meter, where the code itself judges, 0: any
}

// Answer is a question with its verdict.
type Answer struct {
	Question
	Verdict verdict.Verdict // without a Status if it has not been asked, or could not be answered
	Err     error           // why it could not be answered
}

// Agrees reports whether the question was answered and nothing is wrong in the scope.
func (a *Answer) Agrees() bool { return a.Err == nil && a.Verdict.Status == verdict.Verified }

// Case is the state of an inquiry: its question and, once it was asked, the answer. A rule takes a case and returns another.
type Case struct {
	Answer
	// One is the answer about clients of one thread, until a rule has drawn its conclusion from it, Small that in the scope of Scout, Yearly that of
	// YearsFirst or YearsOfKind; nil: not asked.
	One, Small, Yearly *Answer
	Facts              Facts
	All                *Reading // that with which Whole has verified all operations; nil: it has not
	// Hinted are the hints that were found, and Spent the states that were searched for them.
	Hinted []string
	Spent  uint64

	ctx context.Context // for loading another reading of the type
}

// open reports whether the case's own question still has to be asked.
func (c *Case) open() bool { return c.Verdict.Status == "" }

// take returns the case with another reading, whose question has not been asked yet. The verdict will tell why.
func (c Case) take(r *Reading, why string) Case {
	if why != "" {
		r = r.because(why)
	}
	c.Question.Reading, c.Question.Scope = r, r.Scopes
	c.Verdict, c.One, c.Small, c.Yearly, c.Facts, c.All = verdict.Verdict{}, nil, nil, nil, nil, nil
	return c
}

// Rule asks further questions where an answer leaves something open. Its functions depend on their arguments alone.
type Rule struct {
	Name string
	Doc  string // when the rule applies, what it asks, what follows from the answers; doc/inquiry.md shows it
	// Before: the rule applies before the case's own question is asked, and settles what that is. First, together with Before: it
	// applies once for a type and not once for each property.
	Before, First bool
	// When reports whether the rule applies to a case.
	When func(c Case) bool
	// Ask returns the next question, given the answers to those that the rule has asked so far; false: there are no more. A rule
	// without Ask concludes from the case alone.
	Ask func(c Case, so []Answer) (Question, bool)
	// Conclude returns the case that follows from the answers, which may be the same case.
	Conclude func(c Case, so []Answer) Case
	Within   []Rule // rules that are applied to the rule's own questions
	Excuses  bool   // it asks whether a violation is none where the type is used as it is meant to be: if that is not decided, it is said
}

// budget is the number of states that may be searched, on the way to one verdict, for questions that the user did not ask. Each of them
// also has a limit of its own, so that the budget is hardly ever spent.
const budget = 1 << 20

// Inquiry leads from the request about one type to its verdicts, one for each property.
type Inquiry struct {
	Found *find.Target
	terms *Terms
	rules []Rule
	first *Reading
	// settled is the case with the reading that the rules with First have chosen; nil: they have not been applied.
	settled *Case
	before  []verdict.Asked // what those rules asked
	note    func(string)
}

// New begins an inquiry about a type. It fits the user's scope to the type's operations and compiles nothing. Note is called with the
// reason whenever a reading is chosen that differs from what the names say.
func New(found *find.Target, terms *Terms, note func(string)) (*Inquiry, error) {
	r, err := read(found, terms, terms.Bounds.Roles)
	if err != nil {
		return nil, err
	}
	return &Inquiry{Found: found, terms: terms, rules: terms.rules(), first: r, note: note}, nil
}

// Reading is the current reading: the one that names suggest, and after Settle the one that the rules with First have
// chosen.
func (i *Inquiry) Reading() *Reading {
	if i.settled != nil {
		return i.settled.Reading
	}
	return i.first
}

// Under returns the same inquiry on other terms. What was settled about the type stays settled.
func (i *Inquiry) Under(terms *Terms) (*Inquiry, error) {
	was := i.Reading()
	r, err := was.under(terms)
	if err != nil {
		return nil, err
	}
	other := &Inquiry{Found: i.Found, terms: terms, rules: i.rules, first: r, note: i.note}
	if i.settled != nil {
		c := *i.settled
		c.Question.Reading, c.Question.Scope = r, r.Scopes
		other.settled, other.before = &c, i.before
	}
	return other, nil
}

// Forget drops compiled code and what was settled, to free their memory.
func (i *Inquiry) Forget() { i.settled, i.first = nil, i.first.fresh() }

// Ahead starts to compile in the background, so that a later question finds the code compiled.
func (i *Inquiry) Ahead(ctx context.Context) { go i.first.ahead(ctx) }

// Verdict answers the question about a property, with the hints and the list of what was asked on the way. The limit on time
// (Terms.Search.Timeout) includes compilation and all of these questions; if it ends before the first answer, the verdict is unknown.
func (i *Inquiry) Verdict(ctx context.Context, p verdict.Property, e Engine) (verdict.Verdict, error) {
	limited := ctx
	if limit := i.terms.Search.Timeout; limit > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	begun := time.Now()
	c, asked, err := i.lead(limited, p, e)
	v := c.Verdict
	if v.Status == verdict.NotShared { // which was found before any property was asked for
		v.Property = string(p)
	}
	if err != nil && ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded) {
		v, err = i.unanswered(c, p, err), nil
		v.Seconds = time.Since(begun).Seconds()
	}
	if v.Status == "" && ctx.Err() == nil && errors.Is(err, subject.ErrUndecided) { // nothing can be asked: the oracle cannot make one
		v = i.Reading().answer(verdict.Unknown, err.Error())
		v.Cause, v.Property, err = verdict.Unsupported, string(p), nil
	}
	v.Hints = append(v.Hints[:len(v.Hints):len(v.Hints)], c.Hinted...)
	v.Asked = asked
	return v, err
}

// lead settles the type and then applies the other rules until none of them has a question.
func (i *Inquiry) lead(ctx context.Context, p verdict.Property, e Engine) (Case, []verdict.Asked, error) {
	if err := i.Settle(ctx, e); err != nil {
		return Case{}, nil, err
	}
	a := &asking{engine: e, left: budget, note: i.note, asked: i.before[:len(i.before):len(i.before)]}
	c := *i.settled
	c.Question.Property, c.One = p, nil
	c, err := a.run(ctx, c, later(i.rules))
	return c, a.asked, err
}

// Settle applies the rules with First, which decide what the type is. It does nothing the second time.
func (i *Inquiry) Settle(ctx context.Context, e Engine) error {
	return i.settle(ctx, e, first(i.rules))
}

func (i *Inquiry) settle(ctx context.Context, e Engine, rules []Rule) error {
	if i.settled != nil {
		return nil
	}
	a := &asking{engine: e, left: budget, note: i.note}
	c, err := a.apply(ctx, a.begin(ctx, i.first), rules)
	if err == nil {
		i.settled, i.before = &c, a.asked
	}
	return err
}
