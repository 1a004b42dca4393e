// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// repair changes a kernel so that nothing is wrong with it any more.
type repair struct {
	how   string      // one sentence
	edits [][2]string // whole lines, and those that take their place
}

//go:embed repairs.txt
var repairsText string

// repairs lists the repairs by the kernels' names. repairs.txt describes its form.
var repairs = parseRepairs(repairsText)

func parseRepairs(text string) map[string]*repair {
	all := map[string]*repair{}
	var last *repair
	added := false // the last edit has lines of its second part
	for line := range strings.Lines(text) {
		switch line[0] {
		case '=':
			name, how, _ := strings.Cut(strings.TrimSpace(line[1:]), ": ")
			last, added = &repair{how: how}, true
			all[name] = last
		case '-':
			if added {
				last.edits, added = append(last.edits, [2]string{}), false
			}
			last.edits[len(last.edits)-1][0] += line[1:]
		case '+':
			last.edits[len(last.edits)-1][1] += line[1:]
			added = true
		}
	}
	return all
}

// apply makes the edits of a repair. A text that does not contain the lines is refused: it is another version of the kernel.
func (r *repair) apply(text []byte) ([]byte, error) {
	for _, e := range r.edits {
		old := []byte("\n" + e[0])
		if !bytes.Contains(text, old) {
			return nil, fmt.Errorf("the repair does not fit: there are no lines %q", e[0])
		}
		text = bytes.ReplaceAll(text, old, []byte("\n"+e[1]))
	}
	return text, nil
}

// bug is what GoBench says of a kernel.
type bug struct {
	Part     string // "blocking" or "nonblocking"
	Class    string // "resource", "communication", "mixed", "traditional", "Go-specific"
	Subclass string // "double locking"
}

//go:embed gobench.csv
var bugsText string

// bugs lists the classification of all 103 kernels (gobench/configures/goker in GoBench's repository) by project and number, "etcd5509".
var bugs = func() map[string]bug {
	all := map[string]bug{}
	rows, err := csv.NewReader(strings.NewReader(bugsText)).ReadAll()
	if err != nil {
		panic(err) // it is part of the program
	}
	for _, row := range rows[1:] {
		all[strings.ReplaceAll(row[0], "/", "")] = bug{row[1], row[2], row[3]}
	}
	return all
}()

// bugOf is the classification of the kernel in a file named after project and number, such as that of etcd 5509; empty for other patterns.
func bugOf(file string) bug {
	return bugs[kernelFile.FindString(filepath.Base(file))]
}

// kernelFile matches the project and number at the beginning of a file's name.
var kernelFile = regexp.MustCompile(`^[a-z]+\d+`)

// class is the text in the table's second column.
func (b *bug) class() string {
	if b.Class == "" {
		return "-"
	}
	return b.Class + ": " + b.Subclass
}
