// SPDX-License-Identifier: BSD-3-Clause

package text

import (
	"testing"
	"time"
)

// The last line tells how long a run took, if that differs from what the verdicts took.
func TestTotals_TellHowLongARunTook(t *testing.T) {
	for _, c := range []struct {
		verdicts float64
		cached   int
		run      time.Duration
		want     string
	}{
		{3, 0, 3500 * time.Millisecond, "in 3.0s."},
		{3, 0, 5 * time.Second, "in 3.0s, 5.0s in all."},
		{3, 0, 1500 * time.Millisecond, "in 3.0s, 1.5s elapsed."},
		{3, 0, 2500 * time.Millisecond, "in 3.0s."},
		{30, 1, 1500 * time.Millisecond, "in 30.0s, 1 cached."},
		{30, 0, time.Millisecond, "in 30.0s."}, // verdicts of another run
	} {
		s := sum{verified: 2, seconds: c.verdicts, cached: c.cached}
		if got := s.text(2, c.run); got != "2 verdicts: 2 verified, "+c.want {
			t.Errorf("%v: %s, want %s", c, got, c.want)
		}
	}
}
