package cmp

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pangolin/internal/certificate/pairs"
	"pangolin/internal/engine"
	"pangolin/internal/sparing"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// certified are proved, and their certificates checked. Long ones only with -more.
var certified = []struct {
	dir, typ string
	items    int
	long     bool
}{
	{"../../../collections/stack", "LockFreeStack", 2, false},
	{"testdata/subjects/right", "BitSet", 2, false},
	{"testdata/subjects/right", "SPSC", 2, false},
	{"testdata/subjects/right", "Ring", 2, true},
	{"testdata/subjects/right", "Map", 2, true},
	{"testdata/subjects/right", "Heap", 2, true},
	{"testdata/subjects/right", "Tree", 2, true},
	{"testdata/subjects/right", "CopySet", 2, true},
	{"testdata/subjects/right", "CopyStack", 2, true},
	{"testdata/subjects/right", "Deque", 2, true},
	{"testdata/subjects/right", "Buckets", 2, true},
	{"../../../collections/queue", "UnboundedQueue", 2, false},
	{"../../../collections/list", "CoarseList", 2, true},
	{"../../../collections/list", "FineList", 2, false},
	{"../../../collections/list", "OptimisticList", 1, true},
	{"../../../collections/list", "LazyList", 1, false},
	{"../../../collections/list", "LazyList", 2, true},
	{"../../../collections/list", "LockFreeList", 2, true},
	{"../../../collections/hashset", "StripedHashSet", 2, true},
}

// proveSubject proves a subject with all reductions.
func proveSubject(t testing.TB, s *subject.Subject, items int) *search {
	t.Helper()
	j := &engine.Job{Subject: s, Property: verdict.Linear, Search: engine.Search{Reduce: engine.AllReductions}}
	p, err := Prove(repository, j, items, limits{views: 100_000, lost: mostLost})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCertificate_IsAcceptedByTheChecker(t *testing.T) {
	for i, c := range certified {
		t.Run(c.typ, func(t *testing.T) {
			if sparing.Out(i, 4, *more) {
				t.Skip("some certificates will do; -more checks all")
			}
			if c.long && (!*more || testing.Short()) {
				t.Skip("takes long: -more")
			}
			text, err := certificateOf(proveSubject(t, load(t, c.dir, c.typ), c.items))
			if err != nil {
				t.Fatal(err)
			}
			got, err := check(repository, load(t, c.dir, c.typ), text, nil)
			if err != nil || !got.Holds {
				t.Fatalf("%+v, %v", got, err)
			}
			t.Logf("%d views, %d bytes, %.2fs", got.Views, len(text), got.Seconds)
		})
	}
}

// parsed is a copy of a certificate that can be changed.
func parsed(t *testing.T, text []byte) *pairs.Certificate {
	t.Helper()
	x, err := pairs.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// damage changes one thing in a certificate, and says what.
func damage(x *pairs.Certificate, r *rand.Rand) string {
	i := r.IntN(len(x.Views))
	v := &x.Views[i]
	word := func(list []uint64) bool {
		if len(list) == 0 {
			return false
		}
		k := r.IntN(len(list))
		switch r.IntN(4) {
		case 0:
			list[k]++
		case 1:
			list[k] ^= 1 << 32 // another object, or count
		case 2:
			list[k] ^= 1 << r.IntN(64)
		default:
			if list[k] == 0 {
				return false
			}
			list[k] = 0
		}
		return true
	}
	switch r.IntN(9) {
	case 0:
		x.Views = slices.Delete(x.Views, i, i+1)
		return "view left out"
	case 1:
		v.Acts = !v.Acts
		return "effect moved"
	case 2:
		if len(v.Right) > 0 {
			v.Right = v.Right[1:]
			return "right result left out"
		}
	case 3:
		if v.Done != nil {
			v.Right, v.Done = []string{*v.Done}, nil
			return "effect taken back"
		}
	case 4:
		if word(v.Thread) {
			return "word of a thread"
		}
	case 5:
		if word(v.Own) {
			return "word of an own cell"
		}
	case 6:
		if word(x.Memories[v.Memory].Objects) {
			return "word of the memory"
		}
	case 7:
		x.Memories[v.Memory].Content = r.IntN(len(x.Head.Contents))
		return "content"
	default:
		if k := r.IntN(len(x.Head.Frozen)); !x.Head.Frozen[k] {
			x.Head.Frozen[k] = true
			return "frozen made up"
		}
	}
	return ""
}

// TestChecker_RejectsDamagedCertificates changes certificates in small ways. What is accepted all the same must claim
// all that threads do: random real executions are looked up in it.
func TestChecker_RejectsDamagedCertificates(t *testing.T) {
	sparing.InShort(t, "checks many certificates")
	for i, c := range certified[:4] {
		t.Run(c.typ, func(t *testing.T) {
			if sparing.Out(i, 4, *more) {
				t.Skip("certificates of some collections will do; -more damages more")
			}
			tries := 30
			if *more {
				tries = 1500
			} else if c.long {
				t.Skip("-more")
			}
			s := load(t, c.dir, c.typ)
			p := proveSubject(t, s, c.items)
			text, err := certificateOf(p)
			if err != nil {
				t.Fatal(err)
			}
			whole := parsed(t, text)
			count, random := map[string]int{}, rand.New(rand.NewPCG(5, 6))
			for range tries {
				x := parsed(t, text)
				what := damage(x, random)
				if what == "" {
					continue
				}
				count[damaged(t, s, whole, x)+": "+what]++
			}
			t.Log(count)
		})
	}
}

// damaged is what becomes of a damaged certificate.
func damaged(t *testing.T, s *subject.Subject, whole, x *pairs.Certificate) string {
	t.Helper()
	c, err := pairs.New(s, x)
	if err != nil {
		return "refused"
	}
	if err := c.Check(repository); errors.As(err, new(*pairs.Rejection)) {
		return "rejected"
	} else if err != nil {
		t.Fatal(err)
	}
	for i := range whole.Views {
		if !c.Claims(whole, i) {
			t.Errorf("it is accepted, and does not claim view %d of the whole one", i+1)
			return "accepted"
		}
	}
	return "claims as much"
}
