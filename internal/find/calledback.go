// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"regexp"
)

// forbidsBack are sentences that say that a function which is given to an operation may not call operations of the same object: "f must
// not call methods of the map", "if f calls Do, it will deadlock", "the lock is held while fn runs".
var forbidsBack = regexp.MustCompile(`(?i)\bdeadlocks?\b|\bre-?entran|\brecurs|` + mustNot + `[^;:]*\b(call|calls|called|use|access|modify|invoke|block)\b|` +
	`\block(s|ed)?\b[^;:]*\b(held|while|during)\b|\bheld\b[^;:]*\b(while|during)\b`)

// ForbidsBack is the sentence of the documentation of the type, or of one of the operations, by which functions that they are given may
// not call back; ok is false if there is none.
func (t *Target) ForbidsBack(operations []string) (c Contract, ok bool) {
	docs := t.directed.Directives
	if docs == nil {
		return Contract{}, false
	}
	for _, name := range append([]string{""}, operations...) {
		key := t.typeName()
		if name != "" {
			key += "." + name
		}
		for _, s := range sentencesOf(docs.Docs[key]) {
			if forbidsBack.MatchString(s) {
				return Contract{Operation: name, Sentence: s, At: docs.DocAt(key, s)}, true
			}
		}
	}
	return Contract{}, false
}
