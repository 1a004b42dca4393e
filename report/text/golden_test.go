// SPDX-License-Identifier: BSD-3-Clause

package text_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"pangolin/internal/test/flags"
	"pangolin/report/text"
	"pangolin/verdict"
)

// Witnesses as text are golden files.

// witnesses are the executions of testdata, one or more of every class, by name.
func witnesses(t *testing.T) map[string]*verdict.Witness {
	t.Helper()
	files, err := filepath.Glob("../testdata/*.json")
	if err != nil || len(files) < 7 {
		t.Fatal(err, files)
	}
	found := map[string]*verdict.Witness{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		w, err := verdict.Parse(data)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		found[strings.TrimSuffix(filepath.Base(file), ".json")] = w
	}
	return found
}

// Every class of violation is drawn at 40, 80 and 120 columns as the golden files say, and
// no line is wider.
func TestWitness_IsDrawnAsTheGoldenFilesSay(t *testing.T) {
	for name, w := range witnesses(t) {
		for _, width := range []int{40, 80, 120} {
			var b strings.Builder
			text.New(&b, text.Options{Width: width}).Witness(w)
			for line := range strings.Lines(b.String()) {
				if n := ansi.StringWidth(strings.TrimSuffix(line, "\n")); n > width {
					t.Errorf("%s: %d columns of %d: %s", name, n, width, line)
				}
			}
			golden := fmt.Sprintf("testdata/%s.%d.txt", name, width)
			if flags.Update() {
				if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil || string(want) != b.String() {
				t.Errorf("%s is not what is drawn (%v); -update writes it\n%s", golden, err, b.String())
			}
		}
	}
}

// There is a drawing, and a page, of every class of violation and every way in which a program ends.
func TestWitness_OfEveryClassIsDrawn(t *testing.T) {
	drawn := map[string]bool{}
	for _, w := range witnesses(t) {
		class := w.Class
		if w.Source.Program {
			class = "program " + class
		}
		drawn[class] = true
	}
	for _, kind := range []verdict.OutcomeKind{verdict.Exited, verdict.Panicked, verdict.Deadlocked, verdict.Endless, verdict.Raced, verdict.Leaked} {
		if !drawn["program "+string(kind)] {
			t.Errorf("testdata has no program whose outcome is %s", kind)
		}
	}
	for _, class := range verdict.Classes {
		if !drawn[class] {
			t.Errorf("testdata has no %s", class)
		}
	}
}

// Colours change no width, and there are none without being asked for.
func TestWitness_HasTheSameTextWithColours(t *testing.T) {
	for name, w := range witnesses(t) {
		for _, width := range []int{40, 120} {
			var plain, colour strings.Builder
			text.New(&plain, text.Options{Width: width}).Witness(w)
			text.New(&colour, text.Options{Width: width, Colour: true}).Witness(w)
			if ansi.Strip(colour.String()) != plain.String() || colour.String() == plain.String() || strings.Contains(plain.String(), "\x1b") {
				t.Errorf("%s at %d columns: with colours\n%s\nwithout\n%s", name, width, ansi.Strip(colour.String()), plain.String())
			}
		}
	}
}

// A witness of at most 60 steps fits two screens of 80 columns and 50 lines.
func TestWitness_FitsTwoScreens(t *testing.T) {
	for name, w := range witnesses(t) {
		var b strings.Builder
		text.New(&b, text.Options{Width: 80}).Witness(w)
		if n := strings.Count(b.String(), "\n"); len(w.Steps) <= 60 && n > 100 {
			t.Errorf("%s: %d lines for %d steps", name, n, len(w.Steps))
		}
	}
}
