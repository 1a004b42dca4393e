// SPDX-License-Identifier: BSD-3-Clause

package bounded_test

import (
	"strings"
	"testing"

	"pangolin"
	"pangolin/internal/test/level"
)

// Witnesses are kept for years, and how many instructions a line has is the compiler's affair:
// one whose counts do not fit is followed by its steps, whatever its class. One whose steps are
// not there any more is refused.
func TestReplay_FollowsTheStepsIfTheCountsDoNotFit(t *testing.T) {
	level.SkipShort(t, "verifies and replays several types")
	for _, c := range []struct{ class, source string }{
		{"history", "package example\n\nimport \"sync/atomic\"\n\ntype Counter struct{ n atomic.Int64 }\n\n" +
			"func (c *Counter) Inc() { c.n.Store(c.n.Load() + 1) }\n\nfunc (c *Counter) Get() int64 { return c.n.Load() }\n"},
		{"deadlock", "package example\n\nimport \"sync\"\n\ntype Counter struct {\n\ta, b sync.Mutex\n\tn int\n}\n\n" +
			"func (c *Counter) Inc() {\n\tc.a.Lock()\n\tc.b.Lock()\n\tc.n++\n\tc.b.Unlock()\n\tc.a.Unlock()\n}\n\n" +
			"func (c *Counter) Get() int {\n\tc.b.Lock()\n\tc.a.Lock()\n\tdefer c.b.Unlock()\n\tdefer c.a.Unlock()\n\treturn c.n\n}\n"},
		{"race", "package example\n\ntype Counter struct{ n int }\n\nfunc (c *Counter) Inc() { c.n++ }\n\nfunc (c *Counter) Get() int { return c.n }\n"},
		{"nontermination", "package example\n\nimport \"sync/atomic\"\n\ntype Counter struct{ n, busy atomic.Int64 }\n\n" +
			"func (c *Counter) Inc() {\n\tfor {\n\t\tif c.busy.Add(1) == 1 {\n\t\t\tbreak\n\t\t}\n\t\tc.busy.Add(-1)\n\t}\n\tc.n.Add(1)\n\tc.busy.Add(-1)\n}\n\n" +
			"func (c *Counter) Get() int64 { return c.n.Load() }\n"},
	} {
		t.Run(c.class, func(t *testing.T) {
			dir := modules.Dir(t, c.source)
			list, err := pangolin.Verify(modules.Context, pangolin.Request{Dir: dir, Specification: pangolin.Specification{Expect: "violated"}})
			if err != nil || len(list) != 1 || list[0].Violation == nil || list[0].Violation.Class != c.class {
				t.Fatal(err, list)
			}
			w := list[0].Violation.Execution
			spoilt := *w
			spoilt.Schedule.Turns = nil
			for _, turn := range w.Schedule.Turns {
				turn.Ran = nil
				spoilt.Schedule.Turns = append(spoilt.Schedule.Turns, turn)
			}
			now, err := pangolin.Replay(modules.Context, dir, &spoilt)
			if err != nil || now.Class != w.Class || len(now.Steps) != len(w.Steps) {
				t.Fatalf("%v, %+v", err, now)
			}
			if again, err := pangolin.Replay(modules.Context, dir, now); err != nil || again.Class != w.Class {
				t.Errorf("what was followed does not replay: %v", err)
			}
			spoilt.Steps = nil
			for _, s := range w.Steps {
				if s.Access != nil {
					other := *s.Access
					other.Type = "example.Elsewhere"
					s.Access = &other
				}
				spoilt.Steps = append(spoilt.Steps, s)
			}
			if _, err := pangolin.Replay(modules.Context, dir, &spoilt); err == nil || !strings.Contains(err.Error(), "the witness does not replay") {
				t.Errorf("without its steps: %v", err)
			}
		})
	}
}
