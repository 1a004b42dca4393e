// SPDX-License-Identifier: BSD-3-Clause

package outcomes_test

import (
	"slices"
	"strings"
	"testing"

	"pangolin/internal/test/corpus"
	"pangolin/internal/test/level"
)

// A panic has the place of the program's own call, wherever the library raises it.
func TestExplore_PlacesThePanicsOfTheLibrary(t *testing.T) {
	level.SkipShort(t, "loads many programs")
	for name, body := range map[string]string{
		"a panic of a model":              "var wg sync.WaitGroup\n\n\twg.Done() // here",
		"a fatal error of a model":        "var mu sync.Mutex\n\n\tmu.Unlock() // here",
		"a function that a model calls":   "var wg sync.WaitGroup\n\twg.Go(func() {\n\t\tpanic(1) // here\n\t})\n\twg.Wait()",
		"one that a model raises again":   "f := sync.OnceFunc(func() {\n\t\tpanic(1) // here\n\t})\n\tf()",
		"one that the program raises":     "panic(1) // here",
		"one that the program repeats":    "defer func() {\n\t\tpanic(recover()) // here\n\t}()\n\tpanic(1)",
		"an error of the runtime, inside": "var m sync.Map\n\tm.Store([]int{1}, 1) // here",
	} {
		t.Run(name, func(t *testing.T) {
			source := "package main\n\nimport \"sync\"\n\nvar _ sync.Mutex\n\nfunc main() {\n\t" + body + "\n}\n"
			prog, err := load(writeProgram(t, corpus.Program{Source: source}))
			if err != nil {
				t.Fatal(err)
			}
			r := agree(t, prog)
			if len(r.Outcomes) != 1 || len(r.Outcomes[0].At) != 1 {
				t.Fatalf("%+v", r.Outcomes)
			}
			if at := r.Outcomes[0].At[0]; at.Line != marked(source) || at.File != "main.go" {
				t.Errorf("at %s, want line %d", at, marked(source))
			}
		})
	}
}

// marked is the line with the comment.
func marked(source string) int {
	for i, line := range slices.Collect(strings.Lines(source)) {
		if strings.Contains(line, "// here") {
			return i + 1
		}
	}
	return 0
}
