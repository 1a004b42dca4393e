// SPDX-License-Identifier: BSD-3-Clause

package checker

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"pangolin/internal/certificate"
	"pangolin/internal/certificate/file"
	"pangolin/internal/certificate/ranking"
	"pangolin/internal/subject"
	"pangolin/verdict"
)

// CheckFile checks a certificate, given as the text of its file, for the collection s. If draw is not nil, it draws the certificate's views
// there for people. If the certificate does not hold, the result says so; an error says why nothing could be checked.
func CheckFile(ctx context.Context, s *subject.Subject, text []byte, draw io.Writer) (*verdict.Checked, error) {
	x, err := certificate.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the certificate is damaged: %w", err)
	}
	began := time.Now()
	out := &verdict.Checked{Views: len(x.Views), Effects: len(x.Effects)}
	out.Races, out.Limits = true, verdict.Unbounded().Limits
	if x.Head.Progress != nil {
		out.Progress = x.Head.Progress.Property
	}
	c, err := New(s, x)
	if err == nil {
		if draw != nil {
			if err := x.Draw(draw, s.Prog); err != nil {
				return nil, err
			}
		}
		err = c.Check(ctx)
	}
	out.Seconds = time.Since(began).Seconds()
	return file.Conclude(out, err)
}

// Unranked is the error of an invariant that holds, and with which no ranking was found that shows the property of progress.
type Unranked struct{ Why string }

func (u *Unranked) Error() string { return u.Why }

// Complete adds the fits to a certificate, and returns the text of the whole file. If the certificate's Progress names a property, it looks for a
// ranking, which takes the place of what else there is. The error is a *file.Rejection if the certificate does not hold, and an *Unranked if there is no ranking.
func Complete(ctx context.Context, s *subject.Subject, x *certificate.Certificate) ([]byte, error) {
	c, err := New(s, x)
	if err == nil {
		x.Fits, err = c.Fit(ctx)
	}
	if err == nil && c.watch != nil {
		r, stuck, no := ranking.Find(c.watch.g, c.watch.claim.Property)
		if no != nil && len(stuck) > 0 {
			if err := c.splitViews(ctx, stuck); err != nil {
				return nil, err
			}
			if r, _, no = ranking.Find(c.watch.g, c.watch.claim.Property); r != nil {
				r.Split = stuck
			}
		}
		if no != nil {
			return nil, &Unranked{no.Error()}
		}
		x.Head.Progress = r
	}
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = x.Write(&text)
	return text.Bytes(), err
}
