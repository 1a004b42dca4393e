// SPDX-License-Identifier: BSD-3-Clause

package svg

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"pangolin/internal/lts"
)

// Pictures of systems are well-formed, deterministic and complete.

func draw(t *testing.T, s *lts.System) string {
	t.Helper()
	var out strings.Builder
	if err := Write(&out, s); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A system with everything: internal steps, loops, arrows back, several labels between two states.
func mixed() *lts.System {
	b := lts.NewBuilder(0)
	b.Add(0, lts.Tau, 1)
	b.Add(0, b.Label(`say("<a>&b")`), 0)
	b.Add(1, b.Label("x"), 2)
	b.Add(1, b.Label("y"), 2)
	b.Add(2, lts.Tau, 0)
	b.Add(2, lts.Tau, 2)
	return b.Build()
}

func TestWrite_IsWellFormedAndDrawsEverything(t *testing.T) {
	text := draw(t, mixed())
	circles, paths, labels := 0, 0, map[string]bool{}
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "circle":
				circles++
			case "path":
				paths++
			}
		case xml.CharData:
			labels[string(e)] = true
		}
	}
	if circles != 4 || paths != 1+5 { // the initial state has two, and the arrow's head is a path
		t.Errorf("%d circles and %d paths, want 4 and 6", circles, paths)
	}
	for _, want := range []string{`say("<a>&b")`, "x", "y", "τ", "0", "1", "2"} {
		if !labels[want] {
			t.Errorf("no text %q", want)
		}
	}
}

func TestWrite_GivesTheSameBytes(t *testing.T) {
	b := lts.NewBuilder(0)
	for i := range 60 {
		b.Add(lts.State(i/2), b.Label(fmt.Sprint("l", i%5)), lts.State(i+1))
		b.Add(lts.State(i+1), lts.Tau, lts.State(i*7%40))
	}
	s := b.Build()
	first := draw(t, s)
	for range 5 {
		if draw(t, s) != first {
			t.Fatal("other bytes")
		}
	}
}

func TestWrite_RefusesWhatNobodyCouldRead(t *testing.T) {
	b := lts.NewBuilder(0)
	for i := range MaxStates {
		b.Add(lts.State(i), b.Label("a"), lts.State(i+1))
	}
	if err := Write(io.Discard, b.Build()); err == nil || !strings.Contains(err.Error(), "too many for a picture") {
		t.Error(err)
	}
}

// One state, two states in a line, and states that stand for each other have no plane of their own.
func TestWrite_DrawsSmallSystems(t *testing.T) {
	for n := range 4 {
		b := lts.NewBuilder(0)
		b.SetStates(n + 1)
		for i := range n {
			b.Add(lts.State(i), b.Label("a"), lts.State(i+1))
		}
		text := draw(t, b.Build())
		if strings.Contains(text, "NaN") || strings.Contains(text, "-92233") {
			t.Errorf("%d states: %s", n+1, text)
		}
	}
}
