// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// Variables whose content the source does not show: the build fills them with the content of a file
// (//go:embed), or makes them one variable with one of another package (//go:linkname). Compiled
// from the source, an embedded one would be empty and linked ones would be two. Instructions that
// use such variables are not supported.

// embeds finds the lines of the declarations that a //go:embed directive belongs to. Blank lines
// and line comments may stand between.
func embeds(src []byte) (lines map[int]bool) {
	if !bytes.Contains(src, []byte("//go:embed")) {
		return nil
	}
	lines = map[int]bool{}
	line, marked := 0, false
	for text := range bytes.Lines(src) {
		line++
		switch text = bytes.TrimSpace(text); {
		case bytes.HasPrefix(text, []byte("//go:embed")):
			marked = true
		case len(text) == 0 || bytes.HasPrefix(text, []byte("//")):
		default:
			if marked {
				lines[line] = true
			}
			marked = false
		}
	}
	return lines
}

// embed records the variables of a file that are filled with the content of files.
func (l *loader) embed(pkg, name string, f *ast.File) {
	lines := l.embedded[name]
	if len(lines) == 0 {
		return
	}
	for _, d := range f.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.VAR {
			continue
		}
		for _, s := range decl.Specs {
			for _, id := range s.(*ast.ValueSpec).Names {
				if lines[l.fset.Position(decl.Pos()).Line] || lines[l.fset.Position(id.Pos()).Line] {
					l.elsewhere[pkg+"."+id.Name] = "its value is the content of files (//go:embed)"
				}
			}
		}
	}
}

// unsupportedVariable tells why an instruction cannot be compiled that uses a variable: the
// variable's package is never initialised, or its content is not in the source. "" if it can.
func (b *built) unsupportedVariable(instr ssa.Instruction) string {
	if name := b.uninitialised(instr); name != "" {
		return fmt.Sprintf("the variable %s is not supported: the initialisation of its package is not executed", name)
	}
	if len(b.elsewhere) == 0 {
		return ""
	}
	var buf [8]*ssa.Value
	for _, op := range instr.Operands(buf[:0]) {
		if g, ok := (*op).(*ssa.Global); ok && b.models.global(g) == g && b.elsewhere[g.String()] != "" {
			return fmt.Sprintf("the variable %s is not supported: %s", g, b.elsewhere[g.String()])
		}
	}
	return ""
}
