// SPDX-License-Identifier: BSD-3-Clause

package state

import "fmt"

// End is how an execution ended.
type End struct {
	Kind EndKind
	Code int    // of Exited: the status
	Text uint64 // of Panicked and Fatal: the message, a String word
	Pos  uint64 // of Panicked and Fatal: function ID<<32 | instruction
}

// EndKind is a way to end.
type EndKind uint8

const (
	Running  EndKind = iota // it has not ended
	Exited                  // main returned, or os.Exit
	Panicked                // a panic that nothing recovered
	Fatal                   // a fatal error of the runtime, e.g. unlock of an unlocked mutex
)

// Ended returns how the program ended; Running if it did not.
func (m *State) Ended() End { return m.End }

// Text returns the string of a String word.
func (m *State) Text(w uint64) string { return m.img.Strings.Text(w) }

// Output is what a program has printed.
type Output struct {
	Stdout, Stderr uint64 // String words
	Stream         func(file int, text string)
}

func (o *Output) reset() { o.Stdout, o.Stderr = 0, 0 }

// Printed returns what has been printed to standard output and standard error.
func (m *State) Printed() (stdout, stderr string) {
	return m.Text(m.Out.Stdout), m.Text(m.Out.Stderr)
}

// Print appends a text to what the program has printed to a file: 1 is standard output, 2 standard
// error.
func (m *State) Print(file int, text string) {
	switch {
	case text == "":
	case m.Out.Stream != nil:
		m.Out.Stream(file, text)
	case file == 1:
		m.Out.Stdout = m.printed(m.Out.Stdout, text)
	default:
		m.Out.Stderr = m.printed(m.Out.Stderr, text)
	}
}

// printed appends text to an output and returns the new word.
func (m *State) printed(before uint64, text string) uint64 {
	all := m.Text(before) + text
	if len(all) > m.Limits.Output {
		m.Fail(FaultMemory, fmt.Sprintf("output without end: the program has printed more than %d KiB", m.Limits.Output>>10))
		return before
	}
	return m.Join(all, "")
}
