// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"regexp"
	"slices"
	"strings"
)

// Contract is a sentence of the documentation that restricts the use of an operation, with the
// roles (-roles) that it may mean, the weakest first. There are none for sentences like "must not
// be copied after first use".
type Contract struct {
	Operation string   // "SetLimit"; "": the sentence is about the whole type
	Sentence  string   // "The limit must not be modified while any goroutines in the group are active."
	At        string   // the beginning of the sentence, as file:line
	Roles     []string // "alone", "first"
	Elsewhere bool     // the sentence is of the documentation of another type, to which that of the operation refers
	Party     bool     // the sentence allows one producer, or one consumer: one thread calls all operations that put items, or that take them
}

// Shares reports whether the sentence asks for one thread that other operations are called by as well: "only by the owner", "by the same
// goroutine".
func (c *Contract) Shares() bool { return saysShared.MatchString(c.Sentence) }

var saysShared = regexp.MustCompile(`(?i)\b(own(s|er|ing)|same)\b`)

// Once reports whether the first of the roles allows one call.
func (c *Contract) Once() bool { return c.Roles[0] == "once" || c.Roles[0] == "last" }

// must and mustNot are the words with which a sentence demands or forbids something.
const (
	must    = `\b(must|should|shall|has to|have to|needs to|need to|may only|can only|only)\b`
	mustNot = `\b(must|should|shall|may|can)(not| not|n't| never)\b`
)

// asks matches must, or mustNot, close in front of a word for the use of an operation: "must be called", "should only ever be used", "callers must not modify". A sentence
// without one promises something: "Inc must not lose an update when called concurrently", "a Get can not see a mix while Set is running".
func asks(must string) string {
	happens := "" // what must happen before something is for others to say: "Add calls must happen before the call of Wait"
	if must == mustNot {
		happens = `|happen|occur|overlap|proceed`
	}
	const between = `(\s+(be|been|have|only|ever|also|both|all|then|always|first|not|never|either)){0,4}`
	return `(` + must + between + `\s+(call|use|invoke|run|execute` + happens + `)\b|` +
		must + between + `\s+(be|been)` + between + `\s+(called|used|invoked|modified|changed|accessed|set|copied|shared|mutated|altered|updated|reset|reused|resized|configured|touched|made|issued|run|executed|performed|running|in progress|in flight|active|applied)\b|` +
		`\b(you|callers?|users?|clients?|goroutines?|threads?|programs?) ` + must + between + `\s+(modify|change|access|set|copy|share|mutate|alter|update|reset|reuse|resize|configure|touch|make|issue)\b)`
}

// oneThread are words for one thread that calls something.
const oneThread = `\b(one|a single|single|the same) (goroutine|thread|consumer|producer|caller|reader|writer)\b`

// restrictions are the sentences that restrict the use of an operation, and the roles that they may
// mean.
var restrictions = []struct {
	says  *regexp.Regexp
	roles []string
}{
	{regexp.MustCompile(`(?i)` + mustNot + `(\s+\w+){0,3}\s+cop(y|ied)\b`), nil},
	{regexp.MustCompile(`(?i)` + asks(must) + `[^;:]*\b(after (all|every|any)( the| of the)?( other)?( \w+)? (calls?|uses?|methods?|operations?|users?|goroutines?|threads?|producers?|consumers?|callers?|others)( (have|has|are|is|were|was) (returned|finished|ended|done|complete|completed|over|stopped|gone|exited))?([.,;]|$)|as the last (call|one|operation|method))|` +
		asks(must) + `(\s+only)?\s+last([.,;]|$)`), []string{"last"}},
	{regexp.MustCompile(`(?i)` + asks(mustNot) + `[^;:]*\b(more than once|twice|a second time|again|multiple times)\b|` + asks(must) + `[^;:]*\b(at most once|only once|exactly once|once only)\b|\bonly be (called|invoked|used) once\b`), []string{"once"}},
	{regexp.MustCompile(`(?i)` + asks(must) + `[^;:]*\bbefore (\w+ ){0,4}?(calls?|uses?|used|using|start|started|starting|calling|accesses|methods?|operations?|functions?|goroutines?|others)\b|` +
		asks(must) + `[^;:]*\bbefore (any|all|every|each|the first)( other| calls? to| calls? of)* (?-i:[A-Z]\w*)`), []string{"first"}},
	{regexp.MustCompile(`(?i)` + asks(mustNot) + `[^;:]*\bafter\b[^;:]*\b(first use|first call|in use|started|it is used|been used|other)\b`), []string{"first"}},
	{regexp.MustCompile(`(?i)` + asks(mustNot) + `[^;:]*\b(while|during|concurrently with|simultaneously with|in parallel with)\b|` +
		`\b(not safe|unsafe) (to (call|use|run|invoke)( it)?|for concurrent use) (concurrently |together )?with\b|\b(not safe|unsafe) to (call|use|run|invoke)( it)? (while|during)\b|` +
		`^(Do not|Don't|Never) (call|use|run|invoke) [^;:,]*\b(while|during|concurrently with|in parallel with)\b|` +
		`\b[Nn]o other (method|operation|call)s? (may|can|must|should) be (in progress|in flight|running|active)\b`), []string{"alone", "first"}},
	{regexp.MustCompile(`(?i)` + asks(must) + `[^;:]*(` + oneThread + `|\bown(er|ing) (goroutine|thread)\b)|\bonly( ever)?( called| used| invoked| accessed| touched)? (by|from|in) ` + oneThread + `|` +
		`\bonly ` + oneThread + `( at a time| at once)? (calls?|uses?|(may|can|must|should|is allowed to|has to)( only)? (call|use|invoke))\b|` +
		asks(must) + `[^;:]*\b(by|from) (the|its) owner( only| alone)?([.,;]|$)|\bonly (by |from )?(the|its) owner( (calls?|uses?|may|can|must|should)\b|[.,;]|$)|\b(by|from) (the|its) owner (only|alone|exclusively)\b|` +
		asks(mustNot) + `[^;:]*\b(concurrently|simultaneously|in parallel|(multiple|several|different|two|many|more than one) (goroutines?|threads?))\b`), []string{"1"}},
}

// What a sentence says of results promises something: "must not be called twice to get an item". The words are not names of methods, Get.
var (
	behaves = regexp.MustCompile(`\b(loses?|lost|returns?|blocks?|fails?|deadlocks?|sees?|seen|observe[sd]?|gets?|gives?|given|inside|even)\b`)
	further = regexp.MustCompile(`(?i)\b(so that|and|but|then|any|all)?\s*(further|later|other|subsequent|additional|second|more|repeated) (calls?|uses?|ones?)\b[^;:]*\b(returns?|does|do|has|have|is|are|get|gets)\b`)
	// ofFunction are sentences about a function that an operation is given: "fn must be called at most once".
	ofFunction = regexp.MustCompile(`(?i)^[^;:,]*\b(fn|f|call-?backs?|handlers?|loaders?|hooks?|listeners?|subscribers?|observers?|visitors?|closures?|predicates?|given function|function given|passed function|function passed)( \w+)? (must|should|shall|may|can|will|has to|have to)\b`)
)

// harmless are sentences that contain the words of a restriction but ask for nothing ("need not be
// called").
var harmless = regexp.MustCompile(`(?i)\b(need not|needn't|not need to|not have to|not required|it is safe|may be called (at any time|concurrently|by (any|several|multiple)))\b`)

// beforeIt are sentences that ask for calls before one of another operation: "The first call to Go
// must happen before a Wait."
var beforeIt = regexp.MustCompile(`(` + asks(must) + `|` + must + ` (happen|occur|come|take place|precede)\b)[^;:]*\bbefore (an? |any |the )?(calls? (to|of) )?(?P<operation>\w+)\b`)

// Contracts lists the sentences of the documentation that restrict the type's operations, or the
// whole type: those of a method's comment restrict it, those of the type's comment the operations
// that they name.
func (t *Target) Contracts() (list []Contract) {
	if t.directed.Directives == nil {
		return nil
	}
	typ, spoken := t.typeName(), t.spoken()
	about := func(key string, operations func(sentence string) []string) {
		for _, s := range sentencesOf(t.directed.Directives.Docs[key]) {
			roles, ok := spoken.meaning(s)
			if !ok {
				continue
			}
			for _, name := range operations(s) {
				c := Contract{Operation: name, Sentence: s, At: t.directed.Directives.DocAt(key, s), Roles: roles}
				if name == "" {
					c.Roles = nil
				}
				list = append(list, c)
			}
		}
	}
	var names []string
	for i := range t.Found.Operations {
		name := t.Found.Operations[i].Name
		names = append(names, name)
		about(typ+"."+name, func(string) []string { return []string{name} })
	}
	list = append(list, t.referred()...)
	list = append(list, t.awaited()...)
	list = append(list, t.parties()...)
	about(typ, func(s string) (of []string) {
		// "SetLimit must be called before Go": of the operations that a sentence names, its subjects
		// are restricted
		restricted := subjects(s)
		for _, name := range names {
			if slices.Contains(restricted, name) {
				of = append(of, name)
			}
		}
		if len(of) == 0 {
			of = []string{""}
		}
		return of
	})
	return list
}

// subjects lists the words that a sentence begins with as its subject: Push and Pop of "Push and Pop are called by the owner".
func subjects(sentence string) []string {
	m := leading.FindStringSubmatch(sentence)
	if m == nil {
		return nil
	}
	return parted.Split(m[1], -1)
}

var (
	leading = regexp.MustCompile(`^(?:(?:The|Both) )?(?:methods? )?(\w+(?:(?:, and |, or |, | and | or )\w+)*) `)
	parted  = regexp.MustCompile(`, and |, or |, | and | or `)
)

// awaited lists the sentences of operations' documentation that ask for calls before one of another
// operation that takes nothing. It may be meant to be called last.
func (t *Target) awaited() (list []Contract) {
	docs := t.directed.Directives
	for i := range t.Found.Operations {
		key := t.typeName() + "." + t.Found.Operations[i].Name
		for _, s := range sentencesOf(docs.Docs[key]) {
			name := awaitedBy(s)
			if name == "" {
				continue
			}
			for k := range t.Found.Operations {
				if o := &t.Found.Operations[k]; k != i && o.Name == name && len(o.Call.Params) == 0 {
					list = append(list, Contract{Operation: o.Name, Sentence: s, At: docs.DocAt(key, s), Roles: []string{"last"}})
				}
			}
		}
	}
	return list
}

// awaitedBy is the word behind "before" in a sentence that asks for calls before those of another operation; "" if it asks for none.
func awaitedBy(sentence string) string {
	at := beforeIt.FindStringSubmatchIndex(sentence)
	if at == nil || harmless.MatchString(sentence) || ofFunction.MatchString(sentence) || behaves.MatchString(clause(sentence, at)) {
		return ""
	}
	n := 2 * beforeIt.SubexpIndex("operation")
	return sentence[at[n]:at[n+1]]
}

// meaning returns the roles that a sentence may mean; ok is false if it restricts nothing.
func (n spoken) meaning(sentence string) (roles []string, ok bool) {
	sentence = withoutUnlike(sentence)
	if harmless.MatchString(sentence) || ofFunction.MatchString(sentence) {
		return nil, false
	}
	for _, r := range restrictions {
		for _, at := range r.says.FindAllStringIndex(sentence, -1) {
			switch {
			case r.roles == nil:
				return nil, true
			case behaves.MatchString(clause(sentence, at)), slices.Contains(r.roles, "once") && further.MatchString(sentence):
				return nil, false
			case !n.restricts(sentence, at, r.roles):
				continue
			}
			if r.roles[0] == "alone" {
				if role := n.apart(sentence, at); role != "" {
					return []string{role}, true
				}
			}
			return slices.Clone(r.roles), true
		}
	}
	return nil, false
}

// clause is what a sentence says from a place on, up to a comma, semicolon or colon behind it.
func clause(sentence string, at []int) string {
	if end := strings.IndexAny(sentence[at[1]:], ",;:"); end >= 0 {
		return sentence[at[0] : at[1]+end]
	}
	return sentence[at[0]:]
}
