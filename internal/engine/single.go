// SPDX-License-Identifier: BSD-3-Clause

package engine

import (
	"context"
	"errors"
	"io"

	"pangolin/internal/vm"
)

// Single configures the execution of one schedule of a program.
type Single struct {
	Stdout, Stderr io.Writer // receive the program's output while it runs
	Instructions   int       // bound on the instructions of all threads together
	HeapBytes      int       // bound on the program's memory, and again on the bytes of its strings
}

// ErrInstructions is the error of a program that was stopped after Single.Instructions instructions.
var ErrInstructions = errors.New("the program has not ended")

// slice is the number of instructions between two checks of the context.
const slice = 20_000_000

// Run executes one schedule of the program from its main function, and returns the machine afterwards: the program has ended, no thread
// can continue, the only thread that can repeats a state for ever, or the machine has a fault, because it cannot execute something. The
// error is ErrInstructions, or that of the context.
func (s *Single) Run(ctx context.Context, img *vm.Image) (*vm.Machine, error) {
	m := img.NewMachine(vm.Options{HeapBytes: s.HeapBytes, StringBytes: s.HeapBytes, Stream: func(file int, text string) {
		w := s.Stdout
		if file == 2 {
			w = s.Stderr
		}
		io.WriteString(w, text) // a closed pipe is the reader's choice
	}})
	m.Start(img.Prog.Roots[0])
	for left := s.Instructions; !m.Run(nil, min(slice, left)); left -= slice {
		switch {
		case m.Spins():
			return m, nil
		case ctx.Err() != nil:
			return m, ctx.Err()
		case left <= slice:
			return m, ErrInstructions
		}
	}
	return m, nil
}
