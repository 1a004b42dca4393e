// SPDX-License-Identifier: BSD-3-Clause

package text_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"pangolin/internal/test/flags"
)

// drawn is where a drawing of testdata belongs on the page, with what stands there now.
var drawn = regexp.MustCompile("<!-- ([a-z-]+\\.[0-9]+) -->\n(?:\n```\n(?s:.*?)\n```\n)?")

// The pages that explain witnesses show those that are drawn: each mark on one is followed by the golden
// drawing of its name.
func TestManual_ShowsWhatIsDrawn(t *testing.T) {
	shows(t, "../../doc/witness.md", 6)
	shows(t, "../../doc/leaks.md", 1)
}

func shows(t *testing.T, page string, marks int) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	want := drawn.ReplaceAllStringFunc(string(text), func(part string) string {
		n++
		name := drawn.FindStringSubmatch(part)[1]
		golden, err := os.ReadFile("testdata/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		return "<!-- " + name + " -->\n\n```\n" + strings.TrimRight(string(golden), "\n") + "\n```\n"
	})
	if flags.Update() {
		if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if want != string(text) {
		t.Errorf("%s does not show what is drawn; -update writes it", page)
	}
	if n < marks {
		t.Errorf("%d drawings are marked", n)
	}
}
