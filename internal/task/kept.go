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

// Kept are results of tasks by their keys, in a directory.
type Kept struct {
	Cache   *cache.Dir
	Tool    string        // digest of this program (cache.Tool)
	Sources *closure.Memo // digests of the packages that tasks are about

	told    sync.Map // why results are not kept
	journal journal
}

// key is the key of a task, with the packages that its result is made of: its own, and that of an oracle which the user wrote.
func (k *Kept) key(ctx context.Context, t *Task) (string, []*closure.Package, error) {
	q := closure.Query{Patterns: t.Patterns, Tests: t.Tests}
	var used []*closure.Package
	if t.local.inquiry != nil { // it was loaded, so that what is digested now may be something else
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
		if pattern, typ := find.SplitType(name); typ != "" { // of another package
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

// errChanged is about files that were written after they were digested.
var errChanged = errors.New("the sources have changed meanwhile")

// Key is a digest of all that a task's result depends on: the task, but for the patterns with which its package is found and the limit on
// time, which no result that lasts has met; the sources, of which the caller has a digest (package closure; it covers Go's version and
// platform); and a digest of this program.
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

// Get gives the result under a key. What no longer has the form of a result is none.
func (k *Kept) Get(key string) (*Result, error) {
	text, err := k.Cache.Get(key)
	if err != nil {
		return nil, err
	}
	r := &Result{}
	if err := r.UnmarshalJSON(text); err != nil { // json.Unmarshal would look through the text once more
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
	text, err := json.Marshal(r.portable())
	if err != nil {
		return err
	}
	same, err := json.Marshal(r.timeless())
	if err != nil {
		return err
	}
	if strings.Contains(string(text), engine.Failed) {
		return errFailed
	}
	return k.Cache.Put(key, cache.Entry{Text: text, Same: same})
}

// errFailed is about a verdict for which Pangolin had to do without one of its mechanisms. Which one that is depends on what was asked of
// the machine, such as the number of workers.
var errFailed = errors.New(engine.Failed)

// portable is a result without the names of files on this machine.
func (r *Result) portable() *Result {
	other := Result{Verdicts: slices.Clone(r.Verdicts), Mutant: r.Mutant, Notes: r.Notes}
	for i := range other.Verdicts {
		v := &other.Verdicts[i]
		v.Resumed = 0 // which is about this run
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
		if v.Proof != nil && v.Proof.Lemmas != nil { // portable has copied the proof
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

// recalled does a task that may be kept: it looks for the result first, and keeps one that lasts. What goes wrong with keeping is no error
// of the task, but a conflict is: then it has had two different results.
func (h *Here) recalled(ctx context.Context, t *Task) Result {
	key, sources, err := h.Kept.key(ctx, t)
	alone := len(sources) == 1
	if err != nil {
		if ctx.Err() == nil {
			h.uncached(err)
		}
		return h.decide(ctx, t)
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
		return h.decide(ctx, t)
	}
	computed := h.decideLong(ctx, t, sources)
	if ctx.Err() != nil || !t.Lasting(&computed) { // who cancels ends a search in the middle, with a verdict
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

// uncached tells why a result is not kept, each reason once.
func (h *Here) uncached(why error) {
	if _, told := h.Kept.told.LoadOrStore(why.Error(), true); !told {
		h.tell("a result is not cached: " + why.Error())
	}
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
		for _, v := range r.Verdicts {
			h.Verdict(v)
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
