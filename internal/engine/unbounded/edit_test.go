// SPDX-License-Identifier: BSD-3-Clause

package unbounded

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"pangolin/internal/certificate"
	"pangolin/internal/certificate/checker"
	"pangolin/internal/subject"
	"pangolin/internal/test/edit"
	"pangolin/internal/test/level"
)

// written is the file of a certificate; it is cut where a word has a form that cannot be written.
func written(x *certificate.Certificate) (text []byte) {
	var file bytes.Buffer
	defer func() {
		if recover() != nil {
			text = file.Bytes()
		}
	}()
	_ = x.Write(&file)
	return file.Bytes()
}

// edited checks a certificate that was changed at random in a few places, and reports whether it holds. What it claims, if so, is all that
// the whole one claims.
func edited(t *testing.T, s *subject.Subject, text []byte, seed uint64) bool {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 7))
	x, whole := parsed(t, text), parsed(t, text)
	for range 1 + random.IntN(3) {
		edit.Any(x, random)
	}
	file := written(x) // which need not say all that x does: a number has no second part
	r, err := checker.CheckFile(t.Context(), s, file, nil)
	switch {
	case err != nil && err.Error() == "", err == nil && !r.Holds && r.Reason == "":
		t.Errorf("seed %d: nobody says what is wrong", seed)
	case err != nil || !r.Holds:
		return false
	}
	c, err := checker.New(s, parsed(t, file))
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole.Views {
		if claims, err := c.Claims(&whole.Views[i]); err != nil || !claims {
			t.Errorf("seed %d: it holds, and does not claim view %d of the whole one", seed, i)
		}
	}
	return true
}

// TestChecker_SurvivesEdits changes certificates of three collections in any place. The checker neither panics nor accepts what leaves
// something out.
func TestChecker_SurvivesEdits(t *testing.T) {
	level.SkipShort(t, "checks many certificates")
	for _, c := range []struct {
		pkg, typ string
		most     int // edits; 10,100 in all, of which one of MeetingStack takes ten times as long as the others
	}{{"right", "CoarseStack", 5000}, {"conditional", "CCAS", 4500}, {"right", "MeetingStack", 600}} {
		t.Run(c.typ, func(t *testing.T) {
			tries := 100
			switch {
			case level.All():
				tries = c.most
			case c.typ != "CoarseStack":
				t.Skip("certificates of one collection will do; -level all edits those of three")
			case level.More():
				tries = 1000
			}
			s, text := certified(t, c.pkg, c.typ)
			holds := 0
			for seed := range uint64(tries) {
				if edited(t, s, text, seed) {
					holds++
				}
			}
			t.Logf("%d of %d hold", holds, tries)
			if holds > tries/4 {
				t.Errorf("%d of %d edited certificates hold", holds, tries)
			}
		})
	}
}

// FuzzChecker_SurvivesEdits looks for edits that make the checker panic.
func FuzzChecker_SurvivesEdits(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(seed)
	}
	var s *subject.Subject
	var text []byte
	f.Fuzz(func(t *testing.T, seed uint64) {
		if s == nil {
			s, text = certified(t, "right", "CoarseStack")
		}
		edited(t, s, text, seed)
	})
}
