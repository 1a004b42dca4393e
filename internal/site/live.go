// SPDX-License-Identifier: BSD-3-Clause

package site

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"pangolin/internal/cache"
	"pangolin/internal/task"
)

// What is going on now: a stream of server-sent events.

const (
	lookEach  = time.Second      // how often a stream looks for something new
	aliveEach = 15 * time.Second // how often it sends something at least, so that a lost connection is noticed
)

// running are the processes that are at work with a directory.
func running(dir *cache.Dir) (list []task.Work) {
	texts, err := dir.Running()
	if err != nil {
		return nil
	}
	for _, text := range texts {
		var w task.Work
		if json.Unmarshal(text, &w) == nil && w.PID > 0 {
			list = append(list, w)
		}
	}
	return list
}

// events sends the processes that are at work ("running", a list of task.Work) and the time of the log's newest entry ("log"), each when
// it has changed.
func (s *Site) events(w http.ResponseWriter, r *http.Request) {
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		s.problem(w, http.StatusServiceUnavailable, "Too many pages are watching.")
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	out := http.NewResponseController(w)
	tick := time.NewTicker(lookEach)
	defer tick.Stop()
	var running []byte
	var newest, sent time.Time
	for {
		now, err := json.Marshal(append([]task.Work{}, s.Running()...))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if !bytes.Equal(now, running) {
			running = now
			fmt.Fprintf(&b, "event: running\ndata: %s\n\n", now)
		}
		last := newest
		if s.history.read(func() { last = s.history.last }) == nil && (!last.Equal(newest) || sent.IsZero()) {
			newest = last
			fmt.Fprintf(&b, "event: log\ndata: %q\n\n", last.Format(time.RFC3339Nano))
		}
		if b.Len() == 0 && time.Since(sent) > aliveEach {
			b.WriteString(": still here\n\n")
		}
		if b.Len() > 0 {
			sent = time.Now()
			if _, err := b.WriteTo(w); err != nil || out.Flush() != nil {
				return
			}
		}
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
		}
	}
}
