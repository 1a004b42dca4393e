package pangolin

import (
	"os"
	"strings"

	"pangolin/internal/front"
)

// sources finds the text of source lines.
type sources struct {
	listed  *front.Listed
	harness *harness
	files   map[string][]string
}

// line is the text of a line without indentation; "" if it cannot be read.
func (s *sources) line(file string, n int) string {
	lines, known := s.files[file]
	if !known {
		lines = s.read(file)
		s.files[file] = lines
	}
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}

func (s *sources) read(file string) []string {
	text := s.harness.text
	if file != s.harness.file {
		var err error
		if text, err = os.ReadFile(s.listed.File(file)); err != nil {
			return nil // a witness is readable without
		}
	}
	return strings.Split(string(text), "\n")
}
