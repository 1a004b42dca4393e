// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// What has been shared keeps its guard when nobody but one thread leads to it any more: that thread may come to it because it has seen
// that another holds the lock, as a failed TryLock shows, which orders nothing. The other's access has gone with its Lock then, and it
// needs the memory no more.
func TestGuards_HoldForWhatIsUnlinked(t *testing.T) {
	level.SkipShort(t, "verifies several lists")
	const head = "package example\n\nimport \"sync\"\n\ntype cell struct{ x, y int }\n\ntype Box struct {\n\tmu sync.Mutex\n\tc  *cell\n}\n\n" +
		"func NewBox() *Box { return &Box{c: new(cell)} }\n\n" +
		"func (b *Box) Use() {\n\tb.mu.Lock()\n\tc := b.c\n\tb.mu.Unlock()\n\tif c == nil {\n\t\treturn\n\t}\n\tb.mu.Lock()\n\tUSE\n\tb.mu.Unlock()\n}\n\n" +
		"func (b *Box) Take() (ok bool) {\n\tb.mu.Lock()\n\tc := b.c\n\tb.c = nil\n\tb.mu.Unlock()\n\tif c == nil {\n\t\treturn true\n\t}\n" +
		"\tif b.mu.TryLock() {\n\t\tTAKE\n\t\tb.mu.Unlock()\n\t\treturn true\n\t}\n\tOTHERWISE\n\treturn true\n}\n"
	for _, c := range []struct {
		name, use, take, otherwise string
		races                      bool
	}{
		{"a word is read", "c.x = 1", "", "ok = c.x < 2", true},
		{"a word is written", "c.x = 1", "", "c.x = 1", true},
		{"a word that is read is written", "if c.x == 9 { b.c = nil }", "", "c.x = 1", true},
		{"two words are read", "*c = cell{1, 1}", "", "d := *c; ok = d.x < 2", true},
		{"another word", "c.x = 1", "", "c.y = 1", false},
		{"under the lock", "c.x = 1", "c.x = 2", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := strings.NewReplacer("USE", c.use, "TAKE", c.take, "OTHERWISE", c.otherwise).Replace(head)
			for _, reduce := range []string{"", "none", "fusing,guarded", "steps"} {
				v := verifySource(t, source, pangolin.Request{Kind: "object", Oracle: "self", Type: "Box",
					Scope: pangolin.Scope{Threads: "1..2", Steps: "1..3"}, Search: pangolin.Search{Reduce: pangolin.Reduce(reduce)}})
				switch {
				case !c.races && v.Status != verdict.Verified, c.races && (v.Violation == nil || v.Violation.Class != "race"):
					t.Errorf("with %q: %s %s", reduce, v.Status, v.Reason)
				}
			}
		})
	}
}
