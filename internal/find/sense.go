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

// claim matches what a sentence says of a bool: its value, and when it is that. The condition ends where another part of the sentence begins, or a reason.
var claim = regexp.MustCompile(`(?i)\b(whether|(?:reports?|tells?|says?|shows?|indicates?) (?:if|unless)|(true|false),? (?:exactly |only )?(?:if|iff|when|where|means|for|on|unless|the first time|the second time)(?: and only if)?)\b(?: that\b)?((?:[^.,;:()]*?))` +
	`(?:[.,;:()]|\b(?:true|false|whether|otherwise|unless|because|since|due to|so that)\b|$)`)

// subject matches a sentence whose subject says when a bool has a value: "Adding k a second time returns false".
var subject = regexp.MustCompile(`(?i)^(.*\b(?:second time|again|twice|duplicates?|existing|empty|full)\b.*)\b(?:returns?|gives?|yields?) (true|false)\b`)

// ofBool matches sentences that say something of a bool, whatever it is.
var ofBool = regexp.MustCompile(`(?i)\b(true|false|whether)\b|\b(reports?|tells?|says?|shows?|indicates?) (if|unless)\b`)

// state matches a condition about what is so behind the call, which other calls may have brought about.
var state = regexp.MustCompile(`(?i)\b(is|are|becomes?|became|has become|now) (now )?(full|empty)\b|\bnow\b`)

// oldest matches a condition about what was put in before.
var oldest = anyWord(`(an|the|its|some) (old|older|oldest|first|previous)`)

// negation matches words that deny the rest of a condition; of what adds an item, "nothing was there" and "no item was added" do so as well.
var (
	negation = regexp.MustCompile(`(?i)\b(not|never|neither|without|cannot|unable)\b|n't\b`)
	noItem   = regexp.MustCompile(`(?i)\b(nothing|none|nobody|no)\b`)
)

// clauses are words of conditions where an operation with a role was done, and where it was not.
type clauses struct{ done, not *regexp.Regexp }

func anyWord(list string) *regexp.Regexp { return regexp.MustCompile(`(?i)\b(` + list + `)\b`) }

// within are words for what a set or a map has.
const within = `contain(s|ed)?|member|in (the \w+|it)|has it|had it`

var (
	ofAdd    = clauses{anyWord("added|adds|inserted|new|absent|missing|changed|stored|grew|grown|grows|success|succeeds|succeeded|first time"), anyWord("already|exists?|existed|existing|present|there|duplicates?|had|second time|again|twice|" + within)}
	ofStore  = clauses{anyWord("loaded|already|exists?|existed|present|found|there|" + within), anyWord("stored|inserted|added|absent|missing|created|new")}
	ofPut    = clauses{anyWord("room|space|added|adds|pushed|enqueued|inserted|accepted|stored|sent|success|succeeds|succeeded"), anyWord("full|closed|dropped|overflow|overflowed|lost|discarded|rejected|refused|exceeds?|exceeded")}
	ofOthers = clauses{anyWord("found|present|exists?|existed|removed|deleted|popped|dequeued|taken|loaded|success|succeeds|succeeded|there (is|was|were|are)|" + within), anyWord("empty|missing|absent|closed|nothing|no items?|no elements?|no values?|none")}
	// before are words by which an item was added by an earlier call, and not by this one.
	before = regexp.MustCompile(`(?i)\b(added|inserted|stored)\b.*\b(before|earlier|previously)\b|\b(previously|earlier) (added|inserted|stored)\b`)
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
	found := Untold
	for _, s := range sentencesOf(doc) {
		for _, said := range saidOf(role, s) {
			if found != Untold && found != said {
				return Untold
			}
			found = said
		}
	}
	return found
}

// saidOf lists what the parts of a sentence say of the bool of an operation with a role.
func saidOf(role oracle.Role, sentence string) (list []Sense) {
	add := func(said Sense, value string, flipped bool) {
		if said == Untold {
			return
		}
		if said != Else && strings.EqualFold(value, "false") != flipped {
			said = Done + NotDone - said
		}
		list = append(list, said)
	}
	for _, m := range claim.FindAllStringSubmatch(sentence, -1) {
		keyword := strings.ToLower(m[1])
		condition := m[3]
		if strings.HasSuffix(keyword, " time") {
			condition = keyword + condition
		}
		denied := len(negation.FindAllString(condition, -1))
		if role == oracle.Add || role == oracle.LoadOrStore || boolWords(role) == ofPut {
			denied += len(noItem.FindAllString(condition, -1))
		}
		if strings.HasSuffix(keyword, "unless") {
			denied++
		}
		if strings.HasPrefix(keyword, "whether") && state.MatchString(condition) {
			add(Else, "", false)
			continue
		}
		add(conditionOf(role, condition), m[2], denied%2 == 1)
	}
	if m := subject.FindStringSubmatch(sentence); m != nil && len(list) == 0 {
		add(conditionOf(role, m[1]), m[2], false)
	}
	return list
}

// conditionOf is what a bool tells that is true under a condition; negations are not looked at.
func conditionOf(role oracle.Role, condition string) Sense {
	words := boolWords(role)
	done, not := words.done.MatchString(condition), words.not.MatchString(condition)
	if role == oracle.Add && before.MatchString(condition) {
		done, not = false, true
	}
	switch {
	case words == ofPut && oldest.MatchString(condition), elseWords(role) == ofElseTake && remains.MatchString(condition) && !noMore.MatchString(condition):
		return Else
	case words == ofOthers && noMore.MatchString(condition):
		return NotDone
	case words == ofOthers && done && noThing.MatchString(condition): // "nothing was removed"
		return NotDone
	case done && not:
		return Untold
	case done:
		return Done
	case not:
		return NotDone
	case elseWords(role) != nil && elseWords(role).MatchString(condition):
		return Else
	}
	return Untold
}

// remains and noMore match conditions about what is left behind a call that takes something, and about nothing that is left to be taken.
var (
	remains = regexp.MustCompile(`(?i)\b(more|remain(s|ing)?|left)\b`)
	noMore  = regexp.MustCompile(`(?i)\b(no|nothing|none|not any) (more|left|remain(s|ing))\b|\bno \w+ (is|are|was|were) left\b|\bno (items?|elements?|values?) left\b`)
)

var noThing = regexp.MustCompile(`(?i)\b(nothing|none|nobody|no (such )?(item|element|value|key|entry|one)s?|there (is|was|are|were) no)\b`)

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
	return said == Else || said == Untold && (len(t.Found.Operations[at].Op.Results) == 1 || t.saysOfBool(operation) != "") // of a stack of which Pop tells whether it "is empty" this may be meant
}

// saysOfBool is the sentence of the documentation of an operation that says something of its bool; "" if there is none.
func (t *Target) saysOfBool(operation string) string {
	if t.directed.Directives == nil {
		return ""
	}
	for _, s := range sentencesOf(t.directed.Docs[t.typeName()+"."+operation]) {
		if ofBool.MatchString(s) {
			return s
		}
	}
	return ""
}

// Misread lists the operations of which a bool was taken to be true where they were not done, though documentation says something of it that is not understood: it may be that, or the
// opposite. Each with the sentence.
func (t *Target) Misread() (list []Contract) {
	for i := range t.Found.Operations {
		o := &t.Found.Operations[i]
		if t.Overrides.Readings[o.Name] != string(oracle.SlotNotOK) || t.directed.Directives == nil {
			continue
		}
		key := t.typeName() + "." + o.Name
		if s := t.saysOfBool(o.Name); s != "" && senseOf(o.Op.Role, t.directed.Docs[key]) == Untold {
			list = append(list, Contract{Operation: o.Name, Sentence: s, At: t.directed.Directives.DocAt(key, s)})
		}
	}
	return list
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

// Called lists the kinds that the type's name allows; none if the name did not decide the kind, or if documentation tells of another one. Documentation that says "FIFO" or "LIFO" is as good as a name.
func (t *Target) Called() []oracle.Kind {
	switch {
	case t.another():
		return nil
	case recognise.Tells(t.Found) == recognise.ByType:
		return recognise.Called(t.Found)
	case t.directed.Directives == nil:
		return nil
	}
	doc := t.directed.Docs[t.typeName()]
	switch fifo, lifo := undenied(saysFIFO, doc), undenied(saysLIFO, doc); {
	case fifo && !lifo && t.Found.Kind == oracle.Queue, lifo && !fifo && t.Found.Kind == oracle.Stack:
		return []oracle.Kind{t.Found.Kind}
	}
	return nil
}

var (
	saysFIFO = regexp.MustCompile(`(?i)\b(fifo|first[- ]in[, -]+first[- ]out)\b`)
	saysLIFO = regexp.MustCompile(`(?i)\b(lifo|last[- ]in[, -]+first[- ]out)\b`)
)

// Documentation by which what is called a queue, or a stack, gives its items in another order, or not all; and what is called a set or a map keeps a key more than once, or drops some.
// What says "FIFO" has no other order, whatever else it says. What is denied, or said of something else, does not count: "its nodes live on the heap", "jobs have a priority, which the
// queue ignores".
var (
	otherOrder = regexp.MustCompile(`(?i)\b(a|an|is|are) ([\w-]+ ){0,3}?((priority|delay(ed)?|random(ized)?) (queue|stack|buffer)|(binary |min[- ]|max[- ])?heap)\b|` +
		`\b(by|in order of|ordered by|sorted by) (their |its |the )?(priorit(y|ies)|deadlines?|due times?|times?|keys?|weights?|scores?)\b|` +
		`\b(smallest|largest|lowest|highest|earliest|latest|most urgent|least)( \w+){0,2}( comes?| is)?( taken| given| returned| served)?( out)? first\b`)
	otherQueue = regexp.MustCompile(`(?i)\b(a|an|is|are) ([\w-]+ ){0,3}?(deduplicating|unique|coalescing|circular|overwriting|lossy) (queue|stack|buffer)\b|` +
		`\b(overwrit(es?|ten|ing)|forgets?|discards?|drops?|evicts?) (the |its |their )?(old(er|est)?|first|last)\b|\bkeeps? (only )?the (last|latest|newest|first)\b|` +
		`\bignores? (an? |the |any )?(item|value|key|element|job|task)s?\b[^.]*\b(already|again|twice|waits?|waiting|queued|in it)\b|\b(an? |each |every )(item|value|key|element|job|task) (is queued|waits) (only )?once\b`)
	otherSet = regexp.MustCompile(`(?i)\b(a|an|is|are) ([\w-]+ ){0,2}?(multi-?set|bag)s?\b|\bcounts? how (often|many)\b|\breference counts?\b|\b(more than once|several times)\b|\b(at most|no more than|up to) (\w+) \w+\b|\b(drops?|evicts?|forgets?|discards?) (the |its |an |a )?(old(er|est)?|items?|values?)\b`)
	otherMap = regexp.MustCompile(`(?i)\b(a|an|is|are) ([\w-]+ ){0,2}?multi-?maps?\b|\ball (the )?values\b|\bkeeps? (only )?the (first|oldest|last|latest) value\b|\b(drops?|evicts?|forgets?|discards?) (the |its |an |a )?(old(er|est)?|entr(y|ies)|keys?|values?)\b`)
	// inOrder matches what says that items come out in the order in which they came, or the other way round.
	inOrder = regexp.MustCompile(`(?i)\b(fifo|lifo|(first|last)[- ]in[, -]+(first|last)[- ]out|in (the )?(same |reverse )?order)\b`)
	denied  = regexp.MustCompile(`(?i)\b(not|never|unlike|without|no|neither|nor|ignores?|ignored|instead of|rather than|than)\b|n't\b`)
)

// another reports whether the documentation of a type tells of something else than what its name says.
func (t *Target) another() bool {
	return t.directed.Directives != nil && tellsOfAnother(t.Found.Kind, t.directed.Docs[t.typeName()])
}

// tellsOfAnother reports whether documentation of what its name makes a kind tells of something else.
func tellsOfAnother(kind oracle.Kind, doc string) bool {
	switch kind {
	case oracle.Queue, oracle.Stack, oracle.Deque:
		return undenied(otherQueue, doc) || undenied(otherOrder, doc) && !undenied(inOrder, doc)
	case oracle.Set:
		return undenied(otherSet, doc)
	case oracle.Map:
		return undenied(otherMap, doc)
	}
	return false
}

// undenied reports whether a sentence of documentation says something, and does not deny it in front of it.
func undenied(something *regexp.Regexp, doc string) bool {
	return slices.ContainsFunc(sentencesOf(doc), func(s string) bool {
		at := something.FindStringIndex(s)
		return at != nil && !denied.MatchString(s[:at[0]])
	})
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
