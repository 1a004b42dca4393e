// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"bytes"

	"golang.org/x/tools/go/ssa"
)

// //go:linkname. A function without a body that the directive connects with a function of another
// package is that function: it has that one's model, or the machine's meaning of that name.

// linknames reads the directives of a file: local and remote names.
func linknames(src []byte) (pairs [][2]string) {
	for line := range bytes.Lines(src) {
		rest, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("//go:linkname "))
		if !ok {
			continue
		}
		if words := bytes.Fields(rest); len(words) == 2 {
			pairs = append(pairs, [2]string{string(words[0]), string(words[1])})
		}
	}
	return pairs
}

// link records the directives of a file of package pkg.
func (l *loader) link(pkg, file string) {
	for _, pair := range l.directives[file] {
		l.linked[pkg+"."+pair[0]] = pair[1]
		for _, name := range []string{pkg + "." + pair[0], pair[1]} {
			l.elsewhere[name] = "//go:linkname makes it one with a variable of another package"
		}
	}
}

// model returns the model of fn, or nil: by its own name, or that which it is linked to.
func (b *built) model(fn *ssa.Function) *ssa.Function {
	name := originName(fn)
	if m := b.models.function(fn, name); m != nil {
		return m
	}
	if linked := b.nameOf(fn); linked != name {
		return b.models.function(fn, linked)
	}
	return nil
}

// nameOf is the name under which built-in meanings and models of fn are looked up.
func (b *built) nameOf(fn *ssa.Function) string {
	name := originName(fn)
	if remote := b.linked[name]; remote != "" && fn.Blocks == nil {
		return remote
	}
	return name
}
