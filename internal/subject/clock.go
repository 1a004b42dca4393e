// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"fmt"
	"slices"

	"pangolin/internal/ir"
	"pangolin/internal/vm"
)

// Time is a notion of time: when timers fire.
type Time string

// The notions of time. The zero value is AnyTime, but VirtualTime for programs that run tests in bubbles of package testing/synctest.
const (
	AnyTime     Time = "any"     // timers fire at any moment
	VirtualTime Time = "virtual" // the clock goes on to the next moment for which somebody waits, when nobody can move
)

// ParseTime parses a notion of time.
func ParseTime(text string) (Time, error) {
	switch t := Time(text); t {
	case "", AnyTime, VirtualTime:
		return t, nil
	}
	return "", fmt.Errorf("unknown time %q: there are any and virtual", text)
}

// readers are the models of library functions that ask for the time; bubbles that of testing/synctest.Test.
var (
	readers = []string{"pangolin/prelude.timeNow", "pangolin/prelude.timeSince", "pangolin/prelude.timeUntil"}
	bubbles = "pangolin/prelude.synctestTest"
)

// ClockOf is the clock of a whole program.
func ClockOf(prog *ir.Program, t Time) ir.Clock {
	calls := func(name string) bool {
		return slices.ContainsFunc(prog.Funcs, func(f *ir.Func) bool { return f.Name == name })
	}
	c := ir.Clock{Virtual: t == VirtualTime || t == "" && calls(bubbles), Read: slices.ContainsFunc(readers, calls)}
	if c.Virtual || c.Read {
		c.Form = ir.ClockForgets
	}
	return c
}

// TimeOf is the notion of time of a program that has been loaded.
func TimeOf(c ir.Clock) Time {
	if c.Virtual {
		return VirtualTime
	}
	return AnyTime
}

// TimeAssumptions says, for verdicts, what time is to a whole program with a clock; nothing if it does not matter.
func TimeAssumptions(prog *ir.Program, c ir.Clock) []string {
	switch {
	case !c.Read && !vm.HasTimers(prog), c.Form == ir.ClockCounts && c.Jumps == 0: // then it is among those of every subject
		return nil
	case c.Virtual:
		text := "time is virtual: what the code does takes none, and the clock goes on to the next timer only when nobody can move"
		if c.Form == ir.ClockNumbers {
			text += "; the code calculates with times, so states at different times are different"
		}
		return []string{text}
	case c.Form != ir.ClockCounts:
		return []string{TimersAny, "where the clock is read it stands still, or has gone on to just behind a moment that the program holds, or by a hundred years"}
	}
	return []string{TimersAny, "the code calculates with times, and the clock goes on once at most, by a year, where it is read"}
}

// TimersAny is the assumption about timers that fire at any moment.
const TimersAny = "timers fire at any moment, whatever their durations and the clock"
