// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/peterbourgon/ff/v3/ffcli"
)

// What a user has probably meant by a command or a flag that does not exist.

// noCommand is the error about a command that does not exist.
func noCommand(name string, list []*ffcli.Command) error {
	names := []string{"help"}
	for _, c := range list {
		names = append(names, c.Name)
	}
	return &usageError{text: fmt.Sprintf("there is no command %q%s", name, meant(name, "", names))}
}

// noFlag is an error of package flag, with the flags that are meant if there is none of the name.
func noFlag(fs *flag.FlagSet, err error) error {
	name, is := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !is {
		return err
	}
	var names []string
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	return fmt.Errorf("%w%s", err, meant(name, "-", names))
}

// meant says which of some names one may stand for: those that differ in a third of their letters at most, the nearest ones, and those that it begins.
func meant(name, before string, names []string) string {
	name = strings.TrimLeft(name, "-")
	least, list := len(name)/3+1, []string(nil)
	for _, n := range names {
		switch d := distance(name, n); {
		case d > least:
		case d < least:
			least, list = d, []string{before + n}
		default:
			list = append(list, before+n)
		}
	}
	for _, n := range names {
		if len(name) > 1 && strings.HasPrefix(n, name) && !slices.Contains(list, before+n) {
			list = append(list, before+n)
		}
	}
	if len(list) == 0 || len(list) > 4 {
		return ""
	}
	return ": did you mean " + strings.Join(list, " or ") + "?"
}

// distance is the number of letters that are inserted, removed, replaced or exchanged with the next one to make b of a (Damerau and Levenshtein, in the
// form without further edits of an exchanged pair).
func distance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row := rows[0], rows[1], rows[2]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replaced := last[j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			row[j] = min(last[j]+1, row[j-1]+1, replaced)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		rows = [3][]int{last, row, before}
	}
	return rows[1][len(b)]
}
