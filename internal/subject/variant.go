// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"pangolin/internal/front"
)

// Invalid is the error of a variant that does not compile, with the compiler's first message.
type Invalid struct{ Problem string }

func (e *Invalid) Error() string { return "the mutant does not compile: " + e.Problem }

// Variant compiles the collection with another text of a file. The error is an *Invalid if that does not compile. The oracle of the original judges it: a
// new one, if it is the oracle self, whose answers are those of one search at a time, and which remembers strings. Nothing is written into the original, but
// for where its strings are.
func (o *Order) Variant(ctx context.Context, original *Subject, path string, text []byte) (*Subject, error) {
	changed := *o
	changed.Listed = o.Listed.Overlay(map[string][]byte{path: text})
	s, err := changed.Compile(ctx)
	var problem *front.Error
	if errors.As(err, &problem) {
		return nil, &Invalid{problem.Problems[0]}
	}
	if err != nil {
		return nil, err
	}
	s.Spec, err = original.specAnew(ctx)
	return s, err
}

// Code identifies the instructions of a program, whatever their positions in the source: variants with the same Code behave
// the same. It is a digest in hexadecimal.
type Code string

// Code is that of the subject's program.
func (s *Subject) Code() Code {
	h := sha256.New()
	for _, f := range s.Prog.Funcs {
		fmt.Fprintln(h, f.Name, f.External)
		for pc := range f.Code {
			fmt.Fprintln(h, s.Prog.Instr(f, pc))
		}
	}
	return Code(hex.EncodeToString(h.Sum(nil)))
}
