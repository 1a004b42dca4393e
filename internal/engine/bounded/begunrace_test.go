// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
)

// An atomic first access goes with its invocation, so that no state has a thread standing at it: whether it races with the plain
// access at which another stands is asked when the call begins, also of a call whose step is remembered from a
// state in which it raced with nobody. Which of two operations comes first to the search depends on their names.
func TestInvocation_RacesWhereItIsRemembered(t *testing.T) {
	level.SkipShort(t, "verifies several types")
	const head = "package example\n\nimport \"sync/atomic\"\n\ntype Box struct {\n\ta atomic.Int64\n\tx int64\n}\n\n" +
		"func NewBox() *Box { return new(Box) }\n\nfunc (b *Box) PLAIN() int64 {\n\tif b.a.Load() == 0 {\n\t\tDO\n\t}\n\treturn 0\n}\n\nfunc (b *Box) ATOMIC() {\n\tBEGIN\n}\n"
	for _, c := range []struct{ name, do, begin string }{
		{"a store", "return b.x", "atomic.StoreInt64(&b.x, 0)"},
		{"an addition", "return b.x", "atomic.AddInt64(&b.x, 0)"},
		{"a compare-and-swap", "return b.x", "atomic.CompareAndSwapInt64(&b.x, 0, 0)"},
	} {
		for _, names := range [][2]string{{"Aop", "Bop"}, {"Bop", "Aop"}} {
			source := strings.NewReplacer("PLAIN", names[0], "ATOMIC", names[1], "DO", c.do, "BEGIN", c.begin).Replace(head)
			for _, reduce := range []string{"", "steps", "fusing,steps", "none"} {
				v := verifySource(t, source, pangolin.Request{Kind: "object", Oracle: "self", Type: "Box",
					Scope: pangolin.Scope{Threads: "1..2", Steps: "1..3"}, Search: pangolin.Search{Reduce: pangolin.Reduce(reduce)}})
				if v.Violation == nil || v.Violation.Class != "race" {
					t.Errorf("%s, %s beside %s, with %q: %s %s", c.name, names[1], names[0], reduce, v.Status, v.Reason)
				}
			}
		}
	}
}
