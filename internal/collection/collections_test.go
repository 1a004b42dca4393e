package collection

import (
	"testing"
)

func TestTmp(t *testing.T) {
	for _, d := range []string{"atomicref", "deque", "hashset", "list", "lock", "pqueue", "queue", "skiplist", "stack", "threadlocal"} {
		c := checkDir(t, "pangolin/collections/"+d, "../../collections/"+d)
		found, rej, err := Survey(c.pkg, Overrides{})
		t.Log(d, rej, err)
		for _, f := range found {
			t.Logf("%s new %s: %s %s %s: %s", f.Display, f.New, f.Kind, f.Protocol, f.Oracle, f.Reason)
			for _, o := range f.Operations {
				t.Logf("    %+v", o.Op)
			}
			t.Log("   ", f.Skipped)
			h := c.withHarness(t, f)
			_ = h
		}
	}
}
