// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"pangolin/internal/cache"
	"pangolin/internal/closure"
	"pangolin/internal/engine"
	"pangolin/internal/find"
)

// Kept are results of tasks in a directory, by their keys.
type Kept struct {
	Cache   *cache.Dir
	Tool    string        // digest of this program (cache.Tool)
	Sources *closure.Memo // digests of the packages that tasks are about

	told    sync.Map // the reasons for not keeping results that were noted already
	journal journal
}

// key returns the key of a task, and the packages on which its result depends: its own, and that of
// an oracle of the user's.
func (k *Kept) key(ctx context.Context, t *Task) (string, []*closure.Package, error) {
	q := closure.Query{Patterns: t.Patterns, Tests: t.Tests}
	var used []*closure.Package
	if t.local.inquiry != nil { // the package was loaded before, so the files may have changed since
		p := k.Sources.Known(q, t.Package)
		if p == nil {
			return "", nil, fmt.Errorf("%s was not digested before it was loaded", t.Package)
		}
		used = append(used, p)
	} else if p, err := k.Sources.Package(ctx, q, t.Package); err != nil {
		return "", nil, err
	} else {
		used = append(used, p)
	}
	sources := used[0].Digest
	if name, _ := t.Wishes.Oracle.Type(); name != "" {
		if pattern, typ := find.SplitType(name); typ != "" { // an oracle in another package
			p, err := k.Sources.First(ctx, pattern)
			if err != nil {
				return "", nil, err
			}
			used, sources = append(used, p), sources+" "+p.Digest
		}
	}
	for _, p := range used {
		if !p.Unchanged() {
			return "", nil, errChanged
		}
	}
	key, err := t.Key(sources, k.Tool)
	return key, used, err
}

// errChanged says that sources were written after they were digested.
var errChanged = errors.New("the sources have changed meanwhile")

// Key is a digest of everything on which a task's result depends: the task (without the patterns
// that find its package, and without the limit on time, which no lasting result has reached); its
// sources, whose digest the caller has (package closure; it covers Go's version and platform); and
// this program.
func (t *Task) Key(sources, tool string) (string, error) {
	one := *t
	one.Patterns = nil
	terms := *t.Terms
	terms.Search.Timeout, one.Terms = 0, &terms
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

// Get returns the result under a key. A text that is no result counts as absent.
func (k *Kept) Get(key string) (*Result, error) {
	text, err := k.Cache.Get(key)
	if err != nil {
		return nil, err
	}
	r := &Result{}
	if err := r.UnmarshalJSON(text); err != nil { // json.Unmarshal would read the text twice
		return nil, errors.Join(cache.ErrNone, err)
	}
	r.Key, r.Cached = key, true
	for i := range r.Verdicts {
		r.Verdicts[i].Cached = true
	}
	if r.Mutant != nil {
		r.Mutant.Cached = true
	}
	return r, nil
}

// put keeps a result.
func (k *Kept) put(key string, r *Result) error {
	text, same, err := r.Portable()
	if err != nil {
		return err
	}
	return k.Cache.Put(key, cache.Entry{Text: text, Same: same})
}

// Portable encodes a result for other processes and machines: text is everything that any format
// shows; same is what all results of one task have in common, without times and memory. The error
// is about a result that must not be kept.
func (r *Result) Portable() (text, same []byte, err error) {
	if text, err = json.Marshal(r.portable()); err != nil {
		return nil, nil, err
	}
	if same, err = json.Marshal(r.timeless()); err != nil {
		return nil, nil, err
	}
	if strings.Contains(string(text), engine.Failed) {
		err = errFailed
	}
	return text, same, err
}

// errFailed says that a mechanism of Pangolin failed and the verdict was reached without it. That
// may depend on the number of workers, so the result is not kept.
var errFailed = errors.New(engine.Failed)

// portable is a copy of the result without names of files on this machine.
func (r *Result) portable() *Result {
	other := Result{Verdicts: slices.Clone(r.Verdicts), Mutant: r.Mutant, Code: r.Code, Notes: r.Notes, Err: r.Err}
	for i := range other.Verdicts {
		v := &other.Verdicts[i]
		v.Resumed = 0 // concerns this run only
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

// timeless is a portable result without times and memory. Two results of one task are equal in it.
func (r *Result) timeless() *Result {
	other := r.portable()
	for i := range other.Verdicts {
		v := &other.Verdicts[i]
		v.Seconds, v.PeakBytes = 0, 0
		v.Asked = slices.Clone(v.Asked)
		for k := range v.Asked {
			v.Asked[k].Seconds = 0
		}
		if v.Proof != nil && v.Proof.Lemmas != nil { // the proof was copied by portable
			lemmas := *v.Proof.Lemmas
			lemmas.Seconds, v.Proof.Lemmas = 0, &lemmas
		}
	}
	if r.Mutant != nil {
		m := *r.Mutant
		m.Seconds = 0
		other.Mutant = &m
	}
	return other
}

// recalled does a task whose result may be kept: it looks for a result, else computes one and keeps
// it if it lasts. Failures of the directory are notes, not errors of the task. A conflict is an
// error: the task has had two different results.
func (h *Here) recalled(ctx context.Context, t *Task) Result {
	key, sources, err := h.Kept.key(ctx, t)
	alone := len(sources) == 1
	if err != nil {
		if ctx.Err() == nil {
			h.uncached(err)
		}
		return h.compute(ctx, t, h.decide)
	}
	r, err := h.Kept.Get(key)
	if err == nil {
		h.replay(t, r)
		r.Alone = alone
		return *r
	}
	if conflict := (*cache.Conflict)(nil); errors.As(err, &conflict) {
		return Result{Err: err}
	}
	if !errors.Is(err, cache.ErrNone) {
		h.uncached(err)
		return h.compute(ctx, t, h.decide)
	}
	computed := h.compute(ctx, t, func(ctx context.Context, t *Task) Result { return h.decideLong(ctx, t, sources) })
	if ctx.Err() != nil || !t.Lasting(&computed) { // a cancelled search returns a verdict too, which does not last
		return computed
	}
	for _, p := range sources {
		if !p.Unchanged() {
			h.uncached(errChanged)
			return computed
		}
	}
	if err := h.Kept.put(key, &computed); err != nil {
		if conflict := (*cache.Conflict)(nil); errors.As(err, &conflict) {
			computed.Err = err
		} else {
			h.uncached(err)
		}
		return computed
	}
	computed.Key, computed.Alone = key, alone
	return computed
}

// uncached notes why a result is not kept, each reason once.
func (h *Here) uncached(why error) {
	if _, told := h.Kept.told.LoadOrStore(why.Error(), true); !told {
		h.tell("a result is not cached: " + why.Error())
	}
}

// replay repeats the notes and verdicts of a recalled result to the caller's functions.
func (h *Here) replay(t *Task, r *Result) {
	if h.Events != nil && len(r.Notes) > 0 {
		if e := h.Events(t.Package+"."+t.Wishes.Type, ""); e.Note != nil {
			for _, text := range r.Notes {
				e.Note(text)
			}
		}
	}
	if h.Verdict != nil {
		for _, v := range r.Verdicts {
			h.Verdict(v)
		}
	}
}

// heard adds to the functions that are told of a search one that appends notes to a list.
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

// Lookup gives the result that is kept of a task; nil if none is.
func (k *Kept) Lookup(ctx context.Context, t *Task) (*Result, error) {
	key, _, err := k.key(ctx, t)
	if err != nil {
		return nil, err
	}
	r, err := k.Get(key)
	if errors.Is(err, cache.ErrNone) {
		return nil, nil
	}
	return r, err
}
