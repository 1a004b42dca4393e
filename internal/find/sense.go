// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"pangolin/internal/collection"
	"pangolin/internal/recognise"
	"pangolin/oracle"
)

// Sense is what documentation tells of a bool that an operation returns and that has no name that tells it.
type Sense int

// A bool is true where the operation was done ("reports whether it was added"), where it was not ("whether it was already present"), or tells something else ("whether the queue
// is full now"). Untold: nothing is said, or several things are.
const (
	Untold Sense = iota
	Done
	NotDone
	Else
)

// claim matches what a sentence says of a bool: its value, and when it is that. The condition ends where another part of the sentence begins.
var claim = regexp.MustCompile(`(?i)\b(whether|(true|false) (?:exactly |only )?(?:if|iff|when|where|means)(?: and only if)?)\b(?: that\b)?((?:[^.,;:()]*?))(?:[.,;:()]|\b(?:true|false|whether|otherwise|unless)\b|$)`)

// state matches a condition about what is so behind the call, which other calls may have brought about.
var state = regexp.MustCompile(`(?i)\b(is|are|becomes?|became|has become|now) (now )?(full|empty)\b|\bnow\b`)

// oldest matches a condition about what was put in before.
var oldest = anyWord(`(an|the|its|some) (old|older|oldest|first|previous)`)

var negation = regexp.MustCompile(`(?i)\b(not|never|neither|without)\b|n't\b`)

// clauses are words of conditions where an operation with a role was done, and where it was not.
type clauses struct{ done, not *regexp.Regexp }

func anyWord(list string) *regexp.Regexp { return regexp.MustCompile(`(?i)\b(` + list + `)\b`) }

var (
	ofAdd    = clauses{anyWord("added|adds|inserted|new|absent|missing|changed|stored"), anyWord("already|exists?|existed|present|there|duplicate|contained|member|had")}
	ofStore  = clauses{anyWord("loaded|already|exists?|existed|present|found|there"), anyWord("stored|inserted|added|absent|missing|created|new")}
	ofPut    = clauses{anyWord("room|space|added|adds|pushed|enqueued|inserted|accepted|stored|sent"), anyWord("full|closed|dropped|overflow|overflowed|lost|discarded|rejected|refused|no room|no space")}
	ofOthers = clauses{anyWord("found|present|exists?|existed|member|removed|deleted|popped|dequeued|taken|loaded|contained"), anyWord("empty|missing|absent|closed|nothing|no items?|no elements?|no values?")}
)

// elseWords match words of conditions, and the names of bools, that tell something else than whether an operation with a role was done: whether the queue was empty before, what it
// has pushed out, or who is to be woken; of what takes items, what is left. nil: none do.
func elseWords(role oracle.Role) *regexp.Regexp {
	switch role {
	case oracle.Put, oracle.PutFront, oracle.PutBack:
		return ofElsePut
	case oracle.Take, oracle.TakeFront, oracle.TakeBack:
		return ofElseTake
	case oracle.Add:
		return ofElseAdd
	}
	return nil
}

const pushedOut = `evict(s|ed|ion|ions)?|displaced?|expir(e|es|ed|ing)|woken|wakes?|woke|wakeup|notif(y|ies|ied)|signal(s|l?ed)?|wait(s|ing|ers?)`

var (
	ofElseAdd  = anyWord(pushedOut)
	ofElsePut  = anyWord(pushedOut + `|overwr(ote|itten|ites?)|replace[sd]?|((was|were) )?empty|first`)
	ofElseTake = anyWord(pushedOut + `|last|more|remain(s|ing)?|left|shut ?(ting )?down`)
)

func boolWords(role oracle.Role) clauses {
	switch role {
	case oracle.Add:
		return ofAdd
	case oracle.LoadOrStore:
		return ofStore
	case oracle.Put, oracle.PutFront, oracle.PutBack:
		return ofPut
	}
	return ofOthers
}

// senseOf reads the documentation of an operation with a role.
func senseOf(role oracle.Role, doc string) Sense {
	found, words := Untold, boolWords(role)
	for _, s := range sentencesOf(doc) {
		for _, m := range claim.FindAllStringSubmatch(s, -1) {
			clause := m[3]
			said := Untold
			done, not := words.done.MatchString(clause), words.not.MatchString(clause)
			switch {
			case strings.EqualFold(m[1], "whether") && state.MatchString(clause), words == ofPut && oldest.MatchString(clause):
				said = Else
			case words == ofPut && not: // "no room" has words of both
				said = NotDone
			case done && !not:
				said = Done
			case not && !done:
				said = NotDone
			case !done && !not && elseWords(role) != nil && elseWords(role).MatchString(clause):
				said = Else
			default:
				continue
			}
			if said != Else && strings.EqualFold(m[2], "false") != (len(negation.FindAllString(clause, -1))%2 == 1) {
				said = Done + NotDone - said
			}
			if found != Untold && found != said {
				return Untold
			}
			found = said
		}
	}
	return found
}

// sense is what the documentation of an operation of a type says.
func (d directed) sense(typ string, o *collection.Operation) Sense {
	if d.Directives == nil || !o.EitherSense {
		return Untold
	}
	typ, _, _ = strings.Cut(typ, "[")
	return senseOf(o.Op.Role, d.Docs[typ+"."+o.Name])
}

// read returns a collection, found with overrides, in which a bool means what its documentation says. The overrides say so then.
func (s *surveyor) read(c *collection.Collection, o *collection.Overrides) (*collection.Collection, error) {
	said := map[string]string{}
	for i := range c.Operations {
		if op := &c.Operations[i]; (directed{Directives: s.directives}).sense(c.Type, op) == NotDone {
			said[op.Name] = string(oracle.SlotNotOK)
		}
	}
	if len(said) == 0 {
		return c, nil
	}
	o.Readings = said
	found, err := recognise.Find(s.pkg, *o)
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// EitherSense reports whether neither names nor documentation tell what a bool of an operation means.
func (t *Target) EitherSense(operation string) bool {
	at := t.Operation(operation)
	if at < 0 || !t.Found.Operations[at].EitherSense || len(t.Found.Operations[at].Op.Results) == 1 && t.TellsElse(operation) {
		return false
	}
	said := t.directed.sense(t.typeName(), &t.Found.Operations[at])
	return said == Untold || said == Else // of a stack of which Pop tells whether it "is empty" this may be meant
}

// TellsElse reports whether an operation returns a bool that tells, by its documentation or by its name, something else than whether it was done.
func (t *Target) TellsElse(operation string) bool {
	at := t.Operation(operation)
	if at < 0 || !t.Found.Operations[at].EitherSense {
		return false
	}
	o := &t.Found.Operations[at]
	words := elseWords(o.Op.Role)
	named := words != nil && slices.ContainsFunc(o.Results, func(r collection.Result) bool {
		return (r.Slot == oracle.SlotOK || r.Slot == oracle.SlotNotOK) && words.MatchString(spaced(r.Name))
	})
	return named || t.directed.sense(t.typeName(), o) == Else
}

// spaced puts blanks between the words of a name: "was Empty".
func spaced(name string) string { return capital.ReplaceAllString(name, "$1 $2") }

var capital = regexp.MustCompile(`([a-z])([A-Z])`)

// Called lists the kinds that the type's name allows; none if the name did not decide the kind, or if documentation tells of another one.
func (t *Target) Called() []oracle.Kind {
	if recognise.Tells(t.Found) != recognise.ByType || t.another() {
		return nil
	}
	return recognise.Called(t.Found)
}

// Documentation by which what is called a queue does not give what it was given in that order, and what is called a set keeps an item more than once.
var (
	otherQueue = anyWord("priorit(y|ies)|heaps?|deduplicat(e|es|ed|ing|ion)|coalesc(e|es|ed|ing)|delay(s|ed)?|due|deadlines?|smallest|largest|earliest|random(ly)?")
	otherSet   = anyWord("multi-?sets?|bags?|counts? how (often|many)|reference counts?")
)

// another reports whether the documentation of a type tells of something else than what its name says.
func (t *Target) another() bool {
	if t.directed.Directives == nil {
		return false
	}
	doc := t.directed.Docs[t.typeName()]
	switch t.Found.Kind {
	case oracle.Queue, oracle.Stack, oracle.Deque:
		return otherQueue.MatchString(doc)
	case oracle.Set:
		return otherSet.MatchString(doc)
	}
	return false
}

// Reading returns the same type with unclear operations read as returning the value before, or the
// value after, their effect, or with a bool that is true where they were not done.
func (t *Target) Reading(ctx context.Context, readings map[string]string) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) {
		all := maps.Clone(o.Readings)
		if all == nil {
			all = map[string]string{}
		}
		maps.Copy(all, readings)
		o.Readings = all
	})
}
