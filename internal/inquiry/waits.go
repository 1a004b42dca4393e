// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/oracle"
	"pangolin/verdict"
)

// An operation whose results could tell that there is nothing (a value and a bool) may wait for
// it all the same, and tell only that the queue was closed. No signature tells the two apart, but
// one thread does: it waits. It must wait for others to say or send something, at a condition, a
// channel or a wait group: who waits for a lock alone has forgotten to release it, and that is a
// fault whatever the protocol. And one thread may then wait no more but where the kind's oracle
// has nothing, or no room: a wait where there is an item stays a violation.

// mayWait says that the collection holds items and that a protocol has not been asked for that rules waiting
// out. That one thread may not call all of it (Request.Roles) does not change what waits.
func mayWait(r *Reading) bool {
	if p := r.Overrides.Protocol; p != nil && p.Kind == oracle.Nonblocking {
		return false
	}
	for i := range r.Found.Operations {
		switch r.Found.Operations[i].Op.Role {
		case oracle.Take, oracle.TakeFront, oracle.TakeBack:
			return !r.itself()
		}
	}
	return false
}

// waitsForOthers is the operation that waits for ever in a violation, for something that others
// would have to do; "" if it is not that.
func waitsForOthers(v *verdict.Verdict) (operation string) {
	if v.Violation == nil || v.Violation.Class != "deadlock" || v.Violation.Execution == nil {
		return ""
	}
	for _, s := range v.Violation.Execution.Waiting {
		if !s.Waits || s.Operation == "" || strings.Contains(s.For, "Mutex") {
			return ""
		}
		operation = s.Operation
	}
	return operation
}

// Stuck asks whether one thread waits already.
var Stuck = Rule{
	Name: "stuck",
	Doc: "An operation of a queue, a stack or the like waits for ever, for something that others would have to do. Does it wait if one thread is alone? What " +
		"that shows is for the rule behind this one.",
	When: func(c Case) bool { return waitsForOthers(&c.Verdict) != "" && mayWait(c.Reading) },
	Ask:  aboutOneThread(true), Conclude: kept,
}

// Waits tries protocols under which operations wait.
var Waits = Rule{
	Name: "waits",
	Doc: "One thread has shown that an operation waits for others. The type is tried under a protocol in which it waits where there is nothing, with every " +
		"other operation that is then seen to wait; and if one thread waits elsewhere, with room for 1 to 8 items. What is wrong beside waiting stays wrong.",
	When:     func(c Case) bool { return c.One != nil && waitsForOthers(&c.One.Verdict) != "" && mayWait(c.Reading) },
	Ask:      moreWaiting,
	Conclude: seenToWait,
}

// room is the protocol of a stage: that which was found or asked for, then 1, 2, … items at most.
func room(c Case, stage int) *oracle.Protocol {
	if stage == 0 {
		return c.Reading.Overrides.Protocol
	}
	return &oracle.Protocol{Kind: oracle.Bounded, Capacity: stage}
}

// stages are the answers by stages, each with one operation more that waits; stage is the last one.
func stages(c Case, so []Answer) (stage int) {
	for k := 1; k < len(so); k++ {
		if len(so[k].Reading.Overrides.Waits) == 1 { // begun with the first operation again
			stage++
		}
	}
	return stage
}

// moreWaiting is the next reading in which operations wait.
func moreWaiting(c Case, so []Answer) (Question, bool) {
	first := waitsForOthers(&c.One.Verdict)
	ask := func(names []string, stage int) (Question, bool) {
		r, err := c.Reading.waiting(c.ctx, names, room(c, stage))
		if err != nil || r.Found.Oracle != c.Reading.Found.Oracle {
			return Question{}, false
		}
		return r.byOneThread(verdict.Linear, false), true
	}
	if len(so) == 0 {
		return ask([]string{first}, 0)
	}
	last, stage := &so[len(so)-1], stages(c, so)
	if last.Err != nil {
		return Question{}, false
	}
	names := last.Reading.Overrides.Waits
	if next := waitsForOthers(&last.Verdict); next != "" && !slices.Contains(names, next) {
		return ask(append(names[:len(names):len(names)], next), stage)
	}
	if fits(last, stage) || stage == mostHeld || c.Reading.Overrides.Protocol != nil {
		return Question{}, false
	}
	return ask([]string{first}, stage+1)
}

// fits says that a stage's protocol is taken: one thread agrees with it, or disagrees with what is returned only, so that what is
// wrong has nothing to do with waiting where there is nothing.
func fits(last *Answer, stage int) bool {
	_, wrong := disagrees(&last.Verdict)
	return last.Agrees() || stage == 0 && wrong && last.Err == nil
}

// seenToWait takes the protocol that fits.
func seenToWait(c Case, so []Answer) Case {
	if len(so) == 0 {
		return c
	}
	last, stage := &so[len(so)-1], stages(c, so)
	if !fits(last, stage) {
		return c
	}
	how := c.One.Verdict.Violation.Client
	who := wait(last.Reading.Overrides.Waits)
	if stage == 0 {
		return c.take(last.Reading, fmt.Sprintf("%s where there is nothing, as one thread sees (%s); Request.Protocol 'nonblocking' says otherwise", who, how))
	}
	return c.take(last.Reading, fmt.Sprintf("it holds %d items at most, and %s, as one thread sees (%s); Request.Protocol 'nonblocking' says otherwise", stage, who, how))
}

// wait says of operations that they wait.
func wait(names []string) string {
	if len(names) == 1 {
		return names[0] + " waits"
	}
	return strings.Join(names, " and ") + " wait"
}
