// SPDX-License-Identifier: BSD-3-Clause

// Package play contains what all engines share that execute a collection under its clients: the place that a cursor is in, the names of
// items and keys, and how a monitor is followed.
//
// It takes a compiled collection and the turns that an engine chooses. It returns the events of each turn and the words of the states.
// It judges nothing, and knows neither properties nor searches.
//
// Invariants:
//
//   - A saved state begins with the engine's words (the listener's state, the plan's counts with the numbers of names); the
//
// place's words follow,
//
//	  and only the place reads them.
//	- Nothing of a cursor survives Load (TestCursor_KeepsNothingBeyondLoad in engine/bounded).
//	- Joined parts are the machine's words, and both forms report the same events (place_test.go).
//	- Engines over a place import neither vm/parts nor vm/state (internal/arch).
package play
