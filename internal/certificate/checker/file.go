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
	f, err := Fitted(ctx, s, x)
	if err != nil {
		return nil, err
	}
	if x.Head.Progress == nil {
		return f.Text()
	}
	y, text, err := f.Ranked(ctx, x.Head.Progress.Property)
	if err == nil {
		x.Head.Progress = y.Head.Progress
	}
	return text, err
}

// Fits is a certificate with its fits, to which rankings are added that show one property of progress or another.
type Fits struct {
	subject *subject.Subject
	x       *certificate.Certificate
	steps   *Checker // has noted all steps; nil: not yet
}

// Fitted adds the fits to a certificate. If its Progress names a property, the steps are noted as well, from which any ranking is made. The error is a
// *file.Rejection if the certificate does not hold.
func Fitted(ctx context.Context, s *subject.Subject, x *certificate.Certificate) (*Fits, error) {
	c, err := New(s, x)
	if err == nil {
		x.Fits, err = c.Fit(ctx)
	}
	if err != nil {
		return nil, err
	}
	f := &Fits{subject: s, x: x}
	if c.watch != nil {
		f.steps = c
	}
	return f, nil
}

// Text is the file without a ranking.
func (f *Fits) Text() ([]byte, error) {
	x := *f.x
	x.Head.Progress = nil
	return textOf(&x)
}

// Ranked returns the certificate with a ranking that shows a property of progress, and its file. The error is an *Unranked if there is none.
func (f *Fits) Ranked(ctx context.Context, p verdict.Property) (*certificate.Certificate, []byte, error) {
	x := *f.x
	x.Ask(p)
	if f.steps == nil {
		c, err := New(f.subject, &x)
		if err == nil {
			err = c.fitting(ctx)
		}
		if err != nil {
			return nil, nil, err
		}
		f.steps = c
	}
	c := *f.steps // splitting views adds to what it has noted
	c.watch = c.watch.clone()
	r, stuck, no := ranking.Find(c.watch.g, p)
	if no != nil && len(stuck) > 0 {
		if err := c.splitViews(ctx, stuck); err != nil {
			return nil, nil, err
		}
		if r, _, no = ranking.Find(c.watch.g, p); r != nil {
			r.Split = stuck
		}
	}
	if no != nil {
		return nil, nil, &Unranked{no.Error()}
	}
	x.Head.Progress = r
	text, err := textOf(&x)
	return &x, text, err
}

func textOf(x *certificate.Certificate) ([]byte, error) {
	var text bytes.Buffer
	err := x.Write(&text)
	return text.Bytes(), err
}
