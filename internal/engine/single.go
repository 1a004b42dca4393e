// SPDX-License-Identifier: BSD-3-Clause

package engine

import (
	"context"
	"errors"
	"io"

	"pangolin/internal/vm"
)

// Single says how one schedule of a program is executed.
type Single struct {
	Stdout, Stderr io.Writer // receive the program's output while it runs
	Instructions   int       // bound on the instructions of all threads together
	HeapBytes      int       // bound on the program's memory, and again on the bytes of its strings
}

// ErrInstructions is the error of an execution that was stopped because the program had not ended after
// Single.Instructions instructions.
var ErrInstructions = errors.New("the program has not ended")

// slice is how many instructions are executed between two looks at the context.
const slice = 20_000_000

// Run executes one schedule of the program from its main function, and gives the machine behind it: where the program
// has ended, where no thread can go on, where the only thread that can repeats a state for ever, or with a fault, if
// there is something that the machine cannot execute. An error is ErrInstructions, or that of the context.
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
