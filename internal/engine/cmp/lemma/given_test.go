// SPDX-License-Identifier: BSD-3-Clause

package lemma

import (
	"reflect"
	"testing"
)

func TestReadGiven_ReadsWhatIsPrinted(t *testing.T) {
	got, err := ReadGiven(`# of the paper
at list/lazy.go:55 in (*LazyList[int]).Remove (atomic write of the next of a
    list.lazyNode[int]): !old(curr.next).marked &&
    pred.next.marked
at lazy.go:54:
    (p.a < q.a || p.a == q.a && p.b < q.b) && s.a[i && j] == x

at lazy.go:79 in lock, called at lazy.go:32 in F (write of x): x == y`)
	want := []Given{
		{2, "list/lazy.go:55 in (*LazyList[int]).Remove", "atomic write of the next of a list.lazyNode[int]", []string{"!old(curr.next).marked", "pred.next.marked"}},
		{5, "lazy.go:54", "", []string{"(p.a < q.a || p.a == q.a && p.b < q.b)", "s.a[i && j] == x"}},
		{8, "lazy.go:79 in lock, called at lazy.go:32 in F", "write of x", []string{"x == y"}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\ngot  %+v\nwant %+v", err, got, want)
	}
	for _, bad := range []string{"", "# nothing\n", "x == y\n", "at lazy.go:54\n", "at lazy.go:54:\n", "at lazy.go:54 x == y\n"} {
		if got, err := ReadGiven(bad); err == nil {
			t.Errorf("%q is read: %+v", bad, got)
		}
	}
}

func TestGiven_IsAboutThePlacesThatItNames(t *testing.T) {
	const at, does = "list/lazy.go:55 in (*L).Remove, called at list/a.go:5 in F", "write of the next"
	for _, c := range []struct {
		at, does string
		want     bool
	}{
		{at, does, true},
		{"list/lazy.go:55 in (*L).Remove", does, true},
		{"list/lazy.go:55", "", true},
		{"lazy.go:55", "", true},
		{"azy.go:55", "", false},
		{"lazy.go:5", "", false},
		{"lazy.go:555", "", false},
		{"other.go:55", "", false},
		{"lazy.go:55 in (*L).Rem", "", false},
		{"lazy.go:55 in (*L).Remove, called at list/a.go:6 in F", "", false},
		{"lazy.go:55", "read of the next", false},
	} {
		if g := (&Given{At: c.at, Does: c.does}); g.About(at, does) != c.want {
			t.Errorf("%s (%s): not %v", c.at, c.does, c.want)
		}
	}
}
