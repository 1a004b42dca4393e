// SPDX-License-Identifier: BSD-3-Clause

package report_test

import (
	"strings"
	"testing"

	"pangolin/report"
	"pangolin/verdict"
)

// The memory at a step is a graph in DOT: records with fields, and arrows from these; texts
// that mean something to DOT are escaped.
func TestMemory_IsAGraph(t *testing.T) {
	w := &verdict.Witness{Account: verdict.Account{Scenes: []verdict.Scene{{}, {Objects: []verdict.Object{
		{Name: "node#1", Fields: []verdict.Field{{Name: ".next", Value: "node#2", To: "node#2"}, {Name: ".text", Value: `{"a|b"}`}}},
		{Name: "node#2", Fields: []verdict.Field{{Name: ".next", Value: "nil"}}},
	}}}}}
	var b strings.Builder
	if err := report.Memory(&b, w, 2); err != nil {
		t.Fatal(err)
	}
	const want = `digraph memory {
	rankdir=LR;
	node [shape=record, fontname=monospace];
	"node#1" [label="node#1|<f0> next = node#2|<f1> text = \{\"a\|b\"\}"];
	"node#2" [label="node#2|<f0> next = nil"];
	"node#1":f0 -> "node#2";
}
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
	if err := report.Memory(&b, w, 3); err == nil || !strings.Contains(err.Error(), "no step 3") {
		t.Error(err)
	}
}
