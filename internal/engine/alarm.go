// SPDX-License-Identifier: BSD-3-Clause

package engine

import (
	"context"
	"errors"
	"fmt"

	"pangolin/verdict"
)

// Alarm is the error of a method of proof that cannot go on with the code: something in it may be wrong, or the method does not model it.
type Alarm struct {
	Outside bool // the method does not model the code
	Text    string
	At      string // the position, "file.go:12"; "": there is none
}

func (a *Alarm) Error() string {
	if a.At == "" {
		return a.Text
	}
	return fmt.Sprintf("%s, at %s", a.Text, a.At)
}

// ViewsError is the error of a table with more views than the limit allows.
type ViewsError struct{ Views int }

func (e *ViewsError) Error() string { return fmt.Sprintf("more than %d views", e.Views) }

// Unproved writes into a verdict which alarm, limit or end of time has kept a method from a proof. It reports whether something in the code may be wrong; another
// error than these it returns.
func Unproved(ctx context.Context, v *verdict.Verdict, err error) (suspicious bool, _ error) {
	bad, beyond := new(Alarm), new(ViewsError)
	switch {
	case errors.As(err, &bad):
		v.Reason = "not proved: " + bad.Error()
		if bad.Outside {
			v.Reason = "not modelled: " + bad.Error()
		}
		v.Proof = &verdict.Proof{Unreached: []string{}, Alarm: &verdict.Alarm{Outside: bad.Outside, Message: bad.Text, At: bad.At, Callers: []string{}, Trace: []verdict.AbstractStep{}}}
		return !bad.Outside, nil
	case ctx.Err() != nil:
		v.Reason, v.Cause = "not proved: the time was up before the table was complete", verdict.Limited
	case errors.As(err, &beyond):
		v.Reason, v.Cause = "not proved: "+beyond.Error(), verdict.Limited
	default:
		return false, err
	}
	return false, nil
}
