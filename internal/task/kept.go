// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"

	"pangolin/internal/cache"
	"pangolin/internal/closure"
	"pangolin/internal/engine"
)

// Kept are results of tasks by their keys, in a directory.
type Kept struct {
	Cache   *cache.Dir
	Tool    string        // digest of this program (cache.Tool)
	Sources *closure.Memo // digests of the packages that tasks are about
}

// key is the key of a task, with the package that it is about.
func (k *Kept) key(ctx context.Context, t *Task) (string, *closure.Package, error) {
	p, err := k.Sources.Package(ctx, closure.Query{Patterns: t.Patterns, Tests: t.Tests}, t.Package)
	if err != nil {
		return "", nil, err
	}
	key, err := t.Key(p.Digest, k.Tool)
	return key, p, err
}

// Key is a digest of all that a task's result depends on: the task, but for the patterns with which its package is found; the sources, of which
// the caller has a digest (package closure; it covers Go's version and platform); and a digest of this program.
func (t *Task) Key(sources, tool string) (string, error) {
	one := *t
	one.Patterns = nil
	text, err := json.Marshal(struct {
		Task          *Task
		Sources, Tool string
	}{&one, sources, tool})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// Get gives the result under a key. What no longer has the form of a result is none.
func (k *Kept) Get(key string) (*Result, error) {
	text, err := k.Cache.Get(key)
	if err != nil {
		return nil, err
	}
	r := &Result{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, errors.Join(cache.ErrNone, err)
	}
	r.Cached = true
	return r, nil
}

// put keeps a result.
func (k *Kept) put(key string, r *Result) error {
	text, err := json.Marshal(r.portable())
	if err != nil {
		return err
	}
	same, err := json.Marshal(r.timeless())
	if err != nil {
		return err
	}
	return k.Cache.Put(key, cache.Entry{Text: text, Same: same})
}

// portable is a result without the names of files on this machine.
func (r *Result) portable() *Result {
	other := Result{Verdicts: slices.Clone(r.Verdicts), Mutant: r.Mutant, Notes: r.Notes}
	for i := range other.Verdicts {
		v := &other.Verdicts[i]
		if v.Violation != nil {
			violation := *v.Violation
			violation.Witness, v.Violation = "", &violation
		}
		if v.Proof != nil {
			proof := *v.Proof
			proof.Assertions, v.Proof = slices.Clone(proof.Assertions), &proof
			for k := range proof.Assertions {
				proof.Assertions[k].Path = ""
			}
		}
	}
	return &other
}

// timeless is a portable result without what the machine needed for it: two results of one task are equal but for that.
func (r *Result) timeless() *Result {
	other := r.portable()
	for i := range other.Verdicts {
		v := &other.Verdicts[i]
		v.Seconds, v.PeakBytes = 0, 0
		v.Asked = slices.Clone(v.Asked)
		for k := range v.Asked {
			v.Asked[k].Seconds = 0
		}
	}
	if r.Mutant != nil {
		m := *r.Mutant
		m.Seconds = 0
		other.Mutant = &m
	}
	return other
}

// recalled does a task that may be kept: it looks for the result first, and keeps one that lasts. What goes wrong with keeping is no error
// of the task, but a conflict is: then it has had two different results.
func (h *Here) recalled(ctx context.Context, t *Task) Result {
	key, sources, err := h.Kept.key(ctx, t)
	if err != nil {
		if ctx.Err() == nil {
			h.tell("the result is not kept: " + err.Error())
		}
		return h.decide(ctx, t)
	}
	switch r, err := h.Kept.Get(key); {
	case err == nil:
		h.replay(t, r)
		return *r
	case !errors.Is(err, cache.ErrNone):
		return Result{Err: err}
	}
	r := h.decide(ctx, t)
	if !t.Lasting(&r) {
		return r
	}
	if !sources.Unchanged() {
		h.tell("the result is not kept: the sources have changed meanwhile")
		return r
	}
	r.Key = key
	if err := h.Kept.put(key, &r); err != nil {
		if conflict := (*cache.Conflict)(nil); errors.As(err, &conflict) {
			r.Err = err
		} else {
			h.tell("the result is not kept: " + err.Error())
		}
		r.Key = ""
	}
	return r
}

// replay tells what was told when a result was computed.
func (h *Here) replay(t *Task, r *Result) {
	if h.Events != nil && len(r.Notes) > 0 {
		if e := h.Events(t.Package+"."+t.Wishes.Type, ""); e.Note != nil {
			for _, text := range r.Notes {
				e.Note(text)
			}
		}
	}
	if h.Verdict != nil {
		for i := range r.Verdicts {
			r.Verdicts[i].Cached = true
			h.Verdict(r.Verdicts[i])
		}
	}
}

// heard gives the events of a search, with what is noted added to a list.
func (h *Here) heard(notes *[]string) func(collection, property string) engine.Events {
	return func(collection, property string) engine.Events {
		var e engine.Events
		if h.Events != nil {
			e = h.Events(collection, property)
		}
		tell := e.Note
		e.Note = func(text string) {
			*notes = append(*notes, text)
			if tell != nil {
				tell(text)
			}
		}
		return e
	}
}
