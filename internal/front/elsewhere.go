// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// Variables of which the source does not say what they hold: the build gives them the content of a file (//go:embed), or they are one variable with one of
// another package (//go:linkname). Compiled as the source has them, they would be zero, or two. Instructions that mention them are not supported.

// embeds finds the lines of the declarations behind the directive //go:embed: blank lines and line comments may stand between.
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

// embed notes the variables of a file that hold the content of files.
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

// unsupportedVariable says why an instruction is not supported that works on a variable: its package is never initialised, or the source does
// not say what it holds; "" if there is none.
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
