package main

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// sourceText finds source lines.
type sourceText struct{ files map[string][]string }

func newSourceText() *sourceText { return &sourceText{files: map[string][]string{}} }

// line returns the line at "file.go:12" without its indentation, "" if the file cannot
// be read.
func (s *sourceText) line(at string) string {
	i := strings.LastIndexByte(at, ':')
	if i < 0 {
		return ""
	}
	lines, known := s.files[at[:i]]
	if !known {
		lines = readLines(at[:i])
		s.files[at[:i]] = lines
	}
	n, err := strconv.Atoi(at[i+1:])
	if err != nil || n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}

func readLines(file string) []string {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil // the schedule is readable without
	}
	return strings.Split(string(bytes.TrimSuffix(text, []byte("\n"))), "\n")
}
