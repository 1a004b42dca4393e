// SPDX-License-Identifier: BSD-3-Clause

package main

// Files of transition systems: the format follows from the name, and a file is written whole or not at all.

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"pangolin/internal/lts"
	"pangolin/internal/lts/aut"
	"pangolin/internal/lts/dot"
	"pangolin/internal/lts/svg"
)

// systemFlags configure how files of systems are read and written.
type systemFlags struct {
	tau  string
	cadp bool
}

// softLimit is the memory in bytes from which the garbage collector works harder: a system of ten million transitions is reduced in less
// than 2 GiB.
const softLimit = 1536 << 20

// readSystem reads an .aut file, compressed or not.
func (f *systemFlags) readSystem(name string) (*lts.System, error) {
	debug.SetMemoryLimit(softLimit)
	in, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	opt := aut.Options{}
	if f.tau != "" {
		opt.Internal = strings.Split(f.tau, ",")
	}
	s, err := aut.Read(in, opt)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	return s, nil
}

// format returns the function that writes files with such a name.
func (f *systemFlags) format(name string) (func(io.Writer, *lts.System) error, error) {
	dialect := aut.MCRL2
	if f.cadp {
		dialect = aut.CADP
	}
	switch base := strings.TrimSuffix(name, ".gz"); filepath.Ext(base) {
	case ".aut":
		return func(w io.Writer, s *lts.System) error { return aut.Write(w, s, dialect) }, nil
	case ".dot":
		return dot.Write, nil
	case ".svg":
		return svg.Write, nil
	}
	return nil, fmt.Errorf("%s: want a name that ends in .aut, .dot or .svg, and in .gz behind it to compress", name)
}

// writeSystem writes a system into a file, whole or not at all.
func (f *systemFlags) writeSystem(name string, s *lts.System) error {
	write, err := f.format(name)
	if err != nil {
		return err
	}
	return writeWhole(name, func(out io.Writer) error {
		return packed(out, strings.HasSuffix(name, ".gz"), func(w io.Writer) error { return write(w, s) })
	})
}

// packed writes through gzip if gz is set.
func packed(out io.Writer, gz bool, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(out, 1<<20)
	w := io.Writer(b)
	var z *gzip.Writer
	if gz {
		z = gzip.NewWriter(b)
		w = z
	}
	if err := write(w); err != nil {
		return err
	}
	if z != nil {
		if err := z.Close(); err != nil {
			return err
		}
	}
	return b.Flush()
}
