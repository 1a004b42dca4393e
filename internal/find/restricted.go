// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"regexp"
	"slices"
	"strings"

	"pangolin/internal/collection"
)

// A sentence with the words of a restriction restricts an operation only if it is about the operation, or about its callers and what they call:
// "It must not be called twice", "Callers must not modify the limit during a call of Do". Many are about something else:
//   - an item, an argument or a result: "The item must not be modified while it is in the queue", "Callers must not use v once it was pushed";
//   - some calls only: "Push must not be called twice with the same item", "Push should be called once per item";
//   - some time only: "Push must not be called by several goroutines after Stop";
//   - what the operation sees to: "Push can only be run by one goroutine at a time: it takes a lock".

// spoken is how documentation speaks of a type and its operations.
type spoken struct {
	typ        string   // "Ring"
	operations []string // "Push", "SetLimit"
}

// spoken is how the type's documentation speaks of it.
func (t *Target) spoken() spoken {
	return spoken{t.typeName(), namesOf(t.Found)}
}

// namesOf lists the names of the operations.
func namesOf(c *collection.Collection) (names []string) {
	for i := range c.Operations {
		names = append(names, c.Operations[i].Name)
	}
	return names
}

const (
	// callers are words for those who call, conditions begin what holds at some time only.
	callers    = `(you|callers?|users?|clients?|goroutines?|threads?|programs?|applications?|producers?|consumers?|readers?|writers?|nobody|no one)`
	conditions = `(after|when|whenever|while|if|unless|until|during|except|before|as long as|once (the|it|all|every|an?|they|you|this|its))`
)

var (
	// callerVerb begins what one of asks matches if it names callers: "callers must not modify".
	callerVerb = regexp.MustCompile(`(?i)^(you|callers?|users?|clients?|goroutines?|threads?|programs?)\b`)
	// ofCallers is a subject that means them.
	ofCallers = regexp.MustCompile(`(?i)^((an?|the|its|all|any|some|only|other|multiple|several|different|two|many|more than one|no( other| two)?) )*` + callers + `$`)
	// oneCaller begins what restrictions match that name who may call: "only one goroutine may call", "only the owner".
	oneCaller = regexp.MustCompile(`(?i)^(only (` + oneThread + `|(the|its) owner)|(do not|don't|never|(not safe|unsafe) to) (call|use|run|invoke))\b`)
	// object is the verb of a sentence about callers, and what it is about.
	object = regexp.MustCompile(`(?i)\b(calls?|uses?|invokes?|runs?|executes?|modify|change|access|set|copy|share|mutate|alter|update|reset|reuse|resize|configure|touch|make|issue)\b\s*([^,;:.]*)`)
	// beyond ends the words for an object: "Pop" of "Pop in parallel with Push".
	beyond = regexp.MustCompile(`(?i)(^|\s)(of|to|on|in|by|from|at|with|for|before|after|while|during|concurrently|simultaneously|together|once|twice|again|more|multiple|only|and|or|unless|if|when|until|without|between|among|that|which|who)\b`)
	// joined are words in front of another subject, lead those in front of a sentence's first, aux those between a subject and "must".
	joined = regexp.MustCompile(`(?i)(, | and | but | or | so | then | because |^and |^but |^or |^then |^so )`)
	lead   = regexp.MustCompile(`(?i)^((note|so|means|this means) that|note:|warning:|however|therefore|thus|hence|also|please|both|either|neither|but|and|or|so|then)\b,?\s*`)
	aux    = regexp.MustCompile(`(?i)\s*\b(is|are|be|was|being|been|gets?|can|may|must|should|shall)?(\s+(also|always|ever|can|may|must|should|shall|meant to be|to be|called|used|invoked|run|accessed|touched))*\s*$`)
	// itself are words for the operation or the type, calls are nouns for uses of them.
	itself = regexp.MustCompile(`(?i)^(it|its|they|them|this|these|that|any|all|both|each other|others|one another)?$`)
	calls  = regexp.MustCompile(`(?i)(^|\s)(methods?|functions?|calls?|operations?|invocations?|uses?|accesses|access|adds|type|structure|collection|container|receiver|itself)$`)
	// results are words for what operations are given or return.
	results = regexp.MustCompile(`(?i)\b(items?|values?|elements?|keys?|entry|entries|nodes?|arguments?|parameters?|results?|returned|given|passed|slices?|buffers?|pointers?)\b`)
	// setter is the name of an operation that sets what follows.
	setter = regexp.MustCompile(`^(?:Set|Reset|Change|Adjust|Configure|Enable|Disable)([A-Z]\w*)$`)
	// article are words in front of a noun, listed those between several.
	article = regexp.MustCompile(`(?i)^((the|an?|its|this|these|that|any|all|every|each|other|another|no other|no|two|no two|multiple|several|concurrent|both|either|neither|same|a given|only|new|first|method|methods|function) )+`)
	// relative begins what tells which items are meant: "Items that were pushed".
	relative = regexp.MustCompile(`^ (that|which|who)\b`)
	listed   = regexp.MustCompile(`,? (?:and|or) |, `)
)

// names reports whether a noun phrase means the operation, others of its type, calls of them, or the type: "Push and Pop", "The first call to Go", "A Conn", "it".
// The limit is what SetLimit sets.
func (n spoken) names(phrase string) bool {
	phrase = strings.Trim(strings.TrimSpace(phrase), "`*[]()\"'.,")
	if itself.MatchString(phrase) {
		return true
	}
	if parts := listed.Split(phrase, -1); len(parts) > 1 {
		return !slices.ContainsFunc(parts, func(p string) bool { return !n.names(p) })
	}
	whole := phrase
	if at := beyond.FindStringIndex(phrase); at != nil && at[0] > 0 {
		phrase = phrase[:at[0]]
	}
	bare := strings.TrimSpace(article.ReplaceAllString(phrase, ""))
	if (n.isOperation(bare) || n.isType(bare)) && !relative.MatchString(whole[len(phrase):]) {
		return true
	}
	if results.MatchString(whole) {
		return false
	}
	if calls.MatchString(phrase) {
		return true
	}
	return slices.ContainsFunc(n.operations, func(name string) bool {
		m := setter.FindStringSubmatch(name)
		return m != nil && strings.EqualFold(m[1], bare)
	})
}

// isOperation reports whether a word names an operation: "Push", "q.Push", "Push calls".
func (n spoken) isOperation(word string) bool {
	word, _, _ = strings.Cut(word, " call")
	return slices.Contains(n.operations, strings.TrimSuffix(word[strings.LastIndex(word, ".")+1:], "()"))
}

// isType reports whether words name the type, or are the last ones of its name: "Ring", "ring buffer" of a RingBuffer, "buffer".
func (n spoken) isType(phrase string) bool {
	joined := strings.ReplaceAll(strings.ToLower(phrase), " ", "")
	at := len(n.typ) - len(joined)
	if joined == "" || at < 0 || !strings.EqualFold(n.typ[at:], joined) {
		return false
	}
	return at == 0 || n.typ[at] >= 'A' && n.typ[at] <= 'Z'
}

// restricts reports whether what one of the restrictions has matched in a sentence, at a place, is about the operation, at any time.
func (n spoken) restricts(sentence string, at []int, roles []string) bool {
	from, to := partOf(sentence, at)
	if advice.MatchString(sentence[from:to]) {
		return false
	}
	before, match := strings.TrimSpace(sentence[from:at[0]]), sentence[at[0]:at[1]]
	rest := sentence[at[1]:to]
	if m := callerVerb.FindString(match); m != "" {
		before = strings.TrimSpace(before + " " + m)
	}
	who := subjectOf(before)
	switch {
	case ofCallers.MatchString(who), oneCaller.MatchString(match):
		if !n.namesObject(match + rest) {
			return false
		}
	case who == "":
		if !n.begins(sentence) {
			return false
		}
	case !n.names(who) && !n.names(aux.ReplaceAllString(before, "")):
		return false
	}
	switch roles[0] {
	case "once":
		return n.ofEach(match, rest)
	case "1":
		return !besideOne.MatchString(rest) && !sometimes(before, match, rest) && !seesTo(match, sentence[at[1]:])
	case "alone":
		return besideCalls(match, rest)
	case "first":
		return !nothingLost.MatchString(sentence[at[1]:])
	}
	return true
}

// partOf is the part of a sentence, up to a semicolon or colon on both sides, around a place.
func partOf(sentence string, at []int) (from, to int) {
	from, to = strings.LastIndexAny(sentence[:at[0]], ";:")+1, len(sentence)
	if end := strings.IndexAny(sentence[at[1]:], ";:"); end >= 0 {
		to = at[1] + end
	}
	return from, to
}

// subjectOf is the noun phrase at the end of what a part of a sentence says in front of its verb; "" if the subject was named earlier: "Push appends v and".
func subjectOf(before string) string {
	before = aux.ReplaceAllString(before, "") + " "
	if all := joined.FindAllStringIndex(before, -1); all != nil {
		before = before[all[len(all)-1][1]:]
	}
	for {
		shorter := lead.ReplaceAllString(before, "")
		if shorter == before || itself.MatchString(before) {
			return strings.TrimSpace(aux.ReplaceAllString(before, ""))
		}
		before = shorter
	}
}

var (
	// noun is the beginning of a sentence that has a subject of its own.
	noun = regexp.MustCompile(`(?i)^(the|an?|this|that|these|all|both|each|every|values|items|elements|keys) (\w+)`)
	// advice is given for speed, or for some mode or version.
	advice = regexp.MustCompile(`(?i)\b(performance|throughput|speed|efficien\w+|latency|fastest|scalab\w+|contention|modes?|version|releases?|benchmarks?)\b`)

	// times are words that count calls. Behind them perCall ends what is counted; onEach, argument and inARow limit it to some calls: "per item", "with the same name", "in a row".
	times    = regexp.MustCompile(`(?i)\b(more than once|twice|a second time|again|multiple times|at most once|only once|exactly once|once only|once)\b`)
	perCall  = regexp.MustCompile(`(?i)^\s*($|[.,)]|(by|and|or|after|from|concurrently|as|in|during|for the life\w*)\b)`)
	onEach   = regexp.MustCompile(`(?i)^\s*(per|on|for|of|with) (the same|each|every|an?|any|one|the)? ?([\w ]+?)\s*($|[.,)])`)
	argument = regexp.MustCompile(`(?i)^[^,;:.]*\b(with|for|on|per) (the same|an? equal|equal|one|each|every|any|a given)\b`)
	inARow   = regexp.MustCompile(`(?i)^\s*in (a row|succession)\b`)
	// What must not be used again is what a call was given, or returned; an operation is called again.
	usedAgain   = regexp.MustCompile(`(?i)\b(again|a second time)\b`)
	calledAgain = regexp.MustCompile(`(?i)\b(call|invok|run|execut|issu|made|perform)`)

	// nothingLost is what happens to calls in another order, which need not be wrong: "or Pop finds nothing".
	nothingLost = regexp.MustCompile(`(?i)\b(or|otherwise|else)\b[^;:]*\b(finds?|returns?|gets?|gives?|yields?|sees?|waits?|blocks?|fails?)\b( \w+)? (nothing|none|false|nil|zero|an error|\w*Err\w*|empty|forever)\b`)

	// some is a condition, someFirst one in front of the subject. contrast is none, and nextClause ends where conditions are looked for.
	some       = regexp.MustCompile(`(?i)\b` + conditions + `\b(.*)`)
	someFirst  = regexp.MustCompile(`(?i)^` + conditions + `\b`)
	contrast   = regexp.MustCompile(`(?i)^while\b.*\b(may|can)\b`)
	nextClause = regexp.MustCompile(`, (and|but|or|so)\b`)
	// One thread at a time may be what a lock of the operation sees to, but not one of its callers.
	atATime     = regexp.MustCompile(`(?i)\b(can|at a time|at once)\b`)
	locksItself = regexp.MustCompile(`(?i)\b(mutex|locks?|semaphore|seriali[sz]\w+)\b`)
	callersLock = regexp.MustCompile(`(?i)\b(callers?|external\w*|own|without)\b`)

	// beside is the end of what a restriction has matched if it names what must not go on at the same time: calls, others at work (atWork), something with a name
	// (caseOfName), but not the lock that the caller is holding. besideOne follows if one thread is meant.
	beside     = regexp.MustCompile(`(?i)\b(while|during|with)$`)
	besideOne  = regexp.MustCompile(`(?i)^ with\b`)
	holding    = regexp.MustCompile(`(?i)^\s*(still )?(holding|owning)\b`)
	atWork     = regexp.MustCompile(`(?i)\b(others?|another|any|anybody|anyone|somebody|someone|else|all|goroutines?|threads?|calls?|methods?|operations?|functions?|uses?|used|in use|using|running|runs?|progress|flight|active|iterat\w*|rang(e|es|ing)|readers?|writers?|producers?|consumers?|workers?|concurrent\w*|itself|(is|are|being|has|have|been) (\w+ )?\w+(ing|ed))\b`)
	caseOfName = regexp.MustCompile(`\b[A-Z]\w*`)
	// ofCalls and inProgress are what stands around the names of operations: "calls of Push are in progress".
	ofCalls    = regexp.MustCompile(`(?i)^((an?|any|all|the|another|other) )*(calls? (to|of) |calling |method |methods )?`)
	inProgress = regexp.MustCompile(`(?i)( calls?| methods?)?( (is|are|may be|might be))?( (still|also|being|in))*( (running|progress|active|called|executing|executed|in flight|flight))?\.?$`)
)

// begins reports whether a sentence begins with the type, an operation, or with no noun: "Push appends v and must not", "Must not".
func (n spoken) begins(sentence string) bool {
	m := noun.FindString(sentence)
	if m == "" {
		return !ofItems.MatchString(sentence)
	}
	return n.names(m)
}

// ofItems are sentences that begin with items.
var ofItems = regexp.MustCompile(`(?i)^(values?|items?|elements?|keys?|entries|nodes|arguments?|results?|pointers?)\b`)

// namesObject reports whether what callers do, or must not do, concerns the operation or the type.
func (n spoken) namesObject(does string) bool {
	m := object.FindStringSubmatch(does)
	if m == nil {
		return true
	}
	what := m[2]
	if at := beyond.FindStringIndex(what); at != nil {
		what = what[:at[0]]
	}
	return n.names(what)
}

// ofEach reports whether "once", or "twice", counts all calls of the operation.
func (n spoken) ofEach(match, rest string) bool {
	if usedAgain.MatchString(match) && !calledAgain.MatchString(match) {
		return false
	}
	behind := rest
	if all := times.FindAllStringIndex(match, -1); all != nil {
		behind = match[all[len(all)-1][1]:] + rest
	}
	if m := onEach.FindStringSubmatch(behind); m != nil {
		return n.isType(m[3]) || calls.MatchString(m[3])
	}
	return perCall.MatchString(behind) && !argument.MatchString(behind) && !inARow.MatchString(behind)
}

// sometimes reports whether a restriction holds at some time only: "after Stop". What a while contrasts with is none: "while Push may be called by many".
func sometimes(before, match, rest string) bool {
	if someFirst.MatchString(strings.TrimSpace(before)) {
		return true
	}
	rest, _, _ = strings.Cut(rest, ",")
	says := match + rest
	if at := nextClause.FindStringIndex(says); at != nil {
		says = says[:at[0]]
	}
	m := some.FindString(says)
	return m != "" && !contrast.MatchString(m)
}

// seesTo reports whether a sentence tells how an operation lets one thread in: "Push can only be run by one goroutine at a time: it takes a lock".
func seesTo(match, rest string) bool {
	return atATime.MatchString(match+rest) && locksItself.MatchString(rest) && !callersLock.MatchString(rest)
}

// besideCalls reports whether what must not go on at the same time are calls, or what others do, not the caller's own doings ("while holding a lock", "in parallel with long computations").
func besideCalls(match, rest string) bool {
	if !beside.MatchString(match) {
		return true
	}
	rest, _, _ = strings.Cut(rest, ",")
	return !holding.MatchString(rest) && (atWork.MatchString(rest) || caseOfName.MatchString(rest))
}

// apart is the role by which no call of the operation is in progress while one of those is that a sentence names behind "concurrently with", and nothing else:
// "not-Push+Pop"; "" if there is none.
func (n spoken) apart(sentence string, at []int) string {
	_, to := partOf(sentence, at)
	rest, _, _ := strings.Cut(sentence[at[1]:to], ",")
	if !beside.MatchString(sentence[at[0]:at[1]]) {
		return ""
	}
	rest = strings.Trim(inProgress.ReplaceAllString(strings.TrimSpace(rest), ""), " .`*[]()")
	var names []string
	for _, name := range listed.Split(article.ReplaceAllString(ofCalls.ReplaceAllString(rest, ""), ""), -1) {
		name = strings.Trim(name, " `*[]()")
		if !n.isOperation(name) {
			return ""
		}
		name, _, _ = strings.Cut(name[strings.LastIndex(name, ".")+1:], " ")
		names = append(names, strings.TrimSuffix(name, "()"))
	}
	return "not-" + strings.Join(names, "+")
}
