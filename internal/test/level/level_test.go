// SPDX-License-Identifier: BSD-3-Clause

package level

import (
	"flag"
	"testing"
)

// Each level tries what the one before it tries, and a name that is none is refused.
func TestLevels_ContainEachOther(t *testing.T) {
	defer func(before int) { asked = before }(asked)
	if testing.Short() {
		t.Skip("-short is one level")
	}
	for _, c := range []struct {
		name             string
		short, more, all bool
		tried, triedOf   int // of ten cases
	}{
		{"short", true, false, false, 1, 3},
		{"usual", false, false, false, 2, 5},
		{"more", false, true, false, 10, 10},
		{"all", false, true, true, 10, 10},
	} {
		if err := flag.Set("level", c.name); err != nil {
			t.Fatal(err)
		}
		if Short() != c.short || More() != c.more || All() != c.all {
			t.Errorf("%s: short %v, more %v, all %v", c.name, Short(), More(), All())
		}
		tried, triedOf := 0, 0
		for i := range 10 {
			if !Out(i, 5) {
				tried++
			}
			if !OutOf(i, 4, 2) {
				triedOf++
			}
		}
		if tried != c.tried || triedOf != c.triedOf {
			t.Errorf("%s: %d and %d cases are tried, want %d and %d", c.name, tried, triedOf, c.tried, c.triedOf)
		}
	}
	if flag.Set("level", "long") == nil {
		t.Error("there is no level long")
	}
}
