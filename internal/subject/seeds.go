// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// readSeeds reads the seeds of a fuzz test that are files, testdata/fuzz/NAME/*, and gives the arguments of Add for each, in the order of
// the files' names, behind that name in a [1]string. A file's lines are Go expressions, conversions of literals, behind "go test fuzz v1".
func readSeeds(dir, name string) (list []string, err error) {
	below := filepath.Join(dir, "testdata", "fuzz", name)
	files, err := os.ReadDir(below)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, f := range files {
		file := filepath.Join(below, f.Name())
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		if strings.TrimSpace(lines[0]) != "go test fuzz v1" {
			return nil, fmt.Errorf("%s is no file of a seed: it does not begin with \"go test fuzz v1\"", file)
		}
		values := []string{fmt.Sprintf("[1]string{%q}", filepath.Base(file))}
		for _, line := range lines[1:] {
			line = strings.TrimSpace(line)
			if !isValue(line) {
				return nil, fmt.Errorf("%s: %q is no conversion of a literal, such as []byte(\"x\") or int(3)", file, line)
			}
			values = append(values, line)
		}
		list = append(list, strings.Join(values, ", "))
	}
	return list, nil
}

// isValue says that a line converts a literal, so that it can stand in a program as it is.
func isValue(line string) bool {
	e, err := parser.ParseExpr(line)
	if err != nil {
		return false
	}
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	switch f := call.Fun.(type) {
	case *ast.Ident:
	case *ast.ArrayType:
		if elem, ok := f.Elt.(*ast.Ident); !ok || elem.Name != "byte" || f.Len != nil {
			return false
		}
	default:
		return false
	}
	arg := call.Args[0]
	if u, ok := arg.(*ast.UnaryExpr); ok {
		arg = u.X
	}
	switch arg := arg.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return arg.Name == "true" || arg.Name == "false"
	}
	return false
}
