// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"regexp"
	"strings"
)

// What the documentation of a type says of its use by several goroutines.

var (
	// use is what documentation says that a type is safe for, or not.
	unsafeUse = regexp.MustCompile(`(?i)\b(not|isn't|aren't|never|neither)\b[^.;:]*\b(safe|meant|intended|designed|suitable)\b[^.;:]*\b(concurren|goroutine|thread|simultaneous|parallel)` +
		`|\b(not|isn't|aren't|non|un)[- ]?(goroutine|thread|concurren\w*|synchroni[sz]ed)([- ]?safe)?\b` +
		`|\b(must|may|should|can)(not| not|n't) be (used|called|accessed|shared)\b[^.;:]*\b(concurrent|goroutines|threads|simultaneous|parallel)`)
	safeUse = regexp.MustCompile(`(?i)\bsafe\b[^.;:]*\b(concurren|goroutines|threads|simultaneous|parallel)|\b(goroutine|thread|concurrency)[- ]?safe\b` +
		`|\b(may|can) be (used|called|accessed|shared)\b[^.;:]*\b(concurrently|goroutines|threads|simultaneously|in parallel)|\b(concurrent|lock-free|wait-free|synchroni[sz]ed)\b`)
	// ofTheType are the beginnings of sentences about the whole type, and not about one method of it.
	ofTheType = regexp.MustCompile(`^(It|They|This|These|The (type|implementation|structure|zero)|Note that (it|this|the type)|NOTE|WARNING|Warning|Note:|Not |An?) ?`)
	// restricted are sentences about some uses of a type.
	restricted = regexp.MustCompile(`(?i)\b(with|while|after|before|during|unless|except|if|when|until|once)\b`)
	sentences  = regexp.MustCompile(`[^.!]+[.!]?`)
)

// Unshared is the sentence of a type's documentation which says that it is not for several goroutines at a time; "" if there is none, or if
// another sentence says that something of it is. A sentence counts whose subject is the type, and that names no condition: that "Reset is
// not safe for concurrent use" restricts Reset alone, and "not while a Reset is in progress" some uses.
func (t *Target) Unshared() string {
	found := ""
	for _, s := range sentencesOf(t.Doc) {
		switch {
		case unsafeUse.MatchString(s):
			if found == "" && !restricted.MatchString(s) && (strings.HasPrefix(s, t.typeName()+" ") || ofTheType.MatchString(s)) {
				found = s
			}
		case safeUse.MatchString(s):
			return ""
		}
	}
	return found
}

// Shared says that a type's documentation promises that several goroutines may use it, or something of it, at a time.
func (t *Target) Shared() bool {
	for _, s := range sentencesOf(t.Doc) {
		if !unsafeUse.MatchString(s) && safeUse.MatchString(s) {
			return true
		}
	}
	return false
}

// typeName is the type's name in its package.
func (t *Target) typeName() string {
	name, _, _ := strings.Cut(t.Found.Type, "[")
	return name
}

// sentencesOf splits documentation into sentences, each on one line.
func sentencesOf(doc string) (list []string) {
	for _, s := range sentences.FindAllString(strings.Join(strings.Fields(doc), " "), -1) {
		list = append(list, strings.TrimSpace(s))
	}
	return list
}
