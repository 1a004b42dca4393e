// SPDX-License-Identifier: BSD-3-Clause

package inquiry

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/oracle"
	"pangolin/verdict"
)

// An operation that returns a value and a bool could report with false that a queue is empty, or wait for an item and report with false
// that the queue was closed. The signature does not tell which; one thread that calls it on an empty queue does. The wait must be for
// an action of another thread, at a condition, a channel or a wait group: a thread that waits for a lock for ever has forgotten to
// release it, which is a fault under every protocol. Under the new protocol one thread may wait only where the kind's oracle has no
// item, or no room; any other wait stays a violation.

// mayWait reports whether a reading may be changed to one whose operations wait: a kind's oracle judges it, it has an operation that
// takes items, and the user has not asked for the protocol nonblocking. Roles do not matter: they do not change what waits.
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

// waitsForOthers returns the operation that waits for ever in a violation, for something other than a mutex; "" if the violation is not
// of this sort.
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

// Stuck asks whether one thread alone waits for ever too.
var Stuck = Rule{
	Name: "stuck",
	Doc: "An operation of a queue, a stack or the like waits for ever, for something that others would have to do. Does it wait if one thread is alone? What " +
		"that shows is for the rule behind this one.",
	When: func(c Case) bool { return waitsForOthers(&c.Verdict) != "" && mayWait(c.Reading) },
	Ask:  aboutOneThread(true), Conclude: kept,
}

// Waits tries protocols under which operations wait for an item or for room.
var Waits = Rule{
	Name: "waits",
	Doc: "One thread has shown that an operation waits for others. The type is tried under a protocol in which it waits where there is nothing, with every " +
		"other operation that is then seen to wait; and if one thread waits elsewhere, with room for 1 to 8 items. What is wrong beside waiting stays wrong.",
	When:     func(c Case) bool { return c.One != nil && waitsForOthers(&c.One.Verdict) != "" && mayWait(c.Reading) },
	Ask:      moreWaiting,
	Conclude: seenToWait,
}

// room is the protocol of a stage: 0 is the one that was found or asked for, n a capacity of n items.
func room(c Case, stage int) *oracle.Protocol {
	if stage == 0 {
		return c.Reading.Overrides.Protocol
	}
	return &oracle.Protocol{Kind: oracle.Bounded, Capacity: stage}
}

// stages returns the stage of the last answer. Within a stage each answer has one more waiting operation than the one
// before.
func stages(c Case, so []Answer) (stage int) {
	for k := 1; k < len(so); k++ {
		if len(so[k].Reading.Overrides.Waits) == 1 { // a stage begins with one waiting operation
			stage++
		}
	}
	return stage
}

// moreWaiting asks about the next reading: with one more waiting operation, or with the next capacity.
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

// fits reports whether the protocol of a stage is taken: one thread agrees with it; or, in stage 0, contradicts it only by what calls
// return, which is a fault that has nothing to do with waiting.
func fits(last *Answer, stage int) bool {
	_, wrong := disagrees(&last.Verdict)
	return last.Agrees() || stage == 0 && wrong && last.Err == nil
}

// seenToWait takes the last protocol that was tried, if it fits.
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

// wait makes the clause "Get waits" or "Get and Take wait".
func wait(names []string) string {
	if len(names) == 1 {
		return names[0] + " waits"
	}
	return strings.Join(names, " and ") + " wait"
}
