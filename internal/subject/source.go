// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"os"
	"path/filepath"
	"strings"

	"pangolin/internal/front"
)

// Lines reads source lines. It may be used by one goroutine at a time. The zero value finds files by their names.
type Lines struct {
	listed  *front.Listed // finds the files; nil: file names are relative to dir
	dir     string
	made    map[string][]byte   // generated files, by name
	current map[string][]string // lines of the files read so far, by name
}

// linesIn reads lines of files whose names are relative to a directory.
func linesIn(dir string) *Lines { return &Lines{dir: dir} }

// linesOf reads lines of a package's files and of one generated file.
func linesOf(listed *front.Listed, file string, text []byte) *Lines {
	return &Lines{listed: listed, made: map[string][]byte{file: text}}
}

// Named is the name of a file of a package, as positions have it; base if that is not known.
func (s *Lines) Named(pkg, base string) string {
	if s.listed != nil {
		if name := s.listed.Named(pkg, base); name != "" {
			return name
		}
	}
	return base
}

// Line returns line n of a file, counted from 1, without indentation; "" if it cannot be read.
func (s *Lines) Line(file string, n int) string { return strings.TrimSpace(s.Text(file, n)) }

// Text returns line n of a file, counted from 1; "" if it cannot be read.
func (s *Lines) Text(file string, n int) string {
	lines, known := s.current[file]
	if !known {
		lines = s.read(file)
		if s.current == nil {
			s.current = map[string][]string{}
		}
		s.current[file] = lines
	}
	if n < 1 || n > len(lines) {
		return ""
	}
	return lines[n-1]
}

func (s *Lines) read(file string) []string {
	text, known := s.made[file]
	if !known {
		path := file
		if !filepath.IsAbs(file) {
			path = filepath.Join(s.dir, file)
		}
		if s.listed != nil {
			path = s.listed.File(file)
		}
		var err error
		if text, err = os.ReadFile(path); err != nil {
			return nil // a verdict can do without source lines
		}
	}
	return strings.Split(string(text), "\n")
}
