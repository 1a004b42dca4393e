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
	// calledThen says when an operation may be called, nextSays where a sentence says the next thing.
	calledThen = regexp.MustCompile(`(?i)\b(may|can|could) ((also|always|even|still|safely) )*be ((also|always|even|still|safely) )*(called|used|invoked|run)\b|\bsafe\b`)
	nextSays   = regexp.MustCompile(`(?i)[;:]|, (and|but)\b|\b(and|but) (it )?(returns?|may|can|is|are|does|fails?|waits?|blocks?)\b`)
	// evenThen stands in front of a condition that is not needed; narrowing begins one that is, unless it tells of the call itself, or "or" follows.
	evenThen  = regexp.MustCompile(`(?i)\b(even|also|too|regardless)\s*$`)
	narrowing = regexp.MustCompile(`(?i)^(if|when|whenever|because|in case)\b`)
	ofTheCall = regexp.MustCompile(`(?i)^when (it|called|the call|this)\b`)
	joinedBy  = regexp.MustCompile(`(?i)\b(or|and|nor)\s*$`)
	variables = regexp.MustCompile(`\b[Ee]rr[A-Z]\w*`)
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
// says nothing of the kind or names several. The condition stands in the clause that has the error: "ErrMissing is returned if k is not there; it may be called
// while another update is in progress" allows no failure.
func failsAs(sentence string) string {
	names := variables.FindAllString(sentence, -1)
	if len(names) != 1 || noReturn.MatchString(sentence) {
		return ""
	}
	for _, clause := range clausesOf(sentence) {
		if strings.Contains(clause, names[0]) && saysReturns.MatchString(clause) && !calledThen.MatchString(clause) && allows(conditionsOf(clause)) {
			return names[0]
		}
	}
	return ""
}

// clausesOf cuts a sentence in front of what it says next: "; it may be called", ", and returns".
func clausesOf(sentence string) (list []string) {
	from := 0
	for _, at := range nextSays.FindAllStringIndex(sentence, -1) {
		list = append(list, sentence[from:at[0]])
		from = at[0]
	}
	return append(list, sentence[from:])
}

// conditionsOf are the parts of a sentence that begin with a word such as "if", each up to the next one, or to a comma, semicolon or colon; not those
// directly behind a negation, nor behind "even" or "also".
func conditionsOf(sentence string) (list []string) {
	for _, part := range strings.FieldsFunc(sentence, func(r rune) bool { return strings.ContainsRune(",;:", r) }) {
		at := condition.FindAllStringIndex(part, -1)
		for i := range at {
			end := len(part)
			if i+1 < len(at) {
				end = at[i+1][0]
			}
			if before := part[:at[i][0]]; !deniedNext.MatchString(before) && !evenThen.MatchString(before) {
				list = append(list, part[at[i][0]:end])
			}
		}
	}
	return list
}

// allows reports whether one of the conditions is enough to fail because of others: it says so, and none of the rest narrows it ("if k is not there while another
// update is in progress").
func allows(conditions []string) bool {
	return slices.ContainsFunc(conditions, beaten) && !slices.ContainsFunc(conditions, func(c string) bool {
		return !beaten(c) && narrowing.MatchString(c) && !ofTheCall.MatchString(c) && !joinedBy.MatchString(c)
	})
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
