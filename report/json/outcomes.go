// SPDX-License-Identifier: BSD-3-Clause

package json

import "pangolin/verdict"

// outcomeLine is one outcome of a program. The flags and texts are what scripts have
// relied on from the first; the facts stand beside them.
type outcomeLine struct {
	Type       string              `json:"type"` // "outcome"
	Kind       verdict.OutcomeKind `json:"kind"`
	Exit       *int                `json:"exit"` // null: a race, or an execution without end
	Stdout     string              `json:"stdout"`
	Stderr     string              `json:"stderr"`
	Panic      string              `json:"panic"` // as the runtime prints it
	Deadlock   bool                `json:"deadlock"`
	Race       bool                `json:"race"`
	Endless    bool                `json:"endless"`
	At         []string            `json:"at,omitempty"`       // where it panics
	Involved   []string            `json:"involved,omitempty"` // waiting goroutines, accesses, goroutines that never end
	Goroutines []verdict.Situation `json:"goroutines,omitempty"`
	Accesses   []verdict.Conflict  `json:"accesses,omitempty"`
	Schedule   []turnLine          `json:"schedule,omitempty"`
	Cycle      []turnLine          `json:"cycle,omitempty"`   // what an endless execution repeats behind the schedule
	Witness    string              `json:"witness,omitempty"` // the file with the execution
	Schema     int                 `json:"schema"`
}

// turnLine is one step of a schedule.
type turnLine struct {
	Thread    int      `json:"thread"`
	Goroutine string   `json:"goroutine"`
	Does      string   `json:"does"`
	At        string   `json:"at,omitempty"`
	In        string   `json:"in,omitempty"`
	Source    string   `json:"source,omitempty"`
	Decisions []uint32 `json:"decisions,omitempty"`
}

// summaryLine is the last line: the verdict on the program.
type summaryLine struct {
	Type        string         `json:"type"` // "summary"
	Outcomes    int            `json:"outcomes"`
	States      uint64         `json:"states"`
	Transitions uint64         `json:"transitions"`
	Complete    bool           `json:"complete"`
	Limit       string         `json:"limit,omitempty"`
	Fault       string         `json:"fault,omitempty"`
	Reductions  []string       `json:"reductions"`
	Time        string         `json:"time"` // when timers fire: any, or virtual
	Assumptions []string       `json:"assumptions"`
	Engine      string         `json:"engine"`
	Verdict     verdict.Status `json:"verdict"`
	Schema      int            `json:"schema"`
}

// outcomes prints a line for each outcome of a program and one for the whole.
func (l *Lines) outcomes(v *verdict.Verdict) error {
	o := v.Outcomes
	for i := range o.List {
		if err := l.encoder.Encode(lineOf(&o.List[i])); err != nil {
			return err
		}
	}
	return l.encoder.Encode(summaryLine{Type: "summary", Schema: verdict.Schema, Engine: v.Engine, Verdict: v.Status, Outcomes: len(o.List),
		States: v.States, Transitions: v.Transitions, Complete: o.Complete, Limit: o.Limit, Fault: o.Fault, Reductions: o.Reductions, Time: o.Time, Assumptions: append([]string{}, v.Assumptions...)})
}

func lineOf(o *verdict.Outcome) outcomeLine {
	l := outcomeLine{Type: "outcome", Schema: verdict.Schema, Kind: o.Kind, Exit: o.Exit, Stdout: o.Stdout, Stderr: o.Stderr, Panic: o.Panic,
		Deadlock: o.Kind == verdict.Deadlocked, Race: o.Kind == verdict.Raced, Endless: o.Kind == verdict.Endless,
		Goroutines: o.Involved, Accesses: o.Race, Schedule: turnLines(o.Schedule), Cycle: turnLines(o.Cycle), Witness: o.Witness}
	for _, at := range o.At {
		l.At = append(l.At, at.String())
	}
	for _, s := range o.Involved {
		l.Involved = append(l.Involved, s.String())
	}
	for _, c := range o.Race {
		l.Involved = append(l.Involved, c.String())
	}
	return l
}

func turnLines(steps []verdict.OutcomeStep) []turnLine {
	var lines []turnLine
	for _, s := range steps {
		line := turnLine{Thread: s.Thread, Goroutine: s.Goroutine, Does: s.Does, Source: s.Source, Decisions: s.Decisions}
		switch {
		case s.Begins:
		case s.Place == verdict.Place{}:
			line.At, line.In = "-", "-" // in the library
		default:
			line.At, line.In = s.Place.Position(), s.Place.Function
		}
		lines = append(lines, line)
	}
	return lines
}
