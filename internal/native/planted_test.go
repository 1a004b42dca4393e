package native

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"testing"

	"pangolin/internal/test/level"
)

// plantedFaults are faults of the driver: a text of one of its files and what takes its place. The check of two accesses that
// stand next to each other has none: in an execution that goes on, the order of its accesses shows the same race.
var plantedFaults = []struct{ wrong, file, from, to string }{
	{"who has the turn keeps it", "driver", "return enabled[s.Choose(len(enabled))]", "return enabled[0]"},
	{"decisions of the program have one way", "driver", "func (s bySearch) way(n int) int               { return s.Choose(n) }", "func (s bySearch) way(n int) int { return 0 }"},
	{"what is not ordered is no race", "order", "o.unordered[pair] = true", "_ = pair"},
	{"only the first goroutine decides", "driver", "g.state == readyTo && g.kind == kindChoice {\n\t\t\tway", "i == 1 && g.state == readyTo && g.kind == kindChoice {\n\t\t\tway"},
	{"going round in circles is not noticed", "driver", "s.spinning = true", "s.spinning = false"},
	{"accesses are ordered in every execution if they are in one", "outcomes", "if x.conflicts(&s.order) ||", "if x.conflicts(&s.order) && s.schedules < 0 ||"},
	{"variables keep their values", "memory", "copy(p.live, p.first)", "_ = p"},
	{"who waits can go on", "driver", "\tcase woken:\n\t\treturn x.allowed == nil", "\tcase woken, waiting:\n\t\treturn x.allowed == nil"},
}

// damaged is the files with one fault.
type damaged struct {
	fs.ReadFileFS
	file, from, to string
}

func (d damaged) ReadFile(name string) ([]byte, error) {
	text, err := d.ReadFileFS.ReadFile(name)
	if err == nil && name == "patch/"+d.file+".go.txt" {
		if n := bytes.Count(text, []byte(d.from)); n != 1 {
			return nil, fmt.Errorf("%q is %d times in %s", d.from, n, name)
		}
		text = bytes.Replace(text, []byte(d.from), []byte(d.to), 1)
	}
	return text, err
}

// The programs whose outcomes were argued by hand find each of the faults.
func TestOutcomes_ShowAPlantedFault(t *testing.T) {
	level.SkipShort(t, "builds the driver once for each fault")
	var programs []Program
	for _, c := range outcomeCases {
		programs = append(programs, Program{Name: c.name, Files: program(c.body)})
	}
	limits := Options{Schedules: 3000, Steps: 300}
	sound, err := Outcomes(context.Background(), programs, limits)
	if err != nil {
		t.Fatal(err)
	}
	programs = slices.DeleteFunc(programs, func(p Program) bool { // what is too big without a fault shows none
		return slices.ContainsFunc(sound, func(r Report) bool { return r.Program == p.Name && r.TooBig != "" })
	})
	for i, f := range plantedFaults {
		t.Run(f.wrong, func(t *testing.T) {
			if i%6 != 0 && !level.More() {
				t.Skip("every third will do; -level more plants all")
			}
			patches = damaged{embedded, f.file, f.from, f.to}
			defer func() { patches = embedded }()
			reports, err := Outcomes(context.Background(), programs, limits)
			if err != nil {
				t.Fatal(err)
			}
			found := slices.IndexFunc(reports, func(r Report) bool {
				for _, c := range outcomeCases {
					if c.name == r.Program && !slices.Equal(briefs(r), sorted(c.want)) {
						return true
					}
				}
				return r.Fault != "" || r.TooBig != ""
			})
			if found < 0 {
				t.Error("no program shows it")
			} else {
				t.Logf("%s: %v %s", reports[found].Program, briefs(reports[found]), reports[found].TooBig)
			}
		})
	}
}

// SPDX-License-Identifier: BSD-3-Clause
