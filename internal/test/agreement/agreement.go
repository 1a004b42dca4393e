// SPDX-License-Identifier: BSD-3-Clause

package agreement

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pangolin/internal/test/generator"
)

// Difference is one disagreement.
type Difference struct {
	Name    string // of the program or type
	Between string // what was compared: "none", "native", "-race"
	Source  string
	Text    string // what the sides say
}

func (d Difference) String() string {
	return fmt.Sprintf("%s: %s disagrees\n%s\n%s", d.Name, d.Between, d.Text, d.Source)
}

// Tally counts what was compared.
type Tally struct {
	Compared int            // texts for which every comparison was made
	Left     map[string]int // texts left out of a comparison, by reason
	Kinds    map[string]int // texts by what they show: "race", "deadlock", "violated history"
	Has      map[string]int // texts that were compared, by constructs of the grown grammar
	Failed   int            // searches in which Pangolin itself has failed; each is a difference as well
}

func newTally() *Tally {
	return &Tally{Left: map[string]int{}, Kinds: map[string]int{}, Has: map[string]int{}}
}

// declines says that the machine has left out a program because it declines what the program does.
func (t *Tally) declines(name string) bool {
	for why := range t.Left {
		if strings.HasPrefix(why, "machine: "+name+"/") && declines(errors.New(why)) {
			return true
		}
	}
	return false
}

// compared counts a text that was compared.
func (t *Tally) compared(source string) {
	t.Compared++
	for _, c := range generator.Constructs() {
		if c.Has(source) {
			t.Has[c.Name]++
		}
	}
}

// isOpen says that the language leaves open how a text comes out. The second opinion shows what gc makes of it, which
// must be among what the machine says.
func isOpen(source string) bool {
	return slices.ContainsFunc(generator.Constructs(), func(c generator.Construct) bool { return c.IsOpen(source) })
}

// Add adds another tally.
func (t *Tally) Add(o *Tally) {
	t.Compared += o.Compared
	t.Failed += o.Failed
	for k, n := range o.Left {
		t.Left[k] += n
	}
	for k, n := range o.Kinds {
		t.Kinds[k] += n
	}
	for k, n := range o.Has {
		t.Has[k] += n
	}
}

func (t *Tally) String() string {
	return fmt.Sprintf("%d compared; %d failures of our own; %s; with constructs: %s; left out: %s", t.Compared, t.Failed, counts(t.Kinds), counts(t.Has), counts(t.Left))
}

func counts(m map[string]int) string {
	var parts []string
	for k, n := range m {
		parts = append(parts, fmt.Sprintf("%s %d", k, n))
	}
	if parts == nil {
		return "none"
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// writeModule writes packages, by directory name, into a module of their own. The files
// of a package are named after it.
func writeModule(dir string, packages map[string]string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module generated\n\ngo 1.26\n"), 0o666); err != nil {
		return err
	}
	for name, text := range packages {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name, name+".go"), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}
