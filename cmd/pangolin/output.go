package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"pangolin/report"
	"pangolin/verdict"
)

// results is what prints a command's results on standard output.
func (con *console) results(asJSON bool) report.Renderer {
	format := "text"
	if asJSON {
		format = "json"
	}
	r, err := report.New(format, con.out, report.Options{Colour: isTerminal(con.out)})
	if err != nil {
		panic(err) // both are registered
	}
	return r
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

// announce says on standard error what will be verified.
func (con *console) announce(c verdict.Collection) {
	report.Announce(con.err, report.Options{Colour: isTerminal(con.err)}, inFlags(c))
}

// note says something on standard error that is worth knowing.
func (con *console) note(text string) { fmt.Fprintf(con.err, "pangolin: %s\n", asFlags(text)) }

// isTerminal says whether a writer shows colours: it is a terminal, and the user does
// not mind (no-color.org).
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == ""
}
