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

// link is one in a document, to a file or a heading of the project: [text](file#heading).
var link = regexp.MustCompile(`\]\(([^)\s:]*[a-z][^)\s:]*)\)`)

// TestDocuments_LinkToWhatExists follows the links of all documents to files and to their headings.
func TestDocuments_LinkToWhatExists(t *testing.T) {
	links := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "pages" || strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2):
			return filepath.SkipDir // pages has the texts of which pages of doc are made
		case d.IsDir() || !strings.HasSuffix(path, ".md"):
			return nil
		}
		text, err := os.ReadFile(path)
		for i, line := range prose(string(text)) {
			for _, m := range link.FindAllStringSubmatch(inlineCode.ReplaceAllString(line, ""), -1) {
				links++
				if fault := broken(path, m[1]); fault != "" {
					t.Errorf("%s:%d: %s", path, i+1, fault)
				}
			}
		}
		return err
	})
	if err != nil || links < 250 {
		t.Errorf("%d links: %v", links, err)
	}
}

// broken says what is wrong with a link of a page: no such file, or no such heading in it.
func broken(page, to string) string {
	file, heading, _ := strings.Cut(to, "#")
	target := page
	if file != "" {
		target = filepath.Join(filepath.Dir(page), file)
	}
	info, err := os.Stat(target)
	if err != nil {
		return to + " does not exist"
	}
	if info.IsDir() || heading == "" {
		return ""
	}
	text, err := os.ReadFile(target)
	if err != nil || !anchors(string(text))[heading] {
		return to + ": there is no such heading"
	}
	return ""
}

// inlineCode is what stands between backquotes: there a bracket is no link.
var inlineCode = regexp.MustCompile("`[^`]*`")

// prose are the lines of a document, those of code blocks empty: what is fenced, or indented behind an empty line and not within a list.
func prose(text string) (lines []string) {
	fenced, listed, block, before := false, false, false, ""
	for _, line := range strings.Split(text, "\n") {
		blank, indented := strings.TrimSpace(line) == "", strings.HasPrefix(line, "    ")
		if !blank && !strings.HasPrefix(line, " ") {
			listed = item.MatchString(line)
		}
		block = indented && !listed && (block || before == "") || block && blank
		before = strings.TrimSpace(line)
		fence := strings.HasPrefix(before, "```")
		if fence {
			fenced = !fenced
		}
		if fence || fenced || block {
			line = ""
		}
		lines = append(lines, line)
	}
	return lines
}

var item = regexp.MustCompile(`^([*-]|\d+\.) `)

// anchors are the names by which links reach the headings of a page: "Few items: the engine cmp" is few-items-the-engine-cmp. A heading that
// stands there a second time has -1 behind its name.
func anchors(page string) map[string]bool {
	set := map[string]bool{}
	for _, line := range prose(page) {
		title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if !ok || !strings.HasPrefix(line, "#") {
			continue
		}
		name := strings.ReplaceAll(unnamed.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), ""), " ", "-")
		for i, again := 1, name; set[name]; i++ {
			name = again + "-" + strconv.Itoa(i)
		}
		set[name] = true
	}
	return set
}

// unnamed are the letters of a heading that its name has not.
var unnamed = regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)

// Brackets in code are no links, those within lists and behind them are, and headings are known by their names.
func TestDocuments_LinksAreTold(t *testing.T) {
	const page = "# A page: of links\n\n[a](#a-page-of-links) `[b](nosuch)`\n\n    [c](nosuch)\n    # no heading\n\n* item\n\n    [d](gone.md)\n\n```\n[e](nosuch)\n```\n## Über `x`\n## Über x\n"
	var told []string
	for i, line := range prose(page) {
		for _, m := range link.FindAllStringSubmatch(inlineCode.ReplaceAllString(line, ""), -1) {
			told = append(told, strconv.Itoa(i+1)+" "+m[1])
		}
	}
	if got := strings.Join(told, ", "); got != "3 #a-page-of-links, 10 gone.md" {
		t.Errorf("links: %s", got)
	}
	names := anchors(page)
	if !names["a-page-of-links"] || !names["über-x"] || !names["über-x-1"] || len(names) != 3 {
		t.Errorf("anchors: %v", names)
	}
	for to, want := range map[string]string{"README.md": "", "gone.md": "gone.md does not exist", "README.md#gone": "README.md#gone: there is no such heading"} {
		if got := broken(root+"/WARTS.md", to); got != want {
			t.Errorf("%s: %q, not %q", to, got, want)
		}
	}
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
