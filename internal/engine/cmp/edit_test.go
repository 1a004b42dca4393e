// SPDX-License-Identifier: BSD-3-Clause

package cmp

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"pangolin/internal/certificate/pairs"
	"pangolin/internal/test/edit"
	"pangolin/internal/test/level"
)

// TestChecker_SurvivesEdits changes certificates in any place. The checker neither panics nor accepts what leaves something out.
func TestChecker_SurvivesEdits(t *testing.T) {
	level.SkipShort(t, "checks many certificates")
	for _, c := range certified[:3] {
		t.Run(c.typ, func(t *testing.T) {
			tries := 60
			switch {
			case level.All():
				tries = 3400
			case c.typ != "BitSet":
				t.Skip("certificates of one collection will do; -level all edits those of three")
			case level.More():
				tries = 1000
			}
			s := load(t, c.dir, c.typ)
			text, err := certificateOf(proveSubject(t, s, c.items), nil)
			if err != nil {
				t.Fatal(err)
			}
			whole, holds := parsed(t, text), 0
			for seed := range uint64(tries) {
				random := rand.New(rand.NewPCG(seed, 8))
				x := parsed(t, text)
				for range 1 + random.IntN(3) {
					edit.Any(x, random)
				}
				var file bytes.Buffer
				if err := x.Write(&file); err != nil {
					continue
				}
				r, err := check(repository, s, file.Bytes(), nil)
				switch {
				case err != nil && err.Error() == "", err == nil && !r.Holds && r.Reason == "":
					t.Errorf("seed %d: nobody says what is wrong", seed)
				case err != nil || !r.Holds:
					continue
				}
				holds++
				checker, err := pairs.New(s, x)
				if err != nil {
					t.Fatal(err)
				}
				for i := range whole.Views {
					if !checker.Claims(whole, i) {
						t.Errorf("seed %d: it holds, and does not claim view %d of the whole one", seed, i+1)
						break
					}
				}
			}
			t.Logf("%d of %d hold", holds, tries)
			if holds > tries/4 {
				t.Errorf("%d of %d edited certificates hold", holds, tries)
			}
		})
	}
}
