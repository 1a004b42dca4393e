// SPDX-License-Identifier: BSD-3-Clause

package dot

import (
	"strings"
	"testing"

	"pangolin/internal/lts"
)

func TestWrite_GroupsLabelsAndQuotesThem(t *testing.T) {
	b := lts.NewBuilder(0)
	b.Add(0, lts.Tau, 1)
	b.Add(0, b.Label(`say("a\b")`), 0)
	b.Add(1, b.Label("x"), 0)
	b.Add(1, lts.Tau, 0)
	var out strings.Builder
	if err := Write(&out, b.Build()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\t0 [shape=doublecircle]\n",
		"\t0 -> 1 [label=\"τ\" style=dashed]\n",
		"\t0 -> 0 [label=\"say(\\\"a\\\\b\\\")\"]\n",
		"\t1 -> 0 [label=\"τ\\nx\"]\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no line %q in\n%s", want, out.String())
		}
	}
}
