// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Content is a file of source by what is in it, wherever it is: "example.com/queue", "queue.go", its SHA-256. Version is the version of
// the language that its module is written in.
type Content struct{ Package, Version, File, Digest string }

// Contents lists the files of the package and of all that it imports, by package and name; the standard library is left out, which Go's
// version stands for. What is embedded is no source.
func (p *Listed) Contents() ([]Content, error) {
	l, err := p.loader()
	if err != nil {
		return nil, err
	}
	var list []Content
	packages.Visit([]*packages.Package{p.listed}, func(q *packages.Package) bool {
		if l.isStandard(q) || l.isTool(q) {
			return false
		}
		for _, file := range slices.Concat(q.GoFiles, q.OtherFiles) {
			text, known := p.overlay[file]
			if !known {
				var failed error
				if text, failed = os.ReadFile(file); failed != nil {
					err = failed
				}
			}
			sum := sha256.Sum256(text)
			c := Content{Package: q.PkgPath, File: filepath.Base(file), Digest: hex.EncodeToString(sum[:])}
			if q.Module != nil {
				c.Version = q.Module.GoVersion
			}
			list = append(list, c)
		}
		return true
	}, nil)
	slices.SortFunc(list, func(a, b Content) int { return strings.Compare(a.Package+"\x00"+a.File, b.Package+"\x00"+b.File) })
	return list, err
}
