// SPDX-License-Identifier: BSD-3-Clause

package main

import "io"

// sink is standard output, and remembers the first error of writing to it, such as a full disk. Whoever prints may ignore errors: a command
// whose results are cut off ends with an error.
type sink struct {
	io.Writer
	err error
}

// Write fails if an earlier part is missing, because what follows would be mistaken for the rest.
func (s *sink) Write(text []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.Writer.Write(text)
	s.err = err
	return n, err
}

// unwrapped is the writer within a sink: only a file can be a terminal.
func unwrapped(w io.Writer) io.Writer {
	if s, ok := w.(*sink); ok {
		return s.Writer
	}
	return w
}
