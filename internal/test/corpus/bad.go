// SPDX-License-Identifier: BSD-3-Clause

package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// BadInput is a program that must be refused, or be stopped, with a message of
// its own; or, of class "fine", one that only looks as if.
//
// The corpus keeps each as a text archive: header lines "# key: value", then files,
// each after a line "-- name --".
type BadInput struct {
	Name    string
	Class   string   // one of BadClasses
	Exits   []int    // acceptable exit statuses of pangolin run -all
	Target  string   // what to run, beneath the directory: main.go unless the header says otherwise
	Where   string   // the position "file:line" that the message must name, if there is one
	Path    []string // the functions that lead there, outermost first, if the message must name them
	Outcome Outcome  // of class "fine": its only outcome
	Why     string
	Files   []File
}

// File is one file of a BadInput.
type File struct{ Name, Text string }

// BadClasses lists the classes of bad input, "fine" last.
func BadClasses() []string {
	return []string{
		"compile",            // does not compile
		"no-main",            // nothing to run
		"assembly",           // reaches a function written in assembly
		"cgo",                // uses C
		"reflection",         // reaches reflection beyond the simple
		"pointer-arithmetic", // reaches an address computed or reinterpreted
		"unsupported",        // reaches the world outside
		"divergence",         // a loop without a visible access that never ends
		"endless",            // a fair cycle of visible states that is never left
		"unbounded-states",   // runs for ever through ever new states
		"recursion",          // calls without end
		"allocation",         // memory without end
		"goroutines",         // goroutines without end
		"fine",
	}
}

// whereMark stands at the end of the line that the message must name.
const whereMark = "// HERE"

// BadInputs reads the corpus of bad inputs, sorted by name. The argument is the
// directory of this package, as seen by the caller.
func BadInputs(dir string) ([]BadInput, error) {
	archives, err := filepath.Glob(filepath.Join(dir, "testdata", "bad", "*.txtar"))
	if err != nil {
		return nil, err
	}
	if len(archives) == 0 {
		return nil, fmt.Errorf("no bad inputs beneath %s", dir)
	}
	slices.Sort(archives)
	var inputs []BadInput
	for _, archive := range archives {
		text, err := os.ReadFile(archive)
		if err != nil {
			return nil, err
		}
		b := BadInput{Name: strings.TrimSuffix(filepath.Base(archive), ".txtar"), Target: "main.go"}
		if err := b.parse(string(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", archive, err)
		}
		inputs = append(inputs, b)
	}
	return inputs, nil
}

// Write puts the files into dir, which is then a module of its own.
func (b BadInput) Write(dir string) error {
	for _, f := range b.Files {
		if err := writeFile(dir, f.Name, f.Text); err != nil {
			return err
		}
	}
	return nil
}

func (b *BadInput) parse(text string) error {
	for _, line := range headerLines(text, "#") {
		if err := b.parseLine(line); err != nil {
			return err
		}
	}
	for line := range strings.Lines(text) {
		if name, ok := archiveName(line); ok {
			b.Files = append(b.Files, File{Name: name})
		} else if len(b.Files) > 0 {
			b.addLine(line)
		}
	}
	if !slices.Contains(BadClasses(), b.Class) || len(b.Exits) == 0 || b.Why == "" || len(b.Files) == 0 {
		return fmt.Errorf("incomplete, or of unknown class %q", b.Class)
	}
	return nil
}

// addLine adds a line to the last file and notes where the mark is.
func (b *BadInput) addLine(line string) {
	f := &b.Files[len(b.Files)-1]
	f.Text += line
	if strings.Contains(line, whereMark) {
		b.Where = fmt.Sprintf("%s:%d", f.Name, strings.Count(f.Text, "\n"))
	}
}

func archiveName(line string) (string, bool) {
	name, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "-- ")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(name, " --")
}

func (b *BadInput) parseLine(line headerLine) (err error) {
	switch line.key {
	case "class":
		b.Class = line.value
	case "exit":
		for field := range strings.FieldsSeq(line.value) {
			n, err := strconv.Atoi(field)
			if err != nil {
				return err
			}
			b.Exits = append(b.Exits, n)
		}
	case "target":
		b.Target = line.value
	case "path":
		b.Path = splitList(line.value)
	case "outcome":
		b.Outcome, err = ParseOutcome(line.value)
	case "why":
		b.Why = line.value
	default:
		err = fmt.Errorf("unknown header key %q", line.key)
	}
	return err
}
