// SPDX-License-Identifier: BSD-3-Clause

package bundle_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// reading are the functions through which a verdict could depend on something that no bundle has: files, variables of the
// environment, programs, the network.
var reading = map[string][]string{
	"os": {"Open", "OpenFile", "OpenRoot", "ReadFile", "ReadDir", "Stat", "Lstat", "Readlink", "DirFS", "Getenv", "LookupEnv", "Environ", "ExpandEnv", "Getwd", "Hostname", "StartProcess",
		"UserHomeDir", "UserCacheDir", "UserConfigDir", "Executable", "TempDir"},
	"os/exec":                        {"Command", "CommandContext", "LookPath"},
	"path/filepath":                  {"Glob", "Walk", "WalkDir", "EvalSymlinks", "Abs"},
	"go/build":                       {"Import", "ImportDir", "Default"},
	"go/parser":                      {"ParseFile", "ParseDir"},
	"go/importer":                    {"Default", "For", "ForCompiler"},
	"golang.org/x/tools/go/packages": {"Load"},
	"syscall":                        {"Open", "Getenv", "Exec", "ForkExec"},
	"net":                            {"Dial", "Listen"},
	"net/http":                       {"Get", "Post"},
}

// readers are the functions beneath package task that call one of those, and why a verdict over a bundle is the one where
// the sources are all the same.
var readers = map[string]string{
	"find.inModule: filepath.Abs":            unmatched,
	"find.inModule: os.Stat":                 unmatched,
	"find.nearby: os.DirFS":                  unmatched,
	"find.nearby: os.Stat":                   unmatched,
	"find.means: filepath.Abs":               "makes a directory absolute: the names in verdicts are those below it",
	"task.of: filepath.Abs":                  "likewise",
	"front.Declared: filepath.Abs":           "likewise",
	"front.newLoader: filepath.Abs":          "likewise",
	"front.newLoader: filepath.EvalSymlinks": "likewise",
	"front.Declared: parser.ParseFile":       ofPackages,
	"front.Directives: parser.ParseFile":     ofPackages,
	"front.Filled: parser.ParseFile":         ofPackages,
	"front.Returned: parser.ParseFile":       ofPackages,
	"front.TestFiles: parser.ParseFile":      ofPackages,
	"front.TellsApart: parser.ParseFile":     ofPackages,
	"front.Uses: parser.ParseFile":           ofPackages,
	"find.writtenFields: parser.ParseFile":   ofPackages,
	"front.parse: os.ReadFile":               ofPackages,
	"front.parse: parser.ParseFile":          ofPackages,
	"front.sourceFiles: os.ReadFile":         ofPackages,
	"front.texts: os.ReadFile":               ofPackages,
	"subject.read: os.ReadFile":              ofPackages,
	"front.TestFilesIn: os.ReadDir":          "the test files beside a root, which are in the bundle (packer.answer)",
	"front.testFiles: parser.ParseFile":      "likewise",
	"front.preludeSources: parser.ParseFile": "the models of the standard library are in the program",
	"policy.parse: parser.ParseFile":         "the text of a policy is in the program or in the task",
	"front.load: os.Open":                    "export data of the standard library is that of the same Go (Standard)",
	"front.target: build.Default":            "the version of Go that this program was built with",
	"front.cFiles: build.Default":            "GOOS, GOARCH and GOEXPERIMENT are the same at both ends (variables)",
	"front.cFiles: os.Getenv":                "GOFLAGS has the bundle's build tags where the task is done",
	"front.Environment: os.Environ":          ofGo,
	"front.Environment: os.Getenv":           ofGo,
	"front.Environment: os.TempDir":          ofGo,
	"front.Environment: os.UserCacheDir":     ofGo,
	"front.Environment: os.UserHomeDir":      ofGo,
	"front.isDirectory: os.Stat":             ofGo,
	"front.spareDirectory: os.UserCacheDir":  ofGo,
	"front.Standard: packages.Load":          ofGo,
	"front.StandardNames: packages.Load":     ofGo,
	"front.answer: packages.Load":            ofGo,
	"front.export: packages.Load":            ofGo,
	"front.listing: packages.Load":           ofGo,
	"front.nothing: exec.CommandContext":     ofGo,
	"front.onlyC: exec.CommandContext":       ofGo,
	"front.onlyC: packages.Load":             ofGo,
	"front.settings: os.ReadFile":            ofGo,
	"front.settings: os.UserConfigDir":       ofGo,
	"subject.readSeeds: os.ReadDir":          "seeds of fuzz tests, which are no tasks (pangolin test)",
	"subject.readSeeds: os.ReadFile":         "likewise",
}

const (
	unmatched  = "explains why patterns match nothing; a question without a recorded answer makes the task refused"
	ofPackages = "a file of a package of an answer: in the bundle, in the task (a mutant's text), or in the standard library, whose digest is in the bundle"
	ofGo       = "runs the go command, which is not run where answers are replayed (loader.ask)"
)

// keeping are packages with results that are kept and what they belong to; whoever does a task of a bundle keeps none (task.Here.Kept).
var keeping = []string{"cache", "closure", "golist", "git", "revision", "shard"}

// compiling are packages of the engine schedules, which executes compiled code: a task that came as text is refused it (task.Task.found).
var compiling = []string{"native"}

// All that a task may read is in its bundle, or has a reason not to be. A new reader has to be thought about: what it reads goes into
// the bundle (make.go), or makes the task refused.
func TestReaders_AreInTheList(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles", "pangolin/internal/task")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath, Dir string
			GoFiles         []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name, ours := strings.CutPrefix(p.ImportPath, "pangolin/internal/")
		if !ours || slices.Contains(keeping, name) || slices.Contains(compiling, name) {
			continue
		}
		for _, file := range p.GoFiles {
			for _, call := range readersIn(t, filepath.Join(p.Dir, file)) {
				found[name+"."+call] = true
			}
		}
	}
	for _, call := range slices.Sorted(maps.Keys(found)) {
		if readers[call] == "" {
			t.Errorf("%q: what does it read, and is that in a bundle?", call)
		}
	}
	for call := range readers {
		if !found[call] {
			t.Errorf("%s is in the list and reads nothing any more", call)
		}
	}
}

// readersIn are the functions of a file that use one of the functions in reading: "parse: os.ReadFile".
func readersIn(t *testing.T, file string) (list []string) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, i := range f.Imports {
		path := strings.Trim(i.Path.Value, `"`)
		name := path[strings.LastIndex(path, "/")+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		names[name] = path
	}
	for _, d := range f.Decls {
		in := "variables"
		if fn, ok := d.(*ast.FuncDecl); ok {
			in = fn.Name.Name
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && slices.Contains(reading[names[x.Name]], s.Sel.Name) {
					list = append(list, in+": "+x.Name+"."+s.Sel.Name)
				}
			}
			return true
		})
	}
	return list
}
