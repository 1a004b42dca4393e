// SPDX-License-Identifier: BSD-3-Clause

package verdict

// Scene is the state after a step: the memory that the program can reach, and each thread's position. Witness files do not contain scenes,
// because a replay makes them again.
type Scene struct {
	Objects []Object
	Threads []Standing
}

// Object is a piece of memory.
type Object struct {
	Name   string // "node#3"
	Type   string
	Kind   string // "", "map", "channel" or "function"
	Fields []Field
}

// Field is a part of an object, or a variable, with its value.
type Field struct {
	Name  string // ".next", "[2].key"; of a map "[key]"; of a variable its name
	Value string // as Go writes it
	To    string // name of the object that it refers to; "": none
}

// Standing describes what a thread is doing.
type Standing struct {
	Idle  bool // it executes nothing
	Waits bool // it cannot continue
	Calls []Running
	Holds []string // locks
}

// Running is a call in progress.
type Running struct {
	Place
	Variables []Field
}

// SourceLine is a line of source near a step or a call in progress.
type SourceLine struct {
	File string
	Line int
	Text string
}

// Where is the place where an execution goes wrong, if it can be named: one side of a race, where a panic began, the step that does the
// damage; else the last step in the user's code.
func (w *Witness) Where() Place {
	switch {
	case len(w.Race) > 0 && w.Race[0].Line > 0:
		return w.Race[0].Place
	case w.Crash != nil:
		for _, f := range w.Stack(w.Crash.Frame) {
			if !f.Library {
				return f.Place
			}
		}
	}
	if w.Damage > 0 && w.Steps[w.Damage-1].Line > 0 {
		return w.Steps[w.Damage-1].Place
	}
	for i := len(w.Steps) - 1; i >= 0; i-- {
		if w.Steps[i].Line > 0 {
			return w.Steps[i].Place
		}
	}
	return Place{}
}
