package agreement

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
}

func newTally() *Tally { return &Tally{Left: map[string]int{}, Kinds: map[string]int{}} }

// Add adds another tally.
func (t *Tally) Add(o *Tally) {
	t.Compared += o.Compared
	for k, n := range o.Left {
		t.Left[k] += n
	}
	for k, n := range o.Kinds {
		t.Kinds[k] += n
	}
}

func (t *Tally) String() string {
	return fmt.Sprintf("%d compared; %s; left out: %s", t.Compared, counts(t.Kinds), counts(t.Left))
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
