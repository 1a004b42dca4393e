// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"fmt"
	"go/token"
	"path/filepath"
	"strings"

	"pangolin/internal/ir"
)

// position formats a position for people.
func (l *loader) position(pos token.Pos) string {
	p := l.fset.Position(pos)
	return fmt.Sprintf("%s:%d:%d", l.fileName(p.Filename), p.Line, p.Column)
}

// fileName makes a file name independent of the machine: relative to the
// working directory if it is inside, otherwise the package's path and the
// file's name.
func (l *loader) fileName(name string) string {
	if rel, ok := strings.CutPrefix(name, preludePath+"/"); ok {
		return "prelude/" + rel
	}
	if rel, ok := strings.CutPrefix(name, l.dir+string(filepath.Separator)); ok {
		return filepath.ToSlash(rel)
	}
	if pkg := l.packageOfFile(name); pkg != "" {
		return pkg + "/" + filepath.Base(name)
	}
	return filepath.Base(name)
}

func (l *loader) packageOfFile(name string) string {
	dir := filepath.Dir(name)
	for path, p := range l.listed {
		if p != l.target && len(p.GoFiles) > 0 && filepath.Dir(p.GoFiles[0]) == dir {
			return path
		}
	}
	if t := l.target; t != nil && t.Module != nil && filepath.Dir(t.GoFiles[0]) == dir {
		return t.PkgPath
	}
	return ""
}

// positions translates token positions and numbers the files.
type positions struct {
	l     *loader
	out   *ir.Program
	files map[string]int32
}

func newPositions(l *loader, out *ir.Program) *positions {
	return &positions{l: l, out: out, files: map[string]int32{}}
}

func (p *positions) of(pos token.Pos) ir.Pos {
	if !pos.IsValid() {
		return ir.Pos{}
	}
	at := p.l.fset.Position(pos)
	file, ok := p.files[at.Filename]
	if !ok {
		file = int32(len(p.out.Files))
		p.files[at.Filename] = file
		p.out.Files = append(p.out.Files, p.l.fileName(at.Filename))
	}
	return ir.Pos{File: file, Line: int32(at.Line), Col: int32(at.Column)}
}
