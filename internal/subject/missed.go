// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"strings"

	"pangolin/internal/ir"
	"pangolin/internal/vm"
)

// Missed lists the lines of the operations, in the collection's package, to which no execution of an image has come, "file.go:12": in functions that were called, and in those that were not.
func (s *Subject) Missed(img *vm.Image) (called, uncalled []string) {
	var operations []*ir.Func
	for i := range s.Operations {
		operations = append(operations, s.Operations[i].Func)
	}
	theirs := map[*ir.Func]bool{}
	s.Prog.Reach(operations, func(f *ir.Func) { theirs[f] = true })
	pkg, _, _ := strings.Cut(operations[0].Name, ".pangolin") // that of the functions that call operations
	return img.Missed(pkg, func(f *ir.Func) bool { return !theirs[f] })
}
