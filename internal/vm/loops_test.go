// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"strings"
	"testing"

	"pangolin/internal/test/level"
)

// What runs on and on is told by the loops that it is in, those of its callers included.
func TestStep_NamesTheLoopsThatItGoesRound(t *testing.T) {
	level.SkipShort(t, "compiles several programs")
	const before = `package main

func three(n int) int {
	for i := 0; i < 100; i++ {
		n += i
	}
	return n
}

func main() {
	n := 0
`
	cases := []struct{ name, body, want string }{
		{"one", "for {\nn++\n}", "in the loop around main.go:13;"},
		{"nested", "for {\nn += 2\nfor range 100 {\nn++\n}\n}", "in the loops around main.go:15, main.go:13;"},
		{"called", "for {\nn = three(n)\n}", "in the loops around main.go:4, main.go:13;"},
		{"goto", "again:\nn++\ngoto again", "in the loop around main.go:13;"},
		{"no loop", "var f func()\nf = func() { n++; f() }\nf()", ""},
	}
	for _, c := range cases {
		img := compiled(t, before+c.body+"\n}\n")
		m := img.NewMachine(Options{LocalSteps: 20_000})
		m.Start(img.Prog.Roots[0])
		m.Step(0, nil)
		f := m.Fault()
		if f == nil || c.want != "" && (f.Kind != FaultLocal || !strings.Contains(f.Message, c.want)) || c.want == "" && strings.Contains(f.Message, "loop") {
			t.Errorf("%s: %v, want …%s…", c.name, f, c.want)
		}
	}
}
