package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"pangolin/report"
)

// files are the files in which results are wanted besides standard output.
type files struct {
	names map[string]*string // by format
	open  []file
}

// file is one of them, being written.
type file struct {
	report.Renderer
	*os.File
}

// fileFormats are the formats that have a flag of their own.
var fileFormats = []string{"html", "sarif", "junit"}

// register adds a flag for each format.
func (f *files) register(fs *flag.FlagSet) {
	f.names = map[string]*string{}
	for _, format := range report.Formats {
		for _, name := range fileFormats {
			if format.Name == name {
				f.names[name] = fs.String(name, "", "write "+format.Doc+" to this `file`")
			}
		}
	}
}

// wanted says that there is a page, which needs scenes.
func (f *files) wanted() bool { return f.names["html"] != nil && *f.names["html"] != "" }

// create makes the files.
func (f *files) create() error {
	for _, format := range fileFormats {
		name := f.names[format]
		if name == nil || *name == "" {
			continue
		}
		out, err := os.Create(*name)
		if err != nil {
			return fmt.Errorf("-%s: %w", format, err)
		}
		r, err := report.New(format, out, report.Options{})
		if err != nil {
			return err
		}
		f.open = append(f.open, file{r, out})
	}
	return nil
}

// show gives a result to all of them; what goes wrong close tells.
func (f *files) show(result any) {
	for _, x := range f.open {
		_ = x.Show(result)
	}
}

// close writes what comes at the end.
func (f *files) close() error {
	var errs []error
	for _, x := range f.open {
		errs = append(errs, x.Renderer.Close(), x.File.Close())
	}
	f.open = nil
	return errors.Join(errs...)
}
