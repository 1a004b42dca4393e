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
	forbidsCalls   = regexp.MustCompile(`(?i)` + forbids + `\s+(\w+\s+){0,2}(call|use|access|modify|invoke|block|lock)\b|` + forbids + `\s+be (called|used|invoked)\b[^;:]*\b(from|inside|within|by|in)\b`)
	saysLocked     = regexp.MustCompile(`(?i)\block(s|ed)?\b[^;:]*\b(held|while|during)\b|\b(held|holds|holding|under)\b[^;:]*\block\b`)
	saysCalled     = regexp.MustCompile(`(?i)\b(run|runs|running|call|calls|called|execut\w+|invok\w+)\b`)
	negated        = regexp.MustCompile(`(?i)\b(not|never|no|without|cannot|outside)\b|n't`)
	words          = regexp.MustCompile(`\w+`)
)

// forbidsBack reports whether a sentence forbids that functions call the object again; parameters are the names of such functions, none if
// the sentence is of the documentation of the functions' type.
func forbidsBack(sentence string, parameters []string) bool {
	about := parameters == nil || aboutFunctions.MatchString(sentence) || slices.ContainsFunc(words.FindAllString(sentence, -1), func(w string) bool { return slices.Contains(parameters, w) })
	switch {
	case saysDeadlock.MatchString(sentence) && !noDeadlock.MatchString(sentence), notReentrant.MatchString(sentence):
		return true
	case about && forbidsCalls.MatchString(sentence):
		return true
	}
	return (about || strings.HasPrefix(sentence, "It ")) && saysCalled.MatchString(sentence) && saysLocked.MatchString(sentence) && !negated.MatchString(sentence)
}

// ForbidsBack is the sentence of the documentation by which functions that operations are given may not call back; ok is false if there is
// none. It may stand at the type, at any of its methods (Publish, which calls the functions, as well as Subscribe, which is given them),
// and at the type of the function (Handler).
func (t *Target) ForbidsBack(operations []string) (c Contract, ok bool) {
	docs := t.directed.Directives
	if docs == nil {
		return Contract{}, false
	}
	typ := t.typeName()
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
			if forbidsBack(s, parameters) {
				_, operation, _ := strings.Cut(key, ".")
				return Contract{Operation: operation, Sentence: s, At: docs.DocAt(key, s)}, true
			}
		}
	}
	return Contract{}, false
}
