// SPDX-License-Identifier: BSD-3-Clause

// Package planting builds a test with faults in the source that it tests, to see which of them are caught: each
// is a text in the place of another. All are in one build, switched off; the environment says which one is on.
//
// It is for tests alone, and does not say what a fault should be caught by.
package planting

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Fault is a text that occurs once in the source, and what takes its place: it asks for planted("NAME"). Wrong says what is wrong then, for a page; else "".
type Fault struct{ Name, Old, New, Wrong string }

// Sources are the texts of files by their paths, in which faults are planted.
type Sources map[string]string

// Room reads the sources of the package that is tested.
func Room(t testing.TB) Sources {
	t.Helper()
	s := Sources{}
	s.Read(t, "*.go")
	return s
}

// Read adds the files that match a pattern, but for tests.
func (s Sources) Read(t testing.TB, pattern string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s[name] = string(text)
	}
}

// Place is the file in which a fault's text occurs, once.
func (s Sources) Place(f Fault) (string, error) {
	var found []string
	for name, text := range s {
		for range strings.Count(text, f.Old) {
			found = append(found, name)
		}
	}
	if len(found) != 1 {
		slices.Sort(found)
		return "", fmt.Errorf("fault %s: its text is in %d places %v: it needs another text", f.Name, len(found), found)
	}
	return found[0], nil
}

// Check fails if the source has changed so that a fault has no place, or a fault cannot be switched on.
func (s Sources) Check(t *testing.T, faults []Fault) {
	t.Helper()
	for _, f := range faults {
		if _, err := s.Place(f); err != nil {
			t.Error(err)
		}
		if !strings.Contains(f.New, fmt.Sprintf("planted(%q)", f.Name)) {
			t.Errorf("fault %s is not switched by its name", f.Name)
		}
	}
}

// planted is the source with all faults.
func (s Sources) planted(t testing.TB, faults []Fault) Sources {
	t.Helper()
	changed := Sources{}
	for _, f := range faults {
		file, err := s.Place(f)
		if err != nil {
			t.Fatal(err)
		}
		if changed[file] == "" {
			changed[file] = s[file]
		}
		if strings.Count(changed[file], f.Old) != 1 {
			t.Fatalf("fault %s overlaps with another", f.Name)
		}
		changed[file] = strings.Replace(changed[file], f.Old, f.New, 1)
	}
	return changed
}

const switchedBy = "PANGOLIN_PLANTED"

// On is the fault that is switched on; "" if none is.
func On() string { return os.Getenv(switchedBy) }

// Command runs tests of a build in which one fault is switched on.
func Command(binary, fault string, args ...string) *exec.Cmd {
	cmd := exec.Command(binary, args...)
	cmd.Env = append(os.Environ(), switchedBy+"="+fault)
	return cmd
}

// EachIsFound fails for each fault that a test of the working directory's package does not find: in a build with all of them, one switched on at a
// time, the test is to pass and to log "FOUND" with what shows the fault, which is returned for each fault.
func (s Sources) EachIsFound(t *testing.T, faults []Fault, test string) (by map[string]string) {
	t.Helper()
	by = map[string]string{}
	binary := filepath.Join(t.TempDir(), "planted.test")
	s.Build(t, faults, binary)
	for _, f := range faults {
		out, err := Command(binary, f.Name, "-test.run=^"+test+"$", "-test.v").CombinedOutput()
		found, _, _ := strings.Cut(string(out[max(0, strings.Index(string(out), "FOUND")):]), "\n")
		if err != nil || !strings.HasPrefix(found, "FOUND") {
			t.Errorf("%s is not found: %v %s", f.Name, err, out)
			continue
		}
		t.Logf("%s: %s", f.Name, found)
		by[f.Name] = strings.TrimPrefix(found, "FOUND ")
	}
	return by
}

// EachFails fails for each fault with which tests of the working directory's package pass: in a build with all faults, one is switched on at a
// time. Args choose the tests. Shown returns the part of their output that shows the fault, which is logged, and returned for each fault; "": they fail for
// another reason.
func (s Sources) EachFails(t *testing.T, faults []Fault, shown func(out string) string, args ...string) (by map[string]string) {
	t.Helper()
	by = map[string]string{}
	binary := filepath.Join(t.TempDir(), "planted.test")
	s.Build(t, faults, binary)
	for _, f := range faults {
		t.Run(f.Name, func(t *testing.T) {
			out, err := Command(binary, f.Name, args...).CombinedOutput()
			if err == nil {
				t.Fatalf("nothing finds it:\n%s", out)
			}
			text := shown(string(out))
			if text == "" {
				t.Fatalf("it fails otherwise:\n%.2000s", out)
			}
			t.Log(text)
			by[f.Name] = text
		})
	}
	return by
}

var packageClause = regexp.MustCompile(`(?m)^package (\w+)`)

// Build builds the test of the working directory's package with all faults in it, as the file binary.
func (s Sources) Build(t testing.TB, faults []Fault, binary string) {
	t.Helper()
	s.BuildOf(t, ".", faults, binary)
}

// BuildOf is Build for the test of the package in a directory.
func (s Sources) BuildOf(t testing.TB, dir string, faults []Fault, binary string) {
	t.Helper()
	changed := s.planted(t, faults)
	switches := Sources{}
	for file, text := range changed {
		switches[filepath.Join(filepath.Dir(file), "planted.go")] = "package " + packageClause.FindStringSubmatch(text)[1] +
			"\n\nimport \"os\"\n\nvar plantedFault = os.Getenv(\"" + switchedBy + "\")\n\nfunc planted(name string) bool { return plantedFault == name }\n"
	}
	list := overlay(t, t.TempDir(), changed, switches)
	cmd := exec.Command("go", "test", "-c", "-overlay", list, "-o", binary, ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// overlay writes the files into a directory, and a list of them for the go command.
func overlay(t testing.TB, dir string, files ...Sources) (list string) {
	t.Helper()
	write := func(name string, text []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	replace := map[string]string{}
	for _, texts := range files {
		for file, text := range texts {
			abs, err := filepath.Abs(file)
			if err != nil {
				t.Fatal(err)
			}
			replace[abs] = write(fmt.Sprintf("f%d.go", len(replace)), []byte(text))
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	return write("overlay.json", text)
}
