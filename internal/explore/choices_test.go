// SPDX-License-Identifier: BSD-3-Clause

package explore

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The first decision has two alternatives; the first of them asks for one of three, the
// second for nothing, or rather for one of one:
//
//	0 0, 0 1, 0 2, 1
func TestChoices_EnumerateDepthFirst(t *testing.T) {
	var c Choices
	var got []string
	for round := range 2 {
		got = nil
		for more := true; more; more = c.Next() {
			n := 1
			if c.Choose(2) == 0 {
				n = 3
			}
			c.Choose(n)
			got = append(got, fmt.Sprint(c.Taken()))
		}
		if want := "[0 0] [0 1] [0 2] [1]"; strings.Join(got, " ") != want {
			t.Errorf("round %d: %v; want %v", round, got, want)
		}
	}
}

func TestChoices_RecordNothingWhereThereIsNoChoice(t *testing.T) {
	var c Choices
	if c.Choose(1) != 0 || c.Taken() != nil || c.Next() {
		t.Errorf("Choose(1) left %v", c.Taken())
	}
}

func TestChoices_CountLikeAnOdometer(t *testing.T) {
	var c Choices
	n := 0
	for more := true; more; more = c.Next() {
		if got := c.Choose(2)*12 + c.Choose(3)*4 + c.Choose(4); got != n {
			t.Fatalf("combination %d is %d", n, got)
		}
		n++
	}
	if n != 24 {
		t.Errorf("%d combinations; want 24", n)
	}
}

func TestChoices_ReplayKeepsThePrefix(t *testing.T) {
	c := Replay([]uint32{2, 1})
	var got [][]uint32
	for more := true; more; more = c.Next() {
		c.Choose(3)
		c.Choose(2)
		c.Choose(2)
		got = append(got, c.Taken())
	}
	want := [][]uint32{{2, 1, 0}, {2, 1, 1}}
	if !slices.EqualFunc(got, want, slices.Equal[[]uint32]) {
		t.Errorf("%v; want %v", got, want)
	}
}

func TestChoices_PanicWhenTheStepIsNotReproducible(t *testing.T) {
	for name, misuse := range map[string]func(c *Choices){
		"other number of alternatives": func(c *Choices) { c.Choose(3) },
		"fewer decisions":              func(c *Choices) { c.Next() },
		"no alternatives":              func(c *Choices) { c.Choose(0) },
	} {
		var c Choices
		c.Choose(2)
		c.Next()
		checkPanics(t, name, "explore: ", func() { misuse(&c) })
	}
	checkPanics(t, "replay out of range", "taken: 5", func() { Replay([]uint32{5}).Choose(3) })
}

func checkPanics(t *testing.T, name, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
			t.Errorf("%s: panic %q; want one with %q", name, got, want)
		}
	}()
	f()
}
