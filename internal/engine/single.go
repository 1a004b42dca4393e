// SPDX-License-Identifier: BSD-3-Clause

package engine

import (
	"io"

	"pangolin/internal/interleave"
)

// ErrInstructions is the error of a program that had not ended after as many instructions.
var ErrInstructions = interleave.ErrInstructions

// Single says how one schedule of a program is executed.
type Single struct {
	Stdout, Stderr io.Writer // of the program
	Instructions   int       // at most
	HeapBytes      int
}
