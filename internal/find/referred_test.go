// SPDX-License-Identifier: BSD-3-Clause

package find

import (
	"slices"
	"strings"
	"testing"
)

// Sentences that send readers to the documentation of another type.
func TestReferred_SentencesNameTheOtherType(t *testing.T) {
	for sentence, want := range map[string]string{
		"See sync.WaitGroup documentation for more information.":     "sync.WaitGroup",
		"It has the semantics of sync.WaitGroup.":                    "sync.WaitGroup",
		"The restrictions of [sync.Cond] hold here as well.":         "sync.Cond",
		"sync.WaitGroup's documentation says when it may be called.": "sync.WaitGroup",
		"It increments the counter of the sync.WaitGroup.":           "",
		"See the documentation.":                                     "",
	} {
		got := ""
		if m := elsewhere.FindStringSubmatch(sentence); m != nil {
			got = m[1] + m[3] + "." + m[2] + m[4]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", sentence, got, want)
		}
	}
	for sentence, want := range map[string]string{
		"If it is reused, new Add calls must happen after all previous Wait calls have returned.": "Add Wait",
		"A Reset call must be made after the Stop call has returned.":                             "Reset Stop",
		"Add calls must happen before the call of Wait.":                                          "",
		"It returns after all Wait calls have returned.":                                          "",
	} {
		got := ""
		if m := behindIt.FindStringSubmatch(sentence); m != nil {
			got = m[1] + " " + m[3]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", sentence, got, want)
		}
	}
	if list := sentencesOf("See sync.WaitGroup. It waits."); !slices.Equal(list, []string{"See sync.WaitGroup.", "It waits."}) {
		t.Errorf("%s", strings.Join(list, " | "))
	}
}
