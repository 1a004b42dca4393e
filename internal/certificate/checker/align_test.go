package checker_test

import (
	"context"
	"slices"
	"testing"

	"pangolin/internal/certificate"
	"pangolin/internal/certificate/checker"
	"pangolin/internal/collection"
	"pangolin/internal/discover"
	"pangolin/internal/engine"
	"pangolin/internal/engine/unbounded"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
)

// TestAlignment_LeavesNothingOut compares the memories that are found when views meet effects with those that are
// found when every case is followed to its end.
func TestAlignment_LeavesNothingOut(t *testing.T) {
	for _, c := range []struct{ pkg, typ string }{{"stack", "LockFreeStack"}, {"queue", "UnboundedQueue"}, {"list", "CoarseList"}, {"list", "FineList"}} {
		t.Run(c.typ, func(t *testing.T) {
			if level.Short() && c.typ != "LockFreeStack" {
				t.Skip("takes seconds")
			}
			s := load(t, c.pkg, c.typ)
			v, err := unbounded.Engine().Run(context.Background(), &engine.Job{Subject: s, Search: engine.Search{Certify: true}}, engine.Events{})
			if err != nil {
				t.Fatal(err)
			}
			x, err := certificate.Parse(v.Proof.Text)
			if err != nil {
				t.Fatal(err)
			}
			k, err := checker.New(s, x)
			if err != nil {
				t.Fatal(err)
			}
			some, err := k.Joined(true)
			if err != nil {
				t.Fatal(err)
			}
			all, err := k.Joined(false)
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(some)
			slices.Sort(all)
			if len(all) < 50 || !slices.Equal(some, all) {
				t.Errorf("%d memories are found, and %d without alignment", len(some), len(all))
			}
			t.Log(len(all), "memories")
		})
	}
}

func load(t *testing.T, pkg, typ string) *subject.Subject {
	t.Helper()
	q := discover.Query{Dir: "../../../collections", Packages: []string{"./" + pkg}, Type: typ,
		Overrides: func([]string) (collection.Overrides, error) { return collection.Overrides{Type: typ}, nil },
		Note:      func(string, ...any) {}}
	found, _, err := q.Find(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	s, err := (&subject.Order{Listed: found[0].Listed, Patterns: found[0].Patterns, Overrides: found[0].Overrides}).Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}
