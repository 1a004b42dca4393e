// Package native is the second opinion: it executes Go code as gc compiles it, one
// goroutine at a time, under every schedule, and says what can come out.
//
// It exists to contradict the machine. It shares no code with it (not the front end,
// not the virtual machine, not the search, not the judges of histories): it runs the
// program again from the beginning for each schedule, depth first, and judges histories by
// trying every order of the operations. So it is slow, and only for small programs and
// small clients.
//
// The program's text is not rewritten, so that order and number of its accesses are those
// that gc decides on. gc's own instrumentation (the compiler's flag -race) calls a function
// before each access to memory; a runtime with some changed lines (edits.go, through the go
// command's -overlay) has these functions, and asks a driver for a turn in them, and in
// atomic operations, locks, channel operations, output and timers. Channels, locks, panics
// and maps are the real ones. Static data is set back and packages are initialised for
// each execution, in one process.
//
// It takes source text (Program, Subject) or packages of a module on disk, and gives
//
//   - Outcomes: every outcome of whole programs;
//   - Judge: whether a collection keeps its promise for given clients.
//
// It does not look for interesting schedules, does not minimise, prints nothing and
// never guesses: what exceeds a limit is reported as such (Report.TooBig). What it leaves
// out is in doc/second-opinion.md. It needs the sources of the standard library and Linux.
package native

import (
	"context"
	"time"
)

// Program is the source of a package main.
type Program struct {
	Name  string            // tells programs of a batch apart; any text
	Files map[string]string // file name to Go source; all in package main
}

// Options bound the work and say where it is done. The zero value is fine.
type Options struct {
	// Work is a directory for generated sources and binaries; "" is a temporary one
	// that is removed at the end.
	Work string
	// Schedules bounds the executions for each program or client. Default 200,000.
	Schedules int
	// Steps bounds the turns of one execution. Default 2,000.
	Steps int
	// Timeout bounds the time for each program or client. It must be generous: what
	// it ends is too big. Default one minute.
	Timeout time.Duration
	// NoRaces does not report data races among the outcomes.
	NoRaces bool
	// Everywhere gives a turn to every access to memory that several goroutines access
	// and one writes. Without, those that synchronisation orders in every execution need
	// none: what nobody else can touch in the meantime may as well happen at once.
	Everywhere bool
}

// Kind is a kind of ending, in the words of `pangolin run -all -json`.
type Kind string

// The kinds.
const (
	Exit     Kind = "exit"     // main returned, or os.Exit was called
	Panic    Kind = "panic"    // a panic that nothing recovered, or a fatal error of the runtime
	Deadlock Kind = "deadlock" // no goroutine can go on
	Endless  Kind = "endless"  // every goroutine repeats itself without changing anything, for ever
	Race     Kind = "race"     // two accesses that conflict, and neither happens before the other, in some execution
)

// Outcome is one way in which a program ends.
type Outcome struct {
	Kind   Kind   `json:"kind"`
	Exit   int    `json:"exit"` // exit status; 0 for endless executions and races
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"` // what the program itself wrote there
	Panic  string `json:"panic"`  // "panic: …" or "fatal error: …" as the runtime prints it, without traces
	// Waits are what the goroutines of a deadlock wait for, in the runtime's words
	// ("chan receive", "sync.Mutex.Lock"), sorted.
	Waits []string `json:"waits,omitempty"`
	// Accesses are the two of a race, "write at file.go:5 in main.f", sorted.
	Accesses []string `json:"accesses,omitempty"`
	// Schedule is the first execution that was found to end so.
	Schedule []Step `json:"schedule,omitempty"`
	// Free says that some execution without a data race ends so.
	Free bool `json:"free,omitempty"`
}

// Report is what was found for one program.
type Report struct {
	Program  string    // its name
	Outcomes []Outcome // each once, sorted; only some if TooBig is not ""
	// TooBig says which limit was reached, so that outcomes may be missing.
	TooBig string
	// Fault says why the program could not be executed at all: it does not compile,
	// or does what cannot be controlled.
	Fault     string
	Schedules int // executions made
	Turns     int // turns taken in all of them
}

// Outcomes enumerates the outcomes of programs. All of them are built into one binary,
// so a batch is much cheaper than single programs. Reports are in the order of the
// programs. An error means that nothing could be done at all.
func Outcomes(ctx context.Context, programs []Program, opt Options) ([]Report, error) {
	return outcomes(ctx, programs, opt)
}

// Step is one turn of an execution: what a goroutine does before the next scheduling
// point, beginning with a visible access.
type Step struct {
	Thread int    `json:"thread"` // 0 is the first goroutine, numbered in the order of creation
	Does   string `json:"does"`   // "read", "write", "atomic", "lock", "send", "go", "wakes", "choice 1 of 3", …
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Func   string `json:"func,omitempty"`
}

// SPDX-License-Identifier: BSD-3-Clause
