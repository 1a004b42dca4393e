package verdict

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Version is the version of the form of witness files.
const Version = 1

// Witness is an execution that shows a violation, with all that it takes to execute
// it again.
type Witness struct {
	Type     string   `json:"type"` // "witness"
	Version  int      `json:"version"`
	Source   Source   `json:"source"`
	Subject  Subject  `json:"subject"`
	Scope    Scope    `json:"scope"`
	Class    string   `json:"class"`
	Message  string   `json:"message"`
	Client   string   `json:"client"`
	Threads  int      `json:"threads"`
	Schedule Schedule `json:"schedule"`
	// What follows is for readers.
	Steps       []Step   `json:"steps"`
	Loop        int      `json:"loop"`        // of an execution without end: number of the step from which Steps repeats; 0: none
	Timeline    []string `json:"timeline"`    // the history, drawn
	Explanation []string `json:"explanation"` // why no order of the operations fits
	Details     []string `json:"details"`     // who waits for what; or both accesses of a race
}

// Source says how the collection is loaded.
type Source struct {
	Module   string   `json:"module"`   // the module that must be current
	Package  string   `json:"package"`  // import path
	Patterns []string `json:"patterns"` // what the go command is asked for, in a directory of the module
	Type     string   `json:"type"`
	New      string   `json:"new"`
	Ops      []string `json:"ops"`
	Kind     string   `json:"kind"`
	Protocol string   `json:"protocol"`
	Oracle   string   `json:"oracle"`
}

// Schedule is what was decided on the way.
type Schedule struct {
	PreAdds []Call   `json:"preadds"`
	Start   []uint32 `json:"start"` // decisions of the constructor and the pre-adds
	Turns   []Turn   `json:"turns"`
	Cycle   int      `json:"cycle"` // number of the turn from which on the execution repeats; 0: none
}

// Call is an operation with its arguments.
type Call struct {
	Op   int     `json:"op"` // index into Source.Ops
	Args []int64 `json:"args"`
}

// Turn is what one thread does before the next one has its turn.
type Turn struct {
	Thread    int      `json:"thread"`         // counted from 1
	Call      *Call    `json:"call,omitempty"` // begun by this turn
	Decisions []uint32 `json:"decisions,omitempty"`
	Ran       [][2]int `json:"ran"` // thread and number of instructions, in order
}

// Step is one line of an execution: an access to memory that is shared, a call
// that synchronises, or the beginning or end of an operation.
type Step struct {
	Thread    int    `json:"thread"` // counted from 1
	Operation string `json:"operation"`
	Function  string `json:"function,omitempty"`
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
	Source    string `json:"source,omitempty"` // text of the line
	Access    string `json:"access,omitempty"` // what is read, written or compared, with the values
	Call      string `json:"call,omitempty"`   // "Add(1)": the operation begins
	Return    string `json:"return,omitempty"` // "true", "()": it returns
}

// Parse reads a witness file.
func Parse(text []byte) (*Witness, error) {
	var w Witness
	if err := json.Unmarshal(text, &w); err != nil {
		return nil, fmt.Errorf("this is no witness: %w", err)
	}
	switch {
	case w.Type != "witness":
		return nil, errors.New(`this is no witness: it has no "type":"witness"`)
	case w.Version != Version:
		return nil, fmt.Errorf("the witness has version %d, this program reads version %d", w.Version, Version)
	}
	return &w, w.validate()
}

// validate checks that numbers are in range, so that a replay need not.
func (w *Witness) validate() error {
	if w.Scope.Bounds == nil {
		w.Scope.Bounds = &Bounds{} // those of no configuration; only the hash is looked at
	}
	if w.Threads < 1 || w.Threads > 8 {
		return fmt.Errorf("the witness is damaged: %d threads", w.Threads)
	}
	calls := append([]Call(nil), w.Schedule.PreAdds...)
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
	return nil
}
