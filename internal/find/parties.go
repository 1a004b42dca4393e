// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"regexp"
	"slices"

	"pangolin/oracle"
)

// A container's documentation may say how many put items and how many take them: "for a single producer and many consumers", "an SPSC queue".
var (
	oneProducer = party(`((one|single|1)[- ]producer|SP[SM]C)`, `\b(any number of|many|multiple|several|more than one|two|concurrent)[- ]producers?\b|\bmulti-?producer\b|\bMP[SM]C\b`)
	oneConsumer = party(`((one|single|1)[- ]consumer|[SM]PSC)`, `\b(any number of|many|multiple|several|more than one|two|concurrent)[- ]consumers?\b|\bmulti-?consumer\b|\b[SM]PMC\b`)
	atLeastOne  = regexp.MustCompile(`(?i)\b(not (only|just|limited to)|at least|more than)\b`)
)

// party is a test of sentences about a type: they say that the type is for one party, and neither deny it ("unlike a single-producer queue", "not for one
// producer") nor have words for several. They say so
//   - with the type as their subject: "Ring is a queue for a single producer", "It supports one producer";
//   - without a verb: "A bounded single-producer queue", "Safe for one producer and one consumer";
//   - of the party: "Only one producer may call Push", "A single producer may push while others pop".
//
// Not "It has a fast path for the single-consumer case", "A single consumer suffices", "Each item is taken by one consumer".
func party(one, several string) func(sentence, typ string) bool {
	denied := regexp.MustCompile(`(?i)\b(unlike|not|never|no|than|instead of|nor|without)\b(\s+(for|a|an|the|any|is|as|of|with|by|in|to|just|only|be|mere|meant|designed|intended|used|limited|restricted|most|other|usual|simple|need|require|demand|assume|expect))*\s+` + one + `\b|` + several)
	// about matches what follows the type's name.
	about := regexp.MustCompile(`(?i)^[^;:]*?\b(is|are|supports?|requires?|allows?|permits?|has|have|expects?|assumes?|needs?|works?|serves?|(must|may|can|should)( only)? (be|have)|takes?|implements?|provides?)\b[^;:]*?\b` + one + `\b`)
	bare := regexp.MustCompile(`(?i)^((only |strictly |safe )?for (use (by|with) )?|(an?|the) )?([\w-]+,? ){0,5}?` + one + `\b`)
	who := regexp.MustCompile(`(?i)\b(only|exactly|at most|just)( be)? (a )?` + one + `\b|\b` + one + `( and ([\w-]+ ){1,3}?(consumer|producer)s?)? (may|must|can only|should|is allowed to|has to|can|calls)( only| both)? (call|use|invoke|push|put|add|append|enqueue|insert|send|write|offer|pop|take|get|remove|dequeue|receive|read|poll|access|\w+ while)\b|\bmust be (a )?` + one + `\b|\bwhile (a )?` + one + `\b|\b(by|from|with) ((exactly|only) )?(an? )?` + one + `( and [\w -]+)? (only|at a time|at once)\b`)
	// happens is what becomes of one of several.
	happens := regexp.MustCompile(`(?i)\b` + one + ` (gets?|receives?|sees?|finds?|wins?|takes|to|will|would|more|or (many|more|several|multiple|any)|is (told|given|served|inside|chosen))\b`)
	says := regexp.MustCompile(`(?i)\b` + one + `\b`)
	return func(sentence, typ string) bool {
		sentence = withoutUnlike(sentence)
		if !says.MatchString(sentence) || denied.MatchString(sentence) || happens.MatchString(sentence) || elseOne.MatchString(sentence) || ofItems.MatchString(sentence) || eachItem.MatchString(sentence) {
			return false
		}
		for _, at := range ofType(typ).FindAllStringIndex(sentence, -1) {
			if about.MatchString(sentence[at[1]:]) {
				return true
			}
		}
		return who.MatchString(sentence) || bare.MatchString(sentence) && !verbs.MatchString(sentence)
	}
}

var (
	// elseOne are words of sentences that name one party for another purpose: they tell when something is fast, what something else is for, or what was.
	elseOne  = regexp.MustCompile(`(?i)\b(if|when|whenever|where|cases?|paths?|benchmark\w*|suffic\w*|enough|version|replac\w+|former\w*|previous\w*|was|were|had|example|e\.g|tests?|modes?|variants?|options?|internal\w*|background|itself|starts?|started|per|based on|built (from|on|of|with)|made (of|from|up)|wraps?|wrapped|consists?|need not|needn't|(do|does|did) not (need|require)|as \w+ as|like|similar|prefer|see|as well|even|well (for|with)|in most|most programs|mostly|usually|typically|often|generali[sz]\w+|extends?|extended|performs?|constructors?|ancestors?|locked by|room for|wakes?|woken|signals?|signalled|notif\w+|optimi[sz]ed for|tuned for|(best|better|fast|faster|fastest|ideal|efficient|good|most) (for|with|under)|(of|from|on|around|over) (\w+ )?(\w+-)?(queues|rings|buffers|channels))\b`)
	eachItem = regexp.MustCompile(`(?i)\b(each|every|an?|the|all|any|its) ?(items?|values?|elements?|messages?|entry|entries|keys?|jobs?|tasks?)? (is|are|was|were|goes|go|comes|gets?) (only )?(taken|consumed|received|read|seen|removed|popped|handled|processed|put|produced|written|given|delivered|to)\b`)
	verbs    = regexp.MustCompile(`(?i)^use\b|\b(is|are|was|were|be|been|has|have|had|do|does|did|can|could|may|might|must|will|would|should|shall|makes?|needs?|gets?|takes?|uses|finds?|gives?|calls?)\b`)
)

// ofType matches the type as the subject of a sentence, or behind a comma: "Ring", "A Ring", "it", "this queue".
func ofType(typ string) *regexp.Regexp {
	return regexp.MustCompile(`(^|[,;:] |\band |\bbut )((?i:it|they|this|these|this (type|queue|ring|buffer|implementation|structure|channel|deque|stack|list)|the (type|queue|ring|buffer|implementation|structure|channel|deque|stack|list))|((?i:an?|the) )?` + regexp.QuoteMeta(typ) + `)\b`)
}

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
				if oneProducer(s, typ) {
					thread = "1"
				}
			case oracle.Take, oracle.TakeFront, oracle.TakeBack, oracle.Peek, oracle.PeekFront, oracle.PeekBack:
				if oneConsumer(s, typ) {
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
