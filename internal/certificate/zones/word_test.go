// SPDX-License-Identifier: BSD-3-Clause

package zones

import (
	"fmt"
	"testing"
)

// Each value is read as it is written, and nothing else is a value.
func TestSpell_ReadsWhatIsWritten(t *testing.T) {
	for text, want := range map[string]string{
		"0": "{ [0]}", "-5": "{ [-5]}", "1048576": "{ [1048576]}", "?": "{? []}", "number 2+1": "{number [2 1]}", "number 0-4": "{number [0 -4]}", "number 3": "{number [3 0]}", "number 3+0": "{number [3 0]}",
		"item own 0": "{item own [0]}", "item cell 2.1": "{item cell [2 1]}", "item offer 0.1": "{item offer [0 1]}", "word 3": "{word [3]}", "slice 3": "{slice [3]}", "slot 0": "{slot [0]}", "constant 3": "{constant [3]}",
		"cell 2.1": "{cell [2 1]}", "offer 0.1.2": "{offer [0 1 2]}", "private 0.1": "{private [0 1]}",
	} {
		if s, err := spell(text); err != nil || fmt.Sprint(s) != want {
			t.Errorf("%q is read as %v (%v)", text, s, err)
		}
	}
	for _, text := range []string{"", "+1", "01", "-0", "1.5", "1048577", "-1048577", "9223372036854775808", "? ", "item 0", "item  own 0", "item own", "item cell", "item cell -1.0", "item cell 01.0", "item cell 1", "item 3",
		"number", "number ", "number 1+", "number +1", "number 1+5", "number 1-5", "number 1-0", "number 1+01", "number 1+1+1", "number 1--1", "number -1+1", "number 1048577+0",
		"word", "word -1", "word 1.0", "slot", "slot x", "cell 1", "cell 1.2.3", "cell -1.0", "cell 1.-1", "cell .1", "cell 1.", "offer 1.2", "offer 1.2.3.4", "private 0", "private 0.01", "cell  1.2", " cell 1.2", "none", "taken 1"} {
		if s, err := spell(text); err == nil {
			t.Errorf("%q is read as %v", text, s)
		}
	}
}
