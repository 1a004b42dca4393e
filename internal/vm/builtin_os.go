// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"pangolin/internal/vm/state"
)

var osBuiltins = map[string]*builtin{
	"pangolin/prelude.arguments": simple(arguments),
	"pangolin/prelude.inTest": simple(func(c *call) {
		for _, f := range c.m.img.Prog.Funcs {
			if f.Name == "pangolin/prelude.testingMain" {
				c.out[0] = 1
			}
		}
	}),
}

// arguments makes a slice of the program's arguments.
func arguments(c *call) {
	m := c.m
	args := m.img.Prog.Args
	if len(args) == 0 {
		return
	}
	id := m.Alloc(c.fn.Results[0].Elem, len(args))
	words := m.Words(state.Pointer(id, 0), len(args))
	for i, a := range args {
		words[i] = m.img.Strings.Word(a)
	}
	setSlice(c.out, state.Pointer(id, 0), uint64(len(args)), uint64(len(args)))
}
