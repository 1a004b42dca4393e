// SPDX-License-Identifier: BSD-3-Clause

package harness

import (
	"fmt"
	"slices"
	"strings"

	"pangolin/internal/collection"
)

// calledBack is the index of the operation that the functions call which an operation is given; -1: they call none.
func calledBack(c *collection.Collection, o *collection.Operation) int {
	return slices.IndexFunc(c.Operations, func(x collection.Operation) bool { return o.Call.Back != "" && x.Name == o.Call.Back })
}

// ownHandle reports whether the functions that an operation is given use the handle that it returns: a handler that is given to On calls the function that
// On gives. It finds it, alone in a collection made apart, in the channel mine, behind the return of On.
func ownHandle(c *collection.Collection, o *collection.Operation) bool {
	i := calledBack(c, o)
	return i >= 0 && o.Call.Called && c.Operations[i].Call.Use != nil
}

// called writes a call of an operation on a collection, with the first of all arguments.
func called(c *collection.Collection, on string, i int) string {
	return fmt.Sprintf("%s%d(%s%s)", opName, i, on, strings.Repeat(", 0", len(c.Operations[i].Params)))
}

// callBack writes the statements by which a function calls an operation, and ends what it has begun.
func (g *generator) callBack(c *collection.Collection, on string, i int) string {
	if !c.Operations[i].KeepsHandles() {
		return called(c, on, i)
	}
	text := "c := " + g.apart(c) + "(" + on + "); " + called(c, "c", i)
	for _, slot := range c.Operations[i].Gives() {
		if end := c.Ending(slot); end >= 0 {
			text += "; " + called(c, "c", end)
		}
	}
	return text
}

// apart writes the function that makes a struct around the same collection without handles.
func (g *generator) apart(c *collection.Collection) string {
	other := ""
	if two(c) {
		other = ", other: c.other"
	}
	return g.helper("pangolinApart", "func NAME(c *pangolinWrapped) *pangolinWrapped {\n\tw := &pangolinWrapped{inner: c.inner"+other+"}\n\tfor i := range w.held {\n\t\tw.held[i] = new(pangolinHeld)\n\t}\n\treturn w\n}\n")
}
