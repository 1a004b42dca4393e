// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pangolin/internal/test/flags"
)

// license is the line that says in a file under which terms it may be used (spdx.dev); LICENSE has the terms.
const license = "// SPDX-License-Identifier: BSD-3-Clause"

// lastLine are the directories in which it is a file's last line, since tests and published witnesses tell the lines of
// what is above it. Elsewhere it is the first one.
var lastLine = []string{"collections/", "internal/front/prelude/", "internal/native/"}

// What is below testdata is input of tests, and has none.
func TestFiles_NameTheirLicense(t *testing.T) {
	for _, s := range sources(t) {
		name := filepath.Join(root, s.path)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		last := false
		for _, dir := range lastLine {
			last = last || strings.HasPrefix(s.path, dir)
		}
		has, with := strings.HasPrefix(string(text), license+"\n\n"), license+"\n\n"+string(text)
		if last {
			has, with = strings.HasSuffix(string(text), "\n\n"+license+"\n"), string(text)+"\n"+license+"\n"
		}
		switch {
		case has:
		case flags.Update():
			if err := os.WriteFile(name, []byte(with), 0o666); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s does not name its license: go test ./internal/arch -run License -update writes %q", s.path, license)
		}
	}
}
