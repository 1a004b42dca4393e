// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"github.com/peterbourgon/ff/v3/ffcli"
)

const completionHelp = `Completion prints a script that completes Pangolin's commands and flags in a shell:

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

func bashCompletion(list []*ffcli.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "_pangolin() {\n  local word=${COMP_WORDS[COMP_CWORD]}\n  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"+
		"    COMPREPLY=($(compgen -W %q -- \"$word\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n", commandNames(list))
	for _, c := range list {
		if flags := flagNames(c); len(flags) > 0 {
			fmt.Fprintf(&b, "  %s) COMPREPLY=($(compgen -W %q -- \"$word\")) ;;\n", c.Name, strings.Join(flags, " "))
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
		for _, name := range flagNames(c) {
			fmt.Fprintf(&b, "complete -c pangolin -n '__fish_seen_subcommand_from %s' -o %s\n", c.Name, strings.TrimPrefix(name, "-"))
		}
	}
	return b.String()
}
