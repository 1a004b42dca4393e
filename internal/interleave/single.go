// SPDX-License-Identifier: BSD-3-Clause

package interleave

import (
	"context"
	"errors"
	"io"

	"pangolin/internal/vm"
)

// Single executes one schedule of a program, and nothing beside it: the program's output goes
// out as it is written.
type Single struct {
	Stdout, Stderr io.Writer
	Instructions   int // executed by all threads together, at most
	HeapBytes      int // of the program's memory, and of its strings
}

// ErrInstructions says that a program had not ended after as many instructions as it may take.
var ErrInstructions = errors.New("the program has not ended")

// slice is how many instructions are executed between two looks at the clock.
const slice = 20_000_000

// Run executes the program from its main function, and gives the machine as it ends:
// with a fault, if it could not go on. An error is that of the context, or ErrInstructions.
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
