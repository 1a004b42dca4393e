// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"strings"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin/internal/manual"
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
const width = manual.Width

// helpRow is the line about help in the list of commands.
var helpRow = [2]string{"help", "print help on a command"}

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
		fmt.Fprint(con.out, manual.Of(root, helpRow))
		return nil
	}
	switch args[0] {
	case "help":
		fmt.Fprint(con.out, helpHelp)
		return nil
	case "all":
		fmt.Fprint(con.out, manual.Of(root, helpRow))
		for _, c := range root.Subcommands {
			fmt.Fprintf(con.out, "\n%s\n\n%s", strings.Repeat("-", width), manual.Of(c))
		}
		return nil
	}
	for _, c := range root.Subcommands {
		if c.Name == args[0] {
			fmt.Fprint(con.out, manual.Of(c))
			return nil
		}
	}
	return noCommand(args[0], root.Subcommands)
}
