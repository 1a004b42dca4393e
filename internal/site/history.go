// SPDX-License-Identifier: BSD-3-Clause

package site

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"pangolin/internal/cache"
	"pangolin/internal/task"
)

// The history is what the log says, in memory. Each request reads what has been appended since the last one.

// typeID is a type.
type typeID struct{ Module, Package, Type string }

// link is the address of its page.
func (t typeID) link() string {
	return "/type?" + url.Values{"module": {t.Module}, "package": {t.Package}, "type": {t.Type}}.Encode()
}

func (t typeID) compare(o typeID) int {
	return cmp.Or(strings.Compare(t.Module, o.Module), strings.Compare(t.Package, o.Package), strings.Compare(t.Type, o.Type))
}

// record is one verdict of the log.
type record struct {
	typeID
	task.Answer
	At       time.Time
	Revision revision
	Key      string // of the result; "": it is not kept
	Times    int    // how often it came without another one between
}

// again says that a record tells nothing new behind another one of the same type.
func (r *record) again(o *record) bool {
	a, b := r.Answer, o.Answer
	a.Seconds, b.Seconds = 0, 0
	return r.Revision == o.Revision && r.Key == o.Key && a == b
}

// Link is the address of the type's page.
func (r record) Link() string { return r.link() }

// Result is the address of the page of the result; "": it is not kept.
func (r record) Result() string {
	if r.Key == "" {
		return ""
	}
	return "/result/" + r.Key
}

// Name is the type's, with the package's name.
func (r record) Name() string { return r.typeID.Type }

// Colour is the class of the verdict, for colours.
func (r record) Colour() string {
	if r.Expected {
		return "expected"
	}
	return string(r.Status)
}

// revision is one of git, or "none". Modified sources are a revision of their own: "0123456789ab-modified".
type revision string

const noRevision revision = "none"

const modified = "-modified"

func revisionOf(e *task.Entry) revision {
	if e.Commit == "" {
		return noRevision
	}
	r := e.Commit[:min(12, len(e.Commit))]
	if e.Sources == task.Modified {
		r += modified
	}
	return revision(r)
}

// Text is the revision for people.
func (r revision) Text() string {
	if r == noRevision {
		return "no revision"
	}
	commit, changed := strings.CutSuffix(string(r), modified)
	if changed {
		return commit + " modified"
	}
	return commit
}

// history is what the log says.
type history struct {
	mu    sync.Mutex
	log   *cache.Log
	types map[typeID][]record // oldest first
	order []typeID
	last  time.Time         // of the newest entry
	texts map[string]string // each text that records have, once: most have those of others
}

func newHistory(log *cache.Log) *history {
	return &history{log: log, types: map[typeID][]record{}, texts: map[string]string{}}
}

// read follows the log and calls a function with what is there; nobody else reads it meanwhile.
func (h *history) read(look func()) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	lines, again, err := h.log.Next()
	if err != nil {
		return err
	}
	if again {
		h.types, h.order, h.texts = map[typeID][]record{}, nil, map[string]string{}
	}
	known := len(h.types)
	for _, line := range lines {
		if e, ok := task.ReadEntry(line); ok {
			h.add(&e)
		}
	}
	if len(h.types) != known || again {
		h.order = h.order[:0]
		for id := range h.types {
			h.order = append(h.order, id)
		}
		slices.SortFunc(h.order, typeID.compare)
	}
	look()
	return nil
}

// share lets texts be those that are equal and known already.
func (h *history) share(texts ...*string) {
	for _, t := range texts {
		known, ok := h.texts[*t]
		if !ok {
			known = *t
			h.texts[known] = known
		}
		*t = known
	}
}

func (h *history) add(e *task.Entry) {
	if e.At.After(h.last) {
		h.last = e.At
	}
	h.share(&e.Module, &e.Package, &e.Commit)
	for _, a := range e.Answers {
		h.share(&a.Type, (*string)(&a.Property), &a.Engine, (*string)(&a.Status), &a.Class, &a.Scope)
		rev := revisionOf(e)
		h.share((*string)(&rev))
		r := record{typeID{e.Module, e.Package, a.Type}, a, e.At, rev, e.Key, 1}
		list := h.types[r.typeID]
		if i := lastOf(list, a); i >= 0 && list[i].again(&r) {
			list[i].At, list[i].Times = r.At, list[i].Times+1
			continue
		}
		h.types[r.typeID] = append(list, r)
	}
}

// lastOf is the position of the newest record about the same property; -1: there is none.
func lastOf(list []record, a task.Answer) int {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Property == a.Property {
			return i
		}
	}
	return -1
}

// newest are the newest records of a list for each property, in the order of the properties' names. Of which records it takes is said by a
// condition; nil: all.
func newest(list []record, condition func(*record) bool) (out []record) {
	for i := range list {
		if condition != nil && !condition(&list[i]) {
			continue
		}
		k := slices.IndexFunc(out, func(r record) bool { return r.Property == list[i].Property })
		switch {
		case k < 0:
			out = append(out, list[i])
		case !list[i].At.Before(out[k].At):
			out[k] = list[i]
		}
	}
	slices.SortFunc(out, func(a, b record) int { return cmp.Compare(a.Property, b.Property) })
	return out
}

// modules are those that the log names, sorted.
func (h *history) modules() (names []string) {
	for _, id := range h.order {
		if len(names) == 0 || names[len(names)-1] != id.Module {
			names = append(names, id.Module)
		}
	}
	return names
}

// version is a revision of a module, with how many verdicts it has of each status.
type version struct {
	Module                                string
	Revision                              revision
	At                                    time.Time
	Verified, Violated, Expected, Unknown int
}

// versions are the revisions of a module, newest first.
func (h *history) versions(module string) (list []version) {
	at := map[revision]int{}
	for _, id := range h.order {
		if id.Module != module {
			continue
		}
		seen := map[revision]bool{}
		for i := range h.types[id] {
			seen[h.types[id][i].Revision] = true
		}
		for rev := range seen {
			k, ok := at[rev]
			if !ok {
				k = len(list)
				at[rev] = k
				list = append(list, version{Module: module, Revision: rev})
			}
			for _, r := range newest(h.types[id], func(r *record) bool { return r.Revision == rev }) {
				list[k].count(&r)
			}
		}
	}
	slices.SortFunc(list, func(a, b version) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Revision, b.Revision)) })
	return list
}

func (v *version) count(r *record) {
	if r.At.After(v.At) {
		v.At = r.At
	}
	switch {
	case r.Status == "violated" && r.Expected:
		v.Expected++
	case r.Status == "violated":
		v.Violated++
	case r.Status == "verified" || r.Status == "proved":
		v.Verified++
	default:
		v.Unknown++
	}
}

// Link is the address of the verdicts of the revision.
func (v version) Link() string {
	return "/?" + url.Values{"module": {v.Module}, "at": {string(v.Revision)}}.Encode()
}
