// SPDX-License-Identifier: BSD-3-Clause

// Package play is what engines share that execute a collection under its clients: the place where a cursor stands, the names of
// items and keys, and how a monitor is followed.
//
// It takes a compiled collection, and the turns that an engine chooses. It gives the events of each turn and the words of the
// states. It judges nothing, and knows neither properties nor searches.
//
// What holds:
//
//   - A saved state begins with the engine's words (the listener's state, the plan's counts with those of the names); the place's
//     follow, and only the place reads them.
//   - Nothing of a cursor outlives Load (TestCursor_KeepsNothingBeyondLoad in engine/bounded).
//   - Parts put together give the words of the machine, and the same events are heard from either form (place_test.go).
//   - Engines over a place import neither vm/parts nor vm/state (internal/arch).
package play
