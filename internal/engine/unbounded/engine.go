// SPDX-License-Identifier: BSD-3-Clause

// Package unbounded proves collections correct for any number of threads, calls, cells and
// values: linearizable with respect to the oracle of a set, queue or stack, and free of data
// races and panics.
//
// It takes a loaded subject and looks for an invariant by thread-modular abstract
// interpretation of its instructions: what one thread may see of the memory (package shape), what
// its steps make of that (transfer), what the writes of others make of it (interference), and
// whether operations take effect one at a time (content). Package fixpoint puts these together.
// If there is no invariant it asks the bounded engine for an execution that is wrong.
//
// Sources: thread-modular reasoning as in Gotsman, Berdine, Cook, Sagiv, PLDI 2007; summaries,
// views and merging in the spirit of Holík, Meyer, Vojnar, Wolff, SAS 2017 and Abdulla,
// Jonsson, Trinh, SAS 2016. Deviations: classes of one ghost value instead of data relations, a
// content map found by enumeration and justified results instead of linearization points or
// policies, and sequentially consistent Go as package front compiles it.
//
// That calls return is proved if a property of progress is asked for: the checker, which executes all steps again, looks for a ranking
// (package certificate/ranking). Annotations are not needed.
package unbounded

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pangolin/internal/certificate"
	"pangolin/internal/certificate/checker"
	"pangolin/internal/engine"
	"pangolin/internal/engine/unbounded/fixpoint"
	"pangolin/internal/engine/unbounded/fragment"
	"pangolin/internal/engine/unbounded/walk"
	"pangolin/verdict"
)

// Engine is this package as an engine.
func Engine() engine.Engine {
	return engine.Engine{Name: "unbounded", Prove: Attempt, Check: checker.CheckFile,
		Doc: "an invariant for any number of threads, found by abstract interpretation"}
}

// Attempt proves, or says why not. It is suspicious if it has looked at the code and something
// may go wrong.
func Attempt(ctx context.Context, j *engine.Job, ev engine.Events) (v verdict.Verdict, suspicious bool, err error) {
	defer engine.NoProof(&v, &suspicious, &err)
	began := time.Now()
	v = verdict.Verdict{Status: verdict.Unknown, Cause: verdict.Unsupported, Scope: verdict.Unbounded(), Assumptions: j.AnyTime()}
	if !j.Property.IsProgress() {
		v.Assumptions = append(engine.OfEnds(""), v.Assumptions...)
	} else if j.Subject.Prog != nil {
		defer func() { // a failed proof of progress is no fault of the results, for which the suspicion would be looked into
			if suspicious = false; v.Status == verdict.Proved {
				v.Assumptions = append(engine.OfEnds(j.Property), v.Assumptions...)
			}
		}()
	}
	p, err := fragment.Of(j.Subject)
	if err != nil {
		v.Reason = "not in the fragment: " + err.Error()
		v.Proof = &verdict.Proof{Unreached: []string{}, Alarm: &verdict.Alarm{Outside: true, Message: err.Error(), Callers: []string{}, Trace: []verdict.AbstractStep{}}}
		return v, false, nil
	}
	so, err := proofOf(ctx, j, p, ev)
	found := so.found
	var unranked *checker.Unranked
	v.Seconds = time.Since(began).Seconds()
	switch {
	case err != nil && (ctx.Err() != nil || errors.As(err, new(*fixpoint.LimitError)) || errors.As(err, new(*fixpoint.GrowingError))):
		v.Reason, v.Cause = limitText(ctx, err), verdict.Limited
		return v, false, nil
	case err != nil:
		return v, false, err
	}
	v.Proof = facts(found, p)
	if found.Invariant != nil {
		v.Status, v.Cause = verdict.Proved, ""
		var x *certificate.Certificate
		x, v.Proof.Text, err = so.certified(ctx, j)
		v.Proof.Checked = true
		switch {
		case ctx.Err() != nil: // Certified says that there was no time
		case errors.As(err, &unranked):
			v.Status, v.Cause, v.Proof = verdict.Unknown, verdict.Unsupported, nil
			v.Seconds = time.Since(began).Seconds()
			v.Reason = fmt.Sprintf("not proved: it is linearizable, and whether it is %s is not known: %s", j.Property, unranked.Why)
			return v, false, nil
		case err != nil: // the invariant is closed, so that it does not fit is the prover's fault
			return v, false, engine.Contradiction(fmt.Errorf("the certificate of the proof does not hold: %w", err))
		case !j.Certify:
			v.Proof.Text = nil
		}
		if v.Seconds = time.Since(began).Seconds(); j.Certify || ctx.Err() != nil {
			if err := engine.Certified(ctx, j, &v, checker.CheckFile); err != nil || v.Status != verdict.Proved {
				return v, false, err
			}
		}
		v.Proof.Progress = x.Returns(p.Prog, p.Collection())
		if j.Scenes {
			v.Proof.Seen = x.Places(p.Prog, mostShown)
		}
		v.States, v.Transitions = uint64(v.Proof.Views), uint64(found.Invariant.Merges)
		return v, false, nil
	}
	v.Reason = "not proved: " + alarmText(v.Proof.Alarm)
	if v.Proof.Alarm.Outside {
		v.Reason = "not in the fragment: " + alarmText(v.Proof.Alarm)
	}
	return v, true, nil
}

// proof is what a search has found, and the certificate with its fits once there is one. It is kept for the next question about the subject.
type proof struct {
	found *fixpoint.Found
	fits  *checker.Fits
}

// proofOf searches for a proof, if the job does not remember what was found.
func proofOf(ctx context.Context, j *engine.Job, p *fixpoint.Program, ev engine.Events) (*proof, error) {
	limits := limitsOf(j, ev)
	key := fmt.Sprintf("unbounded, %d views", limits.MaxViews)
	if so, known := j.Memo.Get(key).(*proof); known {
		return so, nil
	}
	found, err := Search(ctx, p, limits)
	so := &proof{found: found}
	if err == nil {
		j.Memo.Put(key, so)
	}
	return so, err
}

// certified returns the certificate for the property of a job. The checker judges the invariant here, and finds what fits it. A file is read and checked
// once more as it was written.
func (so *proof) certified(ctx context.Context, j *engine.Job) (*certificate.Certificate, []byte, error) {
	x := so.found.Invariant.Certificate(certificate.NewHead(j.Subject.Source, j.Subject.Prog))
	if j.Property.IsProgress() {
		x.Ask(j.Property)
	}
	if so.fits == nil {
		var err error
		if so.fits, err = checker.Fitted(ctx, j.Subject, x); err != nil {
			return x, nil, err
		}
	}
	if j.Property.IsProgress() {
		return so.fits.Ranked(ctx, j.Property)
	}
	text, err := so.fits.Text()
	return x, text, err
}

// mostShown is how many views a report has of one place.
const mostShown = 6

func limitText(ctx context.Context, err error) string {
	if ctx.Err() != nil {
		return "not proved: the time was up before there was an invariant"
	}
	return "not proved: " + err.Error()
}

// limitsOf are the limits of a job: its states are views.
func limitsOf(j *engine.Job, ev engine.Events) fixpoint.Options {
	o := fixpoint.Options{MaxViews: int(j.MaxStates)}
	if tell := ev.Progress; tell != nil {
		o.Progress = func(views, effects int) { tell(engine.Progress{States: uint64(views), Transitions: uint64(effects)}) }
	}
	return o
}

// Search looks for an invariant, and puts the one that it finds through the gates.
func Search(ctx context.Context, p *fixpoint.Program, o fixpoint.Options) (*fixpoint.Found, error) {
	found, err := fixpoint.Search(ctx, p, o)
	if err != nil || found.Invariant == nil {
		return found, err
	}
	return found, gates(ctx, found.Invariant)
}

// gates are the two checks that every proof goes through, whatever the prover believes: the
// table is closed under everything that leads on from it, and what real executions show is in
// it.
func gates(ctx context.Context, inv *fixpoint.Invariant) error {
	if err := inv.Check(ctx); err != nil {
		return engine.Contradiction(fmt.Errorf("the proof is withdrawn: %w", err))
	}
	r, err := walk.Run(inv, walk.Options{Walks: 40, Steps: 120})
	switch {
	case err != nil:
		return engine.Contradiction(fmt.Errorf("the proof is withdrawn: %w", err))
	case r.Missing != nil:
		return engine.Contradiction(fmt.Errorf("the proof is withdrawn: %w", r.Missing))
	}
	return nil
}
