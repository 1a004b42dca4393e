// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pangolin/internal/certificate/file"
	"pangolin/internal/certificate/pairs"
	"pangolin/internal/engine"
	"pangolin/internal/engine/cmp/lemma"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
	"pangolin/verdict"
)

// certified are proved, and their certificates checked. Long ones only with -level more.
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
	{"testdata/subjects/right", "Nested", 2, false},
	{"testdata/subjects/right", "HandedOver", 2, true},
	{"testdata/subjects/right", "Owned", 2, true},
	{"testdata/subjects/right", "Spun", 2, false},
	{"testdata/subjects/right", "Deadline", 2, false},
	{"testdata/subjects/right", "Striped", 2, true},
	{"testdata/subjects/right", "Mailbox", 2, true},
	{"testdata/subjects/right", "Nodes", 2, true},
	{"testdata/subjects/right", "Renewed", 2, true},
	{"testdata/subjects/right", "Listed", 2, true},
	{"testdata/subjects/right", "Waiting", 2, true},
	{"testdata/subjects/right", "Semaphore", 2, true},
	{"../../../collections/queue", "UnboundedQueue", 2, false},
	{"../../../collections/list", "CoarseList", 2, true},
	{"../../../collections/list", "FineList", 2, false},
	{"../../../collections/list", "OptimisticList", 1, true},
	{"../../../collections/list", "LazyList", 1, false},
	{"../../../collections/list", "LazyList", 2, true},
	{"../../../collections/list", "LockFreeList", 2, true},
	{"../../../collections/hashset", "StripedHashSet", 2, true},
	{"testdata/subjects/right", "Named", 2, true},
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
			if level.Out(i, 4) {
				t.Skip("some certificates will do; -level more checks all")
			}
			if c.long && (!level.More() || level.Short()) {
				t.Skip("takes long: -level more")
			}
			text, err := certificateOf(proveSubject(t, load(t, c.dir, c.typ), c.items), nil)
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

// States name strings by number. Those that are no constants have numbers in the order in which executions make them, so a certificate
// lists them, and a checker that has just begun gives them the same ones.
func TestCertificate_TellsTheNumbersOfStrings(t *testing.T) {
	s := func() *subject.Subject { return load(t, "testdata/subjects/right", "Named") }
	text, err := certificateOf(proveSubject(t, s(), 2), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what, want string // want: a part of the refusal; "": it holds
		change     func(h *pairs.Head)
	}{
		{"as it is", "", func(*pairs.Head) {}},
		{"none", "that are no state", func(h *pairs.Head) { h.Strings = nil }},
		{"one twice", "the string \"v01\" has another number", func(h *pairs.Head) { h.Strings = append(h.Strings, h.Strings[0]) }},
		{"one without quotes", "v01 is no string", func(h *pairs.Head) { h.Strings[0] = "v01" }},
		{"other keys than those of calls", "what a thread sees that calls Get", func(h *pairs.Head) { h.Strings[0] = `"x"` }},
		{"one more", "", func(h *pairs.Head) { h.Strings = append(h.Strings, `"x"`) }},
	} {
		x := parsed(t, text)
		c.change(&x.Head)
		checker, err := pairs.New(s(), x)
		if err == nil {
			err = checker.Check(t.Context())
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s (%s): %v, want %s", c.what, x.Head.Strings, err, c.want)
		}
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
	level.SkipShort(t, "checks many certificates")
	for i, c := range certified[:4] {
		t.Run(c.typ, func(t *testing.T) {
			if level.Out(i, 4) {
				t.Skip("certificates of some collections will do; -level more damages more")
			}
			tries := 30
			if level.More() {
				tries = 1500
			} else if c.long {
				t.Skip("-level more")
			}
			s := load(t, c.dir, c.typ)
			p := proveSubject(t, s, c.items)
			text, err := certificateOf(p, nil)
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
	if err := c.Check(repository); errors.As(err, new(*file.Rejection)) {
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

// TestChecker_RejectsDamagedLemmas checks a certificate with lemmas, whole and damaged: a fact less, as many as there are, since all
// are needed; a fact more that is false; a place where nothing happens; and other words for a place.
func TestChecker_RejectsDamagedLemmas(t *testing.T) {
	level.SkipShort(t, "looks for lemmas")
	for i, c := range []struct {
		typ   string
		items int
	}{{"FineList", 1}, {"FineList", 2}, {"OptimisticList", 1}, {"LazyList", 1}, {"LockFreeList", 1}} {
		if i > 0 && !level.More() {
			continue
		}
		const dir = "../../../collections/list"
		p := proveSubject(t, load(t, dir, c.typ), c.items)
		j := &engine.Job{Subject: p.model.subject, Search: engine.Search{Reduce: engine.AllReductions, Lemmas: true, Certify: true}}
		var out verdict.Proof
		if err := p.explain(repository, j, &out, 0); err != nil {
			t.Fatal(err)
		}
		holds := func(x *pairs.Certificate) *verdict.Checked {
			t.Helper()
			var text bytes.Buffer
			if err := x.Write(&text); err != nil {
				t.Fatal(err)
			}
			got, err := check(repository, load(t, dir, c.typ), text.Bytes(), nil)
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		whole := parsed(t, out.Text)
		if got := holds(whole); !got.Holds || got.Lemmas != out.Lemmas.Count() || got.Lemmas == 0 {
			t.Errorf("%s: of %d facts: %+v", c.typ, out.Lemmas.Count(), got)
		}
		count := 0
		rejected := func(what, reason string, damage func(*pairs.Certificate)) {
			t.Helper()
			count++
			x := parsed(t, out.Text)
			damage(x)
			if got := holds(x); got.Holds || !strings.Contains(got.Reason, reason) {
				t.Errorf("%s, %s: %+v, want that %s", c.typ, what, got, reason)
			}
		}
		for i := range whole.Lemmas {
			l := &whole.Lemmas[i]
			for k := range l.Facts {
				rejected("without "+lemma.Fact(l.Facts[k]).String()+" at "+l.At, "only the lemmas", func(x *pairs.Certificate) {
					if y := &x.Lemmas[i]; len(y.Facts) > 1 {
						y.Facts = slices.Delete(y.Facts, k, k+1)
					} else {
						x.Lemmas = slices.Delete(x.Lemmas, i, i+1)
					}
				})
			}
			rejected("one more at "+l.At, "not always nobody == knows", func(x *pairs.Certificate) {
				x.Lemmas[i].Facts = append(x.Lemmas[i].Facts, pairs.Fact{X: "nobody", Between: " == ", Y: "knows"})
			})
			rejected("another place for "+l.At, "", func(x *pairs.Certificate) { x.Lemmas[i].Site[0]++ })
			rejected("other words for "+l.At, "is said to be one of", func(x *pairs.Certificate) { x.Lemmas[i].At = "elsewhere.go:1" })
		}
		t.Logf("%s, items: %d: %d facts, %d damaged certificates rejected", c.typ, c.items, out.Lemmas.Count(), count)
	}
}
