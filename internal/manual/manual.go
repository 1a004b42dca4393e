// SPDX-License-Identifier: BSD-3-Clause

// Package manual makes the help text of a command from its own texts and flags, within 80 columns.
package manual

import (
	"flag"
	"fmt"
	"strings"

	"github.com/peterbourgon/ff/v3/ffcli"
)

// Width is the number of columns of help texts.
const Width = 80

// Of is the help text of a command. More are rows before those of its subcommands.
func Of(c *ffcli.Command, more ...[2]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: %s\n\n%s\n", c.ShortUsage, filled(c.LongHelp))
	if len(c.Subcommands) > 0 {
		b.WriteString("\nCommands:\n\n")
		rows := more
		for _, s := range c.Subcommands {
			rows = append(rows, [2]string{s.Name, s.ShortHelp})
		}
		writeRows(&b, rows)
	}
	if rows := flagRows(c.FlagSet); len(rows) > 0 {
		b.WriteString("\nFlags:\n\n")
		writeRows(&b, rows)
	}
	return b.String()
}

// filled wraps the paragraphs of a text; indented lines stay unchanged.
func filled(text string) string {
	var out, paragraph []string
	end := func() {
		if len(paragraph) > 0 {
			out = append(out, wrap(strings.Join(paragraph, " "), Width)...)
		}
		paragraph = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" && line[0] != ' ' {
			paragraph = append(paragraph, line)
			continue
		}
		end()
		out = append(out, line)
	}
	end()
	return strings.Join(out, "\n")
}

// flagRows describes flags; a flag's default is part of its text.
func flagRows(fs *flag.FlagSet) (rows [][2]string) {
	if fs == nil {
		return nil
	}
	fs.VisitAll(func(f *flag.Flag) {
		name, text := flag.UnquoteUsage(f)
		rows = append(rows, [2]string{strings.TrimSpace("-" + f.Name + " " + name), text})
	})
	return rows
}

// writeRows prints two columns, the second one wrapped.
func writeRows(b *strings.Builder, rows [][2]string) {
	left := 0
	for _, r := range rows {
		left = max(left, len(r[0]))
	}
	for _, r := range rows {
		for i, line := range wrap(r[1], Width-left-4) {
			head := ""
			if i == 0 {
				head = r[0]
			}
			fmt.Fprintf(b, "  %-*s  %s\n", left, head, line)
		}
	}
}

// wrap breaks text into lines of at most n columns.
func wrap(text string, n int) []string {
	lines := []string{""}
	for _, word := range strings.Fields(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case len(*last)+1+len(word) <= n:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}
