// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"regexp"
	"slices"

	"pangolin/oracle"
)

// Contract is a sentence of the documentation that restricts the use of an operation, with the
// roles (-roles) that it may mean, the weakest first. There are none for sentences like "must not
// be copied after first use".
type Contract struct {
	Operation string   // "SetLimit"; "": the sentence is about the whole type
	Sentence  string   // "The limit must not be modified while any goroutines in the group are active."
	At        string   // the beginning of the sentence, as file:line
	Roles     []string // "alone", "first"
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

// restrictions are the sentences that restrict the use of an operation, and the roles that they may
// mean.
var restrictions = []struct {
	says  *regexp.Regexp
	roles []string
}{
	{regexp.MustCompile(`(?i)` + mustNot + `[^;:]*\bcop(y|ied)\b`), nil},
	{regexp.MustCompile(`(?i)` + mustNot + `[^;:]*\b(more than once|twice|a second time|again|multiple times)\b|` + must + `[^;:]*\b(at most once|only once|exactly once|once only)\b|\bonly be \w+ once\b`), []string{"once"}},
	{regexp.MustCompile(`(?i)` + must + `[^;:]*\bbefore\b[^;:]*\b(any|all|other|others|first|use|used|using|start|started|starting|started|calling|concurrent)\b`), []string{"first"}},
	{regexp.MustCompile(`(?i)` + mustNot + `[^;:]*\bafter\b[^;:]*\b(first use|first call|in use|started|it is used|been used|other)\b`), []string{"first"}},
	{regexp.MustCompile(`(?i)` + mustNot + `[^;:]*\b(while|during|concurrently with|simultaneously with|in parallel with)\b`), []string{"alone", "first"}},
	{regexp.MustCompile(`(?i)` + must + `[^;:]*\b((one|a single|single|the same) (goroutine|thread|consumer|producer|caller|reader|writer)|own(er|ing) (goroutine|thread))\b|` +
		must + `[^;:]*\b(by|from) (the|its) owner( only| alone)?([.,;]|$)|\bonly (by |from )?(the|its) owner( (calls?|uses?|may|can|must|should)\b|[.,;]|$)|\b(by|from) (the|its) owner (only|alone|exclusively)\b|` +
		mustNot + `[^;:]*\b(concurrently|simultaneously|in parallel|(multiple|several|different|two|many|more than one) (goroutines?|threads?))\b`), []string{"1"}},
}

// harmless are sentences that contain the words of a restriction but ask for nothing ("need not be
// called").
var harmless = regexp.MustCompile(`(?i)\b(need not|needn't|not need to|not have to|not required|it is safe|may be called (at any time|concurrently|by (any|several|multiple)))\b`)

// beforeIt are sentences that ask for calls before one of another operation: "The first call to Go
// must happen before a Wait."
var beforeIt = regexp.MustCompile(must + `[^;:]*\bbefore (?:an? |any |the )?(?:calls? (?:to|of) )?(\w+)\b`)

// Contracts lists the sentences of the documentation that restrict the type's operations, or the
// whole type: those of a method's comment restrict it, those of the type's comment the operations
// that they name.
func (t *Target) Contracts() (list []Contract) {
	if t.directed.Directives == nil {
		return nil
	}
	typ := t.typeName()
	about := func(key string, operations func(sentence string) []string) {
		for _, s := range sentencesOf(t.directed.Directives.Docs[key]) {
			roles, ok := meaning(s)
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

// A container's documentation may say how many put items and how many take them: "for a single producer and many consumers", "an SPSC queue".
var (
	oneProducer = regexp.MustCompile(`(?i)\b(one|single|1)[- ]producer\b|\bSP[SM]C\b`)
	oneConsumer = regexp.MustCompile(`(?i)\b(one|single|1)[- ]consumer\b|\b[SM]PSC\b`)
	atLeastOne  = regexp.MustCompile(`(?i)\b(not (only|just|limited to)|at least|more than)\b`)
)

// parties lists the sentences of the type's documentation that allow one producer or one consumer, for each operation that puts or takes
// items. If both are one, the producer is thread 1 and the consumer thread 2.
func (t *Target) parties() (list []Contract) {
	docs, typ := t.directed.Directives, t.typeName()
	for _, s := range sentencesOf(docs.Docs[typ]) {
		if atLeastOne.MatchString(s) {
			continue
		}
		for i := range t.Found.Operations {
			o := &t.Found.Operations[i]
			thread := ""
			switch o.Op.Role {
			case oracle.Put, oracle.PutFront, oracle.PutBack:
				if oneProducer.MatchString(s) {
					thread = "1"
				}
			case oracle.Take, oracle.TakeFront, oracle.TakeBack, oracle.Peek, oracle.PeekFront, oracle.PeekBack:
				if oneConsumer.MatchString(s) {
					thread = "2"
				}
			}
			if thread != "" {
				list = append(list, Contract{Operation: o.Name, Sentence: s, At: docs.DocAt(typ, s), Roles: []string{thread}, Party: true})
			}
		}
	}
	if !slices.ContainsFunc(list, func(c Contract) bool { return c.Roles[0] == "1" }) {
		for i := range list {
			list[i].Roles[0] = "1"
		}
	}
	return list
}

// awaited lists the sentences of operations' documentation that ask for calls before one of another
// operation that takes nothing. It may be meant to be called last.
func (t *Target) awaited() (list []Contract) {
	docs := t.directed.Directives
	for i := range t.Found.Operations {
		key := t.typeName() + "." + t.Found.Operations[i].Name
		for _, s := range sentencesOf(docs.Docs[key]) {
			m := beforeIt.FindStringSubmatch(s)
			if m == nil || harmless.MatchString(s) {
				continue
			}
			for k := range t.Found.Operations {
				if o := &t.Found.Operations[k]; k != i && o.Name == m[2] && len(o.Call.Params) == 0 {
					list = append(list, Contract{Operation: o.Name, Sentence: s, At: docs.DocAt(key, s), Roles: []string{"last"}})
				}
			}
		}
	}
	return list
}

// meaning returns the roles that a sentence may mean; ok is false if it restricts nothing.
func meaning(sentence string) (roles []string, ok bool) {
	if harmless.MatchString(sentence) {
		return nil, false
	}
	for _, r := range restrictions {
		if r.says.MatchString(sentence) {
			return slices.Clone(r.roles), true
		}
	}
	return nil, false
}
