// SPDX-License-Identifier: BSD-3-Clause

package verdict

// Outcomes lists all ways in which a program can end.
type Outcomes struct {
	List       []Outcome `json:"list"`     // sorted
	Complete   bool      `json:"complete"` // every interleaving was explored
	Limit      string    `json:"limit,omitempty"`
	Fault      string    `json:"fault,omitempty"` // an instruction that the machine cannot execute; "": none
	Reductions []string  `json:"reductions"`
	Time       string    `json:"time"` // when timers fire: any, or virtual
}

// OutcomeKind is a kind of outcome.
type OutcomeKind string

// The kinds.
const (
	Exited     OutcomeKind = "exit"     // main returned, or os.Exit was called
	Panicked   OutcomeKind = "panic"    // a panic that nothing recovered, or a fatal error
	Deadlocked OutcomeKind = "deadlock" // no goroutine can go on
	Endless    OutcomeKind = "endless"  // it never ends although every goroutine gets its turns
	Raced      OutcomeKind = "race"     // two goroutines access the same memory at the same time
	Leaked     OutcomeKind = "leak"     // main has returned, and a goroutine waits for what nobody who may still move can reach
)

// Outcome is one way in which executions of a program end, or something that happens in them, such as a data race.
type Outcome struct {
	Kind   OutcomeKind `json:"kind"`
	Exit   *int        `json:"exit"` // nil: a race, a leak, or an execution without end
	Stdout string      `json:"stdout"`
	Stderr string      `json:"stderr"`
	Panic  string      `json:"panic"`        // as the runtime prints it; "" if there is none
	At     []Place     `json:"at,omitempty"` // where it panics
	// Involved lists the goroutines of a deadlock, those that go on for ever, or the one that has leaked.
	Involved []Situation   `json:"involved,omitempty"`
	Race     []Conflict    `json:"accesses,omitempty"` // both accesses
	Schedule []OutcomeStep `json:"schedule,omitempty"`
	Cycle    []OutcomeStep `json:"cycle,omitempty"` // what an endless execution repeats after the schedule
	// Witness is the name of the file with the execution, or "". Execution is the witness itself.
	Witness   string   `json:"witness,omitempty"`
	Execution *Witness `json:"-"`
	// Alike is, of a test, the number of other outcomes that the same lines report, or whose texts differ in numbers only. They are not listed.
	Alike int `json:"alike,omitempty"`
}

// Good reports whether the program ends by itself with status 0.
func (o *Outcome) Good() bool { return o.Kind == Exited && o.Exit != nil && *o.Exit == 0 }

// OutcomeStep is one step of a schedule: a visible access, and everything local up to the goroutine's next one.
type OutcomeStep struct {
	Thread    int    `json:"thread"` // in order of creation; main is 0
	Goroutine string `json:"goroutine"`
	Begins    bool   `json:"begins,omitempty"` // main begins, with the decisions of initialisation
	Does      string `json:"does"`             // "write of main.x", "sync.Mutex.Lock"
	Place
	Source    string   `json:"source,omitempty"`
	Decisions []uint32 `json:"decisions,omitempty"`
}
