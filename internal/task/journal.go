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

// The log: a line for each result about what was judged, when, at which revision, and under which
// key it is kept. It is for people who look at the history of a type; no verdict depends on it.
// Mutants are left out.

// Origin is where the sources of a task are from.
type Origin struct {
	Module  string `json:"module,omitempty"`
	Commit  string `json:"commit,omitempty"` // git revision in hexadecimal; "": none
	Sources State  `json:"sources,omitempty"`
}

// Entry is a line of the log.
type Entry struct {
	At      time.Time `json:"at"`
	Package string    `json:"package"`
	Origin
	Key     string   `json:"key,omitempty"` // key of the kept result; "": it is not kept
	Cached  bool     `json:"cached,omitempty"`
	Answers []Answer `json:"answers"`
}

// State tells whether the sources are those of the commit; "": unknown.
type State string

// The values of State.
const (
	Clean    State = "clean"
	Modified State = "modified"
)

// Answer is a verdict in brief.
type Answer struct {
	Type     string           `json:"type"` // with the package: "queue.Queue"
	Property verdict.Property `json:"property"`
	Engine   string           `json:"engine"`
	Status   verdict.Status   `json:"status"`
	Expected bool             `json:"expected,omitempty"` // a directive in the source expects this verdict
	Class    string           `json:"class,omitempty"`    // class of the violation
	Scope    string           `json:"scope"`
	States   uint64           `json:"states,omitempty"`
	Seconds  float64          `json:"seconds"`
}

// ReadEntry reads a line of the log. ok is false if it is not a whole entry.
func ReadEntry(line []byte) (e Entry, ok bool) {
	err := json.Unmarshal(line, &e)
	return e, err == nil && e.Package != "" && len(e.Answers) > 0
}

// Work is what a process shows of itself while it is at work.
type Work struct {
	PID        int       `json:"pid"`
	Command    string    `json:"command"` // the name of the program's file, and its first argument
	Module     string    `json:"module,omitempty"`
	Since      time.Time `json:"since"`
	Done       int       `json:"done"` // number of results so far
	Collection string    `json:"collection"`
	Property   string    `json:"property"`
	States     uint64    `json:"states"` // states of the search in progress
	Bytes      int64     `json:"bytes"`
}

// journal writes the log.
type journal struct {
	once   sync.Once
	commit string
	state  State
}

// unknown is noted if git did not answer, so that it is not asked again.
const unknown = "unknown"

// longestAsking is how long git may take to find modified files.
const longestAsking = 5 * time.Second

// of returns the revision of the sources, and whether they are unmodified. Git is asked once for
// the same sources and revision; its answer is noted in the directory.
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
			_ = k.Cache.SetNote(key, said) // on failure git is asked again next time
		}
		if said != unknown {
			j.state = State(said)
		}
	})
	return j.commit, j.state
}

// origin is that of the sources of a package.
func (k *Kept) origin(pkg string) *Origin {
	commit, state := k.of()
	o := &Origin{Commit: commit, Sources: state}
	packages, _ := k.Sources.All()
	for _, p := range packages {
		if p.Path == strings.TrimSuffix(pkg, "_test") {
			o.Module = p.Module
		}
	}
	return o
}

// Line is a line of the log about a result; nil: there is nothing to say.
func (r *Result) Line(o *Origin, at time.Time) ([]byte, error) {
	if len(r.Verdicts) == 0 {
		return nil, nil
	}
	e := Entry{At: at.UTC().Truncate(time.Millisecond), Package: r.Verdicts[0].Package, Origin: *o, Key: r.Key, Cached: r.Cached}
	for i := range r.Verdicts {
		e.Answers = append(e.Answers, answer(&r.Verdicts[i]))
	}
	return json.Marshal(&e)
}

// Enter adds results of collections to the log.
func (k *Kept) Enter(results ...*Result) error {
	now := time.Now()
	var lines [][]byte
	for _, r := range results {
		if len(r.Verdicts) == 0 {
			continue
		}
		line, err := r.Line(k.origin(r.Verdicts[0].Package), now)
		if err != nil {
			return err
		}
		lines = append(lines, line)
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

// enter adds a result to the log, unless it is about a mutant. Errors become notes.
func (h *Here) enter(t *Task, r *Result) {
	if t.Mutant != nil || r.Err != nil {
		return
	}
	if err := h.Kept.Enter(r); err != nil {
		h.uncached(fmt.Errorf("the log cannot be written: %w", err))
	}
}

// A process shows that it is at work after shownAfter, and then every shownEach.
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

// show starts showing what is done, until end is called. It returns nil if no results are kept.
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
	defer file.Gone() // on failure the file stays until it is old
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
			_ = file.Show(text) // a process that cannot write is not shown
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

// events adds to the functions that are told of a search one that shows its progress.
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
