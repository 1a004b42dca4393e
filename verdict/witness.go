// SPDX-License-Identifier: BSD-3-Clause

package verdict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Version is the version of the form of witness files.
const Version = 2

// Witness is an execution that shows a violation, with all that is needed to execute it again.
type Witness struct {
	Type    string  `json:"type"` // "witness"
	Version int     `json:"version"`
	Source  Source  `json:"source"`
	Subject Subject `json:"subject"`
	Scope   Scope   `json:"scope"`
	Class   string  `json:"class"`
	Message string  `json:"message"`
	Client  string  `json:"client"`
	Threads int     `json:"threads"`
	// Goroutines are the names of a program's goroutines, by thread, and Ending is how the program ends; collections have neither.
	Goroutines []string `json:"goroutines,omitempty"`
	Ending     *Outcome `json:"ending,omitempty"`
	Schedule   Schedule `json:"schedule"`
	Account
}

// Account describes the execution for readers. A replay does not need it: it makes all of it again.
type Account struct {
	Steps []Step `json:"steps"`
	// Loop is the number, counted from 1, of the first step that repeats in an execution without end; 0: nothing repeats, or no visible
	// step does.
	Loop        int          `json:"loop"`
	Frames      []Frame      `json:"frames"`  // the calls in progress of all steps, each once
	History     []Event      `json:"history"` // calls in the order of their invocations
	Explanation *Explanation `json:"explanation,omitempty"`
	Waiting     []Situation  `json:"waiting,omitempty"` // of a deadlock or livelock: what each thread waits for or repeats
	Race        []Conflict   `json:"race,omitempty"`    // both accesses
	Crash       *Crash       `json:"crash,omitempty"`   // of a panic or fatal error
	Broken      *Broken      `json:"broken,omitempty"`  // the invariant that is not true
	// Damage is the number of the step after which the client fails whatever its threads do next, and before which it may
	// still succeed; 0: no such step is known.
	Damage int `json:"damage,omitempty"`
	// Scenes are the objects and threads after each step, and Around the lines of source near all places. Both are empty
	// unless Request.Search.Scenes asked for them.
	Scenes []Scene      `json:"-"`
	Around []SourceLine `json:"-"`
}

// Broken is an invariant that is not true behind the last step.
type Broken struct {
	Name   string `json:"name"`   // of the method
	Always bool   `json:"always"` // it has to be true in every state
	Did    string `json:"did"`    // what the method did instead of returning true: "returns false", "panics: no head"
}

// Stack lists the calls of a frame, innermost first.
func (w *Account) Stack(frame int) []Frame {
	var list []Frame
	for ; frame > 0; frame = w.Frames[frame-1].Caller {
		list = append(list, w.Frames[frame-1])
	}
	return list
}

// Source tells how the collection, or the program, is loaded.
type Source struct {
	Module   string   `json:"module"`   // the module that must be current
	Package  string   `json:"package"`  // import path
	Patterns []string `json:"patterns"` // arguments of the go command, in a directory of the module
	Type     string   `json:"type"`
	New      string   `json:"new"`
	Ops      []string `json:"ops"`
	Kind     string   `json:"kind"`
	Protocol string   `json:"protocol"`
	Oracle   string   `json:"oracle"`
	// Tests: the package's test files belong to it.
	Tests bool `json:"tests,omitempty"`
	Reading
	// Driven: operations take or return functions, contexts or handles, which only the harness can handle.
	Driven bool `json:"driven,omitempty"`
	// Annotated: the directives of its linearization policy are compiled, too.
	Annotated bool `json:"annotated,omitempty"`
	// Program: it is a whole program, which is run with Args.
	Program bool `json:"program,omitempty"`
	// Test is the test function that is executed; "": main.
	Test string   `json:"test,omitempty"`
	Args []string `json:"args,omitempty"`
	// Time is when timers fire, as it was asked for: "any", "virtual" or "".
	Time string `json:"time,omitempty"`
	// Clock is how the search held moments, which decides what can be chosen where the clock is read.
	Clock int `json:"clock,omitempty"`
}

// Reading tells which methods are operations and how, where signatures leave it open. Its fields are those of collection.Overrides.
type Reading struct {
	// Whole: methods are called with all arguments that their parameters admit, even if the kind's oracle knows fewer.
	Whole bool `json:"whole,omitempty"`
	// Agreeing: functions that operations are given, and that are told nothing but what their callers know, return the same for calls with the same key.
	// Agreed is the answer: 0 is the first that generated functions give; with other keys it is one behind it.
	Agreeing bool `json:"agreeing,omitempty"`
	Agreed   int  `json:"agreed,omitempty"`
	// Again names operations that may call the function that they are given several times; its last call counts.
	Again []string `json:"again,omitempty"`
	// Given maps operations to the functions of the package that they are given.
	Given map[string]string `json:"given,omitempty"`
	// Readings tells of operations that return a value whether it is the one before the call ("old") or after it ("new"), and
	// of those whose bool is true where nothing was done ("not-ok").
	Readings map[string]string `json:"readings,omitempty"`
	// Waits lists operations that wait for an item or for room, though their results could report failure.
	Waits []string `json:"waits,omitempty"`
	// Years: the clock stands still, and goes on by a year where an operation more, year-passes, is called.
	Years bool `json:"years,omitempty"`
	// Known are values that operations are given in place of such that are made up.
	Known []KnownValues `json:"known,omitempty"`
	// Invariants lists the methods that have to return true, "Sorted" while no call is in progress, "Linked:always" in every state.
	Invariants []string `json:"invariants,omitempty"`
	Fewer
}

// Fewer restricts what clients call, and what they may expect. Its fields are those of collection.Fewer.
type Fewer struct {
	// Paired: what ends something (Unlock) is called by who has begun it (Lock), with the same arguments.
	Paired bool `json:"paired,omitempty"`
	// Untold: with what stand-ins for interfaces are called is no result.
	Untold bool `json:"untold,omitempty"`
	// Careful: no call begins that could end in a panic, or could let one in progress end so.
	Careful bool `json:"careful,omitempty"`
	// AnyWait: a call may wait for ever where it waits alone, whether or not calls of others could let it return.
	AnyWait bool `json:"any_wait,omitempty"`
	// MayFail maps operations to the variable of the error that they may return while another call is in progress.
	MayFail map[string]string `json:"may_fail,omitempty"`
	// Cancelled: a call whose context is cancelled at any moment may return context.Canceled while another call is in progress.
	Cancelled bool `json:"cancelled,omitempty"`
	// InTurn: a call may wait behind another call of its operation that waits, or be refused because another call waits.
	InTurn bool `json:"in_turn,omitempty"`
	// AnyLent: it does not count which object an operation gives that another one takes back.
	AnyLent bool `json:"any_lent,omitempty"`
	// ConcurrentArguments: implementations of interfaces that are made up for the constructor may be called by several threads at once.
	ConcurrentArguments bool `json:"concurrent_arguments,omitempty"`
	// Order is which items a priority queue gives first, "smallest" or "largest", where no name tells it.
	Order string `json:"order,omitempty"`
	// Together: the fields of a struct that operations are given vary together.
	Together bool `json:"together,omitempty"`
	// Ignored are fields of a struct that do not count: operations that look for a key give them another value than those that add it.
	Ignored []string `json:"ignored,omitempty"`
	// Turns: the fields that do not count have one value and another one in turns, in clients of one thread.
	Turns bool `json:"turns,omitempty"`
	// Alone is a field of a struct: keys 0 and 1, 2 and 3, … differ in that field alone.
	Alone string `json:"alone,omitempty"`
	// Without maps operations that are left out to why.
	Without map[string]string `json:"without,omitempty"`
}

// KnownValues are the values that a parameter of an operation is given.
type KnownValues struct {
	Operation string   `json:"operation"`
	Param     int      `json:"param"`        // index among the parameters of the method
	Values    []string `json:"values"`       // as Go writes them
	By        string   `json:"by,omitempty"` // the operation that returns them; "": test files give them
}

// Schedule lists the decisions of an execution.
type Schedule struct {
	PreAdds []Call   `json:"preadds"`
	Start   []uint32 `json:"start"` // decisions of the constructor and the pre-adds
	// Begun lists what was executed before the first turn, if constructor or pre-adds start goroutines: threads with numbers of
	// instructions, as in Turn.Ran.
	Begun [][2]int `json:"begun,omitempty"`
	Turns []Turn   `json:"turns"`
	Cycle int      `json:"cycle"` // number, counted from 1, of the first turn that repeats; 0: none
	// Compiled is the schedule of an execution of compiled code, which has no turns above.
	Compiled *Compiled `json:"compiled,omitempty"`
}

// Compiled is a schedule of code that gc has compiled.
type Compiled struct {
	Threads [][]Call `json:"threads"` // the calls of each thread; empty of a test
	// Seed, Number and Way are where the schedule comes from: the random numbers of this number, drawn in this way. Shrinking may have
	// changed it since.
	Seed   uint64 `json:"seed"`
	Number int    `json:"number"`
	Way    string `json:"way"`
	// Decisions are who has the turn, a goroutine counted from 1 in the order of creation, or which way a choice takes, as -1, -2, …; and
	// how often in sequence.
	Decisions   [][2]int `json:"decisions"`
	Preemptions int      `json:"preemptions"`
	// Sites are the plain accesses that are scheduling points.
	Sites []Site `json:"sites"`
	// Races: data races were looked for.
	Races bool `json:"races"`
}

// Site is a place in compiled code: an offset from a function's beginning.
type Site struct {
	Symbol string `json:"symbol"`
	Offset uint64 `json:"offset"`
}

// Call is an operation with its arguments as ints.
type Call struct {
	Op   int     `json:"op"` // index into Source.Ops
	Args []int64 `json:"args"`
}

// Turn is what one thread executes before the next turn.
type Turn struct {
	Thread    int      `json:"thread"`         // counted from 1
	Call      *Call    `json:"call,omitempty"` // begun by this turn
	Decisions []uint32 `json:"decisions,omitempty"`
	Ran       [][2]int `json:"ran"` // thread and number of instructions, in order
}

// Harness is one more file of a collection's package, through which its operations are called: all arguments and results are ints.
type Harness struct {
	File     string
	Text     []byte
	New      string     // the function that makes a collection
	Ops      []string   // the function of each operation, in the order of Source.Ops; it gets the collection first
	Returned [][]uint64 // what each call of a witness's history has returned, by number of the call; nil if it has not
}

// Parse parses and checks a witness file.
func Parse(text []byte) (*Witness, error) {
	var w Witness
	if err := json.Unmarshal(text, &struct { // in another version other fields may mean something else
		Type    *string `json:"type"`
		Version *int    `json:"version"`
	}{&w.Type, &w.Version}); err != nil {
		return nil, fmt.Errorf("this is no witness: %w", err)
	}
	switch {
	case w.Type != "witness":
		return nil, errors.New(`this is no witness: it has no "type":"witness"`)
	case w.Version != Version:
		return nil, fmt.Errorf("the witness has version %d and this program reads version %d: find the violation again, with %q", w.Version, Version, "pangolin verify")
	}
	if err := json.Unmarshal(text, &w); err != nil {
		return nil, fmt.Errorf("this is no witness: %w", err)
	}
	return &w, w.validate()
}

// validate checks that all numbers are in range, so that a replay need not.
func (w *Witness) validate() error {
	if w.Scope.Bounds == nil {
		w.Scope.Bounds = &Bounds{} // those of no configuration; only the hash is looked at
	}
	if w.Threads < 1 || w.Threads > 8 && !w.Source.Program || len(w.Goroutines) > w.Threads || w.Source.Program && w.Ending == nil {
		return fmt.Errorf("the witness is damaged: %d threads", w.Threads)
	}
	calls := append([]Call(nil), w.Schedule.PreAdds...)
	if c := w.Schedule.Compiled; c != nil {
		for _, list := range c.Threads {
			calls = append(calls, list...)
		}
		if len(c.Threads) != w.Threads && !w.Source.Program {
			return fmt.Errorf("the witness is damaged: %d threads of %d make calls", len(c.Threads), w.Threads)
		}
	}
	for i, t := range w.Schedule.Turns {
		if t.Thread < 1 {
			return fmt.Errorf("the witness is damaged: turn %d has thread %d", i+1, t.Thread)
		}
		if t.Call != nil {
			calls = append(calls, *t.Call)
			if t.Thread > w.Threads {
				return fmt.Errorf("the witness is damaged: turn %d has thread %d", i+1, t.Thread)
			}
		}
	}
	for _, c := range calls {
		if c.Op < 0 || c.Op >= len(w.Source.Ops) || len(c.Args) > 4 {
			return fmt.Errorf("the witness is damaged: it calls operation %d of %d", c.Op, len(w.Source.Ops))
		}
	}
	return w.validateSteps()
}

// validateSteps checks the part for readers.
func (w *Account) validateSteps() error {
	for i, f := range w.Frames {
		if f.Caller < 0 || f.Caller > i {
			return fmt.Errorf("the witness is damaged: frame %d has the caller %d", i+1, f.Caller)
		}
	}
	for i, s := range w.Steps {
		known := s.Thread >= 1 && s.Frame >= 0 && s.Frame <= len(w.Frames) && s.Call >= 0 && s.Call <= len(w.History)
		if !known || (s.Phase == "") != (s.Call == 0) || (s.Phase == "") != (s.Access != nil) {
			return fmt.Errorf("the witness is damaged: step %d refers to a thread, a frame or a call that does not exist, or lacks its access", i+1)
		}
	}
	if w.Loop < 0 || w.Loop > len(w.Steps) || w.Damage < 0 || w.Damage > len(w.Steps) {
		return errors.New("the witness is damaged: its loop or its damage is not the number of a step")
	}
	for i, e := range w.History {
		if e.Thread < 1 || e.Invoked < 1 || e.Invoked > len(w.Steps) || e.Responded != 0 && e.Responded <= e.Invoked || e.Responded > len(w.Steps) {
			return fmt.Errorf("the witness is damaged: call %d does not begin and end at numbers of steps", i+1)
		}
	}
	return nil
}

// Unseen reports whether the execution repeats for ever something that has no visible step, such as for {}.
func (w *Witness) Unseen() bool { return w.Schedule.Cycle > 0 && w.Loop == 0 }

// Text is the witness file: JSON in which each step, call and frame has a line.
func (w *Witness) Text() ([]byte, error) {
	var indented bytes.Buffer
	e := json.NewEncoder(&indented)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(w); err != nil {
		return nil, err
	}
	var out []byte
	for line := range bytes.SplitSeq(bytes.TrimSpace(indented.Bytes()), []byte("\n")) {
		text := bytes.TrimLeft(line, " ") // no string of JSON goes over a line's end
		depth := len(line) - len(text)
		inner := depth > 2 || depth == 2 && bytes.IndexByte([]byte("]}"), text[0]) >= 0
		if !inner && len(out) > 0 {
			out = append(out, '\n')
			out = append(out, line...)
			continue
		}
		if n := len(out); n > 0 && out[n-1] == ',' {
			out = append(out, ' ')
		}
		out = append(out, text...)
	}
	return append(out, '\n'), nil
}
