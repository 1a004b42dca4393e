// SPDX-License-Identifier: BSD-3-Clause

package task

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"pangolin/internal/cache"
	"pangolin/internal/engine"
	"pangolin/verdict"
)

// What was judged when, of which revision, and under which key it is kept: a line of the directory's log for each result, for people who
// look at the history of a type. No verdict depends on it. Mutants are left out.

// Entry is a line of the log.
type Entry struct {
	At      time.Time `json:"at"`
	Module  string    `json:"module,omitempty"`
	Package string    `json:"package"`
	Commit  string    `json:"commit,omitempty"` // the git revision, in hexadecimal; "": there is none
	Sources State     `json:"sources,omitempty"`
	Key     string    `json:"key,omitempty"` // of the result; "": it is not kept
	Cached  bool      `json:"cached,omitempty"`
	Answers []Answer  `json:"answers"`
}

// State says whether the sources are those of the commit; "": that is not known.
type State string

// The states of sources.
const (
	Clean    State = "clean"
	Modified State = "modified"
)

// Answer is what a verdict says in brief.
type Answer struct {
	Type     string           `json:"type"` // with the package's name: "queue.Queue"
	Property verdict.Property `json:"property"`
	Engine   string           `json:"engine"`
	Status   verdict.Status   `json:"status"`
	Expected bool             `json:"expected,omitempty"` // the source declares this verdict
	Class    string           `json:"class,omitempty"`    // of the violation
	Scope    string           `json:"scope"`
	States   uint64           `json:"states,omitempty"`
	Seconds  float64          `json:"seconds"`
}

// ReadEntry reads a line of the log. It reports whether it is one, and not a part of one.
func ReadEntry(line []byte) (e Entry, ok bool) {
	err := json.Unmarshal(line, &e)
	return e, err == nil && e.Package != "" && len(e.Answers) > 0
}

// Work is what a process that is at work shows of itself.
type Work struct {
	PID        int       `json:"pid"`
	Command    string    `json:"command"` // the name of its file, and the first argument
	Module     string    `json:"module,omitempty"`
	Since      time.Time `json:"since"`
	Done       int       `json:"done"` // results so far
	Collection string    `json:"collection"`
	Property   string    `json:"property"`
	States     uint64    `json:"states"` // of the present search
	Bytes      int64     `json:"bytes"`
}

// journal writes the log.
type journal struct {
	once   sync.Once
	commit string
	state  State
}

// unknown is noted where git could not say it, so that it is not asked each time.
const unknown = "unknown"

// longestAsking is how long git may take to say what was modified.
const longestAsking = 5 * time.Second

// of is the revision that the sources are, and whether they are unmodified. Git is asked once for the same sources and revision: the answer
// is noted in the directory.
func (k *Kept) of() (commit string, state State) {
	j := &k.journal
	j.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), longestAsking)
		defer cancel()
		at, ok := k.Sources.Commit(ctx)
		if !ok {
			return
		}
		dir, _ := filepath.Abs(k.Sources.Dir)
		below, _ := filepath.Rel(at.Top, dir)
		sum := sha256.Sum256(fmt.Appendf(nil, "sources of a commit\n%s\n%q\n%s", at.Commit, below, k.sources()))
		key := hex.EncodeToString(sum[:])
		j.commit = at.Commit
		said := k.Cache.Note(key)
		if said == "" {
			modified, err := k.Sources.Modified(ctx, at)
			switch {
			case err != nil:
				said = unknown
			case modified:
				said = string(Modified)
			default:
				said = string(Clean)
			}
			_ = k.Cache.SetNote(key, said) // at worst git is asked again
		}
		if said != unknown {
			j.state = State(said)
		}
	})
	return j.commit, j.state
}

// Enter writes results of collections to the log.
func (k *Kept) Enter(results ...*Result) error {
	modules := map[string]string{}
	packages, _ := k.Sources.All()
	for _, p := range packages {
		modules[p.Path] = p.Module
	}
	commit, state := k.of()
	now := time.Now().UTC().Truncate(time.Millisecond)
	var lines [][]byte
	for _, r := range results {
		if len(r.Verdicts) == 0 {
			continue
		}
		e := Entry{At: now, Package: r.Verdicts[0].Package, Commit: commit, Sources: state, Key: r.Key, Cached: r.Cached}
		e.Module = modules[strings.TrimSuffix(e.Package, "_test")]
		for i := range r.Verdicts {
			e.Answers = append(e.Answers, answer(&r.Verdicts[i]))
		}
		text, err := json.Marshal(&e)
		if err != nil {
			return err
		}
		lines = append(lines, text)
	}
	return k.Cache.Append(lines...)
}

func answer(v *verdict.Verdict) Answer {
	a := Answer{Type: v.Collection, Property: verdict.Property(v.Property), Engine: v.Engine, Status: v.Status, Expected: v.Expected != "" && v.Expected == v.Status,
		Scope: v.Scope.Name(), States: v.States, Seconds: v.Seconds}
	if v.Violation != nil {
		a.Class = v.Violation.Class
	}
	return a
}

// enter writes a result to the log, unless it is about a mutant. What goes wrong is told.
func (h *Here) enter(t *Task, r *Result) {
	if t.Mutant != nil || r.Err != nil {
		return
	}
	if err := h.Kept.Enter(r); err != nil {
		h.uncached(fmt.Errorf("the log cannot be written: %w", err))
	}
}

// shownAfter is how long a process is at work before it shows so, and shownEach how often it does from then on.
const (
	shownAfter = 500 * time.Millisecond
	shownEach  = time.Second
)

// sign shows what a process does while it does tasks.
type sign struct {
	mu   sync.Mutex
	work Work
	stop chan struct{}
	done chan struct{}
}

// show begins to show what is done, until end is called. nil: nothing is kept, and so nothing shown.
func (h *Here) show() *sign {
	if h.Kept == nil {
		return nil
	}
	s := &sign{stop: make(chan struct{}), done: make(chan struct{})}
	s.work = Work{PID: os.Getpid(), Command: filepath.Base(os.Args[0]), Since: time.Now().UTC().Truncate(time.Millisecond)}
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		s.work.Command += " " + os.Args[1]
	}
	if list, _ := h.Kept.Sources.All(); len(list) > 0 {
		s.work.Module = list[0].Module
	}
	go s.run(h.Kept.Cache)
	return s
}

func (s *sign) run(d *cache.Dir) {
	defer close(s.done)
	file := d.Sign()
	defer file.Gone() // at worst it stays until it is old
	for wait := shownAfter; ; wait = shownEach {
		select {
		case <-s.stop:
			return
		case <-time.After(wait):
		}
		s.mu.Lock()
		text, err := json.Marshal(&s.work)
		s.mu.Unlock()
		if err == nil {
			_ = file.Show(text) // who cannot write shows nothing
		}
	}
}

// end removes what is shown.
func (s *sign) end() {
	if s != nil {
		close(s.stop)
		<-s.done
	}
}

// decided counts a result.
func (s *sign) decided() {
	if s != nil {
		s.mu.Lock()
		s.work.Done++
		s.mu.Unlock()
	}
}

// events are the events of a search, of which the progress is shown as well.
func (s *sign) events(of func(collection, property string) engine.Events) func(collection, property string) engine.Events {
	if s == nil {
		return of
	}
	return func(collection, property string) engine.Events {
		var e engine.Events
		if of != nil {
			e = of(collection, property)
		}
		s.mu.Lock()
		s.work.Collection, s.work.Property, s.work.States, s.work.Bytes = collection, property, 0, 0
		s.mu.Unlock()
		tell := e.Progress
		e.Progress = func(p engine.Progress) {
			s.mu.Lock()
			s.work.States, s.work.Bytes = p.States, p.Bytes
			s.mu.Unlock()
			if tell != nil {
				tell(p)
			}
		}
		return e
	}
}
