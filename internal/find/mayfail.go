// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"pangolin/internal/collection"
)

// A sentence allows an operation to fail while another call is in progress if it names the error that it then returns, and a condition in it
//   - says that a lock cannot be had: "If it does not succeed to acquire the lock, it returns ErrAcquireLock",
//     "returns ErrLocked when the lock is held by another goroutine";
//   - or that others are at work: "It returns ErrBusy if another write is in progress", "ErrContention is returned under contention".
//
// Not "It acquires the lock and returns ErrEmpty if there is nothing": the condition is another one. Not "It returns ErrNotLocked if the lock is
// not held", "ErrIdle if no other call is in progress": these are the opposite. Not "if the caller holds the lock", which is about one call, and
// not "ErrClosed is returned if the lock file is missing": no lock is had or held there. What is denied is the opposite as well: "ErrEmpty if there is nothing,
// never under contention", "it never returns ErrBusy if another call is in progress".
var (
	saysReturns = regexp.MustCompile(`(?i)\b(returns?|returned|returning|fails?|failed|errors?)\b`)
	condition   = regexp.MustCompile(`(?i)\b(if|when|whenever|while|because|in case|on failure|on contention|under|due to)\b`)
	saysNot     = regexp.MustCompile(`(?i)\b(no|not|cannot|never|nobody|none|nothing|without|unable|unsuccessful\w*|impossible|fail\w*)\b|n't\b`)
	saysTaking  = regexp.MustCompile(`(?i)\b(acquir|obtain|get|take|grab)\w*\b.*\b(lock|mutex|semaphore)\b|\b(lock|mutex|semaphore)\b.*\b(acquired|obtained|had)\b`)
	saysTaken   = regexp.MustCompile(`(?i)\b(lock|mutex|semaphore)\b.*\b(held|taken|busy|contended|locked)\b|\b(another|other|others|someone|somebody)\b.*\b(holds?|holding|owns?|owning|has|have)\b.*\b(lock|mutex|semaphore)\b`)
	saysOthers  = regexp.MustCompile(`(?i)\b(contention|contended)\b|\b(another|other|concurrent|simultaneous)\b.*\b(in progress|running|active|under way|at the same time)\b`)
	saysItself  = regexp.MustCompile(`(?i)\b(caller|calling|same|current)\b|\block file\b`)
	deniedNext  = regexp.MustCompile(`(?i)(\b(not|never|nor|neither|no|without|except|unless|than)|n't)(\s+(even|ever|just|merely|simply))*\s*$`)
	noReturn    = regexp.MustCompile(`(?i)(\b(not|never|cannot|nor|no longer)|n't)(\s+(be|been|ever|even|just|simply|also))*\s+(returns?|returned|returning|fails?|failed)\b`)
	variables   = regexp.MustCompile(`\b[Ee]rr[A-Z]\w*`)
)

// MayFail lists the sentences of operations' documentation by which they may fail while another call is in progress, and maps these
// operations to the variables of the errors that they then return.
func (t *Target) MayFail() (list []Contract, variable map[string]string) {
	docs := t.directed.Directives
	if docs == nil {
		return nil, nil
	}
	variable = map[string]string{}
	for i := range t.Found.Operations {
		o := &t.Found.Operations[i]
		key := t.typeName() + "." + o.Name
		for _, s := range sentencesOf(docs.Docs[key]) {
			if name := failsAs(s); name != "" && o.ReturnsError(name) && variable[o.Name] == "" {
				variable[o.Name] = name
				list = append(list, Contract{Operation: o.Name, Sentence: s, At: docs.DocAt(key, s)})
			}
		}
	}
	return list, variable
}

// failsAs returns the variable of the error that an operation returns, by a sentence, if it fails because of others; "" if the sentence
// says nothing of the kind or names several.
func failsAs(sentence string) string {
	names := variables.FindAllString(sentence, -1)
	if len(names) != 1 || !saysReturns.MatchString(sentence) || noReturn.MatchString(sentence) || !slices.ContainsFunc(conditionsOf(sentence), beaten) {
		return ""
	}
	return names[0]
}

// conditionsOf are the parts of a sentence that begin with a word such as "if", each up to the next one, or to a comma, semicolon or colon; not those
// directly behind a negation.
func conditionsOf(sentence string) (list []string) {
	for _, part := range strings.FieldsFunc(sentence, func(r rune) bool { return strings.ContainsRune(",;:", r) }) {
		at := condition.FindAllStringIndex(part, -1)
		for i := range at {
			end := len(part)
			if i+1 < len(at) {
				end = at[i+1][0]
			}
			if !deniedNext.MatchString(part[:at[i][0]]) {
				list = append(list, part[at[i][0]:end])
			}
		}
	}
	return list
}

// beaten reports whether a condition says that a lock cannot be had or that others are at work, and nothing else ("and nothing was added").
func beaten(condition string) bool {
	switch {
	case saysItself.MatchString(condition):
		return false
	case saysNot.MatchString(condition):
		return saysTaking.MatchString(condition) && !saysTaken.MatchString(condition) && !saysOthers.MatchString(condition)
	}
	return saysTaken.MatchString(condition) || saysOthers.MatchString(condition)
}

// Failing returns the same type with operations that may fail while another call is in progress: each with the variable of the error, and,
// if cancelled is set, those that were given a context which is cancelled, with its error.
func (t *Target) Failing(ctx context.Context, variable map[string]string, cancelled bool) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.MayFail, o.Cancelled = variable, cancelled })
}
