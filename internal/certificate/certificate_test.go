// SPDX-License-Identifier: BSD-3-Clause

package certificate

import (
	"slices"
	"testing"
)

func TestFits_AreReadAsTheyAreWritten(t *testing.T) {
	for text, f := range map[string]Fits{
		"":                    nil,
		"(12)03-":             {12, 0, 3, -1},
		"9(10)(2147483647)-0": {9, 10, 1<<31 - 1, -1, 0},
	} {
		written, err := f.MarshalText()
		if err != nil || string(written) != text {
			t.Errorf("%v is written as %s, want %s", f, written, text)
		}
		var again Fits
		if err := again.UnmarshalText([]byte(text)); err != nil || !slices.Equal(again, f) {
			t.Errorf("%s is read as %v, want %v (%v)", text, again, f, err)
		}
	}
	for _, text := range []string{"(", "(1", "()", "(-1)", "(2147483648)", "(1 2)", ")", "x", "1,2"} {
		if err := new(Fits).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}
