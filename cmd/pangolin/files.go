// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"pangolin/report"
	"pangolin/report/sarif"
)

// files are the files to which results are written besides standard output.
type files struct {
	names map[string]*string // by format
	open  []file
}

// file is one of them, being written.
type file struct {
	report.Renderer
	*os.File
}

// register adds a flag for each format that is written to a file.
func (f *files) register(fs *flag.FlagSet) {
	f.names = map[string]*string{}
	for _, format := range report.Formats {
		if format.File {
			f.names[format.Name] = fs.String(format.Name, "", "write "+format.Doc+" to this `file`")
		}
	}
}

// wanted reports whether a format is written.
func (f *files) wanted(format string) bool { return f.names[format] != nil && *f.names[format] != "" }

// needScenes reports whether a format is written that needs scenes: a page, or a record, of which a page may be made.
func (f *files) needScenes() bool { return f.wanted("html") || f.wanted("record") }

// create makes the files.
func (f *files) create() error {
	for _, format := range report.Formats {
		name := f.names[format.Name]
		if name == nil || *name == "" {
			continue
		}
		out, err := os.Create(*name)
		if err != nil {
			return fmt.Errorf("-%s: %w", format.Name, err)
		}
		f.open = append(f.open, file{format.New(out, report.Options{SARIF: sarif.Options{Version: semantic(version()), Located: located()}}), out})
	}
	return nil
}

// show writes a result to all files; close reports errors.
func (f *files) show(result any) {
	for _, x := range f.open {
		_ = x.Show(result)
	}
}

// close completes and closes the files.
func (f *files) close() error {
	var errs []error
	for _, x := range f.open {
		errs = append(errs, x.Renderer.Close(), x.File.Close())
	}
	f.open = nil
	return errors.Join(errs...)
}
