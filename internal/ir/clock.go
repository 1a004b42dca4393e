// SPDX-License-Identifier: BSD-3-Clause

package ir

// Clock tells what time is to a program.
type Clock struct {
	// Virtual: the clock advances only when no thread can move, to the next moment that some thread
	// waits for. Otherwise timers may fire at any moment.
	Virtual bool
	// Jumps: with ClockCounts, how often the clock may advance when it is read; 0: never. WhenCalled: it advances where the prelude's passYear is called.
	Jumps int
	// Late: with ClockCounts, the clock advances only after the packages are initialised.
	Late bool
	Form ClockForm
	// Read: the program's code asks for the time, so moments are part of its states.
	Read bool
}

// StandsStill says that the clock does not go on while packages are initialised, or that nothing remembers how far it has gone: what reads it there does not change it.
func (c *Clock) StandsStill() bool {
	return !c.Virtual && (c.Form != ClockCounts || c.Late || c.Jumps <= 0)
}

// WhenCalled is a Clock.Jumps.
const WhenCalled = -1

// ClockForm tells how moments are represented in memory. A later form allows code to do more with
// them.
type ClockForm uint8

// The forms of a clock.
const (
	// ClockCounts: the time is the number of times that the clock has advanced, by a year each.
	ClockCounts ClockForm = iota
	// ClockForgets: a moment is its distance from the present; moments that are long past are
	// equal.
	ClockForgets
	// ClockExact: a moment is its distance from the present.
	ClockExact
	// ClockNumbers: a moment is a number, with which code may calculate.
	ClockNumbers
)
