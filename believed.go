// SPDX-License-Identifier: BSD-3-Clause

package pangolin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"pangolin/internal/engines"
	"pangolin/internal/subject"
	"pangolin/internal/task"
	"pangolin/verdict"
)

// A verdict that another machine has reached (Events.Elsewhere) is not believed: its witness is replayed, and its certificate checked, by the
// code that is here.

// holds returns an error if a verdict about the collection of a task has no evidence, or evidence that does not show what it says.
func (r *Request) holds(ctx context.Context, t *task.Task, v *verdict.Verdict) error {
	if v.Status == verdict.Violated && (v.Violation == nil || v.Violation.Execution == nil) {
		return errors.New("the violation has no witness")
	}
	if v.Status == verdict.Proved && v.Proof == nil {
		return errors.New("the proof has no certificate")
	}
	if v.Violation != nil {
		if err := r.shows(ctx, t, v); err != nil {
			return err
		}
	}
	if v.Status == verdict.Proved || v.Proof.Beside() {
		return r.certifies(ctx, t, v)
	}
	return nil
}

// shows replays the witness of a violation, and compares what the verdict tells with what happens.
func (r *Request) shows(ctx context.Context, t *task.Task, v *verdict.Verdict) error {
	said := *v.Violation
	w := said.Execution
	if w == nil {
		return errors.New("the violation has no witness")
	}
	if w.Subject.Collection != v.Collection || w.Subject.Property != v.Property {
		return fmt.Errorf("the witness is about %s, %s, and not about %s, %s", w.Subject.Collection, w.Subject.Property, v.Collection, v.Property)
	}
	s, err := r.again(ctx, t, &w.Source)
	if err != nil {
		return err
	}
	e, err := engines.Find("", false)
	if err != nil {
		return err
	}
	now, err := e.Replay(s, w)
	if err != nil {
		return err
	}
	if same, err := equal(w, now); err != nil || !same {
		return errors.Join(err, errors.New("the witness tells another execution than the one that its schedule leads to"))
	}
	at := now.Where()
	shown := &verdict.Violation{Class: now.Class, Client: now.Client, Summary: now.Message, Function: at.Function, File: at.File, Line: at.Line, Steps: now.Steps}
	if now.Threads == 1 { // the rule blame may have set a sentence before
		var one verdict.Verdict
		one.Violation = &verdict.Violation{Class: now.Class, Execution: now}
		if blames := t.Inquiry().Reading().Blames(&one, now.Message); said.Summary == blames {
			shown.Summary = blames
		}
	}
	said.Execution = nil
	if same, err := equal(&said, shown); err != nil || !same {
		return errors.Join(err, errors.New("the violation is not the one that its witness shows"))
	}
	if w.Scenes != nil {
		w.Scenes, w.Around = now.Scenes, now.Around
	}
	return nil
}

// certifies checks the certificate of a proof.
func (r *Request) certifies(ctx context.Context, t *task.Task, v *verdict.Verdict) error {
	if len(v.Proof.Text) == 0 {
		return errors.New("the proof has no certificate")
	}
	source, method, err := verdict.CertificateSource(v.Proof.Text)
	if err != nil {
		return err
	}
	s, err := r.again(ctx, t, source)
	if err != nil {
		return err
	}
	e, err := engines.Find(method, false)
	if err != nil {
		return err
	}
	c, err := e.CheckText(ctx, s, v.Proof.Text, nil)
	if err != nil {
		return err
	}
	if !c.Holds {
		return fmt.Errorf("the certificate does not hold: %s", c.Reason)
	}
	if p := verdict.Property(v.Property); p.IsProgress() && c.Progress != p {
		return fmt.Errorf("the certificate does not show that it is %s", p)
	}
	return nil
}

// again loads the collection of a task to check what a witness or a certificate says of it. The error is task.ErrUnclear if that is about
// another reading of the collection than the first: rules ask about others, and which ones only the whole inquiry tells.
func (r *Request) again(ctx context.Context, t *task.Task, w *verdict.Source) (*subject.Subject, error) {
	if w.Package != t.Package || w.Module != t.Module {
		return nil, fmt.Errorf("the evidence is about the package %s of module %s, and not about %s of %s", w.Package, w.Module, t.Package, t.Module)
	}
	order, err := t.Inquiry().Reading().Order()
	if err != nil {
		return nil, err
	}
	s, err := order.Load(ctx)
	if err != nil {
		return nil, err
	}
	if same, err := equal(w, &s.Source); err != nil || !same {
		return nil, errors.Join(err, task.ErrUnclear)
	}
	return s, nil
}

// equal compares two values as JSON.
func equal(a, b any) (bool, error) {
	x, err := json.Marshal(a)
	y, failed := json.Marshal(b)
	return bytes.Equal(x, y), errors.Join(err, failed)
}
