// SPDX-License-Identifier: BSD-3-Clause

package front

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pangolin/internal/test/level"
)

// The Go distribution's own programs compile, or are refused with a reason.

// plainImports are what the programs may import to be compiled here.
var plainImports = strings.Fields("fmt errors sync sync/atomic strings math math/bits sort strconv unicode/utf8 slices maps cmp os runtime")

var (
	runLine    = regexp.MustCompile(`(?m)^// run$`)
	importLine = regexp.MustCompile(`(?m)^import\s+(?:[\w.]+\s+)?"([^"]+)"`)
	importList = regexp.MustCompile(`(?ms)^import\s*\((.*?)^\)`)
	quoted     = regexp.MustCompile(`"([^"]+)"`)
)

// goroot is where the Go distribution is.
func goroot(t *testing.T) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("no go command: %v", err)
	}
	return strings.TrimSpace(string(out))
}

// distributionPrograms lists the Go distribution's test programs that are
// marked "// run" and import only plainImports.
func distributionPrograms(t *testing.T) []string {
	root := filepath.Join(goroot(t), "test")
	if _, err := os.Stat(root); err != nil {
		t.Skipf("the Go distribution's tests are not installed: %v", err)
	}
	var files []string
	for _, dir := range []string{"", "ken", "chan", "interface", "typeparam"} {
		matches, _ := filepath.Glob(filepath.Join(root, dir, "*.go"))
		for _, file := range matches {
			src, err := os.ReadFile(file)
			if err == nil && runLine.Match(src) && onlyPlainImports(string(src)) {
				files = append(files, file)
			}
		}
	}
	return files
}

func onlyPlainImports(src string) bool {
	var imports []string
	for _, m := range importLine.FindAllStringSubmatch(src, -1) {
		imports = append(imports, m[1])
	}
	for _, list := range importList.FindAllStringSubmatch(src, -1) {
		for _, m := range quoted.FindAllStringSubmatch(list[1], -1) {
			imports = append(imports, m[1])
		}
	}
	for _, imp := range imports {
		found := false
		for _, p := range plainImports {
			found = found || imp == p
		}
		if !found {
			return false
		}
	}
	return true
}

// unsound are programs for which golang.org/x/tools v0.52.0 builds what its own checks refuse: in shift3.go the shift of an untyped constant has an
// untyped result.
var unsound = map[string]bool{"shift3.go": true}

// TestLoad_CompilesTheDistributionsPrograms takes every eighth program, or all
// of them with -level all.
func TestLoad_CompilesTheDistributionsPrograms(t *testing.T) {
	files := distributionPrograms(t)
	step := 8
	if level.All() {
		step = 1
	} else if level.Short() {
		step = 40
	}
	limit := make(chan bool, 2)
	for i := 0; i < len(files); i += step {
		t.Run(strings.TrimSuffix(filepath.Base(files[i]), ".go"), func(t *testing.T) {
			t.Parallel()
			limit <- true
			defer func() { <-limit }()
			if unsound[filepath.Base(files[i])] {
				loadMode(t, 0, "", files[i])
				return
			}
			loadSane(t, "", files[i])
		})
	}
}
