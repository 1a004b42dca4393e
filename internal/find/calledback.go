// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A sentence forbids that functions which operations are given call the object again if it
//   - says what happens then: "if f calls Do, it deadlocks", "the bus is not reentrant"; but not "it never deadlocks";
//   - forbids a function to call: "f must not call methods of the map", "Do must not be called from a handler"; but not
//     "a Bus must not be copied after first use", "a number must not be used after Unsubscribe", which are about no function;
//   - says that functions run under the lock: "the lock is held while fn runs"; but not "handlers run without the lock held".
var (
	saysDeadlock   = regexp.MustCompile(`(?i)\bdead-?locks?\b`)
	noDeadlock     = regexp.MustCompile(`(?i)(\b(never|not|cannot|no|without|free (of|from)|avoids?|avoiding|prevents?|preventing|rather than|instead of)|n't)\s+(\w+\s+){0,2}dead-?locks?\b|\bdead-?lock[- ](free|detect)`)
	notReentrant   = regexp.MustCompile(`(?i)(\b(not|never|cannot|non)|n't)\b[^;:]*(\bre-?entran|\brecurs)`)
	forbids        = `(` + mustNot + `|\b(do not|don't|never|not allowed to|not safe to|unsafe to|illegal to|forbidden to)\b)`
	aboutFunctions = regexp.MustCompile(`(?i)\b(handlers?|call-?backs?|func(tion)?s?|fn|f|hooks?|listeners?|subscribers?|observers?|visitors?|closures?|predicates?|compute|yield)\b`)
	// forbidsCalls stands in front of what functions must not call or use, forbidsCalled of who must not call.
	forbidsCalls  = regexp.MustCompile(`(?i)` + forbids + `\s+(\w+\s+){0,2}(call|use|access|modify|invoke|block|lock)\b`)
	forbidsCalled = regexp.MustCompile(`(?i)` + forbids + `\s+be (called|used|invoked)\b[^;:]*\b(from|inside|within|by|in)\b`)
	// backInto are words for the collection, ofArgument for methods of something else. Who must not block must not wait for the collection only if it says so.
	backInto   = regexp.MustCompile(`(?i)\b(back|into|methods?|operations?|it)\b`)
	objectEnd  = regexp.MustCompile(`[,;:]|\b(that|which|who)\b|\bit (after|once|when|later)\b`)
	ofArgument = regexp.MustCompile(`(?i)\bmethods? (of|on) (\w+ )?(items?|values?|elements?|keys?|arguments?|parameters?|results?|events?|messages?|requests?|payloads?|jobs?|tasks?)\b`)
	blocking   = regexp.MustCompile(`(?i)\bblock$`)
	blockingOn = regexp.MustCompile(`(?i)^[^;:]*\b(on|in|waiting for|or (call|use))\b`)
	saysLocked = regexp.MustCompile(`(?i)\block(s|ed)?\b[^;:]*\b(held|while|during)\b|\b(held|holds|holding|under)\b[^;:]*\block\b`)
	saysCalled = regexp.MustCompile(`(?i)\b(run|runs|running|call|calls|called|execut\w+|invok\w+)\b`)
	negated    = regexp.MustCompile(`(?i)\b(not|never|no|without|cannot|outside)\b|n't`)
	words      = regexp.MustCompile(`\w+`)
)

// forbidsBack reports whether a sentence forbids that functions call the object again; parameters are the names of such functions, none if
// the sentence is of the documentation of the functions' type. What must not be called or used is the collection: "the bus", "methods of it", Publish; "must
// not block for long" and "must not modify the event" forbid no call back.
func (n spoken) forbidsBack(sentence string, parameters []string) bool {
	function := func(says string) bool {
		return aboutFunctions.MatchString(says) || slices.ContainsFunc(words.FindAllString(says, -1), func(w string) bool { return slices.Contains(parameters, w) })
	}
	about := parameters == nil || function(sentence)
	switch {
	case saysDeadlock.MatchString(sentence) && !noDeadlock.MatchString(sentence), notReentrant.MatchString(sentence):
		return true
	case about && n.forbidsUse(sentence):
		return true
	}
	if at := forbidsCalled.FindStringIndex(sentence); at != nil && about && function(sentence[at[1]:]) {
		return true
	}
	return (about || strings.HasPrefix(sentence, "It ")) && saysCalled.MatchString(sentence) && saysLocked.MatchString(sentence) && !negated.MatchString(sentence)
}

// forbidsUse reports whether a sentence forbids to call or use the collection, or one of its operations.
func (n spoken) forbidsUse(sentence string) bool {
	for _, at := range forbidsCalls.FindAllStringIndex(sentence, -1) {
		what := sentence[at[1]:]
		if end := objectEnd.FindStringIndex(what); end != nil {
			what = what[:end[0]]
		}
		if blocking.MatchString(sentence[at[0]:at[1]]) && !blockingOn.MatchString(what) {
			continue
		}
		if ofArgument.MatchString(what) {
			continue
		}
		if backInto.MatchString(what) || slices.ContainsFunc(words.FindAllString(what, -1), func(w string) bool { return n.isOperation(w) || n.isType(w) }) {
			return true
		}
	}
	return false
}

// ForbidsBack is the sentence of the documentation by which functions that operations are given may not call back; ok is false if there is
// none. It may stand at the type, at any of its methods (Publish, which calls the functions, as well as Subscribe, which is given them),
// and at the type of the function (Handler).
func (t *Target) ForbidsBack(operations []string) (c Contract, ok bool) {
	docs := t.directed.Directives
	if docs == nil {
		return Contract{}, false
	}
	typ, spoken := t.typeName(), t.spoken()
	keys := []string{typ}
	for _, key := range slices.Sorted(maps.Keys(docs.Docs)) {
		if strings.HasPrefix(key, typ+".") {
			keys = append(keys, key)
		}
	}
	ofTypes := len(keys)
	parameters := []string{}
	for i := range t.Found.Operations {
		if !slices.Contains(operations, t.Found.Operations[i].Name) {
			continue
		}
		for _, p := range t.Found.Operations[i].Params {
			if p.Name != "" {
				parameters = append(parameters, p.Name)
			}
		}
		for _, c := range t.Found.Operations[i].Call.Params {
			for ; c != nil; c = c.Elem {
				if named, ok := types.Unalias(c.Type).(*types.Named); ok && named.Obj().Name() != typ {
					keys = append(keys, named.Obj().Name())
				}
			}
		}
	}
	for i, key := range keys {
		if i == ofTypes {
			parameters = nil
		}
		for _, s := range sentencesOf(docs.Docs[key]) {
			if spoken.forbidsBack(s, parameters) {
				_, operation, _ := strings.Cut(key, ".")
				return Contract{Operation: operation, Sentence: s, At: docs.DocAt(key, s)}, true
			}
		}
	}
	return Contract{}, false
}
