// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/peterbourgon/ff/v3/ffcli"

	"pangolin"
	"pangolin/internal/lts"
	"pangolin/internal/study"
)

// The subcommand completion makes scripts for shells from the flag sets of the subcommands and the values that flags may have.

const completionHelp = `Completion prints a script that completes Pangolin's commands, flags and their values in a shell:

    source <(pangolin completion bash)
    pangolin completion zsh > "${fpath[1]}/_pangolin"
    pangolin completion fish | source`

func newCompletion(con *console) *ffcli.Command {
	return &ffcli.Command{
		Name:       "completion",
		ShortUsage: "pangolin completion bash|zsh|fish",
		ShortHelp:  "print a script that completes commands and flags in a shell",
		LongHelp:   completionHelp,
		FlagSet:    flag.NewFlagSet("completion", flag.ContinueOnError),
		Exec: func(_ context.Context, args []string) error {
			shells := map[string]func([]*ffcli.Command) string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}
			if len(args) != 1 || shells[args[0]] == nil {
				return &usageError{"completion", "completion wants one of bash, zsh and fish"}
			}
			fmt.Fprint(con.out, shells[args[0]](newRoot(con).Subcommands))
			return nil
		},
	}
}

// flagNames lists a command's flags, as they are written.
func flagNames(c *ffcli.Command) []string {
	var out []string
	c.FlagSet.VisitAll(func(f *flag.Flag) { out = append(out, "-"+f.Name) })
	return out
}

func commandNames(list []*ffcli.Command) string {
	names := []string{"help"}
	for _, c := range list {
		names = append(names, c.Name)
	}
	return strings.Join(names, " ")
}

// valuesOf lists the values that a flag may have, from the table of a request's fields and from that of the commands; none if they are not a few.
func valuesOf(name string) []string {
	for _, f := range pangolin.Fields() {
		if f.Flag == name {
			return f.Values
		}
	}
	switch name {
	case "color":
		return []string{"auto", "always", "never"}
	case "format":
		return formats()
	case "method":
		var names []string
		for _, m := range methods {
			names = append(names, m.name)
		}
		return names
	case "equiv":
		var names []string
		for _, e := range lts.Equivalences() {
			names = append(names, string(e))
		}
		return names
	}
	return nil
}

// argumentsOf lists the first arguments of a command that has a few.
func argumentsOf(command string) []string {
	switch command {
	case "completion":
		return []string{"bash", "zsh", "fish"}
	case "cache":
		return []string{"stat", "clean", "verify"}
	case "study":
		var names []string
		for _, s := range study.All() {
			names = append(names, s.Name)
		}
		return names
	}
	return nil
}

// valued lists the flags of all commands that have values, each once.
func valued(list []*ffcli.Command) (names []string) {
	for _, c := range list {
		c.FlagSet.VisitAll(func(f *flag.Flag) {
			if len(valuesOf(f.Name)) > 0 && !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		})
	}
	return names
}

func bashCompletion(list []*ffcli.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "_pangolin() {\n  local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]}\n  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"+
		"    COMPREPLY=($(compgen -W %q -- \"$word\"))\n    return\n  fi\n  case $last in\n", commandNames(list))
	for _, name := range valued(list) {
		fmt.Fprintf(&b, "  -%s) COMPREPLY=($(compgen -W %q -- \"$word\")); return ;;\n", name, strings.Join(valuesOf(name), " "))
	}
	b.WriteString("  esac\n  case ${COMP_WORDS[1]} in\n")
	for _, c := range list {
		if words := append(argumentsOf(c.Name), flagNames(c)...); len(words) > 0 {
			fmt.Fprintf(&b, "  %s) COMPREPLY=($(compgen -W %q -- \"$word\")) ;;\n", c.Name, strings.Join(words, " "))
		}
	}
	b.WriteString("  esac\n}\ncomplete -o default -F _pangolin pangolin\n")
	return b.String()
}

func zshCompletion(list []*ffcli.Command) string {
	return "#compdef pangolin\nautoload -U +X bashcompinit && bashcompinit\n" + bashCompletion(list)
}

func fishCompletion(list []*ffcli.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "complete -c pangolin -n __fish_use_subcommand -a %q\n", commandNames(list))
	for _, c := range list {
		if words := argumentsOf(c.Name); len(words) > 0 {
			fmt.Fprintf(&b, "complete -c pangolin -n '__fish_seen_subcommand_from %s' -a %q\n", c.Name, strings.Join(words, " "))
		}
		for _, name := range flagNames(c) {
			name = strings.TrimPrefix(name, "-")
			fmt.Fprintf(&b, "complete -c pangolin -n '__fish_seen_subcommand_from %s' -o %s", c.Name, name)
			if values := valuesOf(name); len(values) > 0 {
				fmt.Fprintf(&b, " -x -a %q", strings.Join(values, " "))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}
