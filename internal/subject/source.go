// SPDX-License-Identifier: BSD-3-Clause

package subject

import (
	"os"
	"path/filepath"
	"strings"

	"pangolin/internal/front"
)

// Lines finds the text of source lines. It is for one goroutine at a time.
type Lines struct {
	listed  *front.Listed // nil: files are named as seen from dir
	dir     string
	made    map[string][]byte // files that are on no disk
	current map[string][]string
}

// linesIn finds lines of files that are named as seen from a directory.
func linesIn(dir string) *Lines { return &Lines{dir: dir, current: map[string][]string{}} }

// linesOf finds lines of a package's files, and of one that was made for it.
func linesOf(listed *front.Listed, file string, text []byte) *Lines {
	return &Lines{listed: listed, made: map[string][]byte{file: text}, current: map[string][]string{}}
}

// Line is the text of a line without indentation; "" if it cannot be read.
func (s *Lines) Line(file string, n int) string { return strings.TrimSpace(s.Text(file, n)) }

// Text is a line as it stands there; "" if it cannot be read.
func (s *Lines) Text(file string, n int) string {
	lines, known := s.current[file]
	if !known {
		lines = s.read(file)
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
			return nil // what is found is readable without
		}
	}
	return strings.Split(string(text), "\n")
}
