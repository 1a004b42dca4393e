package verdict

import (
	"fmt"
	"strings"
)

// Each fact has one sentence, which messages and renderers share. Renderers that want it
// otherwise look at the facts.

// Position is "file.go:12", or "-" if it is not known.
func (p Place) Position() string {
	if p.Line == 0 {
		return "-"
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// String is "file.go:12 in f".
func (p Place) String() string { return p.Position() + " in " + p.Function }

// Base is the position without directories.
func (p Place) Base() string {
	return fmt.Sprintf("%s:%d", p.File[strings.LastIndexByte(p.File, '/')+1:], p.Line)
}

// words are the names of kinds of accesses in sentences, where these differ.
var words = map[AccessKind]string{MapGet: "get", MapSet: "set", MapDelete: "del", MapClear: "clear", MapLen: "len", Receive: "recv"}

// String says what is accessed and what becomes of it: "read head.next = node#3".
func (a *Access) String() string {
	memory := a.Object + a.Field
	switch a.Kind {
	case Read:
		return fmt.Sprintf("read %s = %s", memory, a.Old)
	case Write, Swap:
		return fmt.Sprintf("%s %s = %s (was %s)", a.Kind, memory, a.New, a.Old)
	case CompareAndSwap:
		text := fmt.Sprintf("compare-and-swap %s from %s to %s: ", memory, a.Expected, a.Proposed)
		if a.Done {
			return text + "done"
		}
		return text + "fails, it is " + a.Old
	case Add, And, Or:
		return fmt.Sprintf("%s %s: %s becomes %s", a.Kind, memory, a.Old, a.New)
	case MapGet, MapSet, MapDelete, MapClear, MapLen:
		return words[a.Kind] + " of " + memory
	case LibraryCall:
		return strings.TrimSuffix(a.Function+" "+memory, " ")
	}
	if word := words[a.Kind]; word != "" {
		return word
	}
	return string(a.Kind)
}

// CallText is the call without its result: "Add(1)".
func (e *Event) CallText() string { return e.Operation + "(" + strings.Join(e.Args, ", ") + ")" }

// String is the call with its result: "Add(1) = true", "Take() never returns".
func (e *Event) String() string {
	if e.Responded == 0 {
		return e.CallText() + " never returns"
	}
	return e.Returning(Returned{Results: e.Results, Panicked: e.Panicked})
}

// Returning is the call with a result that it has, or could have had.
func (e *Event) Returning(r Returned) string {
	switch {
	case r.Panicked:
		return e.CallText() + " panics"
	case len(r.Results) == 0:
		return e.CallText()
	}
	return e.CallText() + " = " + strings.Join(r.Results, ", ")
}

// String says what goroutines of a program do: "2 × worker [chan send] at file.go:7 in
// worker".
func (s Situation) String() string {
	text := s.Goroutine
	if s.Place != (Place{}) {
		text = fmt.Sprintf("%s [%s] at %s", s.Goroutine, s.waitsFor(), s.Place)
	}
	if s.Count > 1 {
		return fmt.Sprintf("%d × %s", s.Count, text)
	}
	return text
}

// Of is the situation of a thread that executes an operation: "thread 1, Take: waits:
// sync.Cond.Wait, at file.go:7 in (*Box).Take".
func (s Situation) Of() string {
	text := fmt.Sprintf("thread %d, %s: ", s.Thread, s.Operation)
	if s.Waits {
		return text + "waits: " + s.waitsFor() + ", at " + s.Place.String()
	}
	return text + "goes on at " + s.Place.String()
}

func (s Situation) waitsFor() string {
	if s.Object == "" {
		return s.For
	}
	return s.For + " of " + s.Object
}

// String is "write of main.x at file.go:12 in f".
func (c Conflict) String() string {
	what := "read"
	if c.Write {
		what = "write"
	}
	if c.Object != "" {
		what += " of " + c.Object
	}
	if c.Line == 0 && c.Function != "" {
		return what + " by " + c.Function
	}
	return what + " at " + c.Place.String()
}
