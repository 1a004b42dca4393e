// SPDX-License-Identifier: BSD-3-Clause

package sarif

// rule is what a log says of a class of violations.
type rule struct {
	ID         string         `json:"id"`
	Name       string         `json:"name,omitempty"`
	Short      text           `json:"shortDescription"`
	Full       text           `json:"fullDescription"`
	Help       text           `json:"help"`
	Default    configuration  `json:"defaultConfiguration"`
	Properties map[string]any `json:"properties"`
}

type configuration struct {
	Level string `json:"level"`
}

// about is what a rule is about: its name, one sentence, more of them, and what to do.
type about struct{ name, short, full, help string }

// again is how every violation can be seen.
const again = " The code flow is the execution, step by step; pangolin verify with the type's name prints it, pangolin replay repeats it, and pangolin " +
	"reproduce forces it on the Go runtime."

// rules are the classes of violations (verdict.Classes), and unknown.
var rules = map[string]about{
	"history": {"NoOrderOfOperations", "No order of the operations explains their results.",
		"An execution of a few concurrent calls has results that no sequential order of the calls gives, so that the type is not linearizable (or has not the property that was asked for).",
		"Find the two steps between which another thread changes what the call has seen, and make them one: by a lock, or by a compare-and-swap that fails if the state has changed."},
	"deadlock": {"DeadlockOfOperations", "Operations wait for ever.",
		"An execution leads to a state in which calls wait for each other, or for a wake-up that does not come, although the sequential type lets them return.",
		"Take locks in one order everywhere, wake every waiter whose condition may have become true, and look again at the condition after waiting."},
	"livelock": {"LivelockOfOperations", "Operations run for ever, and nothing can make them return.",
		"An execution leads to a state from which calls go on for ever, whatever the scheduler does.",
		"Look for a retry whose condition nobody can change any more."},
	"nontermination": {"NonterminatingOperations", "Operations can run for ever.",
		"Under a fair scheduler calls can go on for ever without one of them returning.",
		"Look for retries that undo each other's work."},
	"panic": {"PanicOfOperation", "An operation panics, or a fatal error ends the program.",
		"An execution ends in a panic or a fatal error that the sequential type does not have.",
		"Look at the stack of the witness: what was checked before may have changed since."},
	"race": {"DataRace", "Two accesses to the same memory race.",
		"Two goroutines access the same memory, one of them writes, and nothing orders the two: the Go memory model gives such a program no meaning worth relying on.",
		"Guard both accesses by the same lock, or make both atomic."},
	"leak": {"GoroutineLeak", "A goroutine that an operation has started waits for ever.",
		"An execution leaves a goroutine behind that waits for a channel, a lock or a condition which nobody can reach any more, so that it never ends.",
		"Give the goroutine a way to end that does not need the other side: a buffered channel, a case for a context's Done, a close by whoever gives up."},
	"invariant": {"BrokenInvariant", "An invariant of the type is not true.",
		"An execution leads to a state in which a method that the type declares as its invariant does not return true.",
		"Find the step behind which it is not true any more, and make one of it and the step that mends it: by a lock, or by a compare-and-swap."},
	"infinite": {"InfiniteGrowth", "An operation calls itself without end, or memory grows without end.",
		"A client makes the type grow, or its stack, without end.",
		"Look for a recursion or a loop that has no bound."},
	"progress": {"NoProgress", "An operation has not the progress that was asked for.",
		"An execution shows that the type is not wait-free, lock-free or obstruction-free, as it was asked to be.",
		"Look at whom the operation waits for in the execution."},
	"point": {"NoLinearizationPoint", "An operation has no linearization point where it was looked for.",
		"At none of the candidates the operation takes effect in every execution.",
		"A call may take effect in the step of another thread: name that step, or ask for linearizability without points."},
	"unknown": {"Undecided", "Whether the code is correct could not be decided.",
		"A limit was reached, or the code contains something that is not supported; the message says which.",
		"Raise the limit that is named, name operations that can be verified (-ops), or make the scope smaller."},
}

// ruleOf describes a class of violations. One that is not listed describes itself.
func ruleOf(id string) rule {
	a, ok := rules[id]
	if !ok {
		a = about{"", "A violation of the class " + id + ".", "A violation of the class " + id + ".", "The message says what is wrong."}
	}
	severity, level := "error", "error"
	if id == "unknown" {
		severity, level = "recommendation", "none"
	} else {
		a.help += again
	}
	return rule{id, a.name, text{a.short}, text{a.full}, text{a.help}, configuration{level},
		map[string]any{"precision": "very-high", "problem.severity": severity, "tags": []string{"concurrency", "correctness"}}}
}
