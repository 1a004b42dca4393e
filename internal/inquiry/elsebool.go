// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"

	"pangolin/internal/collection"
	"pangolin/internal/find"
	"pangolin/oracle"
	"pangolin/verdict"
)

// ElseBool leaves a bool to the type's own code that tells something else than whether an operation was done: whether the queue was empty before a Push.
//
// The kind's oracle judges all the rest, so a queue with such a bool is still held to its order. What is refused silently (Push does nothing where the queue is full, and tells
// something else) looks as if the oracle were wrong about a later Pop; that is left to the rule "itself".
var ElseBool = Rule{
	Name: "a bool of something else",
	Doc: "One thread contradicts a queue, a stack or a deque with an operation that puts an item and returns a bool which, by its documentation or its name, tells something else than whether that was done. " +
		"One thread is asked again without looking at that bool. If it agrees, or if it shows that an item comes out that should not, that is taken: the kind's oracle judges all but the bool, which the type's own code judges (\"whole type\").",
	When: func(c Case) bool { return wrongOfKind(c) && elseBool(c) != "" },
	Ask: func(c Case, so []Answer) (Question, bool) {
		r, err := c.Reading.withoutBool(c, elseBool(c))
		if err != nil || r.Found.Oracle != c.Reading.Found.Oracle || len(so) > 0 {
			return Question{}, false
		}
		return r.byOneThread(verdict.Linear, false), true
	},
	Conclude: func(c Case, so []Answer) Case {
		if len(so) == 0 || so[0].Err != nil || !so[0].Agrees() && !so[0].Reading.givesWrong(&so[0].Verdict) {
			return c
		}
		return c.take(so[0].Reading, fmt.Sprintf("the bool of %s tells something else than whether it was done, and is not held against the oracle %s", elseBool(c), c.Reading.Found.Oracle))
	},
}

// elseBool is the operation of the last call in the violation by one thread that puts an item and whose only result is a bool that tells something else; "" if there is none.
func elseBool(c Case) string {
	last := lastCall(&c.One.Verdict)
	if last == nil || !tellsElse(c) {
		return ""
	}
	if at := c.Reading.Operation(last.Operation); at < 0 || !isPut(&c.Reading.Found.Operations[at]) || len(c.Reading.Found.Operations[at].Op.Results) != 1 {
		return ""
	}
	return last.Operation
}

// withoutBool is the reading in which the bool of an operation is no result.
func (r *Reading) withoutBool(c Case, operation string) (*Reading, error) {
	return r.found("without the bool of "+operation, func() (*find.Target, error) {
		return r.Target.Reading(c.ctx, map[string]string{operation: collection.Elsewise})
	})
}

// givesWrong reports whether the last call of a violation by one thread gives an item, and not that there is none.
func (r *Reading) givesWrong(one *verdict.Verdict) bool {
	last := lastCall(one)
	if last == nil {
		return false
	}
	at := r.Operation(last.Operation)
	if at < 0 || len(last.Results) != len(r.Found.Operations[at].Results) {
		return false
	}
	gives := false
	for i, x := range r.Found.Operations[at].Results {
		switch text := last.Results[i]; x.Slot {
		case oracle.SlotItem:
			gives = true
		case oracle.SlotItemOrNil:
			return text != "nil"
		case oracle.SlotOK:
			return text == "true"
		case oracle.SlotNotOK:
			return text == "false"
		case oracle.SlotError:
			return text == "nil"
		}
	}
	return gives
}

// Misread withdraws what rests on a bool that was taken for the opposite of what it usually tells, though documentation says something of it.
var Misread = Rule{
	Name: "misread",
	Doc:  "A type is verified or proved, and a bool was taken to be true where its operation was not done (\"sense\"), though its documentation says something of it that is not understood. It may say that, or the opposite, so nothing is known.",
	When: func(c Case) bool {
		return c.right() && !c.Reading.itself() && len(c.Reading.Misread()) > 0
	},
	Conclude: func(c Case, _ []Answer) Case {
		m := c.Reading.Misread()[0]
		v := &c.Verdict
		v.Status, v.Cause, v.Proof = verdict.Unknown, verdict.Unsupported, nil
		v.Reason = fmt.Sprintf("one thread agrees with a %s if the bool of %s is true where %s, and it is not understood whether the documentation says so (%s: %s): name the result, as in (added bool)",
			c.Reading.Found.Kind, m.Operation, undone(c.Reading.Found, m.Operation), m.At, m.Sentence)
		return c
	},
}
