// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"regexp"
	"strings"
)

// What the documentation of a type tells about its use by several goroutines.

var (
	// Sentences that deny, and that promise, that a type may be used by several goroutines.
	unsafeUse = regexp.MustCompile(`(?i)^(not|isn't|aren't|never|neither)((?:[^\w.,;:]+[\w'-]+){0,3}?)[^\w.,;:]+(?:(?:safe|meant|intended|designed|suitable)\b[^.;:]*\b(?:concurren|goroutine|thread|simultaneous|parallel)|` +
		`for (?:use (?:by|from|in) )?(?:many|several|multiple|more than one) (?:goroutines|threads)\b|(?:goroutine|thread|concurrency)[- ]?safe\b)`)
	unsafeWord = regexp.MustCompile(`(?i)\b(not|isn't|aren't|non|un)[- ]?(goroutine|thread|concurren\w*|synchroni[sz]ed)([- ]?safe)?\b` +
		`|\b(must|may|should|can)(not| not|n't) be (used|called|accessed|shared)\b[^.;:]*\b(concurrent|goroutines|threads|simultaneous|parallel)`)
	negations = regexp.MustCompile(`(?i)\b(not|isn't|aren't|never|neither)\b`)
	joins     = regexp.MustCompile(`(?i)\b(and|but|only|just|merely)\b`) // "never blocks and is safe", "not only safe"
	// oneUser matches that a type is for one goroutine, or used by one: "A Tx is for one goroutine". What one goroutine does with its content is another
	// thing: "a mailbox that is drained by one goroutine". others are words of a sentence that speaks of more of them.
	oneUser = regexp.MustCompile(`(?i)\b(((is|are|only|meant|intended|designed)( only)? for( use (by|in|from|within))?|\b(is|are|be)( only| always)? (used|accessed|called|touched)( only| always)? (by|in|from|within))( only)? (one|exactly one|a single|the same) goroutine|single[- ]goroutine use)\b`)
	others  = regexp.MustCompile(`(?i)\b(and|or|another|others?|each|every|many|several|any|whose|which|that|starts?|started|runs?|spawns?|launch\w*|executed?|producers?|consumers?|readers?|writers?|items?|values?|elements?)\b`)
	safeUse = regexp.MustCompile(`(?i)\bsafe\b[^.;:]*\b(concurren|goroutines|threads|simultaneous|parallel)|\b(goroutine|thread|concurrency)[- ]?safe\b` +
		`|\b(may|can) be (used|called|accessed|shared)\b[^.;:]*\b(concurrently|goroutines|threads|simultaneously|in parallel)|\b(concurrent|lock-free|wait-free|synchroni[sz]ed)\b` +
		`|\bfor (use (by|from|in) )?(many|several|multiple|any number of) (concurrent )?(goroutines|threads)\b`)
	// ofTheType matches the beginning of a sentence about the whole type, not about one method.
	ofTheType = regexp.MustCompile(`^((It|They|This|These|The (type|implementation|structure|zero|methods|functions)|Note that (it|this|the type)|NOTE|WARNING|Warning|Not|An?)\b|Note:)`)
	// restricted matches sentences about some uses of a type only.
	restricted = regexp.MustCompile(`(?i)\b(with|while|after|before|during|unless|except|if|when|until|once)\b`)
	sentences  = regexp.MustCompile(`(?:[^.!]|\.[A-Za-z])+[.!]?`) // a dot before a letter ends none: sync.WaitGroup
)

// unlikeOther is what a sentence says of another thing: "unlike a map, which is not safe for concurrent use".
var unlikeOther = regexp.MustCompile(`(?i)^` + unlike + `(,|\))|(,? ?\(?)\b` + unlike + `(\)|,|$)|,? \bwhereas\b[^;:]*`)

const unlike = `(unlike|in contrast to|contrary to|as opposed to|compared (to|with))\b[^,;:()]*(, (which|that|whose|who)\b[^,;:()]*| ?\([^()]*\)[^,;:()]*)?`

// withoutUnlike is a sentence without what it says of another thing that the type is unlike.
func withoutUnlike(sentence string) string {
	if !unlikeOther.MatchString(sentence) {
		return sentence
	}
	s := strings.TrimSpace(unlikeOther.ReplaceAllString(sentence, ""))
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// denies reports whether a sentence denies that several goroutines may use a type. The negation stands close in front of what it denies, without a comma: "never blocks, and
// is designed for many goroutines" denies nothing.
func denies(sentence string) bool {
	for _, at := range negations.FindAllStringIndex(sentence, -1) {
		if m := unsafeUse.FindStringSubmatch(sentence[at[0]:]); m != nil && !joins.MatchString(m[2]) {
			return true
		}
	}
	return unsafeWord.MatchString(sentence)
}

// Unshared is the sentence of the documentation by which the type must not be used by several
// goroutines at a time; "" if there is none, or if another sentence allows some such use. Only
// sentences without a condition whose subject is the type count: "Reset is not safe for concurrent
// use" restricts Reset alone, and "not while a Reset is in progress" restricts some uses.
func (t *Target) Unshared() string {
	found := ""
	for _, said := range sentencesOf(t.Doc) {
		s := withoutUnlike(said)
		switch {
		case denies(s), oneUser.MatchString(s) && !others.MatchString(s) && !safeUse.MatchString(s):
			if found == "" && !restricted.MatchString(s) && (strings.HasPrefix(s, t.typeName()+" ") || ofTheType.MatchString(s)) {
				found = said
			}
		case safeUse.MatchString(s):
			return ""
		}
	}
	return found
}

// Shared reports whether the documentation promises that several goroutines may use the type, or
// some of its operations, at a time.
func (t *Target) Shared() bool {
	for _, s := range sentencesOf(t.Doc) {
		if s = withoutUnlike(s); !denies(s) && safeUse.MatchString(s) {
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
