package main

import (
	"os"
	"strings"

	"pangolin/verdict"
)

// quote adds the source lines to the schedules of outcomes, as far as their files can be
// read: a schedule is readable without.
func quote(o *verdict.Outcomes) {
	files := map[string][]string{}
	for i := range o.List {
		for _, steps := range [][]verdict.OutcomeStep{o.List[i].Schedule, o.List[i].Cycle} {
			for k := range steps {
				steps[k].Source = lineAt(files, steps[k].Place)
			}
		}
	}
}

// lineAt is a source line without its indentation.
func lineAt(files map[string][]string, at verdict.Place) string {
	lines, known := files[at.File]
	if !known {
		if text, err := os.ReadFile(at.File); err == nil {
			lines = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		}
		files[at.File] = lines
	}
	if at.Line < 1 || at.Line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[at.Line-1])
}
