// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

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

// writeWhole writes a file whole or not at all: first under another name, which is then changed.
func writeWhole(name string, write func(io.Writer) error) error {
	out, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	var where *fs.PathError
	if errors.As(err, &where) { // the name of the temporary file would confuse
		return fmt.Errorf("%s cannot be written: %w", name, where.Err)
	}
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	err = write(out)
	if closed := out.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(out.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(out.Name(), name)
	}
	return err
}
