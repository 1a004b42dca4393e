// SPDX-License-Identifier: BSD-3-Clause

package ir

// Clock says what time is to a program.
type Clock struct {
	// Virtual: the clock goes on only when nobody can move, to the next moment for which somebody waits. Otherwise timers fire at any
	// moment.
	Virtual bool
	// Jumps: of ClockCounts, how often the clock may go on where it is read; 0: it stands still.
	Jumps int
	// Late: of ClockCounts, the clock goes on only when the packages are initialised.
	Late bool
	Form ClockForm
	// Read says that the program's code asks for the time, so that moments are part of its states.
	Read bool
}

// ClockForm says how moments are held in memory. Forms are ordered: the later ones admit more of what code may do with them.
type ClockForm uint8

// The forms of a clock.
const (
	// ClockCounts: the clock is a number of years that have gone by.
	ClockCounts ClockForm = iota
	// ClockForgets: moments are held by their distance from the present, and those that are long over are one.
	ClockForgets
	// ClockExact: they are held by their distance from the present.
	ClockExact
	// ClockNumbers: they are held as numbers, with which code may calculate as it likes.
	ClockNumbers
)
