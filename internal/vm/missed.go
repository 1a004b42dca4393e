// SPDX-License-Identifier: BSD-3-Clause

package vm

import (
	"cmp"
	"slices"
	"strings"

	"pangolin/internal/ir"
)

// Missed lists the lines of a package, as "file.go:12", to which no execution has come, in functions that were called and in those that were not; functions that leaveOut accepts are passed over. What leads
// to a panic of the code's own and nowhere else does not count.
func (img *Image) Missed(pkg string, leaveOut func(*ir.Func) bool) (called, uncalled []string) {
	var in, out []ir.Pos
	for _, c := range img.Codes {
		f := c.Func
		if !c.Noted() || f.Wrapper || !strings.Contains(f.Name, pkg+".") || leaveOut(f) {
			continue
		}
		list := &out
		if c.Entered() {
			list = &in
		}
		for _, at := range f.Missed(c.Ways) {
			*list = append(*list, ir.Pos{File: at.File, Line: at.Line})
		}
	}
	return img.lines(in), img.lines(out)
}

// lines are positions in order, each once.
func (img *Image) lines(all []ir.Pos) []string {
	files := img.Prog.Files
	slices.SortFunc(all, func(a, b ir.Pos) int {
		return cmp.Or(cmp.Compare(files[a.File], files[b.File]), cmp.Compare(a.Line, b.Line))
	})
	lines := []string{}
	for _, at := range slices.Compact(all) {
		lines = append(lines, img.Prog.Position(at))
	}
	return lines
}
