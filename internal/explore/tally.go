// SPDX-License-Identifier: BSD-3-Clause

package explore

// tally counts the states and transitions of one worker. They are added to the sums of the search every 1024 states.
type tally struct {
	states      uint64
	transitions uint64
	depth       int

	quota   int    // states until the next publication
	claimed uint64 // states that this worker may still count
	sent    struct {
		states, transitions uint64
		bytes               int64
	}
}

// batch returns how many states a worker counts between publications.
func (s *search) batch() int {
	const batch = 1024
	n := min(batch, s.progressEvery())
	if k := s.opt.Checkpoints; k != nil && k.Every > 0 {
		n = min(n, k.Every)
	}
	return int(n)
}

func (s *search) progressEvery() uint64 {
	if s.opt.ProgressEvery == 0 {
		return 1 << 20
	}
	return s.opt.ProgressEvery
}

// claim returns how many of the states that may be counted one worker takes: many at once, for each time the
// workers wait for each other's caches. Only where several share what a caller has allowed they take them one by one,
// as nobody counts what another one has taken and has no use for.
func (s *search) claim() uint64 {
	n := uint64(1024)
	if s.opt.MaxStates > 0 && len(s.workers) > 1 {
		n = 1
	}
	if s.maxStates == 0 {
		return n
	}
	over := max(s.claimed.Add(n), s.maxStates) - s.maxStates
	return n - min(n, over)
}

// count counts a new state and reports whether it is within the limit.
func (t *tally) count(w *worker, depth int) bool {
	s := w.search
	if t.claimed == 0 {
		if t.claimed = s.claim(); t.claimed == 0 {
			s.stop(LimitStates)
			s.refused.Store(true) // also if another limit was first
			return false
		}
	}
	t.claimed--
	t.states++
	t.depth = max(t.depth, depth)
	if t.quota--; t.quota == 0 {
		t.quota = s.batch()
		t.publish(w)
	}
	return true
}

// publish adds what is new to the sums of the search, looks at the limit on memory and
// reports progress.
func (t *tally) publish(w *worker) {
	s := w.search
	if bytes := t.add(w); s.opt.MaxBytes > 0 && bytes > s.opt.MaxBytes {
		s.stop(LimitBytes)
	}
	if k := s.opt.Checkpoints; k != nil && k.Due != nil && k.Due() {
		s.signal.CompareAndSwap(going, pausing)
	}
}

// add returns the memory that the whole search takes.
func (t *tally) add(w *worker) int64 {
	s := w.search
	bytes := w.bytes()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sum.States += t.states - t.sent.states
	s.sum.Transitions += t.transitions - t.sent.transitions
	s.sum.Depth = max(s.sum.Depth, t.depth)
	s.sum.Bytes += bytes - t.sent.bytes
	t.sent.states, t.sent.transitions, t.sent.bytes = t.states, t.transitions, bytes

	now := s.sum
	now.Bytes += s.states.Bytes() + s.front.bytes()
	if s.opt.Held != nil {
		now.Bytes += s.opt.Held()
	}
	s.peak = max(s.peak, now.Bytes)
	if every := s.progressEvery(); s.opt.Progress != nil && now.States/every > s.reported/every {
		s.reported = now.States
		s.opt.Progress(now)
	}
	return now.Bytes
}
