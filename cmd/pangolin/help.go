// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"flag"
	"fmt"
	"strings"

	"github.com/peterbourgon/ff/v3/ffcli"
)

// Help for the whole tool and for each subcommand, made from the subcommands' own texts and flag
// sets, within 80 columns.

const rootHelp = `Pangolin executes ordinary Go programs under every interleaving of their
goroutines and every decision that Go leaves open.

Exit codes: 0 all is well, 1 something bad was found, 2 usage, load or tool
error, or results that cannot be written, 3 nothing bad was found but a limit was
reached, or something named was not judged.

Pangolin -C DIR COMMAND ... runs the command in another directory.`

const helpHelp = `Usage: pangolin help [COMMAND | all]

Help prints what a command does and its flags; without a command, which commands
there are; with "all", everything.
`

// width is the number of columns of help texts.
const width = 80

func isHelp(arg string) bool {
	switch arg {
	case "help", "-h", "-help", "--help":
		return true
	}
	return false
}

// printHelp prints help on pangolin, or on the command that args name.
func printHelp(root *ffcli.Command, args []string, con *console) error {
	if len(args) == 0 {
		fmt.Fprint(con.out, help(root))
		return nil
	}
	switch args[0] {
	case "help":
		fmt.Fprint(con.out, helpHelp)
		return nil
	case "all":
		fmt.Fprint(con.out, help(root))
		for _, c := range root.Subcommands {
			fmt.Fprintf(con.out, "\n%s\n\n%s", strings.Repeat("-", width), help(c))
		}
		return nil
	}
	for _, c := range root.Subcommands {
		if c.Name == args[0] {
			fmt.Fprint(con.out, help(c))
			return nil
		}
	}
	return noCommand(args[0], root.Subcommands)
}

// help is the help text of a command.
func help(c *ffcli.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: %s\n\n%s\n", c.ShortUsage, filled(c.LongHelp))
	if len(c.Subcommands) > 0 {
		b.WriteString("\nCommands:\n\n")
		rows := [][2]string{{"help", "print help on a command"}}
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
			out = append(out, wrap(strings.Join(paragraph, " "), width)...)
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
		for i, line := range wrap(r[1], width-left-4) {
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
