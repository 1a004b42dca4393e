// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"bytes"

	"golang.org/x/tools/go/ssa"
)

// unwatched are the packages whose accesses the race detector does not see: gc compiles
// them without its instrumentation (cmd/internal/objabi/pkgspecial.go), because they make
// synchronisation out of accesses that are races by the letter, as `old := m.state` in
// the slow path of sync.Mutex. A function with the directive //go:norace is another such
// place.
var unwatched = map[string]bool{"sync": true, "sync/atomic": true, "internal/sync": true}

// noRaces finds the lines of the functions with the directive //go:norace.
func noRaces(src []byte) map[int]bool {
	var found map[int]bool
	line, marked := 0, false
	for text := range bytes.Lines(src) {
		line++
		switch {
		case bytes.HasPrefix(text, []byte("//go:norace")):
			marked = true
		case bytes.HasPrefix(text, []byte("//")):
		default:
			if marked {
				if found == nil {
					found = map[int]bool{}
				}
				found[line] = true
			}
			marked = false
		}
	}
	return found
}

// isUnwatched reports whether fn's accesses never count as data races.
func (c *compiler) isUnwatched(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg == nil {
		return false
	}
	if unwatched[fn.Pkg.Pkg.Path()] {
		return true
	}
	if fn.Syntax() == nil {
		return false
	}
	at := c.l.fset.Position(fn.Syntax().Pos())
	return c.l.norace[at.Filename][at.Line]
}
