// SPDX-License-Identifier: BSD-3-Clause

package study

import (
	"testing"

	"pangolin/verdict"
)

// A proof for two items does not contradict a violation that takes more, and does contradict one that two items show.
func TestCMPRow_ProofsAreComparedWithWhatSoManyItemsShow(t *testing.T) {
	for _, c := range []struct {
		row  CMPRow
		want verdict.Status
	}{
		{CMPRow{Expected: verdict.Verified, Verdict: verdict.Proved}, verdict.Verified},
		{CMPRow{Expected: verdict.Verified, Verdict: verdict.Violated}, verdict.Violated},
		{CMPRow{Expected: verdict.Verified, Verdict: verdict.Unknown}, verdict.Verified}, // no contradiction
		{CMPRow{Verdict: verdict.Unknown, Paper: &Fig6{Verdict: verdict.Proved}}, verdict.Unknown},
		{CMPRow{Expected: verdict.Violated, Verdict: verdict.Proved, Within: verdict.Verified}, verdict.Verified},
		{CMPRow{Expected: verdict.Violated, Verdict: verdict.Proved, Within: verdict.Violated}, verdict.Violated},
		{CMPRow{Expected: verdict.Violated, Verdict: verdict.Proved, Within: verdict.Unknown}, verdict.Violated},
		{CMPRow{Verdict: verdict.Violated, Paper: &Fig6{Verdict: verdict.Proved}}, verdict.Violated},
		{CMPRow{Verdict: verdict.Violated, Paper: &Fig6{Verdict: verdict.Violated}}, verdict.Verified},
	} {
		if got := c.row.Judgement(); got != c.want {
			t.Errorf("expected %s, within %q, verdict %s: judged %s, want %s", c.row.Expected, c.row.Within, c.row.Verdict, got, c.want)
		}
	}
}
