package main

import (
	"encoding/json"
	"io"
	"strings"

	"pangolin/internal/engine/outcomes"
)

// outcomeLine is one outcome as `run -all -json` prints it.
type outcomeLine struct {
	Type     string     `json:"type"` // "outcome"
	Kind     string     `json:"kind"` // exit, panic, deadlock, endless, race
	Exit     *int       `json:"exit"` // null: a race, or an execution without end
	Stdout   string     `json:"stdout"`
	Stderr   string     `json:"stderr"`
	Panic    string     `json:"panic"` // as the runtime prints it
	Deadlock bool       `json:"deadlock"`
	Race     bool       `json:"race"`
	Endless  bool       `json:"endless"`
	At       []string   `json:"at,omitempty"`       // where it panics
	Involved []string   `json:"involved,omitempty"` // waiting goroutines, accesses, goroutines that never end
	Schedule []turnLine `json:"schedule,omitempty"`
	Cycle    []turnLine `json:"cycle,omitempty"` // what an endless execution repeats behind the schedule
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

// summaryLine is the last line.
type summaryLine struct {
	Type        string   `json:"type"` // "summary"
	Outcomes    int      `json:"outcomes"`
	States      uint64   `json:"states"`
	Transitions uint64   `json:"transitions"`
	Complete    bool     `json:"complete"`
	Limit       string   `json:"limit,omitempty"`
	Fault       string   `json:"fault,omitempty"`
	Reductions  []string `json:"reductions"`
}

// kindNames are the names of kinds in JSON.
var kindNames = [...]string{outcomes.Exited: "exit", outcomes.Panicked: "panic", outcomes.Deadlock: "deadlock",
	outcomes.Endless: "endless", outcomes.Race: "race"}

func printOutcomesJSON(w io.Writer, r *outcomes.Report) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	source := newSourceText()
	for i := range r.Outcomes {
		if err := enc.Encode(lineOf(&r.Outcomes[i], source)); err != nil {
			return err
		}
	}
	line := summaryLine{Type: "summary", Outcomes: len(r.Outcomes), States: r.States, Transitions: r.Transitions,
		Complete: r.Complete, Limit: r.Limit, Reductions: r.Reductions.Names()}
	if r.Fault != nil {
		line.Fault, _, _ = strings.Cut(r.Fault.Error(), "\n")
	}
	return enc.Encode(line)
}

func lineOf(o *outcomes.Outcome, source *sourceText) outcomeLine {
	l := outcomeLine{Type: "outcome", Kind: kindNames[o.Kind], Stdout: o.Stdout, Stderr: o.Stderr, Panic: o.Panic,
		Deadlock: o.Kind == outcomes.Deadlock, Race: o.Kind == outcomes.Race, Endless: o.Kind == outcomes.Endless,
		At: o.At, Involved: o.Involved}
	if o.Kind < outcomes.Endless {
		l.Exit = &o.Exit
	}
	if o.Schedule != nil {
		l.Schedule = turnLines(o.Schedule.Turns, source)
		l.Cycle = turnLines(o.Schedule.Cycle, source)
	}
	return l
}

func turnLines(turns []outcomes.Turn, source *sourceText) []turnLine {
	var lines []turnLine
	for _, t := range turns {
		lines = append(lines, turnLine{t.Thread, t.Goroutine, t.Does, t.At, t.In, source.line(t.At), t.Decisions})
	}
	return lines
}
