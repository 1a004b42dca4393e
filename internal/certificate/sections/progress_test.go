// SPDX-License-Identifier: BSD-3-Clause

package sections

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/test/proving"
	"pangolin/verdict"
)

// claiming checks a certificate that claims a property of progress.
func claiming(t *testing.T, dir, typ string, p verdict.Property) (*verdict.Checked, *Certificate) {
	t.Helper()
	s := proving.Load(t, dir, typ)
	x, err := fill(s)
	if err != nil {
		t.Fatalf("%s: %v", typ, err)
	}
	x.Head.Progress = p
	var b bytes.Buffer
	if err := x.Write(&b); err != nil {
		t.Fatal(err)
	}
	out, err := CheckFile(context.Background(), s, b.Bytes(), nil)
	if err != nil {
		t.Fatalf("%s: %v", typ, err)
	}
	return out, x
}

func TestProgress(t *testing.T) {
	for _, one := range []struct {
		dir, typ string
		waits    string // what is said of one that is claimed to be wait-free; "" if it is
	}{
		{rights, "Hits", ""}, {rights, "Claim", ""}, {rights, "Shards", ""},
		{rights, "Registry", "may wait for another call"},
		{rights, "AnyLock", "may wait for another call"}, // a lock behind an interface
		{rights, "Looks", "may wait for another call"},   // some calls take the lock, others read atomically
		{rights, "Users", "may wait for another call"},   // a sync.Map
		{rights, "Config", "may wait for another call"},  // an atomic.Value
	} {
		for _, p := range append(verdict.OfProgress(), "", verdict.Linear) {
			out, x := claiming(t, one.dir, one.typ, p)
			locked := slices.ContainsFunc(x.States, func(s At) bool { return strings.HasPrefix(s.Phase, "writing") || strings.HasPrefix(s.Phase, "reading") })
			if locked && one.waits == "" {
				t.Fatalf("%s takes a lock", one.typ)
			}
			want := one.waits
			switch p {
			case "", verdict.DeadlockFree:
				want = ""
			case verdict.Linear:
				want = "no property of progress"
			}
			if out.Holds != (want == "") || !strings.Contains(out.Reason, want) || out.Progress != p {
				t.Errorf("%s, %q: want %q, got %+v", one.typ, p, want, out)
			}
			if alone := slices.Contains(out.Assumptions, verdict.ReturnsAlone); alone != (p != "") {
				t.Errorf("%s, %q: assumed are %q", one.typ, p, out.Assumptions)
			}
		}
	}
}

// A call that waits before its moment, or in a function that it calls, is noted wherever that is; the constructor is over before.
func TestMayWait_OutsideOfTheConstructor(t *testing.T) {
	c := &checker{}
	c.mayWait(spot{1, 2}, &state{phase: making})
	if c.waits != nil {
		t.Error("the constructor waits for nobody")
	}
	c.mayWait(spot{1, 3}, &state{phase: after})
	if c.waits == nil || *c.waits != (spot{1, 3}) {
		t.Errorf("noted is %v", c.waits)
	}
}
