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

// Complete adds the fits to a certificate, and returns the text of the whole file. The error is a *file.Rejection if the certificate does
// not hold.
func Complete(ctx context.Context, s *subject.Subject, x *certificate.Certificate) ([]byte, error) {
	c, err := New(s, x)
	if err == nil {
		x.Fits, err = c.Fit(ctx)
	}
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = x.Write(&text)
	return text.Bytes(), err
}
