// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
)

// Source is a package as the type checker sees it.
type Source struct {
	Path  string
	Fset  *token.FileSet
	Files []SourceFile
	Types *types.Package
	Info  *types.Info
}

// SourceFile is one file of a Source.
type SourceFile struct {
	Name   string // as in positions of a Program
	Path   string // on the disk; the key in an overlay
	Text   []byte
	Syntax *ast.File // without comments
}

// Overlay returns the package with other texts of files, its own or its dependencies', by their
// path on the disk. Texts of earlier overlays stay unless they are replaced. The imports of the
// files must not change, as the go command is not asked again.
func (p *Listed) Overlay(files map[string][]byte) *Listed {
	q := *p
	q.overlay, q.typed, q.grounds = maps.Clone(p.overlay), new(typed), new(grounds)
	if q.overlay == nil {
		q.overlay = map[string][]byte{}
	}
	maps.Copy(q.overlay, files)
	return &q
}

// Sources type-checks the packages of the same module that this package consists of, dependencies
// first, itself last.
func (p *Listed) Sources(ctx context.Context) ([]Source, error) {
	l, err := p.loader()
	if err != nil {
		return nil, err
	}
	c := newChecker(l)
	if err := c.all(ctx); err != nil {
		return nil, err
	}
	var out []Source
	for _, s := range c.sources {
		q := l.listed[s.path]
		if q == nil {
			q = l.target // a package given as files has its name for a path
		}
		if q != l.target && (q.Module == nil || q.Module.Path != p.Module) {
			continue
		}
		files, err := l.sourceFiles(s.files)
		if err != nil {
			return nil, err
		}
		out = append(out, Source{Path: s.path, Fset: l.fset, Files: files, Types: s.pkg, Info: s.info})
	}
	return out, nil
}

func (l *loader) sourceFiles(list []*ast.File) ([]SourceFile, error) {
	out := make([]SourceFile, len(list))
	for i, f := range list {
		path := l.fset.Position(f.FileStart).Filename
		text := l.overlay[path]
		if text == nil {
			var err error
			if text, err = os.ReadFile(path); err != nil {
				return nil, err
			}
		}
		out[i] = SourceFile{Name: l.fileName(path), Path: path, Text: text, Syntax: f}
	}
	return out, nil
}
