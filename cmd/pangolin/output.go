// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"

	"pangolin/report"
	"pangolin/verdict"
)

// display configures how results look.
type display struct {
	colour string // auto, always or never
	all    bool
	brief  bool // see report.Options
	quiet  bool // see report.Options
}

// register adds the flags for that.
func (d *display) register(fs *flag.FlagSet) {
	fs.StringVar(&d.colour, "color", "auto", "`when` to use colours: auto (on a terminal), always, never")
	fs.BoolVar(&d.all, "v", false, "show every step of a witness, and every witness")
}

// check returns an error if a flag has an invalid value.
func (d *display) check() error {
	switch d.colour {
	case "", "auto", "always", "never":
		return nil
	}
	return fmt.Errorf("-color %q: it is auto, always or never", d.colour)
}

// options are the renderer's options for a writer.
func (d *display) options(w io.Writer) report.Options {
	var o report.Options
	o.Width, o.All, o.Brief, o.Quiet = columns(w), d.all, d.brief, d.quiet
	o.Home, _ = os.UserHomeDir() // none: paths stand in full
	switch d.colour {
	case "always":
		o.Colour = true
	case "never":
	default:
		o.Colour = showsColours(w)
	}
	return o
}

// columns is the width of a writer: COLUMNS if set, else a terminal's width, else 0.
func columns(w io.Writer) int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if f, ok := unwrapped(w).(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil {
			return n
		}
	}
	return 0
}

// results makes the renderer for a command's results on standard output.
func (con *console) results(asJSON bool) report.Renderer {
	if asJSON {
		return con.resultsAs("json")
	}
	return con.resultsAs("text")
}

// resultsAs is results in a format that exists.
func (con *console) resultsAs(format string) report.Renderer {
	o := con.options(con.out)
	if format == "vet" {
		o.Vet.Located = locatedHere()
	}
	r, err := report.New(format, con.out, o)
	if err != nil {
		panic(err)
	}
	return r
}

// formats lists the formats that are printed on standard output.
func formats() (names []string) {
	for _, f := range report.Formats {
		if !f.File {
			names = append(names, f.Name)
		}
	}
	return names
}

func formatUsage() string {
	return "print results in a `form`: " + strings.Join(formats(), ", ") + " (vet: file:line:column: message, as editors read it)"
}

// checkFormat returns an error if there is no such format.
func checkFormat(name string) error {
	if slices.Contains(formats(), name) {
		return nil
	}
	return fmt.Errorf("-format %q: there are %s", name, strings.Join(formats(), ", "))
}

// show prints a command's results.
func show[T any](con *console, asJSON bool, list []T) error {
	r := con.results(asJSON)
	for _, result := range list {
		if err := r.Show(result); err != nil {
			return fmt.Errorf("writing the results: %w", err)
		}
	}
	return r.Close()
}

// announce describes on standard error what will be verified.
func (con *console) announce(c verdict.Collection) {
	report.Announce(con.err, con.options(con.err), inFlags(c))
}

// note prints a message on standard error that is not an error.
func (con *console) note(text string) { fmt.Fprintf(con.err, "pangolin: %s\n", asFlags(text)) }

// showsColours reports whether a writer is a terminal with colours, and the user has not disabled them (no-color.org).
func showsColours(w io.Writer) bool {
	f, ok := unwrapped(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
