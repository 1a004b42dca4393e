// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The sizes that a reader can take in.
const (
	maxParams  = 4   // of a function
	maxLines   = 700 // of a file
	maxPercent = 15  // of the library's lines, in one package
)

// source is a Go file of the project.
type source struct {
	path  string // within the module
	lines int
	file  *ast.File
	fset  *token.FileSet
}

// parsed are the sources, once they have been asked for: several tests look at all of them.
var parsed []source

// sources are all Go files but those below directories named testdata.
func sources(t *testing.T) []source {
	t.Helper()
	if parsed != nil {
		return parsed
	}
	var all []source
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		s := source{lines: strings.Count(string(src), "\n"), fset: token.NewFileSet()}
		if s.path, err = filepath.Rel(root, path); err != nil {
			return err
		}
		s.path = filepath.ToSlash(s.path)
		s.file, err = parser.ParseFile(s.fset, path, src, parser.ParseComments|parser.SkipObjectResolution)
		all = append(all, s)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	parsed = all
	return all
}

// library says whether a file belongs to the library: not to the command line, the case
// studies, the second opinion or what is for tests alone.
func library(path string) bool {
	for _, other := range []string{"cmd/", "collections/", "internal/native/", "internal/test/"} {
		if strings.HasPrefix(path, other) {
			return false
		}
	}
	return !strings.HasSuffix(path, "_test.go")
}

func TestFiles_HaveAtMost700Lines(t *testing.T) {
	for _, s := range sources(t) {
		if s.lines > maxLines && library(s.path) {
			t.Errorf("%s has %d lines", s.path, s.lines)
		}
	}
}

func TestPackages_AreAtMost15PercentOfTheLibrary(t *testing.T) {
	all := 0
	of := map[string]int{}
	for _, s := range sources(t) {
		if library(s.path) {
			all += s.lines
			of[filepath.Dir(s.path)] += s.lines
		}
	}
	for pkg, n := range of {
		if 100*n > maxPercent*all {
			t.Errorf("package %s has %d lines of %d", pkg, n, all)
		}
	}
}

// docLines are the lines of a function's comment, directives among them.
func docLines(f *ast.FuncDecl) (text string) {
	if f.Doc != nil {
		for _, c := range f.Doc.List {
			text += c.Text + "\n"
		}
	}
	return text
}

func TestFunctions_HaveAtMost4Parameters(t *testing.T) {
	for _, s := range sources(t) {
		if !library(s.path) {
			continue
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && strings.Contains(docLines(f), "pangolin:model") {
				continue // the library has chosen its parameters
			}
			if ok && f.Type.Params.NumFields() > maxParams {
				t.Errorf("%s: %s has %d parameters", s.fset.Position(f.Pos()), f.Name.Name, f.Type.Params.NumFields())
			}
		}
	}
}

// fileName finds what looks like a Go file's name in a comment or a document.
var fileName = regexp.MustCompile(`[\w/*]*\w\.go\b`)

// notOurs are file names in comments that are no files of the project: those of
// examples, of Go's own tools, and those that the second opinion writes (patch).
var notOurs = regexp.MustCompile(`^(file|main|prog|a|b|x|y|queue|harness|pangolin_harness|.*_test)\.go$|FILE|^/|^cmd/(compile|internal)/|^patch/|\*`)

// TestComments_NameFilesThatExist looks for file names in comments of the library and in
// the documents that explain it.
func TestComments_NameFilesThatExist(t *testing.T) {
	known := map[string]bool{}
	all := sources(t)
	for _, s := range all {
		parts := strings.Split(s.path, "/")
		for i := range parts {
			known[strings.Join(parts[i:], "/")] = true
		}
	}
	check := func(where, text string) {
		for _, name := range fileName.FindAllString(text, -1) {
			if !known[name] && !notOurs.MatchString(name) {
				t.Errorf("%s: there is no %s", where, name)
			}
		}
	}
	for _, s := range all {
		for _, group := range s.file.Comments {
			if library(s.path) {
				check(s.fset.Position(group.Pos()).String(), group.Text())
			}
		}
	}
	for _, name := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md", "doc/soundness.md", "doc/proofs.md", "doc/second-opinion.md", "doc/words.md"} {
		doc, err := os.ReadFile(root + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(doc), "\n") {
			check(name+":"+strconv.Itoa(i+1), line)
		}
	}
}

// TestArchitecture_IsShort holds the page that everybody reads to what one reads in half an hour.
func TestArchitecture_IsShort(t *testing.T) {
	doc, err := os.ReadFile(root + "/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	lines, words := strings.Count(string(doc), "\n"), len(strings.Fields(string(doc)))
	if lines > 300 || words > 5000 {
		t.Errorf("ARCHITECTURE.md has %d lines and %d words: at most 300 and 5,000; arguments belong into doc/soundness.md and doc/proofs.md", lines, words)
	}
}

// TestDocuments_LinkToWhatExists follows the links of the documents to files and to their headings.
func TestDocuments_LinkToWhatExists(t *testing.T) {
	pages, err := filepath.Glob(root + "/doc/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pages = append(pages, root+"/ARCHITECTURE.md", root+"/README.md", root+"/CONTRIBUTING.md", root+"/WARTS.md")
	link := regexp.MustCompile(`\]\(([^)\s:]*[a-z][^)\s:]*)\)`)
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(withoutCode(string(text)), -1) {
			file, heading, _ := strings.Cut(m[1], "#")
			target := page
			if file != "" {
				target = filepath.Join(filepath.Dir(page), file)
			}
			to, err := os.ReadFile(target)
			if info, failed := os.Stat(target); failed == nil && info.IsDir() {
				continue
			}
			if err != nil {
				t.Errorf("%s links to %s, which does not exist", page, m[1])
			} else if heading != "" && !anchors(string(to))[heading] {
				t.Errorf("%s links to %s, which has no such heading", page, m[1])
			}
		}
	}
}

// withoutCode leaves out what is indented, fenced or between backquotes: there a bracket is no link.
func withoutCode(text string) string {
	var kept []string
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		} else if !fenced && !strings.HasPrefix(line, "    ") {
			kept = append(kept, line)
		}
	}
	return regexp.MustCompile("`[^`]*`").ReplaceAllString(strings.Join(kept, ""), "")
}

// anchors are the names by which links reach the headings of a page: "Few items: the engine cmp" is few-items-the-engine-cmp.
func anchors(page string) map[string]bool {
	set := map[string]bool{}
	for line := range strings.Lines(page) {
		if title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			name := regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
			set[strings.ReplaceAll(name, " ", "-")] = true
		}
	}
	return set
}

// TestReadingPath_IsShort holds the path that ARCHITECTURE.md gives to what a reader can
// do in an hour.
func TestReadingPath_IsShort(t *testing.T) {
	doc, err := os.ReadFile(root + "/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, path, found := strings.Cut(string(doc), "## A reading path")
	if !found {
		t.Fatal("ARCHITECTURE.md has no reading path")
	}
	path, _, _ = strings.Cut(path, "From there:")
	lines, files := 0, regexp.MustCompile("(?m)^[0-9]+\\. `([^`]+)`").FindAllStringSubmatch(path, -1)
	for _, f := range files {
		src, err := os.ReadFile(root + "/" + f[1])
		if err != nil {
			t.Error(err)
		}
		lines += strings.Count(string(src), "\n")
	}
	if len(files) < 5 || len(files) > 10 || lines > 2000 {
		t.Errorf("the reading path has %d files and %d lines", len(files), lines)
	}
}
