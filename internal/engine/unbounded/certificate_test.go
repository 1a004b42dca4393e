// SPDX-License-Identifier: BSD-3-Clause

package unbounded

import (
	"context"
	"strings"
	"testing"

	"pangolin/internal/certificate"
	"pangolin/internal/certificate/checker"
	"pangolin/internal/engine/unbounded/fixpoint"
	"pangolin/internal/engine/unbounded/fragment"
	"pangolin/internal/subject"
	"pangolin/internal/test/level"
)

// certified proves a collection and gives the certificate as its file has it.
func certified(t *testing.T, pkg, typ string) (*subject.Subject, []byte) {
	t.Helper()
	s := load(t, pkg, typ)
	return s, fileOf(t, s)
}

// fileOf proves a collection and gives the file of its certificate.
func fileOf(t *testing.T, s *subject.Subject) []byte {
	t.Helper()
	p, err := fragment.Of(s)
	if err != nil {
		t.Fatal(err)
	}
	found, err := Search(context.Background(), p, fixpoint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if found.Invariant == nil {
		t.Fatal(found.Failure.Alarm)
	}
	text, err := checker.Complete(t.Context(), s, found.Invariant.Certificate(certificate.NewHead(s.Source, s.Prog)))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// accept checks a certificate.
func accept(s *subject.Subject, x *certificate.Certificate) error {
	c, err := checker.New(s, x)
	if err != nil {
		return err
	}
	return c.Check(context.Background())
}

func TestCertify_WritesWhatTheCheckerAccepts(t *testing.T) {
	level.SkipShort(t, "proves collections, which other tests do")
	for i, c := range proved {
		t.Run(c.typ, func(t *testing.T) {
			if c.long && !level.All() {
				t.Skip("takes long")
			}
			if level.Out(i, 6) {
				t.Skip("some will do; -level more proves all")
			}
			s, text := certified(t, c.pkg, c.typ)
			x, err := certificate.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d bytes", len(text))
			if err := accept(s, x); err != nil {
				t.Error(err)
			}
		})
	}
}

// What a report shows of an invariant are its views, by places.
func TestPlaces_HaveAllViews(t *testing.T) {
	s, text := certified(t, "right", "CoarseStack")
	x := parsed(t, text)
	count := 0
	for _, at := range x.Places(s.Prog, 2) {
		count += at.Count
		if at.At == "" || len(at.Views) != min(2, at.Count) {
			t.Errorf("at %q there are %d of %d views", at.At, len(at.Views), at.Count)
		}
		for _, v := range at.Views {
			if len(v.Cells) == 0 || !strings.HasPrefix(v.Cells[0].Type, "right.CoarseStack") {
				t.Errorf("at %s the collection is not the first cell: %+v", at.At, v.Cells)
			}
		}
	}
	if count != len(x.Views) {
		t.Errorf("%d views of %d stand somewhere", count, len(x.Views))
	}
}
