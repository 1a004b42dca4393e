// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"context"
	"regexp"
	"strings"

	"pangolin/internal/collection"
)

// A sentence allows an operation to fail while another call is in progress if it names the error that it then returns, and
//   - says that a lock cannot be had: "If it does not succeed to acquire the lock, it returns ErrAcquireLock",
//     "returns ErrLocked when the lock is held by another goroutine";
//   - or that others are at work: "It returns ErrBusy if another write is in progress", "ErrContention is returned under contention".
//
// Not "ErrClosed is returned if the lock file is missing": no lock is had or held there.
var (
	saysReturns = regexp.MustCompile(`(?i)\b(returns?|returned|returning|fails?|failed|errors?)\b`)
	saysRefused = regexp.MustCompile(`(?i)\b(acquir|obtain|get|take|grab|hold|held|own)\w*\b[^;:]*\b(lock|mutex|semaphore)\b|\b(lock|mutex|semaphore)\b[^;:]*\b(acquir\w*|obtained|held|taken|busy|contended|locked)\b`)
	saysOthers  = regexp.MustCompile(`(?i)\b(contention|contended)\b|\b(another|other|concurrent|simultaneous)\b[^;:]*\b(in progress|running|active|under way|at the same time)\b`)
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
	if !saysReturns.MatchString(sentence) || !saysRefused.MatchString(sentence) && !saysOthers.MatchString(sentence) || strings.Contains(sentence, "lock file") {
		return ""
	}
	names := variables.FindAllString(sentence, -1)
	if len(names) != 1 {
		return ""
	}
	return names[0]
}

// Failing returns the same type with operations that may fail while another call is in progress, each with the variable of the error.
func (t *Target) Failing(ctx context.Context, variable map[string]string) (*Target, error) {
	return t.with(ctx, func(o *collection.Overrides) { o.MayFail = variable })
}
