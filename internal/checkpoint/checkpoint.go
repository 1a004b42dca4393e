// SPDX-License-Identifier: BSD-3-Clause

// Package checkpoint decides when the long searches of a task are written down, and finds what was
// written of them.
//
// Who does a task makes a Session and puts it into the context (With). Each search that can be
// written down takes the next Slot (Next). A task makes the same searches in the same order each
// time, so the number of a slot says which search it is; beside that the search tells what it is
// about (About), which has to be the same. How a search is written, and what of it, is its own
// affair (packages explore and bounded); where the files are is package cache's.
//
// A checkpoint belongs to a key that covers what a result's key covers but for limits on time and
// memory. So one that was left by other sources, another request or another Pangolin is never
// found.
package checkpoint

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"pangolin/internal/cache"
	"pangolin/internal/saved"
)

// Pace says how often a search is written down. It changes no result.
type Pace struct {
	// First is how long a search lasts before it is written for the first time, and Between how
	// long it goes on until the next time, at least; Share how many times longer than the writing
	// took.
	First, Between time.Duration
	Share          int
	// Every is how many states are met between two times that the clock is looked at; 0: 1024.
	Every uint64
	// Last is how long a search has lasted at least that is written when a limit ends it.
	Last time.Duration
}

// Usual is the usual pace. Searches of less than half a minute are done again, and writing takes
// less than three hundredths of the time.
var Usual = Pace{First: 30 * time.Second, Between: 30 * time.Second, Share: 40, Last: 5 * time.Second}

// Session is about the searches of one task.
type Session struct {
	Dir    *cache.Dir
	Key    string
	Resume bool              // searches go on from their checkpoints
	Tell   func(text string) // receives notes about checkpoints
	Pace   Pace
	Wrote  func() // called after a checkpoint was written, while the search's workers wait; may be nil

	mu      sync.Mutex
	slots   int
	written bool
	failed  bool
	resumed bool
}

type sessionKey struct{}

// With returns a context whose searches belong to a session.
func With(ctx context.Context, s *Session) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

// Without returns a context whose searches leave no checkpoints.
func Without(ctx context.Context) context.Context { return With(ctx, nil) }

// Next is the slot of the next search; nil if it leaves no checkpoints.
func Next(ctx context.Context) *Slot {
	s, _ := ctx.Value(sessionKey{}).(*Session)
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slots++
	k := &Slot{session: s, number: s.slots, begun: time.Now()}
	k.due.Store(k.begun.Add(s.Pace.First).UnixNano())
	return k
}

// Written reports whether a checkpoint has been written, and Resumed whether a search has gone on
// from one.
func (s *Session) Written() bool { return s.is(&s.written) }
func (s *Session) Resumed() bool { return s.is(&s.resumed) }

func (s *Session) is(what *bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *what
}

// There reports whether there are checkpoints of the task.
func (s *Session) There() bool { return len(s.Dir.Saved(s.Key)) > 0 }

// Discard removes the checkpoints of the task.
func (s *Session) Discard() {
	if err := s.Dir.Discard(s.Key); err != nil {
		s.Tell("checkpoints are not removed: " + err.Error())
	}
}

// Slot is one search.
type Slot struct {
	session *Session
	number  int
	begun   time.Time
	due     atomic.Int64 // time of the next checkpoint
	About   string       // what the search is about; has to be the same when it goes on
	file    *cache.Checkpoint

	// Of a search that goes on: how long it took in earlier processes, and how often it went on
	// before.
	before  time.Duration
	resumed int
}

// Open returns a checkpoint of the search to be read; nil if there is none. Close must be called
// afterwards.
func (k *Slot) Open() *saved.Codec {
	s := k.session
	if !s.Resume {
		return nil
	}
	file, err := s.Dir.Resume(s.Key, k.number)
	if err != nil {
		if err != cache.ErrNone { // the bare error says that there is none, a wrapped one that it is damaged
			s.Tell(fmt.Sprintf("a checkpoint is not used, and the search begins: %v", err))
		}
		return nil
	}
	k.file = file
	c := saved.From(file, file.Size())
	var states uint64
	k.pass(c, &states)
	if c.Err() != nil {
		k.Refuse(c.Err())
		return nil
	}
	s.mu.Lock()
	s.resumed = true
	s.mu.Unlock()
	s.Tell(fmt.Sprintf("a search goes on from the checkpoint of %s (%d states, %s)", file.Written.UTC().Format("2006-01-02 15:04:05 UTC"), states,
		k.before.Round(time.Second)))
	k.resumed++
	return c
}

// pass writes or reads the beginning of a checkpoint.
func (k *Slot) pass(c *saved.Codec, states *uint64) {
	c.Mark("checkpoint")
	c.SameText(k.About, "what the search is about")
	lasted := k.Lasted()
	saved.Int(c, &lasted)
	saved.Int(c, &k.resumed)
	saved.Int(c, states)
	if !c.Writes() {
		k.before = lasted
	}
}

// Refuse notes why a checkpoint cannot be used; the search begins from scratch.
func (k *Slot) Refuse(why error) {
	k.before, k.resumed = 0, 0
	k.session.Tell(fmt.Sprintf("a checkpoint is not used, and the search begins: %v", why))
	k.Close()
}

// Close ends reading.
func (k *Slot) Close() {
	if k.file != nil {
		_ = k.file.Close()
		k.file = nil
	}
}

// Lasted is how long the search has lasted, in all processes.
func (k *Slot) Lasted() time.Duration { return k.before + time.Since(k.begun) }

// Before is how long the search took in earlier processes.
func (k *Slot) Before() time.Duration { return k.before }

// Resumed is how often the search has gone on in another process.
func (k *Slot) Resumed() int { return k.resumed }

// Every is the number of states after which Due is to be asked again.
func (k *Slot) Every() uint64 { return k.session.Pace.Every }

// Due reports whether it is time for a checkpoint.
func (k *Slot) Due() bool { return time.Now().UnixNano() >= k.due.Load() }

// Write writes a checkpoint of a search that has met so many states. A search that has ended early
// leaves none. Failures become notes, after which the search leaves no more checkpoints.
func (k *Slot) Write(states uint64, ended bool, pass func(c *saved.Codec)) {
	s := k.session
	if s.is(&s.failed) || ended && k.Lasted() < s.Pace.Last {
		return
	}
	began := time.Now()
	err := s.Dir.Save(s.Key, k.number, func(w io.Writer) error {
		c := saved.To(w)
		k.pass(c, &states)
		pass(c)
		return c.End()
	})
	now := time.Now()
	k.due.Store(now.Add(max(s.Pace.Between, time.Duration(s.Pace.Share)*now.Sub(began))).UnixNano())
	s.mu.Lock()
	s.written, s.failed = s.written || err == nil, s.failed || err != nil
	s.mu.Unlock()
	if err == nil && s.Wrote != nil {
		s.Wrote()
	}
	if err != nil {
		s.Tell(fmt.Sprintf("the search leaves no checkpoint: %v", err))
	}
}
