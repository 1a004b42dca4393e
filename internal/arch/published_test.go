// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What published code needs has a meaning for every program: nothing but tests and pages names a module
// that others have published, or one of its types.
func TestCode_NamesNoPublishedModule(t *testing.T) {
	names := []string{"xsync", "puzpuzpuz", "go.uber.org/atomic", "workiva", "go-datastructures", "orcaman", "concurrent-map",
		"panjf2000", "ctrie", "mpmcqueue", "spscqueue", "rbmutex"}
	files := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "testdata") {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for number, line := range strings.Split(strings.ToLower(string(text)), "\n") {
			for _, name := range names {
				if strings.Contains(line, name) {
					t.Errorf("%s:%d names %s", path, number+1, name)
				}
			}
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Fatalf("%d files: %v", files, err)
	}
}
