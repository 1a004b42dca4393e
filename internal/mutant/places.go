// SPDX-License-Identifier: BSD-3-Clause

package mutant

import (
	"cmp"
	"slices"

	"pangolin/internal/ir"
)

// Places are positions of executed code, by file, sorted.
type Places map[string][]place

type place struct{ line, column int }

func compare(a, b place) int {
	return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column))
}

// within reports whether some position of the file is in [from, to].
func (p Places) within(file string, from, to place) bool {
	list := p[file]
	i, _ := slices.BinarySearchFunc(list, from, compare)
	return i < len(list) && compare(list[i], to) <= 0
}

// Reach returns the positions of the code that the roots can execute. It may return too many: a call of a function value may call every
// function whose value is taken, and a call of an interface's method every method of that name and signature.
func Reach(p *ir.Program, roots []*ir.Func) Places {
	places := map[string]map[place]bool{}
	p.Reach(roots, func(f *ir.Func) {
		for pc := range f.Code {
			if at := f.Pos[pc]; at.Line > 0 {
				file := p.Files[at.File]
				if places[file] == nil {
					places[file] = map[place]bool{}
				}
				places[file][place{int(at.Line), int(at.Col)}] = true
			}
		}
	})
	out := Places{}
	for file, set := range places {
		for at := range set {
			out[file] = append(out[file], at)
		}
		slices.SortFunc(out[file], compare)
	}
	return out
}
