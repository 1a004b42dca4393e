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
	"slices"
	"time"

	"pangolin/internal/engine"
	"pangolin/internal/find"
	"pangolin/verdict"
)

// Question is what is asked about a type. Nothing changes it.
type Question struct {
	Reading  *Reading
	Scope    engine.Union
	Property verdict.Property
	Limit
}

// Limit is how a question is asked that nobody has asked for. The zero value is as the user wants it.
type Limit struct {
	OneThread bool   // clients of one thread, who may call anything
	Shortest  bool   // a violation has to be a shortest one
	States    uint64 // at most; 0: as many as the user allows. Other questions than the user's have a limit
}

// Answer is a question with its verdict.
type Answer struct {
	Question
	Verdict verdict.Verdict // without a Status if it has not been asked, or could not be answered
	Err     error           // why it could not be answered
}

// Agrees says that the question was answered, and nothing is wrong.
func (a *Answer) Agrees() bool { return a.Err == nil && a.Verdict.Status == verdict.Verified }

// Case is how far an inquiry has come: the question that it is about, with its answer. Rules take one and give another.
type Case struct {
	Answer
	// One is what clients of one thread have shown of the reading, as long as nothing has come of it; nil: they were not asked.
	One   *Answer
	Facts Facts
	// Hinted are the hints that were found, and Spent the states that were searched for them.
	Hinted []string
	Spent  uint64

	ctx context.Context // in which readings are made of others
}

// open says that the question has not been answered.
func (c *Case) open() bool { return c.Verdict.Status == "" }

// take is the case with another reading, whose question is open. Why is said with the verdict.
func (c Case) take(r *Reading, why string) Case {
	if why != "" {
		r = r.because(why)
	}
	c.Question.Reading, c.Question.Scope = r, r.Scopes
	c.Verdict, c.One, c.Facts = verdict.Verdict{}, nil, nil
	return c
}

// Rule asks further questions where an answer leaves something open. Its functions are pure: what they know they are given.
type Rule struct {
	Name string
	Doc  string // when it asks what, and what comes of it, for people
	// Before says that it asks before the question itself is asked, to settle what that is: once for a type, if First holds as well.
	Before, First bool
	// When says whether the rule has anything to ask.
	When func(c Case) bool
	// Ask gives the next question, given the answers to those that the rule has asked so far; false: there is none. A rule without
	// Ask concludes from the case alone.
	Ask func(c Case, so []Answer) (Question, bool)
	// Conclude says what comes of the answers: another case, or the same.
	Conclude func(c Case, so []Answer) Case
	// Within are rules for the rule's own questions.
	Within []Rule
}

// budget is how many states may be searched for all that nobody asked for on the way to one verdict. Each question has a limit
// of its own besides, so that it is hardly ever reached.
const budget = 1 << 20

// Inquiry is about one type.
type Inquiry struct {
	Found *find.Target
	terms *Terms
	rules []Rule
	first *Reading
	// settled is what the type is read as, once that is known.
	settled *Case
	before  []verdict.Asked
	note    func(string)
}

// New begins an inquiry about a type. It fits the scope to it; nothing is compiled. Note is told why another reading is
// taken than names tell.
func New(found *find.Target, terms *Terms, note func(string)) (*Inquiry, error) {
	r, err := read(found, terms, terms.Bounds.Roles)
	if err != nil {
		return nil, err
	}
	return &Inquiry{Found: found, terms: terms, rules: Rules(), first: r, note: note}, nil
}

// Reading is the type as it is read: as names tell it before anything has been asked, and then as that has shown it.
func (i *Inquiry) Reading() *Reading {
	if i.settled != nil {
		return i.settled.Reading
	}
	return i.first
}

// Under is the inquiry on other terms, about a type that stays what it is read as.
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

// Forget lets go of what was compiled.
func (i *Inquiry) Forget() { i.settled, i.first = nil, i.first.fresh() }

// Ahead begins to compile, while something else is done.
func (i *Inquiry) Ahead(ctx context.Context) { go i.first.ahead(ctx) }

// Verdict is the verdict for a property. The limit on time (Terms.Search.Timeout) holds for all that is asked on the way to it, compiling
// included; where it ends what leads to the first answer, the verdict is unknown.
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
	if err != nil && ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded) {
		v, err = i.unanswered(p, err), nil
		v.Seconds = time.Since(begun).Seconds()
	}
	v.Hints = append(v.Hints[:len(v.Hints):len(v.Hints)], c.Hinted...)
	v.Asked = asked
	return v, err
}

// unanswered is the verdict where the time was up before an engine had answered.
func (i *Inquiry) unanswered(p verdict.Property, why error) verdict.Verdict {
	r := i.Reading()
	f := r.Found
	reason := "the limit on time was reached before the search began"
	if !errors.Is(why, context.DeadlineExceeded) {
		reason += ": " + why.Error()
	}
	return verdict.Verdict{Type: "verdict", Schema: verdict.Schema, Package: r.Listed.Path,
		Subject: verdict.Subject{Collection: r.Name(), Kind: string(f.Kind), Protocol: f.Protocol.String(), Oracle: f.Oracle.String(), Property: string(p)},
		Status:  verdict.Unknown, Cause: verdict.Limited, Reason: reason, Scope: r.Scopes.Asked().Plain(),
		Effort: verdict.Effort{Clients: "0"}, LeftOut: []verdict.LeftOut{}, Assumptions: slices.Concat([]string{}, r.Because)}
}

// lead leads from the question to the case in which no rule asks any more.
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

// Settle finds out what the type is, once: what the rules that come first ask.
func (i *Inquiry) Settle(ctx context.Context, e Engine) error {
	return i.settle(ctx, e, first(i.rules))
}

func (i *Inquiry) settle(ctx context.Context, e Engine, rules []Rule) error {
	if i.settled != nil {
		return nil
	}
	a := &asking{engine: e, left: budget, note: i.note}
	c, err := a.apply(ctx, Case{Answer: Answer{Question: Question{Reading: i.first, Scope: i.first.Scopes, Property: verdict.Linear}}}, rules)
	if err == nil {
		i.settled, i.before = &c, a.asked
	}
	return err
}
