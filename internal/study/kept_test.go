// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Rows that no task answers are kept as well: the second time they are those of the first, with its times and its witnesses.
func TestKept_RowsAreThoseThatWereComputed(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	build.Default.GOROOT = strings.TrimSpace(string(root)) // a test that was built with -trimpath does not know it
	for _, c := range []struct{ study, row string }{{"gobench", "Cockroach584"}} {
		t.Run(c.study+" "+c.row, func(t *testing.T) {
			o := Options{Rows: []string{c.row}, Cache: filepath.Join(t.TempDir(), "results"), MaxStates: 20_000}
			for _, s := range All() {
				if s.Name != c.study {
					continue
				}
				var runs [2][]Line
				var witnesses [2]string
				for i := range runs {
					o.Out = t.TempDir()
					if err := s.Run(t.Context(), o, func(l Line) error { runs[i] = append(runs[i], l); return nil }); err != nil {
						t.Fatal(err)
					}
					files, _ := filepath.Glob(filepath.Join(o.Out, "*"))
					for _, file := range files {
						text, err := os.ReadFile(file)
						if err != nil {
							t.Fatal(err)
						}
						witnesses[i] += filepath.Base(file) + "\n" + string(text)
					}
				}
				if witnesses[0] != witnesses[1] {
					t.Errorf("witnesses\n%s\nthen\n%s", witnesses[0], witnesses[1])
				}
				if len(runs[0]) == 0 || len(runs[0]) != len(runs[1]) {
					t.Fatalf("%d rows, then %d", len(runs[0]), len(runs[1]))
				}
				hits := 0
				for i, l := range runs[1] {
					first, second := reflect.ValueOf(runs[0][i]).Elem(), reflect.ValueOf(l).Elem()
					if cached := second.FieldByName("Cached"); cached.Bool() {
						cached.SetBool(false)
						hits++
					} else { // a limit was met: then the times are other ones
						continue
					}
					for _, row := range []reflect.Value{first, second} { // the file has another directory
						if w := row.FieldByName("Witness"); w.IsValid() && w.String() != "" {
							w.SetString(filepath.Base(w.String()))
						}
					}
					if !reflect.DeepEqual(runs[0][i], l) {
						t.Errorf("row\n%+v\nthen\n%+v", runs[0][i], l)
					}
				}
				if hits == 0 {
					t.Error("no row is taken from the directory")
				}
			}
		})
	}
}
