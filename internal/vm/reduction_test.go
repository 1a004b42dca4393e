// SPDX-License-Identifier: BSD-3-Clause

package vm

import "testing"

// Each reduction has a name that is read as it is written, and says what it does.
func TestReductions_AreReadAsTheyAreWritten(t *testing.T) {
	for i, r := range reductions {
		got, err := ParseReductions(r.name)
		if err != nil || got != 1<<i || got.String() != r.name || r.doc == "" {
			t.Errorf("%s: %v, %v, %q", r.name, got, err, r.doc)
		}
	}
	if less, err := ParseReductions("all, -points,-fusing"); err != nil || less != AllReductions&^Points&^Fusing {
		t.Errorf("all without two are %v, %v", less, err)
	}
	if all, err := ParseReductions("all"); err != nil || all != AllReductions || Points<<1-1 != AllReductions {
		t.Errorf("all are %v, %v", all, err)
	}
}
